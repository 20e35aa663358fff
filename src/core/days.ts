/** Parsing of days and of the premium floor for commands and jobs, and the sentences for others. */

import { UsageError } from './command.ts'
import { Refusal } from './disk/refusal.ts'
import { findTradingSession, isDate, type Session, type SessionDate } from './market/calendar.ts'
import { MIN_PREMIUM_USD } from './market/minPremium.ts'

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

/** Fails with a UsageError where a command that works on days was given none. */
export function refuseNoDays(command: string, days: readonly string[]): void {
  if (days.length > 0) return
  throw new UsageError(`${command} takes days, such as ${command} 2026-10-15.`)
}

/** The value of --min-premium in US dollars, if it was given. Fails with a UsageError. */
export function premiumOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new UsageError(`--min-premium is ${text}; give whole dollars, such as ${MIN_PREMIUM_USD}.`)
}
