/**
 * Sessions of Cboe index options, and the only module that knows New York time.
 *
 * Holidays and half days follow NYSE Rule 7.2, checked day by day against the lists the exchange
 * published for 2015-2028, and against its history before (`data/reference/market_days.csv`).
 * Closes at other hours, such as 14:00 ET before 1993 or in October 1987, are not known here. Index
 * options trade 09:30-16:15 ET, 13:15 ET on half days; PM-settled contracts that expire stop at
 * 16:00 / 13:00. All instants are UTC, in milliseconds since the Unix epoch unless the name says
 * otherwise.
 */

/** 'YYYY-MM-DD', an ET trading day. */
export type SessionDate = string

/** 'HH:MM', an ET minute. */
export type MinuteEt = string

export type Session = {
  readonly date: SessionDate
  readonly isHalfDay: boolean
  /** 09:30 ET. */
  readonly opensAtMs: number
  /** 16:15 ET, or 13:15 on a half day: the end of the ledger's hours. */
  readonly closesAtMs: number
  /** 16:00 ET, or 13:00 on a half day: when PM-settled contracts of this day expire. */
  readonly pmExpiresAtMs: number
}

/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The day on which options of the S&P 500 index began to trade: no session is older. */
const FIRST_DAY = '1983-07-01'

/** Closures no rule predicts: hurricanes, attacks, and days of mourning for presidents. */
const ONE_OFF_CLOSURES = new Set([
  '1985-09-27',
  '2012-10-29',
  '2012-10-30', // Gloria, Sandy
  '2001-09-11',
  '2001-09-12',
  '2001-09-13',
  '2001-09-14',
  '1994-04-27',
  '2004-06-11',
  '2007-01-02', // Nixon, Reagan, Ford
  '2018-12-05',
  '2025-01-09', // Bush, Carter
])

/**
 * When a closure was announced on whose day contracts had been listed to expire: only later sessions
 * know that these end on another day. On the other closures nothing expired: SPX had its Saturdays,
 * and SPXW, from October 2005 on, its Fridays and ends of months until 2016.
 */
const ANNOUNCED_ON: ReadonlyMap<SessionDate, SessionDate> = new Map([
  ['2018-12-05', '2018-12-01'],
  ['2025-01-09', '2024-12-30'],
])

/** Half days no rule predicts: some next to Christmas and New Year, and the Friday after July 4. */
const ONE_OFF_HALF_DAYS = new Set([
  '1996-07-05',
  '1997-12-26',
  '1999-12-31',
  '2002-07-05',
  '2003-12-26',
])

/** The first years of rules. */
const FROM = { juneteenth: 2022, king: 1998, halfDays: 1993, julyThird: 1995, julyWednesday: 2013 }

const newYork = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** The ET wall time of an instant: its day, its minute and its seconds. */
export function wallTimeEt(instantMs: number): {
  date: SessionDate
  minute: MinuteEt
  second: string
} {
  const part: Record<string, string> = {}
  for (const { type, value } of newYork.formatToParts(instantMs)) part[type] = value
  return {
    date: `${part.year}-${part.month}-${part.day}`,
    minute: `${part.hour}:${part.minute}`,
    second: part.second!,
  }
}

/** An instant as ISO 8601 in ET with its offset, such as 2026-11-25T10:37:03-05:00. */
export function isoTimeEt(instantMs: number): string {
  const { date, minute, second } = wallTimeEt(instantMs)
  const wall = `${date}T${minute}:${second}`
  const behind = (Math.floor(instantMs / 1000) * 1000 - Date.parse(`${wall}Z`)) / MINUTE_MS
  return `${wall}-${formatMinute(behind)}`
}

/** Reads the ET day of instants; computed once a minute, for frequent calls. */
export function dayReader(): (instantMs: number) => SessionDate {
  let last = { minute: Number.NaN, date: '' }
  return instantMs => {
    const minute = Math.floor(instantMs / MINUTE_MS)
    if (minute !== last.minute) last = { minute, date: wallTimeEt(instantMs).date }
    return last.date
  }
}

/** Format of a minute: HH:MM, from 00:00 to 23:59. */
export const MINUTE = /^([01]\d|2[0-3]):[0-5]\d$/

/** True for a minute of the day written HH:MM. */
export const isMinute = (text: string): boolean => MINUTE.test(text)

/** Minutes from midnight to a minute of the day. */
export function parseMinute(minute: MinuteEt): number {
  const [hours, minutes] = minute.split(':').map(Number) as [number, number]
  return hours * 60 + minutes
}

/** The minute of the day that is so many minutes after midnight, as HH:MM. */
export const formatMinute = (minutes: number): MinuteEt =>
  `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`

/** The instant of an ET wall time. Session hours never meet a change of the clocks. */
export function instantMs(date: SessionDate, minute: MinuteEt): number {
  const asUtc = Date.parse(`${date}T${minute}:00Z`)
  const offsetAt = (guess: number) => {
    const wall = wallTimeEt(guess)
    return Date.parse(`${wall.date}T${wall.minute}:${wall.second}Z`) - guess
  }
  const first = asUtc - offsetAt(asUtc)
  return asUtc - offsetAt(first)
}

/** Midnight ET at the start of a day: when daily limits reset. */
export const midnightMs = (date: SessionDate): number => instantMs(date, '00:00')

/** The day `count` calendar days later (earlier when negative). */
export function addDays(date: SessionDate, count: number): SessionDate {
  return isoDate(Date.parse(`${date}T00:00:00Z`) + count * DAY_MS)
}

/** True for a real calendar date written YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)) return false
  const day = Number(text.slice(8))
  return day <= 28 || day <= countDays(Number(text.slice(0, 4)), Number(text.slice(5, 7)))
}

/** Days of a month; 400 years later it has as many, and no year is read as one of two digits. */
const countDays = (year: number, month: number): number =>
  new Date(Date.UTC(year + 400, month, 0)).getUTCDate()

/** Sessions cached by date: computing their instants costs more than all other work on them. */
const cache = new Map<SessionDate, Session | null>()
/** More than the days of thirty years. */
const CACHED_MAX = 12_000

/** The session of a day, or null on a weekend or holiday. */
export function findTradingSession(date: SessionDate): Session | null {
  const known = cache.get(date)
  if (known !== undefined) return known
  const session = computeSession(date)
  if (cache.size >= CACHED_MAX) cache.clear()
  cache.set(date, session)
  return session
}

function computeSession(date: SessionDate): Session | null {
  if (!isDate(date) || date < FIRST_DAY) return null
  if (isWeekend(date) || isHoliday(date)) return null
  const isHalfDay = isEarlyClose(date)
  const opensAtMs = instantMs(date, '09:30')
  // the clocks never change while a session is open
  const later = (minutes: number) => opensAtMs + minutes * MINUTE_MS
  return {
    date,
    isHalfDay,
    opensAtMs,
    closesAtMs: later(isHalfDay ? 225 : 405),
    pmExpiresAtMs: later(isHalfDay ? 210 : 390),
  }
}

/** The nearest session strictly before (-1) or after (1) a day. Fails where there is none. */
export function neighbourSession(date: SessionDate, direction: -1 | 1): Session {
  let day = addDays(date, direction)
  for (;;) {
    const session = findTradingSession(day)
    if (session) return session
    if (direction < 0 && day < FIRST_DAY) throw new RangeError(`no session is before ${date}`)
    day = addDays(day, direction)
  }
}

/** Date from which the night session of index options runs on most holidays, too. */
const HOLIDAY_NIGHTS_FROM = '2022-01-01'

/**
 * The session that the night and the morning of a holiday belong to: the next business day's. Null
 * on other days, and on those without a night session: New Year's Day, Good Friday and Christmas.
 */
export function findHolidaySession(date: SessionDate): Session | null {
  if (date < HOLIDAY_NIGHTS_FROM || isWeekend(date) || !isHoliday(date)) return null
  return isNightClosed(date) ? null : neighbourSession(date, 1)
}

/** The session that trading from 20:15 ET of a day on belongs to; null where there is none. */
export function findEveningSession(date: SessionDate): Session | null {
  const tomorrow = addDays(date, 1)
  return findTradingSession(tomorrow) ?? findHolidaySession(tomorrow)
}

/** Date from which monthly expiries are written as the Fridays they are. */
export const FRIDAY_EXPIRIES_FROM = '2015-02-01'

/**
 * The day a contract settles: its expiry, or the last trading day before one that is a Saturday, as
 * monthly expiries were written until February 2015. A later Saturday is left as it is.
 */
export function settlementDay(expiry: SessionDate): SessionDate {
  if (weekday(expiry) !== 6 || expiry >= FRIDAY_EXPIRIES_FROM) return expiry
  let day = addDays(expiry, -1)
  while (isHoliday(day)) day = addDays(day, -1)
  return day
}

/**
 * The day on which a contract ends, as the session `asOf` knows it. Where the exchange closed on its
 * day after it was listed, a PM-settled one ends with the session before and an AM-settled one at
 * the opening of the session after (Cboe circular C2018120300).
 */
export function endDay(
  expiry: SessionDate,
  settlement: 'AM' | 'PM',
  asOf: SessionDate,
): SessionDate {
  const day = settlementDay(expiry)
  const announced = ANNOUNCED_ON.get(day)
  if (announced === undefined || asOf <= announced) return day
  return neighbourSession(day, settlement === 'PM' ? -1 : 1).date
}

/** Every state minute of a session: 09:30 to the minute before the close. */
export function listMinutes(session: Session): { minute: MinuteEt; atMs: number }[] {
  const count = (session.closesAtMs - session.opensAtMs) / MINUTE_MS
  // the clocks never change while a session is open
  const { minute: first } = wallTimeEt(session.opensAtMs)
  return Array.from({ length: count }, (_, index) => ({
    minute: minutesAfter(first, index),
    atMs: session.opensAtMs + index * MINUTE_MS,
  }))
}

/** Whole minutes later on the same day; earlier where the count is below zero. */
export const minutesAfter = (minute: MinuteEt, count: number): MinuteEt =>
  formatMinute(parseMinute(minute) + count)

/**
 * Instant at which a contract expires, as the session `asOf` knows it. AM-settled ones at 09:30 ET
 * of the day on which they end, PM-settled ones at the close of it. An expiry on a holiday that was
 * foreseen has the ordinary hour of its settlement, one on a Saturday before February 2015 is that
 * of the trading day before.
 */
export function expiresAtMs(
  expiry: SessionDate,
  settlement: 'AM' | 'PM',
  asOf: SessionDate,
): number {
  const day = endDay(expiry, settlement, asOf)
  if (settlement === 'AM') return instantMs(day, '09:30')
  return instantMs(day, isEarlyClose(day) ? '13:00' : '16:00')
}

function isHoliday(date: SessionDate): boolean {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  if (ONE_OFF_CLOSURES.has(date)) return true
  if (isNightClosed(date)) return true
  const isSince = (from: number, holiday: SessionDate) => year >= from && date === holiday
  if (isSince(FROM.king, nthWeekday(year, 1, 1, 3))) return true
  if (date === nthWeekday(year, 2, 1, 3)) return true // Washington
  if (month === 5 && weekday(date) === 1 && day > 24) return true // Memorial Day
  if (isSince(FROM.juneteenth, observed(year, 6, 19))) return true
  if (observed(year, 7, 4) === date) return true
  if (date === nthWeekday(year, 9, 1, 1)) return true // Labor Day
  return date === nthWeekday(year, 11, 4, 4) // Thanksgiving
}

/** Holidays on which not even the night session runs. */
function isNightClosed(date: SessionDate): boolean {
  const year = Number(date.slice(0, 4))
  if (observed(year, 1, 1, 'no-friday') === date) return true // New Year: a Saturday is not moved
  if (date === addDays(easterSunday(year), -2)) return true // Good Friday
  return observed(year, 12, 25) === date
}

function isEarlyClose(date: SessionDate): boolean {
  if (isWeekend(date) || isHoliday(date)) return false
  if (ONE_OFF_HALF_DAYS.has(date)) return true
  const year = Number(date.slice(0, 4))
  if (year < FROM.halfDays) return false
  const day = weekday(date)
  if (date === addDays(nthWeekday(year, 11, 4, 4), 1)) return true // day after Thanksgiving
  if (date.endsWith('-12-24')) return day >= 1 && day <= 4
  // July 3, when Independence Day falls on Tuesday to Friday
  if (!date.endsWith('-07-03') || year < FROM.julyThird) return false
  return day >= 1 && day <= 4 && (day !== WEDNESDAY || year >= FROM.julyWednesday)
}

/** A fixed date, moved from Sunday to Monday and from Saturday to Friday. */
function observed(year: number, month: number, day: number, saturday = 'friday'): SessionDate {
  const date = `${year}-${pad(month)}-${pad(day)}`
  if (weekday(date) === 0) return addDays(date, 1)
  if (weekday(date) === 6) return saturday === 'friday' ? addDays(date, -1) : date
  return date
}

function nthWeekday(year: number, month: number, wanted: number, nth: number): SessionDate {
  const first = `${year}-${pad(month)}-01`
  return addDays(first, ((wanted - weekday(first) + 7) % 7) + (nth - 1) * 7)
}

/** Easter by the anonymous Gregorian algorithm (Nature, 20 April 1876). */
function easterSunday(year: number): SessionDate {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  const day = ((h + l - 7 * m + 114) % 31) + 1
  return `${year}-${pad(month)}-${pad(day)}`
}

const WEDNESDAY = 3
export const weekday = (date: SessionDate) => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Saturdays and Sundays. */
export const isWeekend = (date: SessionDate): boolean => weekday(date) === 0 || weekday(date) === 6
const pad = (value: number) => String(value).padStart(2, '0')
const isoDate = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
