import { isoTimeEt } from '../core/market/calendar.ts'
import { pick } from '../core/text/values.ts'
import type { AttemptRecord, DeliveryRecord, EventRecord } from '../outbox/store/types.ts'
import type { AttemptWire, DeliveryWire, EventWire } from './eventSchema.ts'

/** Events and their deliveries in the format of the API. */

export const eventWire = ({ seq, createdAtMs, body }: EventRecord): EventWire => ({
  seq,
  queued_at: isoTimeEt(createdAtMs),
  body: JSON.parse(body),
})

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

const attemptWire = ({ number, beganAtMs, ...end }: AttemptRecord): AttemptWire => ({
  number,
  started: isoTimeEt(beganAtMs),
  ...pick(end, ['result', 'ms', 'status', 'error', 'address']),
})
