import { addDays, isDate } from '../../core/market/calendar.ts'

/** 'YYYY-Www', a week of ISO 8601: from Monday to Sunday. */
export type Week = string

const THURSDAY = 3

/** Returns the week of a day. */
export function toWeek(date: string): Week {
  const monday = addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))
  // a week belongs to the year of its Thursday
  const year = addDays(monday, THURSDAY).slice(0, 4)
  const days = (Date.parse(monday) - Date.parse(firstMonday(year))) / 86_400_000
  return `${year}-W${String(days / 7 + 1).padStart(2, '0')}`
}

/** The Monday of the week that has the 4th of January. */
function firstMonday(year: string): string {
  const fourth = `${year}-01-04`
  return addDays(fourth, -((new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7))
}

/** True for an existing week, written YYYY-Www. */
export function isWeek(text: string): boolean {
  if (!/^[12]\d{3}-W\d{2}$/.test(text)) return false
  const { from } = weekDays(text)
  return isDate(from) && toWeek(from) === text
}

/** Monday and Sunday of a week. */
export function weekDays(week: Week): { readonly from: string; readonly to: string } {
  const [year, number] = week.split('-W') as [string, string]
  const from = addDays(firstMonday(year), (Number(number) - 1) * 7)
  return { from, to: addDays(from, 6) }
}

/** The first instant after a week, UTC. */
export const endOfWeekMs = (week: Week): number => Date.parse(addDays(weekDays(week).from, 7))

/** Maximum days of a query. */
export const DAYS_MAX = { items: 366, export: 92 } as const
