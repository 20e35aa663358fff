/**
 * FRED of the Federal Reserve Bank of St. Louis: dates of economic releases. Read at
 * fred.stlouisfed.org/docs/api, "fred/releases/dates" and "Errors" (2026): 120 requests a minute,
 * a free key, at most 1,000 dates a page.
 */

import { z } from 'zod'
import { addDays, MINUTE_MS, type SessionDate, weekday } from '../../../src/core/market/calendar.ts'
import { parseJson } from '../../../src/data/dictionary/manifestText.ts'
import { explainStatus, oneSentence } from '../explain.ts'
import { type DataSource, type FailedResponse, FetchProblem, type Part } from '../source.ts'

const NAME = 'fred'
const PAGE_MAX = 1_000
const BYTES_MAX = 8 * 2 ** 20

const Dates = z.looseObject({ count: z.int(), release_dates: z.array(z.unknown()) })

function judgeDates(value: unknown): number | string {
  const parsed = Dates.safeParse(value)
  if (!parsed.success) return 'is no list of release dates: it has no count and release_dates'
  const { count, release_dates: dates } = parsed.data
  return count > dates.length ? `lists ${dates.length} of ${count} dates only` : dates.length
}

/** The dates of a week, from Monday to Sunday: some 200, never more than a page. */
const toPart = (monday: SessionDate): Part => ({
  day: monday.slice(0, 4),
  file: `fred-release-dates-${monday}.json`,
  format: 'fred-release-dates',
  session: null,
  request: {
    method: 'GET',
    path: '/fred/releases/dates',
    fields: {
      realtime_start: monday,
      realtime_end: addDays(monday, 6),
      include_release_dates_with_no_data: 'true',
      order_by: 'release_date',
      sort_order: 'asc',
      limit: String(PAGE_MAX),
      file_type: 'json',
    },
  },
  content: { kind: 'json', judge: judgeDates, bytesMax: BYTES_MAX },
  isRanged: false,
  mayBeEmpty: true,
  usualBytes: 30_000,
})

const findMonday = (day: SessionDate): SessionDate => addDays(day, -((weekday(day) + 6) % 7))

const Failure = z.looseObject({ error_message: z.string() })

function explain(failed: FailedResponse): FetchProblem {
  const parsed = Failure.safeParse(parseJson(failed.text))
  const message = parsed.success ? parsed.data.error_message : ''
  if (failed.status === 400 && /api_key/.test(message)) {
    const isMissing = /not registered|not a 32/.test(message)
    return new FetchProblem(
      'wrong_key',
      `${NAME} ${isMissing ? 'does not know the key' : 'wants a key'} (400).`,
    )
  }
  if (failed.status === 400 && message !== '')
    return new FetchProblem('bad_request', `${NAME} refuses (400): ${oneSentence(message)}.`)
  // a week without releases is an empty list
  if (failed.status === 404)
    return new FetchProblem('bad_request', `${NAME} does not know this request (404).`)
  if (failed.status === 423)
    return new FetchProblem('unavailable', `${NAME} has locked this request for now (423).`)
  return explainStatus(NAME, failed)
}

export const FRED: DataSource = {
  name: NAME,
  meaning: 'dates of economic releases, for geo; a free key',
  address: 'https://api.stlouisfed.org',
  keys: [{ name: 'key', variable: 'FRED_API_KEY', example: '0123456789abcdef0123456789abcdef' }],
  concurrent: 1,
  headTimeoutMs: MINUTE_MS,
  isBySession: false,
  plan: days => [...new Set(days.map(findMonday))].map(toPart),
  readyMs: () => 0,
  authorize: async () => ({}),
  withKey: (url, { key }) => url.searchParams.set('api_key', key!),
  explain,
  probe: {
    method: 'GET',
    path: '/fred/releases/dates',
    fields: { limit: '1', file_type: 'json' },
  },
  // dates of a week that is not over may still move
  isCurrent: ({ request }, fetchedAtMs, nowMs) => {
    const overMs = Date.parse(`${request.fields.realtime_end}T23:59:59Z`)
    return fetchedAtMs > overMs || nowMs - fetchedAtMs < 12 * 60 * MINUTE_MS
  },
}
