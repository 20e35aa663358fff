// Watchers on a data folder and an account database of a test.

import { join } from 'node:path'
import { openPositionsAt } from '../../pipelines/watch/positions.ts'
import type { Say } from '../../pipelines/watch/say.ts'
import { openWatcher } from '../../pipelines/watch/watcher.ts'
import { changeAlerts } from '../../src/alerts/ask.ts'
import { openMinutes } from '../../src/alerts/finding/readMinutes.ts'
import { LIVE_RUN, type Run } from '../../src/alerts/finding/run.ts'
import { parseAlertChange } from '../../src/alerts/parse.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { replayCatalog } from '../../src/data/published/replay.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'

export const LIVE: Run = { id: LIVE_RUN, isReplay: false, isDelivered: true }

export type WatchingOptions = {
  readonly dataFolder: string
  readonly run?: Run
  readonly beganMs?: number
  /** The clock of the market, and of the system. */
  readonly clock: { atMs: number }
  /** Where it differs from that of the market, as in a replay. */
  readonly system?: { atMs: number }
  readonly accounts?: ServerStore
  /** Stops in the middle of a tick, after so many minutes. */
  readonly stopAfter?: number
  readonly pause?: () => Promise<void>
}

export type Watching = Awaited<ReturnType<typeof openWatching>>

/** A watcher, its messages, and its store. */
export async function openWatching(options: WatchingOptions) {
  const { dataFolder, run = LIVE, clock, system = clock, beganMs = system.atMs } = options
  const text: string[] = []
  const add = (message: string, fields: object = {}) => {
    text.push(`${message} ${JSON.stringify(fields)}`)
  }
  const say: Say = { info: () => {}, error: add }
  const marketMs = () => clock.atMs
  const files = openCatalog({ dataFolder, nowMs: marketMs, log: { error: () => {} } })
  const catalog = run.isReplay ? replayCatalog(files, marketMs) : files
  const accounts = options.accounts ?? (await openAccountStore(accountFile(dataFolder)))
  const reader = await openMinutes({ dataFolder, reportDamage: catalog.reportDamage })
  const judge = openJudge(dataFolder)
  const positionsAt = openPositionsAt({ catalog, judge, nowMs: marketMs, say })
  let taken = 0
  const stopping: ServerStore = {
    ...accounts,
    outbox: {
      ...accounts.outbox,
      takeMinute: request => {
        if (++taken === options.stopAfter) watcher.stop()
        return accounts.outbox.takeMinute(request)
      },
    },
  }
  const watcher = openWatcher({
    catalog,
    reader,
    accounts: stopping,
    positionsAt,
    run,
    beganMs,
    say,
    marketMs,
    systemMs: () => system.atMs,
    ...(options.pause && { pause: options.pause }),
  })
  return {
    watcher,
    accounts,
    said: text,
    tick: watcher.tick,
    close: async () => {
      await judge.close()
      reader.close()
      if (!options.accounts) await accounts.close()
    },
  }
}

export const accountFile = (dataFolder: string): string => join(dataFolder, 'accounts.sqlite')

/** An account on a plan of the Orders API. */
export async function newAccount(accounts: ServerStore): Promise<string> {
  const { id } = await accounts.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 0 })
  return id
}

/** Sets something of an account, as a client sends it; returns the id of the addition. */
export async function setAlert(
  accounts: ServerStore,
  { accountId, atMs, body }: { accountId: string; atMs: number; body: object },
): Promise<string> {
  const change = parseAlertChange(JSON.stringify(body))
  const changed = await changeAlerts(accounts, { accountId, atMs, repeat: null, change })
  return JSON.parse(changed!.response).id
}

export type Listed = {
  readonly seq: number
  readonly createdAtMs: number
  readonly id: string
  readonly type: string
  readonly minute: string | null
  readonly run: string
  readonly owner: string
  // biome-ignore lint/suspicious/noExplicitAny: a body is what a client sees, JSON of any shape
  readonly body: any
}

/** Every event of an account in a run. */
export async function listEvents(
  { outbox }: ServerStore,
  accountId: string,
  run = LIVE_RUN,
): Promise<Listed[]> {
  const query = { accountId, afterSeq: 0, limit: 10_000, run, hasPutSupport: false }
  const found = await outbox.listEvents(query)
  return found.map(one => ({ ...one, body: JSON.parse(one.body) }))
}

export const shownEvents = (events: readonly Listed[]): string[] =>
  events.map(({ type, minute }) => `${type} ${minute}`)
