/** `tapefold sources`: which sources are set up, whether they respond, and how old their newest is. */

import { monotonicMs, systemClock } from '../../src/core/clock.ts'
import { userSentence } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { readSourceState } from '../../src/data/fetched/responses.ts'
import { alignColumns } from '../../src/data/published/analyst.ts'
import { ownEnvironment } from '../command/command.ts'
import type { SHOW_SOURCES } from '../command/rows.ts'
import { openClient } from './client.ts'
import { hasKeys, readSettings } from './settings.ts'
import { type DataSource, FetchProblem } from './source.ts'
import { SOURCES } from './sources.ts'

/** One source as the command shows it. */
export type SourceRow = {
  readonly source: string
  readonly is_set_up: boolean
  /** Null where no request was sent. */
  readonly responds: boolean | null
  readonly took_ms: number | null
  readonly newest_day: string | null
  readonly responded_at: string | null
  /** Why it is not set up, does not respond, or failed last; null where nothing is wrong. */
  readonly problem: string | null
}

type ListDeps = {
  readonly dataFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly isOffline: boolean
  readonly nowMs: () => number
}

/** Reads one source, with a small request to it unless that is not wanted. */
async function readSource(source: DataSource, deps: ListDeps): Promise<SourceRow> {
  const { dataFolder, environment, isOffline, nowMs } = deps
  const state = readSourceState(dataFolder, source.name)
  const row = {
    source: source.name,
    newest_day: state?.newest_day ?? null,
    responded_at: state?.responded_at ?? null,
    problem: state?.problem ?? null,
  }
  const silentRow = { ...row, responds: null, took_ms: null }
  try {
    const settings = readSettings(source, dataFolder, environment)
    if (isOffline) return { ...silentRow, is_set_up: true }
    const client = openClient({ source, settings, nowMs })
    const startedMs = monotonicMs()
    try {
      const text = await client.call(source.probe)
      const took_ms = Math.round(monotonicMs() - startedMs)
      const fault = source.judgeProbe?.(text) ?? null
      if (fault === null) return { ...row, is_set_up: true, responds: true, took_ms }
      return { ...row, is_set_up: true, responds: false, took_ms, problem: fault }
    } catch (error) {
      if (!(error instanceof FetchProblem)) throw error
      return { ...silentRow, is_set_up: true, responds: false, problem: error.message }
    } finally {
      await client.close()
    }
  } catch (error) {
    const sentence = userSentence(error)
    if (sentence === null) throw error
    return { ...silentRow, is_set_up: hasKeys(source, dataFolder, environment), problem: sentence }
  }
}

function formatRows(rows: readonly SourceRow[]): string {
  const cells = rows.map(row => [
    row.source,
    row.is_set_up ? 'yes' : 'no',
    row.responds === null ? '-' : row.responds ? `yes, ${row.took_ms} ms` : 'no',
    row.newest_day ?? '-',
    row.responded_at?.slice(0, 16).replace('T', ' ') ?? 'never',
  ])
  const problems = rows.flatMap(({ problem }) => (problem === null ? [] : [`  ${problem}`]))
  const head = ['source', 'set up', 'responds', 'newest day', 'came, UTC']
  return [alignColumns([head, ...cells]), ...problems].join('\n')
}

/** Runs `tapefold sources`. */
export async function sourcesCommand(input: Input<typeof SHOW_SOURCES>): Promise<void> {
  const deps = {
    dataFolder: input.data,
    environment: ownEnvironment(),
    isOffline: input.offline,
    nowMs: systemClock.nowMs,
  }
  const rows = await Promise.all(SOURCES.map(source => readSource(source, deps)))
  const text = input.json ? rows.map(row => JSON.stringify(row)).join('\n') : formatRows(rows)
  process.stdout.write(`${text}\n`)
}
