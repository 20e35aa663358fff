// Events and deliveries to write tests with: what a test does not name is as usual.

import type { Outbox } from '../../src/outbox/store/outbox.ts'
import type {
  AttemptEnd,
  BegunAttempt,
  ClaimRequest,
  FoundEvent,
  LineState,
  MinuteRequest,
  SingleEvent,
} from '../../src/outbox/store/types.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'

/** 10:38:03 in New York, three seconds after the minute 10:37 ended. */
export const NOW = Date.parse('2026-11-25T15:38:03Z')
export const MINUTE_END = NOW - 3_000
export const DAY = '2026-11-25'
export const LEASE_MS = 10_000

export const eventId = (number: number) => `evt_${number.toString(16).padStart(32, '0')}`

export const found = (
  id: number,
  accountId: string,
  more: Partial<FoundEvent> = {},
): FoundEvent => ({
  id: eventId(id),
  accountId,
  type: 'flip_cross',
  finding: 0,
  extra: null,
  owner: 'alerts',
  minuteEndMs: MINUTE_END,
  priority: 0,
  channels: ['webhook'],
  ...more,
})

export const BODY = '{"version":1,"type":"flip_cross","text":"SPX is below the flip."}'

/** The first minute of the day, with these events of one finding. */
export const findMinute = (
  events: readonly FoundEvent[],
  more: Partial<MinuteRequest> = {},
): MinuteRequest => ({
  run: 'live',
  day: DAY,
  minute: '09:31',
  before: null,
  atMs: NOW,
  decide: () => ({ states: '{}', findings: [{ body: BODY }], events, lineChanges: [] }),
  ...more,
})

/** Writes states of lines, by the first minute of the day. */
export const putLineStates = (outbox: Outbox, run: string, lineChanges: readonly LineState[]) =>
  outbox.takeMinute({
    ...findMinute([], { run, atMs: 5 }),
    decide: () => ({ states: '{}', findings: [], events: [], lineChanges }),
  })

export const single = (id: number, accountId: string, more: Partial<SingleEvent> = {}) => ({
  ...found(id, accountId),
  body: BODY,
  run: 'live',
  day: DAY,
  minute: '10:37',
  atMs: NOW,
  ...more,
})

export const claimAll = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  nowMs: NOW,
  holder: 'one',
  leaseMs: LEASE_MS,
  limit: 1_000,
  accountMax: 1_000,
  busy: [],
  ...more,
})

/** Claims and begins all that is due; returns each in the order of its delivery. */
export async function beginAll(
  outbox: Outbox,
  nowMs = NOW,
  holder = 'one',
): Promise<BegunAttempt[]> {
  const claimed = await outbox.claim(claimAll({ nowMs, holder }))
  const deliveryIds = claimed.map(one => one.deliveryId).sort((a, b) => a - b)
  return await outbox.beginAttempts({
    nowMs,
    holder,
    leaseMs: LEASE_MS,
    deliveryIds,
    hasPutSupport: false,
  })
}

export type Went = Extract<BegunAttempt, { kind: 'go' }>

export const went = (begun: readonly BegunAttempt[]): Went[] =>
  begun.filter(one => one.kind === 'go')

/** Outcome of each, in few words: `go`, or why not. */
export const dispositions = (begun: readonly BegunAttempt[]): string[] =>
  begun.map(one => (one.kind === 'dropped' ? one.reason : one.kind))

export function findEnd(
  { deliveryId, attempt }: Pick<Went, 'deliveryId' | 'attempt'>,
  result: 'sent' | 'retry' | 'failed',
  dueAtMs: number | null = null,
): AttemptEnd {
  const status = result === 'sent' ? 200 : result === 'failed' ? 400 : 500
  const outcome = { result, status, error: null, ms: 12, address: '203.0.113.7' }
  return { deliveryId, attempt, outcome, dueAtMs }
}

/** An account with a webhook that is on, and a secret. */
export async function newReceiver(store: ServerStore, name = 'desk'): Promise<string> {
  const { id } = await store.addAccount({ name, plan: 'orders', createdAtMs: 1 })
  const saved = { accountId: id, owner: 'alerts', url: 'https://hook.example.com/in' } as const
  await store.outbox.saveEndpoint({ ...saved, atMs: 1 })
  await store.outbox.putSecret({ accountId: id, sealed: `sealed of ${name}`, atMs: 1 })
  return id
}

/** A proven contact of an account; returns its id. */
export async function newContact(
  { outbox }: ServerStore,
  accountId: string,
  more: { channel?: 'email' | 'telegram'; address?: string; isForAlerts?: boolean } = {},
): Promise<string> {
  // one of its own: codes for one address are bounded over all accounts
  const address = `${accountId}@example.com`
  const contact = { channel: 'email', address, isForAlerts: true } as const
  const added = await outbox.addContact({ accountId, ...contact, ...more, atMs: NOW })
  if (typeof added === 'string') throw new Error(added)
  const { contact: made, code } = added
  await outbox.proveContact({ accountId, contactId: made.id, code, atMs: NOW })
  return made.id
}
