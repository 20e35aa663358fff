import {
  findTradingSession,
  instantMs,
  type MinuteEt,
  type SessionDate,
} from '../../market/calendar.ts'
import { MINUTE_MS, toMinuteEt } from '../../published/newsMinutes.ts'
import { FIRST_MINUTE } from '../../published/stateMinutes.ts'

/**
 * Tells of what was set at a system instant from which minute of a session on it counts; null: it
 * was there before the session, or before the run began.
 */
export type SinceMinute = (sinceMs: number) => MinuteEt | null

/** In the run of sessions as they happen: the first state after it was set. */
export function createSinceMinute(day: SessionDate): SinceMinute {
  const firstMs = instantMs(day, FIRST_MINUTE)
  const { closesAtMs } = findTradingSession(day)!
  return sinceMs => {
    if (sinceMs <= firstMs) return null
    // no minute of the day is later
    if (sinceMs >= closesAtMs + 60 * MINUTE_MS) return '24:00'
    return toMinuteEt(Math.ceil(sinceMs / MINUTE_MS) * MINUTE_MS)
  }
}

/** In a replay: what is set after it began counts from the minute that is taken next. */
export function sinceMinuteOfReplay(beganMs: number, next: () => MinuteEt): SinceMinute {
  const seen = new Map<number, MinuteEt>()
  return sinceMs => {
    if (sinceMs <= beganMs) return null
    if (!seen.has(sinceMs)) seen.set(sinceMs, next())
    return seen.get(sinceMs)!
  }
}

/** Where all that is set counts from the first minute on. */
export const always: SinceMinute = () => null
