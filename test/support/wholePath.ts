// The whole way of an alert in one process: a published session, a watcher, its store, the sender
// and a receiver over TLS on this machine.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AlertBody, PositionBody } from '../../src/alerts/bodies/schema.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { openSender } from '../../src/outbox/sending/sender.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../src/outbox/sending/webhook.ts'
import { openWebhookClient } from '../../src/platform/webhooks/client.ts'
import { tlsDial } from '../../src/platform/webhooks/connect.ts'
import { makeSecret, openSecretBox, secretAbout } from '../../src/platform/webhooks/secretBox.ts'
import { explainRefusal } from '../../src/platform/webhooks/verify.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { type MadeSession, openMaker } from './madeMinutes.ts'
import { complete } from './position.ts'
import { KNOWN_MINUTE } from './positionMarket.ts'
import { openReceiver, type Received, type Say } from './receiver.ts'
import {
  accountFile,
  type Listed,
  listEvents,
  newAccount,
  openWatching,
  setAlert,
} from './watching.ts'

/** Waits are shorter than those of a server: the clock goes on only when a test says so. */
const FASTER = 20

export type WholePath = Awaited<ReturnType<typeof openWholePath>>

/** Opens all of it for one account with a webhook; `say` is how its receiver responds. */
export async function openWholePath(say?: Say) {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-path-'))
  const maker = await openMaker(folder)
  const receiver = await openReceiver(say)
  const accounts = await openAccountStore(accountFile(folder))
  const clock = { atMs: 0 }
  const watching = await openWatching({ dataFolder: folder, clock, accounts })
  const nowMs = () => clock.atMs
  const { accountId, secret, box } = await newReceiver(accounts, folder, receiver.port)
  const client = openWebhookClient({
    dial: tlsDial(receiver.ca),
    elapsedMs: () => performance.now(),
    ownHosts: [],
    allowed: [`127.0.0.1:${receiver.port}`],
  })
  const sender = openSender({
    outbox: accounts.outbox,
    holder: 'one',
    nowMs,
    channels: { webhook: webhookSender({ client, box, nowMs }) },
    timers: { after: (ms, run) => systemTimers.after(ms / FASTER, run) },
    log: { info: () => {}, error: fields => Promise.reject(fields) },
  })
  sender.start()
  const url = `https://127.0.0.1:${receiver.port}/position`
  return {
    folder,
    maker,
    accounts,
    accountId,
    clock,
    receiver,
    text: watching.said,
    set: (...bodies: readonly object[]) => setAll(accounts, accountId, bodies),
    keepPosition: (changes: object) => keepPosition(accounts, { accountId, url, changes }),
    tick: watching.tick,
    /** Publishes a running session up to a minute; what is found is sent, three seconds later. */
    runUntil: async (session: MadeSession, minute: string) => {
      await maker.runUntil(session, minute)
      clock.atMs = instantMs(session.day, minute) + 3_000
      await watching.tick()
      await sent(accounts, nowMs)
    },
    settled: () => sent(accounts, nowMs),
    /** Settles once every delivery was attempted, and that is written. */
    ended: async () => {
      const { outbox } = accounts
      const isTried = async () =>
        (await outbox.listDeliveries({ accountId, limit: 100 })).every(({ attempts }) =>
          attempts.some(one => one.result !== 'unknown'),
        )
      while (!(await isTried())) await new Promise(done => setTimeout(done, 2))
    },
    events: () => listEvents(accounts, accountId),
    /** Received events, in their order; each call is signed and names what is stored. */
    received: async () => {
      const events = await listEvents(accounts, accountId)
      return receiver.received
        .map(call => findBody(call, { secret, atMs: clock.atMs }))
        .toSorted((a, b) => findPlace(events, a.id) - findPlace(events, b.id))
    },
    /** Of each call as it came, whether its levels tell the put wall twice. */
    hadPutSupport: () =>
      receiver.received.map(
        ({ body }) => JSON.parse(String(body)).levels.put_support !== undefined,
      ),
    close: async () => {
      await sender.stop()
      await client.close()
      await receiver.close()
      await watching.close()
      await accounts.close()
      maker.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function newReceiver(accounts: ServerStore, dataFolder: string, port: number) {
  const accountId = await newAccount(accounts)
  const url = `https://127.0.0.1:${port}/alerts`
  await accounts.outbox.saveEndpoint({ accountId, owner: 'alerts', url, atMs: 0 })
  const secret = makeSecret()
  const box = openSecretBox({ secretKey: null, databaseUrl: null, dataFolder })
  const sealed = box.seal(secret, secretAbout(accountId))
  await accounts.outbox.putSecret({ accountId, sealed, atMs: 0 })
  return { accountId, secret, box }
}

/** Settings that were there before any session, as clients send them. */
export async function setAll(
  accounts: ServerStore,
  accountId: string,
  bodies: readonly object[],
): Promise<void> {
  for (const body of bodies) await setAlert(accounts, { accountId, atMs: 0, body })
}

/** A position that is SKIP nearer than 15 points to the flip, else TRADE. */
export async function keepPosition(
  accounts: ServerStore,
  { accountId, url, changes }: { accountId: string; url: string; changes: object },
): Promise<void> {
  const stored = complete({
    kind: 'strangle',
    legs: { sp: 5950, sc: 6050 },
    conditions: [{ id: 'flip_near', on: true, threshold: 15 }],
    label: { caution: 1, skip: 1 },
    alert: { channel: 'webhook', url: 'https://a.example/', before: 10 },
    ...changes,
  })
  const conditions = stored.conditions.map(one => ({ ...one, on: one.id === 'flip_near' }))
  // a client may not name an address of this machine
  const alert = { ...stored.alert, url }
  const body = JSON.stringify({ ...stored, id: 'p_one', conditions, alert })
  await accounts.changePositions({
    accountId,
    atMs: 1,
    repeat: null,
    decide: () => ({ response: '', put: { id: 'p_one', body } }),
  })
}

/** Inputs that judge positions at each state of a session. */
export function judgedBy({ day, states }: Pick<MadeSession, 'day' | 'states'>) {
  const market_minutes = Object.entries(states).map(([minute_et, { spot, flip }]) => ({
    ...KNOWN_MINUTE,
    session_date: day,
    minute_et,
    minute_at: new Date(instantMs(day, minute_et)).toISOString().slice(0, 19).replace('T', ' '),
    spot: spot ?? null,
    flip: flip ?? null,
    ...(flip === null ? { level_reason: 'no_root' } : {}),
  }))
  return { market_minutes, large_orders: [] }
}

async function sent({ outbox }: ServerStore, nowMs: () => number): Promise<void> {
  for (;;) {
    const { waiting, trying } = await outbox.outboxState({ nowMs: nowMs() })
    if (waiting + trying === 0) return
    await new Promise(done => setTimeout(done, 2))
  }
}

const findPlace = (events: readonly Listed[], id: string) => events.findIndex(one => one.id === id)

/** Contents of a call; fails where it is not signed, or not as its schema says. */
function findBody({ headers, body }: Received, { secret, atMs }: { secret: string; atMs: number }) {
  // the clock of the receiver stood at the time of the call
  const sentMs = 1000 * Number(headers['x-service-timestamp'])
  const refusal = explainRefusal({ headers, body, secret, nowMs: sentMs })
  if (refusal !== null || sentMs > atMs) throw new Error(`${refusal} at ${sentMs}`)
  const text = JSON.parse(String(body))
  const schema = text.position_id === undefined ? AlertBody : PositionBody
  const read = schema.parse(text)
  if (JSON.stringify(read).length !== String(body).length) throw new Error(`other keys in ${body}`)
  if (headers['x-service-event'] !== text.type) throw new Error(`${text.type} is another type`)
  return text
}

/** Events sent, without when they were found. */
export const withoutTime = (events: readonly Listed[]) =>
  events.map(({ id, body: { ts: _, ...body } }) => ({ id, body }))
