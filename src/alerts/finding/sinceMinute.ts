import {
  findTradingSession,
  instantMs,
  MINUTE_MS,
  type MinuteEt,
  type SessionDate,
} from '../../core/market/calendar.ts'
import { toMinuteEt } from '../../data/published/messageMinutes.ts'
import { FIRST_MINUTE } from '../../data/published/stateMinutes.ts'

/**
 * Maps the system instant of a setting to the minute of the session from which it applies. Null: it
 * existed before the session, or before the run began.
 */
export type SinceMinute = (sinceMs: number) => MinuteEt | null

/** For live sessions: the first state after the setting was stored. */
export function createSinceMinute(day: SessionDate): SinceMinute {
  const firstMs = instantMs(day, FIRST_MINUTE)
  const { closesAtMs } = findTradingSession(day)!
  return sinceMs => {
    if (sinceMs <= firstMs) return null
    // later than any minute of the day
    if (sinceMs >= closesAtMs + 60 * MINUTE_MS) return '24:00'
    return toMinuteEt(Math.ceil(sinceMs / MINUTE_MS) * MINUTE_MS)
  }
}

/** For a replay: a setting stored after its start applies from the next minute processed. */
export function sinceMinuteOfReplay(beganMs: number, next: () => MinuteEt): SinceMinute {
  const seen = new Map<number, MinuteEt>()
  return sinceMs => {
    if (sinceMs <= beganMs) return null
    if (!seen.has(sinceMs)) seen.set(sinceMs, next())
    return seen.get(sinceMs)!
  }
}

/** Applies every setting from the first minute on. */
export const always: SinceMinute = () => null
