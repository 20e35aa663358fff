/** Fetches of finished sessions that the scheduler starts. */

import { createInterface } from 'node:readline'
import type { Clock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import {
  addDays,
  findTradingSession,
  MINUTE_MS,
  neighbourSession,
  type SessionDate,
  wallTimeEt,
} from '../../src/core/market/calendar.ts'
import { startPipeline } from '../../src/core/pipeline.ts'
import { readSourceState, writeSourceState } from '../../src/data/fetched/responses.ts'
import { environmentConfig } from '../command/command.ts'
import { isToImport, planFetch } from '../fetch/run.ts'
import { readSettings } from '../fetch/settings.ts'
import type { DataSource } from '../fetch/source.ts'
import { SOURCES } from '../fetch/sources.ts'

/** Days that are looked at; older ones need a person's fetch, since a vendor may charge them. */
const CATCH_UP_DAYS = 7
/** Delay before a day that failed is fetched again. */
const RETRY_MS = 30 * MINUTE_MS
/** Time after which a session that should be there counts as late. */
const LATE_MS = 60 * MINUTE_MS

export type FetcherOptions = {
  readonly dataFolder: string
  readonly source: DataSource
  readonly clock: Clock
  readonly say: (line: string) => void
}

/** The source of a `--fetch` option. Fails with a UsageError, or a Refusal without its key. */
export function findNightlySource(
  name: string,
  dataFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): DataSource {
  const nightly = SOURCES.filter(source => !source.isOfToday)
  const source = nightly.find(each => each.name === name)
  if (!source) {
    const names = nightly.map(each => each.name).join(', ')
    throw new UsageError(`--fetch is ${name}; give one of ${names}.`)
  }
  readSettings(source, dataFolder, environment)
  return source
}

/** Days of a source that should be there by now and are not stored whole, oldest first. */
export function dueFetches(dataFolder: string, source: DataSource, nowMs: number): SessionDate[] {
  const today = wallTimeEt(nowMs).date
  const days: SessionDate[] = []
  for (let day = addDays(today, -CATCH_UP_DAYS); day <= today; day = addDays(day, 1)) {
    const isWanted = source.isBySession ? findTradingSession(day) !== null : day === today
    if (isWanted && source.readyMs(day) <= nowMs) days.push(day)
  }
  return days.filter(day => {
    const { missing, stored } = planFetch(dataFolder, source, [day], nowMs)
    const isMissing = missing.some(({ withoutIt }) => withoutIt === undefined)
    return isMissing || stored.some(({ record }) => isToImport(record))
  })
}

/**
 * Opens the fetches of a source: each call fetches what is due, in a process of its own, and
 * returns false when it could not.
 */
export function createFetcher(options: FetcherOptions): () => Promise<boolean> {
  const { dataFolder, source, clock, say } = options
  let failedAtMs = Number.NEGATIVE_INFINITY
  return async () => {
    const nowMs = clock.nowMs()
    const due = dueFetches(dataFolder, source, nowMs)
    const sinceMs = nowMs - failedAtMs
    const isResting = sinceMs >= 0 && sinceMs < RETRY_MS
    if (due.length > 0 && isResting) return false
    const isFetched = due.length === 0 || (await runFetchProcess(due, options))
    failedAtMs = isFetched ? Number.NEGATIVE_INFINITY : clock.nowMs()
    if (!isFetched) say(`${source.name}: not all of ${due.join(', ')} could be fetched`)
    if (isFetched) storeDue(options)
    return isFetched
  }
}

async function runFetchProcess(
  due: readonly SessionDate[],
  { dataFolder, source, say }: FetcherOptions,
) {
  const args = [source.name, due[0]!, due.at(-1)!, '--data', dataFolder]
  const child = startPipeline(['fetch', ...args], environmentConfig().databaseUrl)
  for (const stream of [child.stdout!, child.stderr!])
    createInterface({ input: stream }).on('line', say)
  return await new Promise<boolean>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve(code === 0))
  })
}

/** Stores when the next session should have come. */
function storeDue({ dataFolder, source, clock }: FetcherOptions): void {
  const state = readSourceState(dataFolder, source.name)
  if (!state || !source.isBySession) return
  const nowMs = clock.nowMs()
  let next = neighbourSession(addDays(wallTimeEt(nowMs).date, -CATCH_UP_DAYS), 1).date
  while (source.readyMs(next) <= nowMs) next = neighbourSession(next, 1).date
  const due_at = new Date(source.readyMs(next) + LATE_MS).toISOString()
  if (state.due_at !== due_at) writeSourceState(dataFolder, { ...state, due_at })
}
