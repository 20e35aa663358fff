import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findMinute } from '../../../src/alerts/finding/findMinute.ts'
import { toMinuteFacts } from '../../../src/alerts/finding/inputs.ts'
import { memoryBefore } from '../../../src/alerts/finding/memory.ts'
import { LIVE_RUN } from '../../../src/alerts/finding/run.ts'
import { always } from '../../../src/alerts/finding/sinceMinute.ts'
import { openWatched } from '../../../src/alerts/finding/watched.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { takeMinute, type WatchedDay } from '../../watch/takeMinute.ts'
import { firstMinuteMs, type MadeAccounts, madeAccounts, madeMinutes } from './alertsMade.ts'
import { openScan } from './alertsScan.ts'
import { measureSending, type SendingSpeed } from './alertsSending.ts'
import { openBareInserts } from './bareInserts.ts'
import { median } from './stats.ts'

/** Accounts of the two populations, and settings of each. */
const MANY = 10_000
const FEW = 1_000
const SETTINGS = 10
/** Minutes measured of each, after those that warm it up. */
const WARM = 5
const MEASURED = 25
/** Accounts whose settings match at a minute; the same in both populations. */
const MATCHING = 100
const FANS = 9

/** Cost of a minute with the settings of many accounts, and of an event sent to all of them. */
export type AlertsSpeed = SendingSpeed & {
  readonly accounts: number
  readonly settings: number
  readonly few_accounts: number
  readonly matches: number
  /** Milliseconds, medians. */
  readonly tick_ms: number
  readonly few_tick_ms: number
  readonly scan_ms: number
  readonly fan_out_ms: number
  readonly bare_insert_ms: number
}

export type AlertsOptions = { readonly dataFolder: string; readonly nowMs: () => number }

/** Compares the tick of a watcher with a plain scan, and its writes with plain inserts. */
export async function measureAlerts({ dataFolder, nowMs }: AlertsOptions): Promise<AlertsSpeed> {
  // in memory if the system allows it: both use the same disk
  const root = existsSync('/dev/shm') ? '/dev/shm' : dataFolder
  const folder = mkdtempSync(join(root, 'tapefold-bench-alerts-'))
  const accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  try {
    const ids = await addAccounts(accounts, MANY, nowMs)
    const measured = { accounts, nowMs, matches: MATCHING }
    const [many, few] = [ids, ids.slice(0, FEW)].map(some => madeAccounts(some, MATCHING))
    const measureTick = (made: MadeAccounts, run: string) => measureTicks(measured, made, run)
    // one after the other, and the first again: neither is the warmer one
    await measureTick(few!, 'replay_aaaaaaaaaaaa')
    const tickMs = await measureTick(many!, 'replay_bbbbbbbbbbbb')
    const fewTickMs = await measureTick(few!, 'replay_cccccccccccc')
    return {
      accounts: MANY,
      settings: SETTINGS,
      few_accounts: FEW,
      matches: MATCHING,
      tick_ms: tickMs,
      few_tick_ms: fewTickMs,
      scan_ms: measureScan(many!),
      ...(await measureFanOut(measured, ids, join(folder, 'bare.sqlite'))),
      ...(await measureSendingIn(join(folder, 'sending'), nowMs)),
    }
  } finally {
    await accounts.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures in a separate database: none of the events found above are sent. */
async function measureSendingIn(folder: string, nowMs: () => number): Promise<SendingSpeed> {
  const accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  try {
    return await measureSending({ accounts, folder, nowMs })
  } finally {
    await accounts.close()
  }
}

async function addAccounts(accounts: ServerStore, count: number, nowMs: () => number) {
  const ids: string[] = []
  const createdAtMs = nowMs()
  for (let index = 0; index < count; index++) {
    const { id } = await accounts.addAccount({ name: 'bench', plan: 'orders', createdAtMs })
    const url = 'https://bench.example/'
    await accounts.outbox.saveEndpoint({ accountId: id, owner: 'alerts', url, atMs: createdAtMs })
    ids.push(id)
  }
  return ids
}

type Measuring = {
  readonly accounts: ServerStore
  readonly nowMs: () => number
  readonly matches: number
}

/** Median milliseconds of a minute, including all events found in it. */
async function measureTicks(
  { accounts, nowMs, matches }: Measuring,
  { ids, alerts }: MadeAccounts,
  run: string,
): Promise<number> {
  const settings = openWatched({ sinceMinute: always, usualList: [] })
  settings.putAccounts(ids)
  for (const one of alerts) settings.putAlerts(one)
  const deps = {
    accounts,
    run: { id: run, isReplay: true, isDelivered: true },
    marketMs: nowMs,
    systemMs: nowMs,
    positionsAt: async () => [],
    settings: {
      read: async () => ({ settings, positions: [] }),
      readAhead: async () => {},
      readLineStates: async () => {},
    },
  }
  const minutes = madeMinutes()
  let watched: WatchedDay = {
    day: minutes.manifest.session_date,
    sinceMinute: always,
    minute: null,
    states: null,
    memory: memoryBefore(null),
  }
  const taken: number[] = []
  for (let index = 0; index < WARM + MEASURED; index++) {
    const atMs = firstMinuteMs + index * 60_000
    const startMs = performance.now()
    const tick = (await takeMinute(deps, watched, { minutes, atMs }))!
    if (index >= WARM) taken.push(performance.now() - startMs)
    const { length } = tick.outcome.events
    if (index > 1 && length !== matches) throw new Error(`${length} events, not ${matches}`)
    watched = tick.watched
  }
  return median(taken)
}

/** The same minutes, with every setting of every account evaluated; nothing is written. */
function measureScan(made: MadeAccounts): number {
  const scan = openScan(made)
  const minutes = madeMinutes()
  const taken: number[] = []
  for (let index = 0; index < WARM + MEASURED; index++) {
    const facts = toMinuteFacts(minutes, minutes.minuteAt(firstMinuteMs + index * 60_000))
    const startMs = performance.now()
    scan(facts)
    if (index >= WARM) taken.push(performance.now() - startMs)
  }
  return median(taken)
}

/**
 * Milliseconds of a minute that sends every account the same event, to its commit, and of bare
 * inserts of as many rows, alternating; medians.
 */
async function measureFanOut(
  { accounts, nowMs }: Measuring,
  ids: readonly string[],
  file: string,
): Promise<Pick<AlertsSpeed, 'fan_out_ms' | 'bare_insert_ms'>> {
  const bare = openBareInserts(file, ids)
  const inserted: number[] = []
  const { alerts } = madeAccounts(ids, ids.length)
  const settings = openWatched({ sinceMinute: always, usualList: [] })
  settings.putAccounts(ids)
  for (const one of alerts) settings.putAlerts({ ...one, rules: [], list: [] })
  const minutes = madeMinutes()
  let memory = memoryBefore(null)
  const taken: number[] = []
  const run = { id: LIVE_RUN, isReplay: false, isDelivered: true }
  for (let index = 0; index < FANS + 2; index++) {
    const atMs = firstMinuteMs + index * 60_000
    const facts = toMinuteFacts(minutes, minutes.minuteAt(atMs))
    const startMs = performance.now()
    const { memory: next, ...found } = findMinute(memory, {
      run,
      facts,
      settings,
      positions: [],
      sinceMinute: always,
      isSimulated: false,
      foundAtMs: atMs,
      atMs: nowMs(),
      minuteEndMs: atMs,
    })
    await accounts.outbox.takeMinute({
      run: LIVE_RUN,
      day: facts.input.day,
      minute: facts.input.minute,
      atMs: nowMs(),
      before: index === 0 ? null : minutes.minuteAt(atMs - 60_000).minute,
      decide: () => ({ ...found, states: '{}', lineChanges: [] }),
    })
    memory = next
    if (index > 1) taken.push(performance.now() - startMs)
    inserted.push(bare.insert())
  }
  bare.close()
  return { fan_out_ms: median(taken), bare_insert_ms: median(inserted.slice(2)) }
}
