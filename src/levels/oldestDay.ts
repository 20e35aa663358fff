import { HISTORY_DAYS_FREE } from '../accounts/products.ts'
import { addDays, neighbourSession, type SessionDate, wallTimeEt } from '../core/market/calendar.ts'

/** Earliest day that LIVE opens at an instant: the first session of the days it opens. */
export function oldestLiveDay(nowMs: number): SessionDate {
  const today = wallTimeEt(nowMs).date
  return neighbourSession(addDays(today, -HISTORY_DAYS_FREE - 1), 1).date
}
