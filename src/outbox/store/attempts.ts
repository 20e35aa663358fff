import { sql } from 'kysely'
import type { AccountTables } from '../../accounts/schema.ts'
import { EVENTS_PER_MINUTE_MAX } from '../../platform/webhooks/delivery.ts'
import type { OutboxTransaction } from './addDeliveries.ts'
import { eventBody } from './body.ts'
import { bulkInsert } from './bulk.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import {
  type AttemptRequest,
  type BegunAttempt,
  type ContactChannel,
  type DropReason,
  TEST_TYPES,
  WEBHOOK_OFF,
} from './types.ts'

/** Window in which the first attempts of an account are counted. */
export const FIRST_ATTEMPTS_WINDOW_MS = 60_000

/** Attempts that begin and never end, each with a killed process, before a delivery is given up. */
export const INTERRUPTED_MAX = 3

/** Decides which claimed deliveries are attempted, with their content and destination. */
export function attemptOperations({ db, isConcurrent }: OutboxDatabase) {
  return {
    beginAttempts: async request => {
      if (request.deliveryIds.length === 0) return []
      return await db.transaction().execute(async trx => {
        await lockAccounts(trx, request.deliveryIds, isConcurrent)
        const rows = await readClaimed(trx, request.deliveryIds, isConcurrent)
        const destinations = await readDestinations(trx, rows, request.nowMs)
        const begun = new Map<number, BegunAttempt>()
        // the first in the queue takes the remaining capacity of the minute
        for (const row of rows) begun.set(row.id, beginAttempt(row, destinations, request))
        await writeBegun(trx, rows, begun, request)
        return request.deliveryIds.map(deliveryId => {
          return begun.get(deliveryId) ?? { kind: 'lost', deliveryId, accountId: '' }
        })
      })
    },
  } satisfies Partial<Outbox>
}

/** Serialises starts and ends of attempts per account; SQLite has one writer anyway. */
export async function lockAccounts(
  trx: OutboxTransaction,
  deliveryIds: readonly number[],
  isConcurrent: boolean,
): Promise<void> {
  if (!isConcurrent) return
  const owners = trx.selectFrom('deliveries').select('account_id').where('id', 'in', deliveryIds)
  const accounts = trx.selectFrom('accounts').select('id').where('id', 'in', owners)
  await accounts.orderBy('id').forNoKeyUpdate().execute()
}

type ClaimedRow = Awaited<ReturnType<typeof readClaimed>>[number]

/** Reads claimed deliveries in queue order: levels, lines, positions, orders, each oldest first. */
function readClaimed(trx: OutboxTransaction, ids: readonly number[], isConcurrent: boolean) {
  const rows = trx
    .selectFrom('deliveries')
    .innerJoin('events', 'events.seq', 'deliveries.event_seq')
    .innerJoin('findings', 'findings.id', 'events.finding_id')
    .selectAll('deliveries')
    .select(['events.id as event_id', 'events.extra', 'findings.body'])
    .where('deliveries.id', 'in', ids)
    .orderBy('deliveries.priority')
    .orderBy('deliveries.id')
  return (isConcurrent ? rows.forUpdate('deliveries') : rows).execute()
}

type Destinations = {
  readonly endpoints: ReadonlyMap<string, AccountTables['hooks']>
  readonly secrets: ReadonlyMap<string, string>
  readonly contacts: ReadonlyMap<string, AccountTables['contacts']>
  /**
   * Events of each account whose first attempt by any channel was in the last minute; rises with
   * those that begin.
   */
  readonly begunEvents: Map<string, Set<number>>
}

/** All that may have changed since the deliveries were queued. */
async function readDestinations(
  trx: OutboxTransaction,
  rows: readonly ClaimedRow[],
  nowMs: number,
): Promise<Destinations> {
  const accountIds = [...new Set(rows.map(row => row.account_id))]
  const contactIds = rows.map(row => row.contact_id).filter(id => id !== null)
  if (accountIds.length === 0) {
    return {
      endpoints: new Map(),
      secrets: new Map(),
      contacts: new Map(),
      begunEvents: new Map(),
    }
  }
  const endpoints = trx.selectFrom('hooks').selectAll().where('account_id', 'in', accountIds)
  const secrets = trx.selectFrom('secrets').selectAll().where('account_id', 'in', accountIds)
  const attempted = trx
    .selectFrom('deliveries')
    .select(['account_id', 'event_seq'])
    .distinct()
    .where('account_id', 'in', accountIds)
    .where('first_try_at', '>', nowMs - FIRST_ATTEMPTS_WINDOW_MS)
    // later ones are from before the clock was set back
    .where('first_try_at', '<=', nowMs)
  const contacts =
    contactIds.length === 0
      ? []
      : await trx.selectFrom('contacts').selectAll().where('id', 'in', contactIds).execute()
  return {
    endpoints: new Map((await endpoints.execute()).map(row => [endpointKey(row), row])),
    secrets: new Map((await secrets.execute()).map(row => [row.account_id, row.sealed])),
    contacts: new Map(contacts.map(row => [row.id, row])),
    begunEvents: groupEvents(await attempted.execute()),
  }
}

function groupEvents(rows: readonly { account_id: string; event_seq: number }[]) {
  const events = new Map<string, Set<number>>()
  for (const { account_id, event_seq } of rows) {
    events.set(account_id, (events.get(account_id) ?? new Set()).add(Number(event_seq)))
  }
  return events
}

export const endpointKey = ({ account_id, owner }: { account_id: string; owner: string }) =>
  `${account_id} ${owner}`

function beginAttempt(
  row: ClaimedRow,
  destinations: Destinations,
  request: AttemptRequest,
): BegunAttempt {
  const whose = { deliveryId: row.id, accountId: row.account_id }
  if (row.state !== 'trying' || row.holder !== request.holder) return { ...whose, kind: 'lost' }
  const to = findDestination(row, destinations)
  const reason = typeof to === 'string' ? to : timeFault(row, destinations, request.nowMs)
  if (typeof to === 'string' || reason !== null) {
    return { ...whose, kind: 'dropped', reason: reason as DropReason }
  }
  if (row.first_try_at === null) {
    const { begunEvents } = destinations
    const events = begunEvents.get(row.account_id) ?? new Set()
    begunEvents.set(row.account_id, events.add(Number(row.event_seq)))
  }
  const hasPutSupport =
    row.has_put_support === null ? request.hasPutSupport : row.has_put_support === 1
  const { event_id: eventId, type, owner, tries: endedAttempts, body, extra } = row
  return {
    ...whose,
    ...to,
    kind: 'go',
    attempt: row.attempts + 1,
    endedAttempts,
    eventId,
    type,
    owner,
    body: Buffer.from(eventBody({ id: eventId, body, extra, hasPutSupport })),
  }
}

type Destination =
  | { readonly channel: 'webhook'; readonly url: string; readonly sealedSecret: string }
  | { readonly channel: ContactChannel; readonly contactId: string; readonly address: string }

/** Current destination of a delivery, or the reason why it has none. */
function findDestination(
  row: ClaimedRow,
  { endpoints, secrets, contacts }: Destinations,
): Destination | DropReason {
  if (row.channel === 'webhook') {
    const endpoint = endpoints.get(endpointKey(row))
    if (!endpoint) return 'removed'
    // a test shows if it can be switched on again
    if (endpoint.state === 'off' && !TEST_TYPES.includes(row.type)) return 'off'
    const sealedSecret = secrets.get(row.account_id)
    if (sealedSecret === undefined) return 'no_secret'
    return { channel: 'webhook', url: endpoint.url, sealedSecret }
  }
  const contact = row.contact_id === null ? undefined : contacts.get(row.contact_id)
  if (!contact || contact.proven_at === null) return 'no_contact'
  const isWanted = row.owner !== 'alerts' || row.type === WEBHOOK_OFF
  if (!isWanted && contact.is_for_alerts === 0) return 'removed'
  const channel = row.channel as ContactChannel
  return { channel, contactId: contact.id, address: contact.address }
}

/** Reason why a delivery is not attempted any more, or not for the first time now. */
function timeFault(
  row: ClaimedRow,
  { begunEvents }: Destinations,
  nowMs: number,
): DropReason | null {
  if (row.attempts - row.tries >= INTERRUPTED_MAX) return 'interrupted'
  if (row.first_try_at !== null) return null
  if (row.late_at !== null && nowMs > row.late_at) return 'late'
  const events = begunEvents.get(row.account_id) ?? new Set()
  const isNew = !events.has(Number(row.event_seq))
  return isNew && events.size >= EVENTS_PER_MINUTE_MAX ? 'rate' : null
}

const insertAttempts = bulkInsert('attempts', ['delivery_id', 'number', 'began_at', 'result'])

async function writeBegun(
  trx: OutboxTransaction,
  rows: readonly ClaimedRow[],
  begun: ReadonlyMap<number, BegunAttempt>,
  { nowMs, leaseMs, hasPutSupport }: AttemptRequest,
): Promise<void> {
  const of = (kind: BegunAttempt['kind']) => rows.filter(row => begun.get(row.id)?.kind === kind)
  const dropped = Map.groupBy(of('dropped'), row => {
    const { reason } = begun.get(row.id) as { reason: DropReason }
    return reason
  })
  for (const [reason, some] of dropped) {
    await trx
      .updateTable('deliveries')
      .set({ state: 'dropped', reason, holder: null, due_at: nowMs })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
  }
  const attempted = of('go')
  if (attempted.length === 0) return
  await insertAttempts(
    trx,
    attempted.map(row => ({
      delivery_id: row.id,
      number: row.attempts + 1,
      began_at: nowMs,
      result: 'unknown',
    })),
  )
  await trx
    .updateTable('deliveries')
    .set({
      attempts: sql<number>`attempts + 1`,
      due_at: nowMs + leaseMs,
      first_try_at: sql<number>`coalesce(first_try_at, ${sql.lit(nowMs)})`,
      has_put_support: sql<number>`coalesce(has_put_support, ${sql.lit(hasPutSupport ? 1 : 0)})`,
      save_id: sql<string>`(select hooks.save_id from hooks
        where hooks.account_id = deliveries.account_id and hooks.owner = deliveries.owner)`,
    })
    .where(
      'id',
      'in',
      attempted.map(({ id }) => id),
    )
    .execute()
}
