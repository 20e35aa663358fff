import {
  findTradingSession,
  neighbourSession,
  type SessionDate,
  wallTimeEt,
} from '../../core/market/calendar.ts'

/** Newest trading day whose session is over at an instant. */
export function lastSessionAt(atMs: number): SessionDate {
  const { date } = wallTimeEt(atMs)
  const session = findTradingSession(date)
  return session && session.closesAtMs <= atMs ? date : neighbourSession(date, -1).date
}
