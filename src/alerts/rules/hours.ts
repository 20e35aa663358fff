import { type MinuteEt, minutesAfter, type SessionDate, sessionOf } from '../../market/calendar.ts'
import { FIRST_MINUTE, lastMinuteOf } from '../../published/stateMinutes.ts'

/** Whether levels are judged: when contracts of today leave the book, levels jump. */
export function isLevelMinute(day: SessionDate, minute: MinuteEt): boolean {
  const session = sessionOf(day)
  return session !== null && FIRST_MINUTE <= minute && minute <= lastMinuteOf(session)
}

/** Whether lines at a price are judged: to the close of the index, 16:00 or 13:00 ET. */
export function isPriceMinute(day: SessionDate, minute: MinuteEt): boolean {
  const session = sessionOf(day)
  if (session === null) return false
  return FIRST_MINUTE <= minute && minute <= minutesAfter(lastMinuteOf(session), 1)
}
