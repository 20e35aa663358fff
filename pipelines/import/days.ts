import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import {
  addDays,
  FRIDAY_EXPIRIES_FROM,
  findEveningSession,
  findHolidaySession,
  findTradingSession,
  instantMs,
  settlementDay,
} from '../../src/core/market/calendar.ts'

/** Maximum of days in one file: fifty years of sessions. */
const DAYS_MAX = 20_000

/** A holiday's night session has ended by then, ET. */
const HOLIDAY_NIGHT_ENDS = '13:00'

/**
 * Makes `import.days` from the calendar, for every day of `import.candidates`. From 20:15 ET on,
 * trading belongs to the session of the next business day, and so do the night and the morning of a
 * holiday. A wall time of a day is moved to UTC by `wall_offset`, which is the one of its noon
 * (clocks change on Sundays at 02:00, when nothing trades).
 */
export async function loadDays(db: Database, label: string): Promise<void> {
  const days = (await db.query('import/dates')).map(row => String(row.day))
  if (days.length > DAYS_MAX) {
    throw new Refusal(
      `${label} has rows of ${days.length} different days; the limit is ${DAYS_MAX}.`,
    )
  }
  // the sessions of evenings and holidays are looked up as days, too
  const sessions = days.flatMap(day => [findEveningSession(day), findHolidaySession(day)])
  const all = [...new Set([...days, ...sessions.flatMap(session => session?.date ?? [])])].sort()
  await db.build('import/days', { days: JSON.stringify(all.map(toDayRow)) })
}

function toDayRow(day: string) {
  const session = findTradingSession(day)
  return {
    day,
    session_date: session?.date ?? null,
    evening_session_date: findEveningSession(day)?.date ?? null,
    holiday_session_date: findHolidaySession(day)?.date ?? null,
    // wall time minus this is UTC
    offset_ms: Date.parse(`${day}T12:00:00Z`) - instantMs(day, '12:00'),
    starts_ms: instantMs(addDays(day, -1), '20:15'),
    evening_ms: instantMs(day, '20:15'),
    night_ends_ms: instantMs(day, HOLIDAY_NIGHT_ENDS),
    opens_ms: session?.opensAtMs ?? null,
    closes_ms: session?.closesAtMs ?? null,
  }
}

/** A Friday, the first before a Saturday that a tape may have as an expiry. */
const FIRST_FRIDAY = '2000-01-07'

let closed: readonly string[] | null = null

/**
 * Weekdays without a session before a Saturday whose Friday has none: the expiry of such a Saturday
 * settles before them. For `settled_expiry` of `sql/macros`.
 */
export function closedWeekdays(): readonly string[] {
  if (closed) return closed
  const days: string[] = []
  for (let friday = FIRST_FRIDAY; friday < FRIDAY_EXPIRIES_FROM; friday = addDays(friday, 7)) {
    const settlement = settlementDay(addDays(friday, 1))
    for (let day = friday; day > settlement; day = addDays(day, -1)) days.push(day)
  }
  closed = days
  return days
}
