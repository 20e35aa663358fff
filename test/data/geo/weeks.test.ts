import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfWeekMs, isWeek, toWeek, weekDays } from '../../../src/data/geo/weeks.ts'

test.each([
  ['2026-10-12', '2026-W42'],
  ['2026-10-18', '2026-W42'],
  ['2026-12-31', '2026-W53'],
  ['2027-01-01', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-12-30', '2025-W01'],
  ['2021-01-03', '2020-W53'],
])('%s is in %s', (day, week) => {
  expect(toWeek(day)).toBe(week)
  const { from, to } = weekDays(week)
  expect(from <= day && day <= to).toBe(true)
})

/** ISO 8601 as it is often written down: the week number of the Thursday of the same week. */
function otherWeek(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const number = Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7)
  return `${year}-W${String(number).padStart(2, '0')}`
}

test('any day of 200 years is in the week that a second rule says', () => {
  const days = fc.integer({ min: Date.UTC(1900, 0, 1) / 86_400_000, max: 80_000 })
  fc.assert(
    fc.property(days, number => {
      const day = new Date(number * 86_400_000).toISOString().slice(0, 10)
      expect(toWeek(day)).toBe(otherWeek(day))
      expect(isWeek(toWeek(day))).toBe(true)
      expect(endOfWeekMs(toWeek(day)) > Date.parse(day)).toBe(true)
    }),
  )
})

test.each(['2026-W54', '2025-W53', '2026-W00', '2026-42', '2026W42', 'W42', '0999-W01', ''])(
  '%s is no week',
  text => expect(isWeek(text)).toBe(false),
)
