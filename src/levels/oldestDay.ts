import { PRODUCTS } from '../accounts/products.ts'
import { addDays, neighbourSession, type SessionDate, wallTimeEt } from '../core/market/calendar.ts'

const { historyDays } = PRODUCTS.live.limits

/** Earliest day that LIVE opens at an instant: the first session of the last 90 ET days. */
export function oldestLiveDay(nowMs: number): SessionDate {
  const today = wallTimeEt(nowMs).date
  return neighbourSession(addDays(today, -historyDays - 1), 1).date
}
