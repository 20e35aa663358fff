// The test servers of the sources without a plan: Cboe's delayed quotes, the Treasury and FRED.

import { afterEach, expect, test } from 'vitest'
import { type CboeChain, startCboeDelayed } from './cboeDelayed.ts'
import { otherColumns, rowsOf } from './faults.ts'
import { FRED_KEY, type FredOptions, startFred } from './fred.ts'
import { receive, receiveJson, textOf } from './request.ts'
import type { Source } from './serve.ts'
import { startTreasury } from './treasury.ts'

let source: Source
afterEach(() => source.close())

const option = {
  option: 'SPXW241104C05700000',
  bid: 21.5,
  bid_size: 10,
  ask: 22,
  ask_size: 12,
  iv: 0.1434,
  open_interest: 1234,
  volume: 5,
  delta: 0.61,
  gamma: 0.004,
  vega: 1.2,
  theta: -0.5,
  rho: 0.01,
  theo: 21.7,
  change: 0,
  open: 0,
  high: 0,
  low: 0,
  tick: 'no_change',
  last_trade_price: 0,
  last_trade_time: null,
  percent_change: 0,
  prev_day_close: 20.1,
}
const chainAt = (timestamp: string, current_price = 5712.69): CboeChain => ({
  timestamp,
  symbol: '_SPX',
  data: { symbol: '^SPX', current_price, options: [option] },
})

test('Cboe: the chain as JSON, in gzip where it is accepted, 304 for a known ETag', async () => {
  const cboe = await startCboeDelayed({ chains: { _SPX: chainAt('2024-11-04 15:00:00') } })
  source = cboe
  const url = `${cboe.url}/api/global/delayed_quotes/options/_SPX.json`
  expect(await receiveJson(url)).toEqual([200, chainAt('2024-11-04 15:00:00')])
  const zipped = await receive(url, { headers: { 'accept-encoding': 'gzip' } })
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/json',
    'last-modified': 'Mon, 04 Nov 2024 15:00:00 GMT',
  })
  expect(JSON.parse(textOf(zipped))).toEqual(chainAt('2024-11-04 15:00:00'))
  const known = { headers: { 'if-none-match': zipped.headers.etag! } }
  expect(await receive(url, known)).toMatchObject({ status: 304, body: Buffer.alloc(0) })
  cboe.publish('_SPX', chainAt('2024-11-04 15:01:00', 5713))
  expect((await receiveJson(url, known))[1].data.current_price).toBe(5713)
  for (const path of ['SPX.json', '_NDX.json', '_SPX.json?now=1', '_SPX']) {
    const denied = await receive(url.replace('_SPX.json', path))
    expect(denied).toMatchObject({ status: 403, headers: { 'content-type': 'application/xml' } })
  }
})

test("Cboe: another symbol's chain and other fields", async () => {
  const chains = { _SPX: chainAt('2024-11-04 15:00:00'), _XSP: chainAt('2024-11-04 15:00:00', 571) }
  const faults = [rowsOf({ symbol: '_XSP' }), otherColumns({ bid: 'best_bid', ask: null })]
  source = await startCboeDelayed({ chains, faults })
  const url = `${source.url}/api/global/delayed_quotes/options/_SPX.json`
  expect((await receiveJson(url))[1].data.current_price).toBe(571)
  const [renamed] = (await receiveJson(url))[1].data.options
  expect(renamed).toMatchObject({ best_bid: 21.5 })
  expect(renamed).not.toHaveProperty('ask')
})

const FOLDER = '/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv'
const yearUrl = (year: string, field = year) =>
  `${source.url}${FOLDER}/${year}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${field}&page&_format=csv`

test('Treasury: a year and a month, newest first, with the columns of their time', async () => {
  const yields = {
    '2025-02-18': { '1 Mo': 4.37, '1.5 Month': 4.36, '30 Yr': 4.77 },
    '2025-02-14': { '1 Mo': 4.37, '30 Yr': 4.69 },
    '2024-11-04': { '1 Mo': 4.7, '30 Yr': 4.5 },
  }
  const treasury = await startTreasury({ yields })
  source = treasury
  const later = await receive(yearUrl('2025'))
  expect(later.headers['content-type']).toBe('text/csv; charset=UTF-8')
  expect(textOf(later)).toBe(
    'Date,"1 Mo","1.5 Month","2 Mo","3 Mo","4 Mo","6 Mo","1 Yr","2 Yr","3 Yr","5 Yr","7 Yr",' +
      '"10 Yr","20 Yr","30 Yr"\n' +
      '02/18/2025,4.37,4.36,,,,,,,,,,,,4.77\n02/14/2025,4.37,,,,,,,,,,,,,4.69',
  )
  expect(textOf(await receive(yearUrl('2024')))).toMatch(
    /^Date,"1 Mo","2 Mo",.*\n11\/04\/2024,4.70,/,
  )
  const month = yearUrl('x')
    .replace('/x/all?', '/all/202411?')
    .replace('value=x', 'value_month=202411')
  expect(textOf(await receive(month))).toContain('\n11/04/2024,')
  expect(textOf(await receive(yearUrl('1999')))).toMatch(/^Date,[^\n]+$/)
  const known = { headers: { 'if-none-match': later.headers.etag! } }
  expect((await receive(yearUrl('2025'), known)).status).toBe(304)
  treasury.publish('2025-02-19', { '1 Mo': 4.36 })
  expect(textOf(await receive(yearUrl('2025'), known))).toContain('\n02/19/2025,4.36,')
  const wrong = [
    yearUrl('2025', '2024'),
    yearUrl('25'),
    `${yearUrl('2025')}&day=1`,
    yearUrl('2025').replace('csv', 'xml'),
    yearUrl('2025').replace('yield_curve', 'bill_rates'),
  ]
  for (const url of wrong) {
    const page = await receive(url)
    expect(page).toMatchObject({ status: 404 })
    expect(textOf(page)).toMatch(/^<!DOCTYPE html>/)
  }
})

test("Treasury: another year's rows and other columns", async () => {
  const yields = { '2024-11-04': { '1 Mo': 4.7 }, '2023-11-03': { '1 Mo': 5.5 } }
  const faults = [rowsOf({ year: '2023' }), otherColumns({ '1 Mo': '1 Month', '2 Mo': null })]
  source = await startTreasury({ yields, faults })
  expect(textOf(await receive(yearUrl('2024')))).toContain('\n11/03/2023,5.50,')
  expect(textOf(await receive(yearUrl('2024')))).toMatch(/^Date,"1 Month","3 Mo",/)
})

const CPI = { release_id: 10, release_name: 'Consumer Price Index' }
const JOBS = { release_id: 50, release_name: 'Employment Situation' }
const DATES: FredOptions['dates'] = [
  { ...CPI, date: '2026-10-14' },
  { ...JOBS, date: '2026-11-06' },
  { ...CPI, date: '2026-11-12' },
  { ...JOBS, date: '2026-12-04', hasData: false },
  { ...CPI, date: '2025-12-10' },
]

const openFred = async (over: FredOptions = {}) => {
  source = await startFred({ dates: DATES, today: '2026-11-27', ...over })
  return (path: string, query: Record<string, string> = {}) => {
    const values = new URLSearchParams({ api_key: FRED_KEY, file_type: 'json', ...query })
    return receiveJson(`${source.url}/fred/${path}?${values}`)
  }
}

test('FRED: dates of all releases and of one, with the defaults of the documents', async () => {
  const get = await openFred()
  expect(await get('releases/dates')).toEqual([
    200,
    {
      realtime_start: '2026-01-01',
      realtime_end: '9999-12-31',
      order_by: 'release_date',
      sort_order: 'desc',
      count: 3,
      offset: 0,
      limit: 1000,
      release_dates: [
        { ...CPI, date: '2026-11-12' },
        { ...JOBS, date: '2026-11-06' },
        { ...CPI, date: '2026-10-14' },
      ],
    },
  ])
  const datesOf = async (path: string, query: Record<string, string>) =>
    (await get(path, query))[1].release_dates.map(({ date }: { date: string }) => date)
  expect(await datesOf('release/dates', { release_id: '10' })).toEqual([
    '2025-12-10',
    '2026-10-14',
    '2026-11-12',
  ])
  const all = { include_release_dates_with_no_data: 'true', realtime_start: '2026-11-01' }
  expect(await datesOf('releases/dates', { ...all, sort_order: 'asc' })).toEqual([
    '2026-11-06',
    '2026-11-12',
    '2026-12-04',
  ])
  expect(await datesOf('releases/dates', { ...all, limit: '1', offset: '1' })).toEqual([
    '2026-11-12',
  ])
  expect(
    await datesOf('releases/dates', { realtime_end: '2026-11-06', order_by: 'release_id' }),
  ).toEqual(['2026-11-06', '2026-10-14'])
  const xml = await receive(`${source.url}/fred/release/dates?release_id=50&api_key=${FRED_KEY}`)
  expect(xml.headers['content-type']).toBe('text/xml; charset=UTF-8')
  expect(textOf(xml)).toContain('<release_date release_id="50">2026-11-06</release_date>')
})

test.each([
  ['no key', 400, 'Variable api_key is not set.', { api_key: undefined }],
  ['a key of another form', 400, 'is not a 32 character', { api_key: 'ABC' }],
  [
    'an unknown key',
    400,
    'The value for variable api_key is not registered.',
    { api_key: 'a'.repeat(32) },
  ],
  ['an unknown variable', 400, 'Variable realtime is not known.', { realtime: '1' }],
  ['a limit that is too high', 400, 'Variable limit is not between 1 and 1000.', { limit: '1001' }],
  [
    'a wrong date',
    400,
    'Variable realtime_start is not a YYYY-MM-DD',
    { realtime_start: '20260101' },
  ],
  ['a wrong order', 400, 'Variable sort_order', { sort_order: 'up' }],
])('FRED: %s is refused with %i', async (_, status, text, over) => {
  await openFred()
  const values = Object.entries({ api_key: FRED_KEY, file_type: 'json', ...over })
  const query = new URLSearchParams(
    values.filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const [found, body] = await receiveJson(`${source.url}/fred/releases/dates?${query}`)
  expect([found, body.error_code]).toEqual([status, status])
  expect(body.error_message).toMatch(/^Bad Request. {2}/)
  expect(body.error_message).toContain(text)
})

test('FRED: so many requests a minute, other paths, and no key in what is recorded', async () => {
  const get = await openFred({ perMinute: 2 })
  expect((await get('releases/dates'))[0]).toBe(200)
  expect((await get('release/dates', { release_id: '99' }))[1].error_message).toContain(
    'does not exist',
  )
  const [status, { error_code, error_message }] = await get('releases/dates')
  expect([status, error_code, error_message]).toEqual([
    429,
    429,
    'Too Many Requests.  Exceeded Rate Limit',
  ])
  expect((await get('series'))[0]).toBe(404)
  const error = await receive(`${source.url}/fred/releases/dates`)
  expect(textOf(error)).toContain('<error code="400" message="Bad Request.  Variable api_key')
  expect(JSON.stringify(source.requests)).not.toContain(FRED_KEY)
})
