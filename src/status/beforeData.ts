import type { DayStatus } from './schema.ts'

/** Label of the days before the first session. */
export const BEFORE_DATA = 'before first data'

/** Splits days, newest first, into those with a status and those before any data. */
export function partDays<Day extends Pick<DayStatus, 'state'>>(
  days: readonly Day[],
): { readonly listed: readonly Day[]; readonly before: readonly Day[] } {
  const last = days.findLastIndex(({ state }) => state !== 'not_kept' && state !== 'holiday')
  const rest = days.slice(last + 1)
  // holidays may lie among those days, but do not start them
  const begin = rest.findIndex(({ state }) => state === 'not_kept')
  const at = begin < 0 ? days.length : last + 1 + begin
  return { listed: days.slice(0, at), before: days.slice(at) }
}
