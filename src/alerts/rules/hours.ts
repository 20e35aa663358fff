import {
  findTradingSession,
  type MinuteEt,
  minutesAfter,
  type SessionDate,
} from '../../core/market/calendar.ts'
import { FIRST_MINUTE, lastJudgedMinute } from '../../data/published/stateMinutes.ts'

/** True when levels are judged: they jump when contracts of today leave the book. */
export function isLevelMinute(day: SessionDate, minute: MinuteEt): boolean {
  const session = findTradingSession(day)
  return session !== null && FIRST_MINUTE <= minute && minute <= lastJudgedMinute(session)
}

/** True when lines at a price are judged: to the close of the index, 16:00 or 13:00 ET. */
export function isPriceMinute(day: SessionDate, minute: MinuteEt): boolean {
  const session = findTradingSession(day)
  if (session === null) return false
  return FIRST_MINUTE <= minute && minute <= minutesAfter(lastJudgedMinute(session), 1)
}
