import { isoTimeEt } from '../core/market/calendar.ts'
import type { AttemptRecord, DeliveryRecord, EventRecord } from '../outbox/store/types.ts'

/** Events and their deliveries in the format of the API. */

export type EventWire = {
  readonly seq: number
  readonly queued_at: string
  /** The body sent. */
  readonly body: Readonly<Record<string, unknown>>
}

export type EventsResponse = {
  readonly events: readonly EventWire[]
  /** `after` of the next query. */
  readonly last: number
  /** True when there are more now. */
  readonly more: boolean
}

export const eventWire = ({ seq, createdAtMs, body }: EventRecord): EventWire => ({
  seq,
  queued_at: isoTimeEt(createdAtMs),
  body: JSON.parse(body),
})

export type AttemptWire = {
  readonly number: number
  readonly started: string
  readonly result: AttemptRecord['result']
  readonly ms: number | null
  readonly status: number | null
  readonly error: string | null
  readonly address: string | null
}

export type DeliveryWire = {
  readonly delivery: number
  readonly event: string
  readonly type: string
  readonly position: string | null
  readonly channel: DeliveryRecord['channel']
  readonly state: DeliveryRecord['state']
  readonly reason: string | null
  readonly queued_at: string
  readonly next_try_at: string | null
  readonly ended_at: string | null
  readonly attempts: readonly AttemptWire[]
}

export type DeliveriesResponse = { readonly deliveries: readonly DeliveryWire[] }

const formatTime = (atMs: number | null): string | null => (atMs === null ? null : isoTimeEt(atMs))

export const deliveryWire = (record: DeliveryRecord): DeliveryWire => ({
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

const attemptWire = (attempt: AttemptRecord): AttemptWire => ({
  number: attempt.number,
  started: isoTimeEt(attempt.beganAtMs),
  result: attempt.result,
  ms: attempt.ms,
  status: attempt.status,
  error: attempt.error,
  address: attempt.address,
})
