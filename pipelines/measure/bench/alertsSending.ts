import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { memoryBefore } from '../../../src/alerts/finding/memory.ts'
import { always } from '../../../src/alerts/finding/sinceMinute.ts'
import { openWatched } from '../../../src/alerts/finding/watched.ts'
import { openSender } from '../../../src/outbox/sending/sender.ts'
import { systemTimers } from '../../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../../src/outbox/sending/webhook.ts'
import { openWebhookClient } from '../../../src/platform/webhooks/client.ts'
import { tlsDial } from '../../../src/platform/webhooks/connect.ts'
import { makeSecret, openSecretBox, secretAbout } from '../../../src/platform/webhooks/secretBox.ts'
import type { ServerStore } from '../../../src/server/accountStore.ts'
import { type TakingDeps, takeMinute, type WatchedDay } from '../../watch/takeMinute.ts'
import { DAY, firstMinuteMs, madeMinutes } from './alertsMade.ts'
import type { BenchCall, BenchReceiver } from './alertsReceiver.ts'
import { median, percentile } from './stats.ts'

/** Accounts, and events of each at once: no more than the 30 that an account is sent a minute. */
const SENDING_ACCOUNTS = 100
const EVENTS = 6
/** Concurrent calls of the yardstick. */
const BARE_AT_ONCE = 64
const ROUNDS = 3
/** Minutes that are timed on their way to the socket, and how often a watcher looks. */
const MINUTES = 40
const TICK_MS = 500

const RECEIVER = join(import.meta.dirname, 'alertsReceiver.ts')

/** Throughput and latency of sending events. */
export type SendingSpeed = {
  /** Calls a second, medians. */
  readonly fresh_per_second: number
  readonly bare_fresh_per_second: number
  readonly kept_per_second: number
  readonly bare_kept_per_second: number
  /** Delay from a new minute in the catalog to its call at the receiver. */
  readonly socket_p50_ms: number
  readonly socket_p99_ms: number
}

export type SendingOptions = {
  /** New and empty, with its database in `folder`. */
  readonly accounts: ServerStore
  readonly folder: string
  readonly nowMs: () => number
}

/**
 * Compares the sender with bare calls of the same client library, and times a minute's delivery.
 */
export async function measureSending(options: SendingOptions): Promise<SendingSpeed> {
  const ids: string[] = []
  const { accounts, folder, nowMs } = options
  const box = openSecretBox({ secretKey: null, databaseUrl: null, dataFolder: folder })
  for (let index = 0; index < SENDING_ACCOUNTS; index++) {
    const { id } = await accounts.addAccount({ name: 'b', plan: 'orders', createdAtMs: nowMs() })
    const sealed = box.seal(makeSecret(), secretAbout(id))
    await accounts.outbox.putSecret({ accountId: id, sealed, atMs: nowMs() })
    ids.push(id)
  }
  const measuring = { ...options, ids, box }
  const [fresh, keptAlive] = [
    await measureBoth(measuring, 'fresh'),
    await measureBoth(measuring, 'kept'),
  ]
  const waits = await measureWay(measuring)
  return {
    fresh_per_second: fresh.own,
    bare_fresh_per_second: fresh.bare,
    kept_per_second: keptAlive.own,
    bare_kept_per_second: keptAlive.bare,
    socket_p50_ms: percentile(waits, 0.5),
    socket_p99_ms: percentile(waits, 0.99),
  }
}

type Measuring = SendingOptions & {
  readonly ids: readonly string[]
  readonly box: ReturnType<typeof openSecretBox>
}
type Receiver = BenchReceiver & { readonly child: ChildProcess }

async function startReceiver(...args: string[]): Promise<Receiver> {
  const child = fork(RECEIVER, args)
  const [ready] = (await once(child, 'message')) as [BenchReceiver]
  return { ...ready, child }
}

/** Calls a second of the sender and of the yardstick, alternating; medians. */
async function measureBoth(measuring: Measuring, kind: 'fresh' | 'kept') {
  const receiver = await startReceiver(kind)
  await saveEndpoints(measuring, receiver)
  const [own, bare]: [number[], number[]] = [[], []]
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const both = [await sendOwn(measuring, receiver, round), await sendBare(receiver, kind)]
      // the first of each warms it up
      if (round === 0) continue
      own.push(both[0]!)
      bare.push(both[1]!)
    }
  } finally {
    receiver.child.disconnect()
  }
  return { own: median(own), bare: median(bare) }
}

async function saveEndpoints(
  { accounts, ids, nowMs }: Measuring,
  { port }: Receiver,
): Promise<void> {
  const url = `https://127.0.0.1:${port}/hook`
  for (const accountId of ids) {
    await accounts.outbox.saveEndpoint({ accountId, owner: 'alerts', url, atMs: nowMs() })
  }
}

/** Opens a sender as in `watch`. Its clock is ahead, so that earlier events count for no limit. */
function openOwn({ accounts, box }: Measuring, { port, ca }: Receiver, nowMs: () => number) {
  const client = openWebhookClient({
    dial: tlsDial(ca),
    elapsedMs: () => performance.now(),
    allowed: [`127.0.0.1:${port}`],
    ownHosts: [],
  })
  const ended = { count: 0 }
  const { outbox } = accounts
  const sender = openSender({
    outbox: {
      ...outbox,
      endAttempts: async batch => {
        const results = await outbox.endAttempts(batch)
        ended.count += batch.ends.filter(({ outcome }) => outcome.result === 'sent').length
        return results
      },
    },
    channels: { webhook: webhookSender({ client, box, nowMs }) },
    holder: `${port} ${nowMs()}`,
    nowMs,
    timers: systemTimers,
    log: { info: () => {}, error: (fields, message) => console.error(message, fields) },
  })
  const stop = async () => {
    await sender.stop()
    await client.close()
  }
  return { sender, ended, stop }
}

async function sendOwn(measuring: Measuring, receiver: Receiver, round: number): Promise<number> {
  const { accounts, ids, nowMs } = measuring
  const later = () => nowMs() + (receiver.port * 10 + round) * 120_000
  for (let event = 0; event < EVENTS; event++) {
    for (const accountId of ids) {
      const id = `evt_bench ${receiver.port} ${round} ${event} ${accountId}`
      await accounts.outbox.queueEvent({
        id,
        accountId,
        type: 'flip_cross',
        owner: 'alerts',
        extra: null,
        priority: 0,
        minuteEndMs: null,
        channels: ['webhook'],
        run: 'live',
        day: DAY,
        minute: '10:00',
        body: BODY,
        atMs: later(),
      })
    }
  }
  const { sender, ended, stop } = openOwn(measuring, receiver, later)
  const startMs = performance.now()
  sender.start()
  while (ended.count < ids.length * EVENTS) await sleep(1)
  const seconds = (performance.now() - startMs) / 1000
  await stop()
  return (ids.length * EVENTS) / seconds
}

const BODY = JSON.stringify({
  version: 1,
  type: 'flip_cross',
  symbol: 'SPX',
  level: { kind: 'flip', value: 5998.76 },
  price: 5994.1,
  book: 'measured',
  ts: '2026-11-25T10:37:03-05:00',
  day: DAY,
  minute: '10:00',
  levels: { flip: 5998.76, call_wall: 6050, put_wall: 5950 },
  text: 'SPX 5,994.10 is below the measured flip 5,998.76 at 10:37 ET.',
})

/** The yardstick: as many posts of the same bytes, and nothing else. */
async function sendBare({ port, ca }: Receiver, kind: 'fresh' | 'kept'): Promise<number> {
  const dispatcher = new Agent({
    connect: { ca },
    connections: BARE_AT_ONCE,
    pipelining: kind === 'fresh' ? 0 : 1,
  })
  const count = SENDING_ACCOUNTS * EVENTS
  let next = 0
  const sendSome = async () => {
    while (next++ < count) {
      const { body } = await request(`https://127.0.0.1:${port}/bare`, {
        dispatcher,
        method: 'POST',
        body: BODY,
        headers: { 'content-type': 'application/json' },
      })
      await body.dump()
    }
  }
  const startMs = performance.now()
  await Promise.all(Array.from({ length: BARE_AT_ONCE }, sendSome))
  const seconds = (performance.now() - startMs) / 1000
  await dispatcher.close()
  return count / seconds
}

/**
 * Milliseconds from a new minute to its call at the receiver, with the waits of a watcher, which
 * looks every half second, and of a sender. Files are not read.
 */
async function measureWay(measuring: Measuring): Promise<number[]> {
  const receiver = await startReceiver('kept', 'told')
  await saveEndpoints(measuring, receiver)
  const accountId = measuring.ids[0]!
  const settings = openWatched({ sinceMinute: always, usualList: [] })
  settings.putAccounts([accountId])
  const line = { id: 'l_bench', kind: 'price', price: 6000, mode: 'repeat' } as const
  const stored = { line: { ...line, direction: 'any', note: null }, sinceMs: 0 } as const
  const lines = [{ ...stored, armed: true, firedAtMs: null }]
  settings.putAlerts({ accountId, list: [], lines, rules: [] })
  const known = {
    read: async () => ({ settings, positions: [] }),
    readAhead: async () => {},
    readLineStates: async () => {},
  }
  let index = 0
  const nowMs = () => measuring.nowMs() + (receiver.port * 10 + 5 + index) * 120_000
  const { sender, stop } = openOwn(measuring, receiver, nowMs)
  const watching = watch({ accounts: measuring.accounts, settings: known, nowMs })
  const waits: number[] = []
  sender.start()
  try {
    for (; index < WARM_MINUTES + MINUTES; index++) {
      // at any time between two looks, the same ones in every run
      await sleep((index * 197) % TICK_MS)
      const startMs = performance.timeOrigin + performance.now()
      watching.publish(index)
      // nothing is crossed at the first minute
      if (index === 0) continue
      const [call] = (await once(receiver.child, 'message')) as [BenchCall]
      if (index >= WARM_MINUTES) waits.push(call.atMs - startMs)
    }
  } finally {
    await watching.stop()
    await stop()
    receiver.child.disconnect()
  }
  return waits
}

const WARM_MINUTES = 3

/** Takes made minutes as they are published, as the watcher does. */
function watch({
  accounts,
  settings,
  nowMs,
}: Pick<TakingDeps, 'accounts' | 'settings'> & Pick<SendingOptions, 'nowMs'>) {
  const deps: TakingDeps = {
    accounts,
    settings,
    marketMs: nowMs,
    systemMs: nowMs,
    positionsAt: async () => [],
    run: { id: 'replay_dddddddddddd', isReplay: true, isDelivered: true },
  }
  const minutes = madeMinutes()
  let watched: WatchedDay = {
    day: minutes.manifest.session_date,
    sinceMinute: always,
    minute: null,
    states: null,
    memory: memoryBefore(null),
  }
  let [published, taken, isStopped] = [-1, -1, false]
  const run = async () => {
    while (!isStopped) {
      while (taken < published) {
        taken++
        const atMs = firstMinuteMs + taken * 60_000
        watched = (await takeMinute(deps, watched, { minutes, atMs }))!.watched
      }
      await sleep(TICK_MS)
    }
  }
  const running = run()
  return {
    publish: (index: number) => {
      published = index
    },
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
