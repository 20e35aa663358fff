/**
 * The US Treasury's daily par yields: a table a year, free. Read at home.treasury.gov, "Daily
 * Treasury Par Yield Curve Rates", whose own link "Download CSV" is this address (2026).
 */

import {
  addDays,
  instantMs,
  isWeekend,
  MINUTE_MS,
  type SessionDate,
  wallTimeEt,
} from '../../../src/core/market/calendar.ts'
import { explainStatus } from '../explain.ts'
import type { DataSource, Part } from '../source.ts'

const NAME = 'treasury'
/** A day's yields are out by then, ET. */
const PUBLISHED_ET = '18:00'

const toPart = (year: string): Part => ({
  day: year,
  file: `treasury-rates-${year}.csv`,
  format: 'treasury-rates',
  session: null,
  request: {
    method: 'GET',
    path: `/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/${year}/all`,
    fields: {
      type: 'daily_treasury_yield_curve',
      field_tdr_date_value: year,
      page: '',
      _format: 'csv',
    },
  },
  content: {
    kind: 'table',
    rules: {
      // those of every year: the file of 2000 has no 1 month
      columns: ['date', '1 yr', '10 yr'],
      judge: cell => {
        const date = cell('date')
        return date.includes(year) ? null : `has a row of ${date}, not of ${year}`
      },
    },
  },
  isRanged: false,
  mayBeEmpty: false,
  usualBytes: 20_000,
})

/** The last instant at which yields of a weekday came out. */
function lastPublishedMs(nowMs: number): number {
  let { date } = wallTimeEt(nowMs)
  while (isWeekend(date) || instantMs(date, PUBLISHED_ET) > nowMs) date = addDays(date, -1)
  return instantMs(date, PUBLISHED_ET)
}

/** Years of days; of the first days of a year also the one before, whose curve they use. */
const listYears = (days: readonly SessionDate[]): string[] => [
  ...new Set(days.flatMap(day => [addDays(day, -10).slice(0, 4), day.slice(0, 4)])),
]

export const TREASURY: DataSource = {
  name: NAME,
  meaning: 'yields for discounting: free, without a key',
  address: 'https://home.treasury.gov',
  keys: [],
  concurrent: 2,
  headTimeoutMs: MINUTE_MS,
  isBySession: false,
  plan: days => listYears(days).map(toPart),
  readyMs: day => instantMs(day, PUBLISHED_ET),
  authorize: async () => ({}),
  explain: failed => explainStatus(NAME, failed),
  probe: { ...toPart('2026').request },
  isCurrent: ({ day: year }, fetchedAtMs, nowMs) =>
    fetchedAtMs >=
    Math.min(lastPublishedMs(nowMs), instantMs(`${Number(year) + 1}-01-05`, '18:00')),
}
