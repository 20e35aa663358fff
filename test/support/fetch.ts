// Fetches of test servers into temporary folders, in this process.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openClient } from '../../pipelines/fetch/client.ts'
import {
  type FetchDeps,
  type FetchedDay,
  findRestated,
  planFetch,
  runFetch,
  storeOutcome,
} from '../../pipelines/fetch/run.ts'
import { addressVariable, readSettings } from '../../pipelines/fetch/settings.ts'
import { type DataSource, type Part, partName } from '../../pipelines/fetch/source.ts'

export type FetchRequest = {
  readonly dataFolder: string
  readonly source: DataSource
  /** Address of the test server. */
  readonly url: string
  readonly days: readonly string[]
  readonly nowMs: number
  /** Keys by the names of their variables. */
  readonly keys?: Readonly<Record<string, string>>
  readonly isRestated?: boolean
  /** Waits between attempts are given here; none is waited for. */
  readonly waits?: number[]
  readonly bodyTimeoutMs?: number
}

export type FetchResult = {
  readonly days: readonly FetchedDay[]
  readonly restated: readonly string[]
  readonly missing: readonly Part[]
}

/** Fetches days as the command does. */
export async function fetchDays(request: FetchRequest): Promise<FetchResult> {
  const { dataFolder, source, nowMs, keys = {} } = request
  const environment = { ...keys, [addressVariable(source)]: request.url }
  const settings = readSettings(source, dataFolder, environment)
  const now = () => nowMs
  const client = openClient({
    source,
    settings,
    nowMs: now,
    ...(request.bodyTimeoutMs !== undefined && { bodyTimeoutMs: request.bodyTimeoutMs }),
  })
  const deps: FetchDeps = {
    dataFolder,
    source,
    client,
    nowMs: now,
    wait: async ms => {
      request.waits?.push(ms)
    },
    random: () => 0.5,
    onDay: () => {},
  }
  try {
    const plan = planFetch(dataFolder, source, request.days, nowMs)
    const restated = await findRestated(plan.stored, deps)
    const again = request.isRestated ? restated : []
    const missing = [...plan.missing, ...again]
    const stored = plan.stored.filter(({ part }) => !again.includes(part))
    const days = await runFetch({ missing, stored }, deps)
    if (days.length > 0) storeOutcome(days, deps)
    return { days, restated: restated.map(partName), missing }
  } finally {
    await client.close()
  }
}

/** All files below a folder, by their path in it, with their text. */
export function readFolder(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    names
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
      .map(path => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  )
}
