import { refuseWhileUnavailable } from '../accounts/auth.ts'
import type { AccountStore } from '../accounts/types.ts'
import { isoTimeEt } from '../core/market/calendar.ts'
import { pick } from '../core/text/values.ts'
import type { AttemptRecord, DeliveryRecord, EventRecord } from '../outbox/store/types.ts'
import { isStillSent } from '../platform/http/deprecations.ts'
import type { AttemptWire, DeliveryWire, EventWire } from './eventSchema.ts'
import { noEvent } from './send.ts'

/** Events and their deliveries in the format of the API. */

const eventWire = ({ seq, createdAtMs, body }: EventRecord): EventWire => ({
  seq,
  queued_at: isoTimeEt(createdAtMs),
  body: JSON.parse(body),
})

const formatTime = (atMs: number | null): string | null => (atMs === null ? null : isoTimeEt(atMs))

const deliveryWire = (record: DeliveryRecord): DeliveryWire => ({
  delivery: record.id,
  event: record.eventId,
  type: record.type,
  position: record.owner === 'alerts' ? null : record.owner,
  channel: record.channel,
  state: record.state,
  reason: record.reason,
  queued_at: isoTimeEt(record.queuedAtMs),
  next_try_at: formatTime(record.dueAtMs),
  ended_at: formatTime(record.endedAtMs),
  attempts: record.attempts.map(attemptWire),
})

const attemptWire = ({ number, beganAtMs, ...end }: AttemptRecord): AttemptWire => ({
  number,
  started: isoTimeEt(beganAtMs),
  ...pick(end, ['result', 'ms', 'status', 'error', 'address']),
})

/** Events of an account, and their deliveries. */

/** Days after which an event and its deliveries are deleted. */
export const RETENTION_DAYS = 30

export type AlertEventsQuery = {
  readonly accountId: string
  /** The `last` of the previous response; 0 for the first. */
  readonly after: number
  readonly limit: number
  readonly day: string | null
  readonly type: string | null
  /** Null: the events of live sessions, not those of a replay. */
  readonly run: string | null
  /** By the system clock: bodies are as they would be sent then. */
  readonly atMs: number
}

type Store = Pick<AccountStore, 'outbox'>

/** Returns the events of an account, oldest first. Fails with `unavailable`. */
export async function readEvents({ outbox }: Store, query: AlertEventsQuery) {
  const { accountId, after, limit, day, type, run, atMs } = query
  const found = await refuseWhileUnavailable(() =>
    outbox.listEvents({
      accountId,
      afterSeq: after,
      limit: limit + 1,
      day: day ?? undefined,
      type: type ?? undefined,
      run: run ?? undefined,
      hasPutSupport: isStillSent('put_support', atMs),
    }),
  )
  const events = found.slice(0, limit).map(eventWire)
  return { events, last: events.at(-1)?.seq ?? after, more: found.length > limit }
}

/** Returns one event of an account. Fails with `not_found` or `unavailable`. */
export async function readEvent(
  { outbox }: Store,
  { accountId, eventId, atMs }: { accountId: string; eventId: string; atMs: number },
): Promise<EventWire> {
  const hasPutSupport = isStillSent('put_support', atMs)
  const found = await refuseWhileUnavailable(() =>
    outbox.findEvent({ accountId, eventId, hasPutSupport }),
  )
  if (!found) throw noEvent()
  return eventWire(found)
}

export type AlertDeliveriesQuery = {
  readonly accountId: string
  /** Null: of all events. */
  readonly eventId: string | null
  /** Those queued before the delivery of this number; null: the newest. */
  readonly before: number | null
  readonly limit: number
  readonly atMs: number
}

/** Returns the deliveries of an account, newest first. Fails with `not_found` or `unavailable`. */
export async function readDeliveries(
  store: Store,
  { accountId, eventId, before, limit, atMs }: AlertDeliveriesQuery,
) {
  if (eventId !== null) await readEvent(store, { accountId, eventId, atMs })
  const query = { accountId, eventId: eventId ?? undefined, beforeId: before ?? undefined, limit }
  const found = await refuseWhileUnavailable(() => store.outbox.listDeliveries(query))
  return { deliveries: found.map(deliveryWire) }
}
