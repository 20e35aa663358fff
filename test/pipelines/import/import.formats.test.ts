// Every format on a few made-up rows: what becomes of times, contracts, quotes and conditions.

import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { findManifest, importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const CBOE_FIXED =
  'underlying_symbol,quote_datetime,sequence_number,root,expiration,strike,option_type,' +
  'exchange_id,trade_size,trade_price,trade_condition_id,canceled_trade_condition_id,best_bid,' +
  'best_ask'
const CBOE_REST =
  'underlying_bid,underlying_ask,number_of_exchanges,' +
  '{exchange,bid_size,bid,ask_size,ask}[number_of_exchanges]'

const PRINTS = `
  select sequence, printed_at::varchar as printed_at, root, expiry::varchar as expiry, strike,
    option_type as type, size, price, condition, best_bid as bid, best_ask as ask,
    underlying_price as spot
  from tape.prints`

test('Cboe trades: ET becomes UTC, a quote of 0 is none, rows say their length', async () => {
  const day = '2026-10-14'
  const file = newFile(
    'cboe.csv',
    lines(
      `${CBOE_FIXED},${CBOE_REST}`,
      `^SPX,${day} 09:31:00.025,11,SPXW,${day},6000,C,5,3,4.2,18,0,4.1,4.3,6001,6003,` +
        '2,5,1,4.1,1,4.3,6,1,4,1,5',
      `^SPX,${day} 09:31:00.025,12,SPX,2026-10-16,6000.5,P,5,3,4.2,35,0,0,0.05,0,6003,0`,
      `^SPX,${day} 15:59:59.999,13,SPX,2026-10-16,6000,P,5,3,4.2,0,0,0,0,0,0,0`,
    ),
  )
  const data = newFolder()
  expect(await importFiles(data, 'cboe-trades', file)).toMatchObject({ code: 0, error: '' })
  const prints = await tapeRows(data, day, PRINTS)
  expect(prints).toMatchObject(
    table(`
    sequence  printed_at               root  expiry      strike  type  size  price  condition
    11        2026-10-14 13:31:00.025  SPXW  2026-10-14  6000    C     3     4.2    I
    12        2026-10-14 13:31:00.025  SPX   2026-10-16  6000.5  P     3     4.2    L
    13        2026-10-14 19:59:59.999  SPX   2026-10-16  6000    P     3     4.2    _
  `).map(row => ({ ...row, condition: row.condition === '_' ? ' ' : row.condition })),
  )
  expect(prints.map(({ bid, ask, spot }) => [bid, ask, spot])).toEqual([
    [4.1, 4.3, 6002],
    [0, 0.05, null],
    [null, null, null],
  ])
})

test('Cboe trades with calcs: further columns are passed over', async () => {
  const file = newFile(
    'calcs.csv',
    lines(
      `${CBOE_FIXED},trade_iv,trade_delta,${CBOE_REST}`,
      '^SPX,2026-10-14 10:00:00,1,SPXW,2026-10-14,6000,C,5,3,4.2,130,0,4.1,4.3,0.1,0.5,' +
        '6001,6003,1,5,1,4.1,1,4.3',
    ),
  )
  const data = newFolder()
  expect((await importFiles(data, 'cboe-trades', file)).code).toBe(0)
  expect(await tapeRows(data, '2026-10-14', PRINTS)).toMatchObject([{ condition: 'f', spot: 6002 }])
})

test('on both days after a change of the clocks 09:30 ET is 09:30 ET', async () => {
  const row = (at: string, sequence: number) =>
    `^SPX,${at} 09:30:00,${sequence},SPXW,2026-12-18,6000,C,5,3,4.2,18,0,4.1,4.3,6000,6000,0`
  const days = ['2026-03-06', '2026-03-09', '2026-10-30', '2026-11-02']
  const file = newFile('dst.csv', lines(`${CBOE_FIXED},${CBOE_REST}`, ...days.map(row)))
  const data = newFolder()
  await importFiles(data, 'cboe-trades', file)
  const starts = await Promise.all(
    days.map(day => tapeRows(data, day, 'select printed_at::varchar as at from tape.prints')),
  )
  expect(starts.flat().map(row => row.at)).toEqual([
    '2026-03-06 14:30:00',
    '2026-03-09 13:30:00',
    '2026-10-30 13:30:00',
    '2026-11-02 14:30:00',
  ])
})

test('Massive trades: any order of columns, several conditions, none, other roots', async () => {
  const at = (time: string) => `${Date.parse(`2026-10-14T${time}Z`)}123456`
  const file = newFile(
    'massive.csv.gz',
    gzipSync(
      lines(
        'size,price,ticker,conditions,correction,exchange,sip_timestamp,participant_timestamp',
        `5,4.2,O:SPXW261014C06000500,232,0,302,${at('14:00:00')},1`,
        `6,4.2,O:SPX261016P06000000,"209,235",0,302,${at('14:00:01')},1`,
        `7,4.2,O:SPXW261014C06000000,,0,302,${at('14:00:02')},1`,
        `8,4.2,O:SPXW261014C06000000,,0,302,${at('12:00:03')},1`,
        `9,4.2,O:SPY261014C00600000,232,0,302,${at('14:00:04')},1`,
        `9,4.2,O:SPXW261014C06000000,"232,999",0,302,${at('14:00:05')},1`,
      ),
    ),
  )
  const data = newFolder()
  const outcome = await importFiles(data, 'massive-trades', file)
  expect(outcome.out).toMatch(/2026-10-14 +prints +6 +4 +0 +0 +1 +1 \(232,999: 1\)/)
  const columns = `select printed_at::varchar as at, root, strike, size, condition, vendor_condition
     from tape.prints`
  expect(await tapeRows(data, '2026-10-14', columns)).toEqual([
    { at: '2026-10-14 12:00:03.000123', ...massive('SPXW', 6000, 8, 'v', null) },
    { at: '2026-10-14 14:00:00.000123', ...massive('SPXW', 6000.5, 5, 'f', '232') },
    { at: '2026-10-14 14:00:01.000123', ...massive('SPX', 6000, 6, 'i', '209,235') },
    { at: '2026-10-14 14:00:02.000123', ...massive('SPXW', 6000, 7, ' ', null) },
  ])
  expect(findManifest(data, '2026-10-14').batches[0]).toMatchObject({
    source: { file: 'massive.csv.gz' },
    counts: { read: 6, imported: 4, skipped: 1, quarantined: { '232,999': 1 } },
  })
  const others = newFolder()
  await importFiles(others, '--roots', 'SPY', 'massive-trades', file)
  expect(await tapeRows(others, '2026-10-14', columns)).toMatchObject([{ root: 'SPY', size: 9 }])
})

const massive = (
  root: string,
  strike: number,
  size: number,
  letter: string,
  ids: string | null,
) => ({
  root,
  strike,
  size,
  condition: letter,
  vendor_condition: ids,
})

test('ThetaData: milliseconds, negative sequences, the quote with its own time', async () => {
  const at = Date.parse('2026-10-14T14:00:00.250Z')
  const file = newFile(
    'theta.csv',
    lines(
      'symbol,expiration,strike,right,trade_timestamp,quote_timestamp,sequence,ext_condition1,' +
        'condition,size,exchange,price,bid_size,bid,ask_size,ask',
      `SPXW,2026-10-14,6000.0,PUT,${at},${at - 1000},-77,255,131,10,5,41.71,431,41.2,430,42.09`,
      `SPXW,2026-10-14,6000.0,CALL,${at},${at - 1000},-78,255,5,10,5,41.71,431,41.2,430,42.09`,
    ),
  )
  const data = newFolder()
  expect((await importFiles(data, 'thetadata-trade-quote', file)).code).toBe(0)
  const columns = `select sequence, option_type, condition, bid_size,
    quoted_at::varchar as quoted_at from tape.prints`
  expect(await tapeRows(data, '2026-10-14', columns)).toEqual(
    table(`
    sequence  option_type  condition  bid_size  quoted_at
    -78       C            H          431       2026-10-14 13:59:59.25
    -77       P            g          431       2026-10-14 13:59:59.25
  `),
  )
})

const TBBO =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,' +
  'ts_in_delta,sequence,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,symbol'
const tbbo = (at: string, sequence: number, [price, bid, ask]: string[], action = 'T') =>
  `x,${at},1,30,1,${action},N,0,${price},5,0,0,${sequence},${bid},${ask},7,8,SPXW  261014C06000000`

test('Databento: decimal or fixed prices, ISO or digits, only trades', async () => {
  const nanos = `${Date.parse('2026-10-14T14:00:01Z')}777000`
  const decimal = newFile(
    'decimal.csv',
    lines(
      TBBO,
      tbbo('2026-10-14T14:00:00.123456789Z', 21, ['4.200000000', '4.1', '4.3']),
      tbbo('2026-10-14T14:00:00.5Z', 22, ['12', '', '12.500000000']),
    ),
  )
  const undefinedBid = '9223372036854775807'
  const fixed = newFile(
    'fixed.csv',
    lines(
      TBBO,
      tbbo(nanos, 23, ['4200000000', undefinedBid, '4300000000']),
      tbbo(nanos, 24, ['4200000000', '4100000000', '4300000000'], 'A'),
      tbbo(nanos, 25, ['10000000', '0', '50000000.0']),
    ),
  )
  const data = newFolder()
  const outcome = await importFiles(data, 'databento-tbbo', decimal, fixed)
  expect(outcome.out).toMatch(/fixed.csv +2026-10-14 +prints +3 +2 +0 +0 +1 +0/)
  expect(await tapeRows(data, '2026-10-14', PRINTS)).toMatchObject([
    { sequence: 21, printed_at: '2026-10-14 14:00:00.123456', price: 4.2, condition: null },
    // a whole number among decimals is a whole price
    { sequence: 22, printed_at: '2026-10-14 14:00:00.5', price: 12, bid: null, ask: 12.5 },
    { sequence: 23, printed_at: '2026-10-14 14:00:01.000777', price: 4.2, bid: null, ask: 4.3 },
    { sequence: 25, printed_at: '2026-10-14 14:00:01.000777', price: 0.01, bid: 0, ask: 0.05 },
  ])
})

test('a file of both kinds of prices is refused, for one of them must be wrong', async () => {
  const at = '2026-10-14T14:00:00Z'
  const rows = [
    tbbo(at, 1, ['4.2', '4.1', '4.3']),
    tbbo(at, 2, ['4200000000', '4100000000', '4300000000']),
  ]
  const outcome = await importFiles(
    newFolder(),
    'databento-tbbo',
    newFile('both.csv', lines(TBBO, ...rows)),
  )
  expect(outcome).toMatchObject({ code: 1, out: '' })
  expect(outcome.error).toContain(
    'line 3: price is 4200000000.0, which is not a price of an option',
  )
})

const member = (kind: string, right: string) =>
  `20261014_spxw_minute_${kind}_european_${right}_60000000_20261014.csv`

test('LEAN quotes: a bar is known when its minute ends, an empty side is null', async () => {
  const data = newFolder()
  const bytes = zipSync({
    [member('quote', 'call')]: Buffer.from('34200000,1,1,1,95000,4,1,1,1,97000,5\r\n'),
    [member('quote', 'put')]: Buffer.from('34200000,,,,,,1,1,1,97000,5\n'),
  })
  const file = newFile('20261014_quote_european.zip.zip', bytes)
  expect((await importFiles(data, 'lean-index-options', file)).code).toBe(0)
  const columns = `select option_type as type, strike, minute_at::varchar as minute_at,
    best_bid, best_ask,
    bid_size, quoted_at::varchar as quoted from tape.quotes order by 1`
  expect(await tapeRows(data, '2026-10-14', columns)).toEqual(
    table(`
    type  strike  minute_at            best_bid  best_ask  bid_size  quoted
    C     6000    2026-10-14 13:31:00  9.5       9.7       4         2026-10-14 13:30:59.999999
    P     6000    2026-10-14 13:31:00  -         9.7       -         2026-10-14 13:30:59.999999
  `),
  )
})

test("LEAN's index runs on Chicago time, its open interest is of the zip's morning", async () => {
  const data = newFolder()
  const index = { '20261014_spx_minute_trade.csv': Buffer.from('30600000,1,1,1,6001.25,60') }
  const interest = { [member('openinterest', 'put')]: Buffer.from('23400000,11755') }
  const files = [index, interest].map((entry, at) => newFile(`${at}.zip`, zipSync(entry)))
  expect((await importFiles(data, 'lean-index-options', ...files)).code).toBe(0)
  const columns =
    'select spotted_at::varchar as at, spot, open_interest from tape.spots, tape.open_interest'
  expect(await tapeRows(data, '2026-10-14', columns)).toEqual([
    { at: '2026-10-14 13:30:59.999999', spot: 6001.25, open_interest: 11755 },
  ])
})

test('Treasury yields: simple up to half a year, then twice a year; gaps stay gaps', async () => {
  const file = newFile(
    'yields.csv',
    lines('Date,1 Mo,1.5 Mo,3 Mo,6 Mo,1 Yr,30 Yr', '10/13/2026,4.00,,4.10,4.20,4.30,N/A'),
  )
  const data = newFolder()
  expect((await importFiles(data, 'treasury-rates', file)).code).toBe(0)
  const rows = await tapeRows(data, '2026-10-14', 'select tenor_days, rate from tape.rates')
  const simple = (percent: number, days: number) =>
    (Math.log(1 + (percent / 100) * (days / 365)) * 365) / days
  const expected = [
    [30, simple(4.0, 30)],
    [91, simple(4.1, 91)],
    [182, simple(4.2, 182)],
    [365, 2 * Math.log(1 + 0.043 / 2)],
  ]
  expect(rows.map(row => row.tenor_days)).toEqual(expected.map(([days]) => days))
  rows.forEach((row, at) => {
    expect(row.rate).toBeCloseTo(expected[at]![1]!, 12)
  })
})
