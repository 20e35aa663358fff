import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { SessionDate } from '../../../src/core/market/calendar.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { type ComparisonSpeed, measureComparison } from './http.ts'

export type LevelsHttpOptions = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly rounds: number
  readonly seconds: number
  readonly nowMs: () => number
}

/** Endpoints of the levels API, compared with a bare handler that sends the same bytes. */
export type LevelsHttpSpeed = {
  readonly levels: ComparisonSpeed
  readonly history: ComparisonSpeed
  readonly rounds: number
  readonly round_seconds: number
  readonly keys: number
}

/** Enough keys, at 120 calls a minute each, that no request of a load is refused. */
const KEYS = 5_000

/**
 * Measures the levels of a minute, and the history of a session, as `tapefold serve` sends them.
 */
export async function measureLevelsHttp(options: LevelsHttpOptions): Promise<LevelsHttpSpeed> {
  const { dataFolder, date, rounds, seconds } = options
  const keys = await addKeys(options)
  const measureSpeed = async (path: string): Promise<ComparisonSpeed> => {
    const saveResponse = (url: string) => saveBody(url + path, keys.at(-1)!, dataFolder)
    const comparison = { dataFolder, path, keys, rounds, seconds, readBody: saveResponse }
    const { responses: _, ...speed } = await measureComparison(comparison)
    return speed
  }
  return {
    levels: await measureSpeed(`/api/v1/levels?sym=SPX,XSP&g=10&day=${date}&time=11:14`),
    history: await measureSpeed(`/api/v1/history?sym=SPX&day=${date}`),
    rounds,
    round_seconds: seconds,
    keys: keys.length,
  }
}

/** Keys of one account; the session may be older than 90 days. */
async function addKeys({ dataFolder, nowMs }: LevelsHttpOptions): Promise<string[]> {
  const accounts = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const createdAtMs = nowMs()
  const { id } = await accounts.addAccount({ name: 'bench levels', plan: 'live', createdAtMs })
  await accounts.putProduct(id, { plan: 'dataset', fromMs: createdAtMs, untilMs: null })
  const keys: string[] = []
  for (let index = 0; index < KEYS; index++) {
    const key = { accountId: id, scope: 'live', name: `bench ${index}`, createdAtMs } as const
    keys.push((await accounts.addKey(key))!.apiKey)
  }
  await accounts.close()
  return keys
}

/** Saves a response body to a file, as it is sent. */
async function saveBody(url: string, key: string, folder: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' }
  const response = await fetch(url, { headers })
  const file = join(folder, 'bench-body.gz')
  writeFileSync(file, gzipSync(await response.text()))
  return file
}
