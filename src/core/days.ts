/** Parsing of days and of the premium floor for commands and jobs, and the sentences for others. */

import { UsageError } from './command.ts'
import { Refusal } from './disk/refusal.ts'
import {
  addDays,
  findTradingSession,
  isDate,
  type Session,
  type SessionDate,
} from './market/calendar.ts'

const noTradingDay = (day: string): string =>
  `${day} is not a trading day; give one such as 2026-10-15.`

/** The session of a day. Fails with a Refusal where it has none. */
export function checkSession(date: string): Session {
  const session = isDate(date) ? findTradingSession(date) : null
  if (session) return session
  throw new Refusal(noTradingDay(date))
}

/** A date of a command line, or the value of an option. Fails with a UsageError. */
export function dateArgument(text: string, option?: string): SessionDate {
  if (isDate(text)) return text
  const named = option === undefined ? text : `${option} is ${text}, which`
  throw new UsageError(`${named} is not a date; give one such as 2026-10-15.`)
}

/** A trading day of a command line. Fails with a UsageError. */
export function tradingDayArgument(text: string): SessionDate {
  if (findTradingSession(dateArgument(text))) return text
  throw new UsageError(noTradingDay(text))
}

/** The same, or today where no day is given. Fails with a Refusal when today is none. */
export function tradingDayOrToday(text: string | undefined, today: SessionDate): SessionDate {
  return text === undefined ? checkSession(today).date : tradingDayArgument(text)
}

/** Longer than any tape: a mistyped year is refused, not iterated over. */
const MAX_RANGE_DAYS = 30 * 366

/** Parses the range of a command line: two dates, the first one not after the second. */
export function parseRange([from, to]: readonly [string, string]): {
  from: SessionDate
  to: SessionDate
} {
  for (const date of [from, to]) dateArgument(date)
  if (from > to) throw new UsageError(`${from} is after ${to}; give the older date first.`)
  if (addDays(from, MAX_RANGE_DAYS) < to) {
    throw new UsageError(`${from} to ${to} is longer than 30 years; give a shorter range.`)
  }
  return { from, to }
}
