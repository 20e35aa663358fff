import type { DayStatus } from './judge.ts'

/** How the days before the first session are called for people. */
export const BEFORE_DATA = 'before first data'

/** Days, newest first, in two: those of which something is told, and those before any data. */
export function partDays(days: readonly DayStatus[]): {
  readonly listed: readonly DayStatus[]
  readonly before: readonly DayStatus[]
} {
  const last = days.findLastIndex(({ state }) => state !== 'not_kept' && state !== 'holiday')
  const rest = days.slice(last + 1)
  // a holiday may stand among those days; it does not begin them
  const begin = rest.findIndex(({ state }) => state === 'not_kept')
  const at = begin < 0 ? days.length : last + 1 + begin
  return { listed: days.slice(0, at), before: days.slice(at) }
}
