import { findTradingSession, MINUTE_MS } from '../../core/market/calendar.ts'
import type { Catalog } from '../../data/published/catalog.ts'
import { messageHours, toMinuteEt } from '../../data/published/messageMinutes.ts'
import type { WatchStates } from '../rules/minute.ts'
import type { MinutesReader } from './readMinutes.ts'

/**
 * Last index value of the session before a day, up to the close of the index: a price line between
 * it and the first value of the day is crossed by the gap. Null when nothing is published.
 */
export async function previousPrice(
  catalog: Catalog,
  reader: MinutesReader,
  day: string,
): Promise<WatchStates['price']> {
  const before = catalog.sessions().findLast(date => date < day)
  const found = before === undefined ? null : catalog.find(before)
  if (found?.manifest.symbol !== 'SPX') return null
  const { findState } = await reader.read(found)
  const { session_date: date } = found.manifest
  const { firstMs } = messageHours(date)
  for (let atMs = findTradingSession(date)!.pmExpiresAtMs; atMs >= firstMs; atMs -= MINUTE_MS) {
    const minute = toMinuteEt(atMs)
    const spot = findState(minute, 'measured')?.spot ?? null
    if (spot !== null) return { day: date, minute, spot }
  }
  return null
}
