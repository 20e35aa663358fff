/** Sending events, compared with bare calls of the same client, and a minute's way to a socket. */

import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { systemClock } from '../../../src/core/clock.ts'
import { openSender } from '../../../src/outbox/sending/sender.ts'
import { systemTimers } from '../../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../../src/outbox/sending/webhook.ts'
import { openWebhookClient } from '../../../src/platform/webhooks/client.ts'
import { tlsDial } from '../../../src/platform/webhooks/connect.ts'
import { makeSecret, openSecretBox, secretAbout } from '../../../src/platform/webhooks/secretBox.ts'
import type { ServerStore } from '../../../src/server/accountStore.ts'
import { DAY, openTaking } from './alertsMade.ts'
import type { BenchCall, BenchReceiver } from './alertsReceiver.ts'
import { median, percentile } from './meter.ts'
import { receiveMessage } from './processes.ts'
import type { Rows } from './section.ts'

/** Accounts, and events of each at once: no more than the 30 that an account is sent a minute. */
const SENDING_ACCOUNTS = 100
const EVENTS = 6
/** Concurrent calls of the yardstick. */
const BARE_AT_ONCE = 64
const ROUNDS = 3
/** Minutes on their way to the socket: those that warm it up, and those that are timed. */
const WARM_MINUTES = 3
const MINUTES = 40
/** How often a watcher looks. */
const LOOK_MS = 500

const RECEIVER = join(import.meta.dirname, 'alertsReceiver.ts')

type Sending = {
  /** New and empty. */
  readonly accounts: ServerStore
  readonly ids: readonly string[]
  readonly box: ReturnType<typeof openSecretBox>
}
type Receiver = BenchReceiver & { readonly child: ChildProcess }

/** Milliseconds of a call: of the sender and of the yardstick, and of a minute to its call. */
export async function measureSending(accounts: ServerStore, folder: string): Promise<Rows> {
  const box = openSecretBox({ secretKey: null, databaseUrl: null, dataFolder: folder })
  const ids: string[] = []
  for (let index = 0; index < SENDING_ACCOUNTS; index++) {
    const atMs = systemClock.nowMs()
    const { id } = await accounts.addAccount({ name: 'b', plan: 'orders', createdAtMs: atMs })
    const sealed = box.seal(makeSecret(), secretAbout(id))
    await accounts.outbox.putSecret({ accountId: id, sealed, atMs })
    ids.push(id)
  }
  const sending = { accounts, ids, box }
  const fresh = await measureBoth(sending, 'fresh')
  const kept = await measureBoth(sending, 'kept')
  const waits = await measureWay(sending)
  return {
    'sending one event, each on a connection of its own': { p50_ms: fresh.own },
    'yardstick: the same by bare undici': { p50_ms: fresh.bare },
    'sending one event over connections that are kept': { p50_ms: kept.own },
    'yardstick: the same over connections that are kept': { p50_ms: kept.bare },
    'a new minute to the socket': {
      p50_ms: percentile(waits, 0.5),
      p99_ms: percentile(waits, 0.99),
    },
  }
}

async function startReceiver({ accounts, ids }: Sending, ...args: string[]): Promise<Receiver> {
  const child = fork(RECEIVER, args)
  const ready = await receiveMessage<BenchReceiver>(child, 'the receiver')
  const url = `https://127.0.0.1:${ready.port}/hook`
  for (const accountId of ids) {
    await accounts.outbox.saveEndpoint({
      accountId,
      owner: 'alerts',
      url,
      atMs: systemClock.nowMs(),
    })
  }
  return { ...ready, child }
}

/** Milliseconds a call of the sender and of the yardstick, taking turns; medians. */
async function measureBoth(sending: Sending, kind: 'fresh' | 'kept') {
  const receiver = await startReceiver(sending, kind)
  const [own, bare]: [number[], number[]] = [[], []]
  try {
    // the first of each warms it up
    for (let round = 0; round <= ROUNDS; round++) {
      own.push(await sendOwn(sending, receiver, round))
      bare.push(await sendBare(receiver, kind))
    }
  } finally {
    receiver.child.disconnect()
  }
  return { own: median(own.slice(1)), bare: median(bare.slice(1)) }
}

/** Opens a sender as in `watch`. Its clock is ahead, so that earlier events count for no limit. */
function openOwn({ accounts, box }: Sending, { port, ca }: Receiver, nowMs: () => number) {
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

const laterBy = ({ port }: Receiver, turn: number) =>
  systemClock.nowMs() + (port * 10 + turn) * 120_000

async function sendOwn(sending: Sending, receiver: Receiver, round: number): Promise<number> {
  const { accounts, ids } = sending
  const nowMs = () => laterBy(receiver, round)
  for (let event = 0; event < EVENTS; event++) {
    for (const accountId of ids) {
      await accounts.outbox.queueEvent({
        id: `evt_bench ${receiver.port} ${round} ${event} ${accountId}`,
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
        atMs: nowMs(),
      })
    }
  }
  const { sender, ended, stop } = openOwn(sending, receiver, nowMs)
  const startMs = performance.now()
  sender.start()
  while (ended.count < ids.length * EVENTS) await sleep(1)
  const tookMs = performance.now() - startMs
  await stop()
  return tookMs / (ids.length * EVENTS)
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
  const tookMs = performance.now() - startMs
  await dispatcher.close()
  return tookMs / count
}

/**
 * Milliseconds from a new minute to its call at the receiver, with the waits of a watcher, which
 * looks every half second, and of a sender. Files are not read.
 */
async function measureWay(sending: Sending): Promise<number[]> {
  const receiver = await startReceiver(sending, 'kept', 'reporting')
  const [accountId] = sending.ids
  const line = { id: 'l_bench', kind: 'price', price: 6000, mode: 'repeat' } as const
  const crossed = { line: { ...line, direction: 'any', note: null }, sinceMs: 0 } as const
  const lines = [{ ...crossed, armed: true, firedAtMs: null }]
  const settings = {
    ids: [accountId!],
    alerts: [{ accountId: accountId!, list: [], lines, rules: [] }],
  }
  let index = 0
  const now = () => laterBy(receiver, 5 + index)
  const take = openTaking(sending.accounts, settings, { run: 'replay_dddddddddddd', now })
  const { sender, stop } = openOwn(sending, receiver, now)
  const waits: number[] = []
  sender.start()
  try {
    for (; index < WARM_MINUTES + MINUTES; index++) {
      const startMs = performance.timeOrigin + performance.now()
      // the next look may be any time away, the same ones in every run
      await sleep((index * 197) % LOOK_MS)
      const called = receiveMessage<BenchCall>(receiver.child, 'the receiver')
      await take(index)
      // nothing is crossed at the first minute
      if (index === 0) continue
      const { atMs } = await called
      if (index >= WARM_MINUTES) waits.push(atMs - startMs)
    }
  } finally {
    await stop()
    receiver.child.disconnect()
  }
  return waits
}
