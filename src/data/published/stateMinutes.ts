import {
  findTradingSession,
  type MinuteEt,
  minutesAfter,
  type Session,
  wallTimeEt,
} from '../../core/market/calendar.ts'
import type { Found } from './catalog.ts'

/** Minutes with a known state of a session: of positions, and of levels. */

/** The first minute of any session that can be judged. */
export const FIRST_MINUTE: MinuteEt = '09:31'

/** The last minute of a session that can be judged: the one before contracts of today expire. */
export const lastJudgedMinute = (session: Session): MinuteEt =>
  session.isHalfDay ? '12:59' : '15:59'

/** True when a session is open at an instant. */
export const isOpen = (session: Session | null, nowMs: number): boolean =>
  session !== null && session.opensAtMs <= nowMs && nowMs < session.closesAtMs

/**
 * The newest minute of a session that can be judged: everything before it is known. Null while
 * there is none. A tape that ends at 10:16:58 knows the state of 10:17, once it is 10:17.
 */
export function latestMinute({ manifest, knownBeforeMs }: Found, nowMs: number): MinuteEt | null {
  const session = findTradingSession(manifest.session_date)!
  const nextMinute = minutesAfter(manifest.asof.slice(0, 5), 1)
  const limits = [nextMinute, lastJudgedMinute(session)]
  if (knownBeforeMs !== undefined) limits.push(wallTimeEt(knownBeforeMs).minute)
  if (isOpen(session, nowMs)) limits.push(wallTimeEt(nowMs).minute)
  const latest = limits.sort()[0]!
  return latest < FIRST_MINUTE ? null : latest
}
