import { UsageError } from '../../src/core/command.ts'
import { dateArgument } from '../../src/core/days.ts'
import { addDays, type SessionDate } from '../../src/core/market/calendar.ts'

/** Longer than any tape: a mistyped year is refused, not iterated over. */
const MAX_RANGE_DAYS = 30 * 366

/** Parses the range of a command line: two dates, the first one not after the second. */
export function parseRange(
  command: string,
  args: readonly string[],
): { from: SessionDate; to: SessionDate } {
  const [from, to] = args
  if (args.length !== 2 || from === undefined || to === undefined) {
    throw new UsageError(`${command} takes two dates, such as ${command} 2026-10-01 2026-10-15.`)
  }
  for (const date of [from, to]) dateArgument(date)
  if (from > to) throw new UsageError(`${from} is after ${to}; give the older date first.`)
  if (addDays(from, MAX_RANGE_DAYS) < to) {
    throw new UsageError(`${from} to ${to} is longer than 30 years; give a shorter range.`)
  }
  return { from, to }
}
