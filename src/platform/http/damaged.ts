import type { SessionDate } from '../../core/market/calendar.ts'
import type { Catalog } from '../../data/published/catalog.ts'
import { DamagedFile } from '../../data/published/damagedFile.ts'
import { ApiError } from './error.ts'

/** Reads files of a session; damage is reported to the catalog and fails with `damaged`. */
export async function orDamaged<T>(catalog: Catalog, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof DamagedFile)) throw cause
    catalog.reportDamage(cause)
    throw Object.assign(damagedDay(cause.date), { cause })
  }
}

/** Error for a day with a damaged file. */
export const damagedDay = (day: SessionDate) =>
  new ApiError('damaged', {
    message: `a file of ${day} is damaged and has to be repaired; ask again in a minute.`,
    headers: { 'retry-after': '60' },
  })
