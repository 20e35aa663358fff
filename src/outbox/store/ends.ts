import type { AccountTables } from '../../accounts/schema.ts'
import { FAILURES_UNTIL_OFF, RETRY_DELAYS_MS } from '../../platform/webhooks/delivery.ts'
import { webhookOffEvent } from '../notices/webhookOff.ts'
import type { OutboxTransaction } from './addDeliveries.ts'
import { endpointKey, lockAccounts } from './attempts.ts'
import { bulkInsert } from './bulk.ts'
import { moveContact } from './moveContact.ts'
import type { Outbox } from './outbox.ts'
import { type OutboxDatabase, writeEvents } from './queue.ts'
import { type AttemptEnd, type DeliveryState, type EndedAttempt, TEST_TYPES } from './types.ts'

/** Attempts of a delivery, by any channel. */
export const DELIVERY_ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1

/** Updates deliveries and webhook endpoints when attempts end. */
export function endOperations({ db, isConcurrent }: OutboxDatabase) {
  return {
    endAttempts: async ({ nowMs, ends }) => {
      if (ends.length === 0) return []
      const ids = [...new Set(ends.map(end => end.deliveryId))]
      return await db.transaction().execute(async trx => {
        await lockAccounts(trx, ids, isConcurrent)
        const deliveries = await readDeliveries(trx, ids, isConcurrent)
        const open = await readOpen(trx, ids)
        const endpoints = await readEndpoints(trx, deliveries, isConcurrent)
        const written: AttemptEnd[] = []
        const off = new Set<AttemptEnd>()
        for (const end of ends) {
          const delivery = deliveries.get(end.deliveryId)
          // an end stored before changes nothing
          if (!delivery || !open.delete(`${end.deliveryId} ${end.attempt}`)) continue
          written.push(end)
          if (await followMove(trx, delivery, end, nowMs)) continue
          const endpoint = endpoints.get(endpointKey(delivery))
          if (!endDelivery(delivery, endpoint, end, nowMs)) continue
          if (endpoint && isLastFailure(endpoint, delivery, end, nowMs)) off.add(end)
        }
        await writeEnds(trx, written)
        await writeDeliveries(trx, [...deliveries.values()])
        await writeEndpoints(trx, [...endpoints.values()])
        for (const end of off) await dropWaiting(trx, deliveries, end, nowMs)
        for (const end of off) {
          await notifyEndpointOff(trx, endpoints.get(endpointKey(deliveries.get(end.deliveryId)!))!)
        }
        return ends.flatMap(end => toEndedAttempts(end, deliveries, off))
      })
    },
  } satisfies Partial<Outbox>
}

/** A row as read, with its changes. */
type Delivery = AccountTables['deliveries'] & { isChanged: boolean }
type StoredEndpoint = AccountTables['hooks'] & { isChanged: boolean }

async function readDeliveries(
  trx: OutboxTransaction,
  ids: readonly number[],
  isConcurrent: boolean,
): Promise<Map<number, Delivery>> {
  const rows = trx.selectFrom('deliveries').selectAll().where('id', 'in', ids).orderBy('id')
  const read = await (isConcurrent ? rows.forUpdate() : rows).execute()
  return new Map(read.map(row => [row.id, { ...row, isChanged: false }]))
}

/** Attempts that have begun and not ended. */
async function readOpen(trx: OutboxTransaction, ids: readonly number[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('attempts')
    .select(['delivery_id', 'number'])
    .where('delivery_id', 'in', ids)
    .where('result', '=', 'unknown')
    .execute()
  return new Set(rows.map(row => `${row.delivery_id} ${row.number}`))
}

async function readEndpoints(
  trx: OutboxTransaction,
  deliveries: ReadonlyMap<number, Delivery>,
  isConcurrent: boolean,
): Promise<Map<string, StoredEndpoint>> {
  const accountIds = [...new Set([...deliveries.values()].map(row => row.account_id))]
  if (accountIds.length === 0) return new Map()
  const rows = trx.selectFrom('hooks').selectAll().where('account_id', 'in', accountIds)
  const ordered = rows.orderBy('account_id').orderBy('owner')
  const read = await (isConcurrent ? ordered.forUpdate() : ordered).execute()
  return new Map(read.map(row => [endpointKey(row), { ...row, isChanged: false }]))
}

/** Redirects a delivery to its contact's new address, at once; false when it has not moved. */
async function followMove(
  trx: OutboxTransaction,
  delivery: Delivery,
  { attempt, outcome: { movedTo } }: AttemptEnd,
  nowMs: number,
): Promise<boolean> {
  const { state, attempts, contact_id: contactId } = delivery
  if (movedTo === undefined || contactId === null) return false
  const isFollowed = await moveContact(trx, contactId, movedTo)
  if (state !== 'trying' || attempt !== attempts) return false
  delivery.isChanged = true
  delivery.state = isFollowed ? 'waiting' : 'failed'
  delivery.reason = null
  delivery.due_at = nowMs
  return true
}

/**
 * Updates a delivery by the end of its last attempt. False when that does not end the delivery. One
 * dropped during an attempt gets the end of that attempt: what was received is not called dropped.
 */
function endDelivery(
  delivery: Delivery,
  endpoint: StoredEndpoint | undefined,
  end: AttemptEnd,
  nowMs: number,
): boolean {
  const isAtEnd = delivery.state === 'sent' || delivery.state === 'failed'
  // it is already being attempted again, because the lease of this attempt expired
  if (isAtEnd || end.attempt !== delivery.attempts) return false
  delivery.isChanged = true
  delivery.holder = null
  delivery.tries += 1
  const { result } = end.outcome
  if (result === 'retry' && delivery.tries < DELIVERY_ATTEMPTS_MAX && end.dueAtMs !== null) {
    if (delivery.state === 'dropped') return false
    // it would be sent after all if the endpoint were saved before it is due
    const isOff = endpoint?.state === 'off' && isCounted(delivery)
    delivery.state = isOff ? 'dropped' : 'waiting'
    delivery.reason = isOff ? 'off' : null
    delivery.due_at = isOff ? nowMs : end.dueAtMs
    return false
  }
  delivery.state = result === 'sent' ? 'sent' : 'failed'
  delivery.reason = null
  delivery.due_at = nowMs
  return true
}

/** True when a delivery can switch its endpoint off, and is dropped when that happens. */
const isCounted = ({ channel, type }: Delivery): boolean => {
  return channel === 'webhook' && !TEST_TYPES.includes(type)
}

/** Counts the end of an event; true for the failure that switches the endpoint off. */
function isLastFailure(
  endpoint: StoredEndpoint,
  delivery: Delivery,
  end: AttemptEnd,
  nowMs: number,
): boolean {
  if (!isCounted(delivery)) return false
  // attempts from before the address was saved do not count
  if (endpoint.save_id !== delivery.save_id || endpoint.state === 'off') return false
  const failed = delivery.state === 'sent' ? 0 : endpoint.failed_in_a_row + 1
  if (failed === endpoint.failed_in_a_row) return false
  endpoint.isChanged = true
  endpoint.failed_in_a_row = failed
  if (failed < FAILURES_UNTIL_OFF) return false
  endpoint.state = 'off'
  endpoint.reason = offReason(end)
  endpoint.since_at = nowMs
  return true
}

function offReason({ outcome: { status, error } }: AttemptEnd): string {
  const last = status === null ? (error ?? 'no answer') : `status ${status}`
  return `${FAILURES_UNTIL_OFF} events in a row failed, the last with ${last}`
}

const upsertAttempts = bulkInsert(
  'attempts',
  ['delivery_id', 'number', 'began_at', 'result', 'ms', 'status', 'error', 'address'],
  insert =>
    insert.onConflict(conflict =>
      conflict.columns(['delivery_id', 'number'] as never).doUpdateSet(
        ({ ref }) =>
          Object.fromEntries(
            ['result', 'ms', 'status', 'error', 'address'].map(column => {
              return [column, ref(`excluded.${column}` as never)]
            }),
          ) as never,
      ),
    ),
)

/** Each row exists already, with the instant at which the attempt began. */
async function writeEnds(trx: OutboxTransaction, ends: readonly AttemptEnd[]): Promise<void> {
  const rows = ends.map(({ deliveryId, attempt, outcome }) => ({
    delivery_id: deliveryId,
    number: attempt,
    began_at: 0,
    result: outcome.result,
    ms: Math.round(outcome.ms),
    status: outcome.status,
    error: outcome.error,
    address: outcome.address,
  }))
  await upsertAttempts(trx, rows)
}

async function writeDeliveries(
  trx: OutboxTransaction,
  deliveries: readonly Delivery[],
): Promise<void> {
  const changed = deliveries.filter(one => one.isChanged)
  const alike = Map.groupBy(changed, ({ state, reason, due_at, tries }) => {
    return `${state} ${reason} ${due_at} ${tries}`
  })
  for (const some of alike.values()) {
    const { state, reason, due_at, tries } = some[0]!
    await trx
      .updateTable('deliveries')
      .set({ state, reason, due_at, tries, holder: null })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute()
  }
}

async function writeEndpoints(
  trx: OutboxTransaction,
  endpoints: readonly StoredEndpoint[],
): Promise<void> {
  for (const { isChanged, account_id, owner, save_id, ...endpoint } of endpoints) {
    if (!isChanged) continue
    const { state, reason, failed_in_a_row, since_at } = endpoint
    await trx
      .updateTable('hooks')
      .set({ state, reason, failed_in_a_row, since_at })
      .where('account_id', '=', account_id)
      .where('owner', '=', owner)
      .execute()
  }
}

/**
 * Drops deliveries that wait for an endpoint that is off, so that they are not sent when it is on
 * again.
 */
async function dropWaiting(
  trx: OutboxTransaction,
  deliveries: ReadonlyMap<number, Delivery>,
  { deliveryId }: AttemptEnd,
  nowMs: number,
): Promise<void> {
  const { account_id, owner } = deliveries.get(deliveryId)!
  const dropped = await trx
    .updateTable('deliveries')
    .set({ state: 'dropped', reason: 'off', due_at: nowMs })
    .where('account_id', '=', account_id)
    .where('owner', '=', owner)
    .where('channel', '=', 'webhook')
    .where('state', '=', 'waiting')
    .where('type', 'not in', TEST_TYPES)
    .returning('id')
    .execute()
  for (const { id } of dropped) {
    const delivery = deliveries.get(id)
    if (delivery) delivery.state = 'dropped'
  }
}

/** In the same transaction: an endpoint never goes off without a notice, nor with two. */
async function notifyEndpointOff(trx: OutboxTransaction, endpoint: StoredEndpoint): Promise<void> {
  const event = webhookOffEvent({
    accountId: endpoint.account_id,
    owner: endpoint.owner,
    url: endpoint.url,
    reason: endpoint.reason,
    failedInARow: endpoint.failed_in_a_row,
    sinceMs: endpoint.since_at,
  })
  const { body, run, day, minute, atMs } = event
  const events = [{ ...event, finding: 0 }]
  await writeEvents(trx, { findings: [{ body }], events, run, day, minute, atMs })
}

function toEndedAttempts(
  end: AttemptEnd,
  deliveries: ReadonlyMap<number, Delivery>,
  off: ReadonlySet<AttemptEnd>,
): EndedAttempt[] {
  const delivery = deliveries.get(end.deliveryId)
  if (!delivery) return []
  const state = delivery.state as DeliveryState
  return [{ deliveryId: end.deliveryId, state, isSwitchedOff: off.has(end) }]
}
