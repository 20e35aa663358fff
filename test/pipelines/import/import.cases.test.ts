// Files as vendors and spreadsheets really hand them over, each with its right result.

import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { table } from '../../support/db.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const COUNT = 'select count(*)::int as prints from tape.prints'
const MASSIVE = 'ticker,conditions,correction,exchange,price,sip_timestamp,size'
const massive = (second: number) =>
  `O:SPXW260918P07600000,232,0,302,41.5,17879240${18 + second}759000000,2`
const massiveRows = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => massive(from + at))

test('a line that repeats the header is no row', async () => {
  const data = newFolder()
  const file = newFile(
    'joined.csv',
    lines(MASSIVE, ...massiveRows(0, 10), MASSIVE, ...massiveRows(10, 10)),
  )
  const outcome = await importFiles(data, 'massive-trades', file)
  expect(outcome.out).toMatch(/2026-08-28 +prints +20 +20 +0 +0 +0 +0/)
  expect(await tapeRows(data, '2026-08-28', COUNT)).toEqual([{ prints: 20 }])
})

test('two gzip members, each with the header and a byte order mark, are one file', async () => {
  const data = newFolder()
  const parts = [massiveRows(0, 10), massiveRows(10, 10)]
  const bytes = parts.map(part => gzipSync(`\uFEFF${lines(MASSIVE, ...part)}`))
  const file = newFile('members.csv.gz', Buffer.concat(bytes))
  const outcome = await importFiles(data, 'massive-trades', file)
  expect(outcome.out).toMatch(/2026-08-28 +prints +20 +20 +0 +0 +0 +0/)
})

test('empty cells that pad every row of a spreadsheet say nothing', async () => {
  const data = newFolder()
  const padded = [...massiveRows(0, 3).map(row => `${row},,,`), ',,,,,,,,,', massive(9)]
  for (const header of [MASSIVE, `${MASSIVE},,,`]) {
    const file = newFile('padded.csv', lines(header, ...padded))
    expect((await importFiles(data, 'massive-trades', file)).code).toBe(0)
  }
  expect(await tapeRows(data, '2026-08-28', COUNT)).toEqual([{ prints: 4 }])
})

const PRINTS = `
  select printed_at::varchar as at, option_type as type, size, price, condition, exchange,
    quoted_at::varchar as quoted, best_bid as bid, best_ask as ask
  from tape.prints order by printed_at, sequence`
const DAY = '2024-11-04'

const THETA =
  'symbol,expiration,strike,right,trade_timestamp,quote_timestamp,sequence,ext_condition1,' +
  'ext_condition2,ext_condition3,ext_condition4,condition,size,exchange,price,bid_size,' +
  'bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition'
const NONE = '255,255,255,255'

test("ThetaData's v3 times without an offset are New York wall time", async () => {
  const data = newFolder()
  const file = newFile(
    'v3.csv',
    lines(
      THETA,
      `"SPXW","2024-11-04",5710.000,"CALL",2024-11-04T09:30:01.123,2024-11-04T09:30:01.004,` +
        `-1234567,${NONE},18,5,5,12.30,20,5,12.20,50,31,5,12.40,50`,
      `"SPXW","2024-11-04",5710.000,"PUT",2024-11-04T09:30:02.250,2024-11-04T09:30:02.100,` +
        `-1234500,${NONE},130,2,5,9.80,15,5,9.70,50,22,5,9.90,50`,
    ),
  )
  expect((await importFiles(data, 'thetadata-trade-quote', file)).code).toBe(0)
  expect(await tapeRows(data, DAY, PRINTS)).toMatchObject(
    table(`
    at                       type  size  price  condition  quoted                   bid   ask
    2024-11-04 14:30:01.123  C     5     12.3   I          2024-11-04 14:30:01.004  12.2  12.4
    2024-11-04 14:30:02.25   P     2     9.8    f          2024-11-04 14:30:02.1    9.7   9.9
  `),
  )
})

test.each([
  ['an offset', '2024-11-04T09:30:01.123-05:00', '2024-11-04T09:30:01.004-05:00'],
  ['UTC', '2024-11-04T14:30:01.123Z', '2024-11-04 14:30:01.004+00:00'],
  ['milliseconds', '1730730601123', '1730730601004'],
  ['milliseconds as decimals', '1730730601123.0', '1730730601004.0'],
  ['nanoseconds', '1730730601123000000', '1730730601004000000'],
])(
  'ThetaData with %s is the same instant, an expiry of eight digits the same day',
  async (...form) => {
    const [, at, quotedAt] = form
    const data = newFolder()
    const file = newFile(
      'theta.csv',
      lines(
        THETA,
        `SPXW,20241104,5710.0,CALL,${at},${quotedAt},-1234567.0,${NONE},18.0,5.0,5.0,12.30,` +
          '20.0,5,12.20,50,31.0,5,12.40,50',
      ),
    )
    expect((await importFiles(data, 'thetadata-trade-quote', file)).code).toBe(0)
    const row = { at: '2024-11-04 14:30:01.123', quoted: '2024-11-04 14:30:01.004' }
    expect(await tapeRows(data, DAY, PRINTS)).toMatchObject([
      { ...row, type: 'C', size: 5, condition: 'I', exchange: '5' },
    ])
    const contract = 'select sequence, expiry::varchar as expiry from tape.prints'
    expect(await tapeRows(data, DAY, contract)).toEqual([{ sequence: -1234567, expiry: DAY }])
  },
)

const TCBBO =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,price,size,flags,ts_in_delta,' +
  'bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00,symbol'
const tcbbo = (second: string, size: number) =>
  `2026-03-16T13:32:${second}00000000Z,2026-03-16T13:32:00.099000000Z,194,22,1241515301,T,N,` +
  `12.300000000,${size},192,0,12.200000000,12.400000000,5,7,22,22,SPXW  260316C06670000`

test('Databento tcbbo has no sequence: its prints get one, and the quote before them', async () => {
  const data = newFolder()
  const file = newFile('tcbbo.csv', lines(TCBBO, tcbbo('00.1', 5), tcbbo('00.2', 2)))
  for (const count of ['2 +0', '0 +2']) {
    const { out } = await importFiles(data, 'databento-tcbbo', file)
    expect(out).toMatch(new RegExp(`2026-03-16 +prints +2 +${count} `))
  }
  const columns = `select count(distinct sequence)::int as sequences, min(best_bid) as bid,
    max(best_ask) as ask, min(bid_size) as bid_size, max(ask_size) as ask_size from tape.prints`
  expect(await tapeRows(data, '2026-03-16', columns)).toEqual([
    { sequences: 2, bid: 12.2, ask: 12.4, bid_size: 5, ask_size: 7 },
  ])
})

const CBOE =
  'underlying_symbol,quote_datetime,sequence_number,root,expiration,strike,option_type,' +
  'exchange_id,trade_size,trade_price,trade_condition_id,canceled_trade_condition_id,best_bid,' +
  'best_ask,trade_iv,trade_delta,underlying_bid,underlying_ask,number_of_exchanges'
const GROUP = ',exchange,bid_size,bid,ask_size,ask'
const ONE = ',5,20,12.2,31,12.4'
type Cells = Partial<Record<'at' | 'sequence' | 'size' | 'condition' | 'quote', string>>
const cboe = (cells: Cells, exchanges: number) => {
  const { at = '2024-11-04 09:30:01.123', sequence = '1', size = '5' } = cells
  const { condition = '18', quote = '12.2,12.4' } = cells
  return (
    `^SPX,${at},${sequence},SPXW,2024-11-04,5710.000,C,5,${size},12.3,${condition},0,${quote},` +
    `0.15,0.5,5712.1,5712.9,${exchanges}`
  )
}

async function importCboe(...rows: string[]) {
  const data = newFolder()
  const outcome = await importFiles(data, 'cboe-trades', newFile('cboe.csv', lines(...rows)))
  expect(outcome).toMatchObject({ code: 0, error: '' })
  return tapeRows(data, DAY, PRINTS)
}

test.each([
  '2024-11-04 09:30:01.123',
  '2024-11-04T09:30:01.123-05:00',
  '2024-11-04 14:30:01.123+00:00',
  '2024-11-04T14:30:01.123Z',
])("Cboe's time %s is 14:30:01.123 UTC: an offset counts, without one it is ET", async at => {
  expect(await importCboe(CBOE + GROUP, cboe({ at }, 1) + ONE)).toMatchObject([
    { at: '2024-11-04 14:30:01.123' },
  ])
})

test('18.0 is 18: conditions, sizes and numbers that a table of decimals wrote', async () => {
  const rows = [
    cboe({ condition: '18.0' }, 1) + ONE,
    cboe({ condition: '130.0', sequence: '2.0', size: '3.0' }, 1) + ONE,
  ]
  expect(await importCboe(CBOE + GROUP, ...rows)).toMatchObject([
    { size: 5, condition: 'I' },
    { size: 3, condition: 'f' },
  ])
  const data = newFolder()
  const row = 'O:SPXW260918P07600000,232.0,0.0,302.0,41.5,1787924018759000064.0,2.0'
  await importFiles(data, 'massive-trades', newFile('m.csv', lines(MASSIVE, row)))
  expect(await tapeRows(data, '2026-08-28', PRINTS)).toMatchObject([
    { at: '2026-08-28 13:33:38.759', size: 2, condition: 'f', exchange: '302' },
  ])
})

test('a quote of NaN is no quote', async () => {
  const rows = [
    `${cboe({ quote: 'nan,nan' }, 1)},5,20,nan,31,nan`,
    `${cboe({ quote: ',', sequence: '2' }, 1)},5,20,,31,`,
    `${cboe({ quote: '0,inf', sequence: '3' }, 1)},5,20,0,31,inf`,
  ]
  expect(await importCboe(CBOE + GROUP, ...rows)).toMatchObject(
    Array.from({ length: 3 }, () => ({ price: 12.3, bid: null, ask: null })),
  )
})

test('Parquet with nanoseconds and quotes of NaN is read, the quotes as null', async () => {
  const path = join(newFolder(), 'ns.parquet')
  const db = await openDatabase()
  await db.run(
    `copy (
       select timestamp_ns '2024-11-04 14:30:01.123456789' as printed_at, 'SPXW' as root,
         date '2024-11-04' as expiry, 5710.0 as strike, 'C' as option_type, 5.0 as size,
         12.3 as price, 'nan'::double as best_bid, 'nan'::double as best_ask,
         'nan'::double as bid_size, 7.0 as sequence
     ) to $path`,
    { path },
  )
  db.close()
  const data = newFolder()
  expect(await importFiles(data, 'prints', path)).toMatchObject({ code: 0, error: '' })
  const columns = `select sequence, printed_at::varchar as at, best_bid as bid, best_ask as ask,
    bid_size from tape.prints`
  const none = { bid: null, ask: null, bid_size: null }
  expect(await tapeRows(data, DAY, columns)).toEqual([
    { sequence: 7, at: '2024-11-04 14:30:01.123456', ...none },
  ])
})

test('Cboe rows that are padded, or cut to the named columns, lose nothing', async () => {
  const first = { at: '2024-11-04 14:30:01.123' }
  const second = { at: '2024-11-04 09:30:02.5', sequence: '2' }
  const padded = [`${cboe({}, 1)}${ONE},,,,,`, cboe(second, 2) + ONE + ONE]
  const expected = [first, { at: '2024-11-04 14:30:02.5' }]
  expect(await importCboe(CBOE + GROUP, ...padded)).toMatchObject(expected)
  expect(await importCboe(CBOE, cboe({}, 2), cboe(second, 3))).toMatchObject(expected)
})

test("the Treasury's 1.5 Month is a tenor of 45 days", async () => {
  const data = newFolder()
  const file = newFile(
    'treasury.csv',
    lines(
      'Date,"1 Mo","1.5 Month","2 Mo","3 Mo","4 Mo","6 Mo","1 Yr","2 Yr","3 Yr","5 Yr","7 Yr",' +
        '"10 Yr","20 Yr","30 Yr"',
      '10/09/2026,4.13,4.13,4.13,4.25,4.29,4.32,4.47,4.80,4.89,5.02,5.13,5.24,5.65,5.60',
      '10/08/2026,4.14,4.14,4.13,4.23,4.29,4.30,4.44,4.75,4.85,4.99,5.11,5.22,5.64,5.60',
    ),
  )
  expect((await importFiles(data, 'treasury-rates', file)).out).toMatch(/rates +28 +28 +0/)
  const days = 'select tenor_days::int as days from tape.rates order by days limit 3'
  expect(await tapeRows(data, '2026-10-12', days)).toEqual([
    { days: 30 },
    { days: 45 },
    { days: 61 },
  ])
})

test('a Massive print that was corrected is excluded, and reported', async () => {
  const data = newFolder()
  const corrected = ['0', '0', '1', '7', '8', '12'].map((correction, second) =>
    massive(second).replace(',232,0,', `,232,${correction},`),
  )
  const file = newFile('corrected.csv', lines(MASSIVE, ...corrected))
  const outcome = await importFiles(data, 'massive-trades', file)
  expect(outcome.code).toBe(0)
  expect(outcome.out).toMatch(/prints +6 +2 +0 +0 +0 +4 \(correction 1: 1, correction 12: 1/)
})
