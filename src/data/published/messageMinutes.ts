import {
  findTradingSession,
  MINUTE_MS,
  type MinuteEt,
  type SessionDate,
  wallTimeEt,
} from '../../core/market/calendar.ts'
import type { Found } from './catalog.ts'

/** Minutes of a session at which new records can come: of levels, of prices, and of orders. */

/** Delay after the close up to which orders become known: `feed` publishes its last state then. */
const KNOWN_AFTER_CLOSE_MS = 3 * MINUTE_MS

/** The first and the last instant of a session at which new records can come. */
export function messageHours(day: SessionDate): {
  readonly firstMs: number
  readonly lastMs: number
} {
  const { opensAtMs, closesAtMs } = findTradingSession(day)!
  return { firstMs: opensAtMs + MINUTE_MS, lastMs: closesAtMs + KNOWN_AFTER_CLOSE_MS }
}

/** The newest minute of a session whose state is published; null before the first. */
export function knownUntilMs({ manifest, knownBeforeMs }: Found): number | null {
  const { firstMs, lastMs } = messageHours(manifest.session_date)
  const untilMs = Math.floor(Math.min(knownBeforeMs ?? lastMs, lastMs) / MINUTE_MS) * MINUTE_MS
  return untilMs < firstMs ? null : untilMs
}

/** The ET minute of an instant. */
export const toMinuteEt = (atMs: number): MinuteEt => wallTimeEt(atMs).minute
