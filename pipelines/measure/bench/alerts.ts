/** A minute of alerts, compared with a plain scan and with bare inserts. */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findMinute } from '../../../src/alerts/finding/findMinute.ts'
import { toMinuteFacts } from '../../../src/alerts/finding/inputs.ts'
import { memoryBefore } from '../../../src/alerts/finding/memory.ts'
import { LIVE_RUN } from '../../../src/alerts/finding/run.ts'
import { always } from '../../../src/alerts/finding/sinceMinute.ts'
import { openWatched } from '../../../src/alerts/finding/watched.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import {
  firstMinuteMs,
  type MadeAccounts,
  madeAccounts,
  madeMinutes,
  openTaking,
} from './alertsMade.ts'
import { openScan } from './alertsScan.ts'
import { measureSending } from './alertsSending.ts'
import { openBareInserts } from './bareInserts.ts'
import type { Bench, Rows } from './section.ts'
import { timeRuns } from './timeRuns.ts'

/** Accounts of the two populations. */
const MANY = 10_000
const FEW = 1_000
/** Accounts whose settings match at a minute; the same in both populations. */
const MATCHING = 100
/** Minutes measured of each, and events stored for all accounts. */
const MINUTES = 25
const STORED = 9

const { nowMs } = systemClock

export async function measureAlerts(bench: Bench): Promise<Rows> {
  bench.say('finding alerts of 10,000 accounts')
  // in memory if the system allows it: both use the same disk
  const root = existsSync('/dev/shm') ? '/dev/shm' : bench.folder
  const folder = mkdtempSync(join(root, 'tapefold-bench-alerts-'))
  try {
    const minutes = await withAccounts(folder, async accounts => {
      const ids = await addAccounts(accounts)
      const [many, few] = [ids, ids.slice(0, FEW)].map(some => madeAccounts(some, MATCHING))
      // one after the other, and the first again: neither is the warmer one
      await measureTicks(accounts, few!, 'replay_aaaaaaaaaaaa')
      return {
        'a minute of 10,000 accounts': await measureTicks(accounts, many!, 'replay_bbbbbbbbbbbb'),
        'the same of 1,000 accounts': await measureTicks(accounts, few!, 'replay_cccccccccccc'),
        'yardstick: a plain scan of all settings': await measureScan(many!),
        'an event stored for 10,000 accounts': await measureStoring(accounts, ids),
        'yardstick: bare inserts of its rows': await measureInserts(ids, folder),
      }
    })
    // in a separate database: none of the events found above are sent
    const sending = join(folder, 'sending')
    mkdirSync(sending)
    const sent = await withAccounts(sending, accounts => measureSending(accounts, sending))
    return { ...minutes, ...sent }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withAccounts<T>(folder: string, work: (accounts: ServerStore) => Promise<T>) {
  const accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  try {
    return await work(accounts)
  } finally {
    await accounts.close()
  }
}

async function addAccounts(accounts: ServerStore): Promise<string[]> {
  const ids: string[] = []
  const createdAtMs = nowMs()
  for (let index = 0; index < MANY; index++) {
    const { id } = await accounts.addAccount({ name: 'bench', plan: 'orders', createdAtMs })
    const url = 'https://bench.example/'
    await accounts.outbox.saveEndpoint({ accountId: id, owner: 'alerts', url, atMs: createdAtMs })
    ids.push(id)
  }
  return ids
}

const timed = async (runs: number, work: () => unknown) => ({
  p50_ms: 1000 * (await timeRuns(runs, work)),
})

/** A minute, including all events found in it. */
function measureTicks(accounts: ServerStore, made: MadeAccounts, run: string) {
  const take = openTaking(accounts, made, { run })
  let index = 0
  return timed(MINUTES, async () => {
    const count = await take(index++)
    // nothing is crossed at the first minute
    if (index > 2 && count !== MATCHING) throw new Error(`${count} events, not ${MATCHING}`)
  })
}

/** The same minutes, with every setting of every account evaluated; nothing is written. */
function measureScan(made: MadeAccounts) {
  const scan = openScan(made)
  const minutes = madeMinutes()
  let index = 0
  return timed(MINUTES, () => {
    scan(toMinuteFacts(minutes, minutes.minuteAt(firstMinuteMs + index++ * 60_000)))
  })
}

/** A minute that sends every account the same event, to its commit. */
function measureStoring(accounts: ServerStore, ids: readonly string[]) {
  const settings = openWatched({ sinceMinute: always, usualList: [] })
  settings.putAccounts(ids)
  for (const one of madeAccounts(ids, ids.length).alerts) {
    settings.putAlerts({ ...one, rules: [], list: [] })
  }
  const minutes = madeMinutes()
  let memory = memoryBefore(null)
  let before: string | null = null
  let atMs = firstMinuteMs
  return timed(STORED, async () => {
    const facts = toMinuteFacts(minutes, minutes.minuteAt(atMs))
    const { memory: next, ...found } = findMinute(memory, {
      run: { id: LIVE_RUN, isReplay: false, isDelivered: true },
      facts,
      settings,
      positions: [],
      sinceMinute: always,
      isSimulated: false,
      foundAtMs: atMs,
      atMs: nowMs(),
      minuteEndMs: atMs,
    })
    const { day, minute } = facts.input
    await accounts.outbox.takeMinute({
      run: LIVE_RUN,
      day,
      minute,
      atMs: nowMs(),
      before,
      decide: () => ({ ...found, states: '{}', lineChanges: [] }),
    })
    memory = next
    before = minute
    atMs += 60_000
  })
}

async function measureInserts(ids: readonly string[], folder: string) {
  const bare = openBareInserts(join(folder, 'bare.sqlite'), ids, STORED + 1)
  try {
    return await timed(STORED, bare.insert)
  } finally {
    bare.close()
  }
}
