// Nights of holidays, and expiries that are written as Saturdays.

import { expect, test } from 'vitest'
import { openTestDb, table } from '../../support/db.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const CBOE =
  'underlying_symbol,quote_datetime,sequence_number,root,expiration,strike,option_type,' +
  'exchange_id,trade_size,trade_price,trade_condition_id,canceled_trade_condition_id,best_bid,' +
  'best_ask,underlying_bid,underlying_ask,number_of_exchanges'
const cboe = (at: string, sequence: number, contract = 'SPXW,2024-01-16,4780.000,C') =>
  `^SPX,${at},${sequence},${contract},5,5,12.3,18,0,12.2,12.4,5712.1,5712.9,0`

test('the night of a holiday and the night after it are one session', async () => {
  const data = newFolder()
  const times = ['14 21:00', '15 10:00', '15 12:59', '15 21:00', '16 10:00']
  const rows = times.map((time, at) => cboe(`2024-01-${time}:00.000`, at + 1))
  const outcome = await importFiles(data, 'cboe-trades', newFile('mlk.csv', lines(CBOE, ...rows)))
  expect(outcome.out).toMatch(/2024-01-16 +prints +5 +5 +0 +0 +0 +0/)
})

test.each([
  ['2024-01-15 13:00', 'the afternoon of a holiday'],
  ['2024-03-29 10:00', 'Good Friday'],
  ['2024-03-28 21:00', 'the evening before Good Friday'],
  ['2024-01-13 10:00', 'a Saturday'],
  ['2021-01-18 10:00', 'a holiday of 2021'],
])('a print at %s is in no session: %s', async at => {
  const file = newFile('night.csv', lines(CBOE, cboe(`${at}:00.000`, 1, 'SPXW,2025-01-17,4780,C')))
  const outcome = await importFiles(newFolder(), 'cboe-trades', file)
  expect(outcome.error).toContain('printed_at is in no trading session')
})

const MASSIVE = 'ticker,conditions,correction,exchange,price,sip_timestamp,size'
const massive = (at: string, size: number) =>
  `O:SPXW250707C06250000,248,0,302,12.3,${Date.parse(at)}000000,${size}`

test('prints of a holiday night keep their order and numbers, also three days before', async () => {
  const times = ['2025-07-04T00:15:00Z', '2025-07-04T16:59:59Z', '2025-07-07T00:15:00Z']
  const rows = times.flatMap((at, size) => [massive(at, size + 1), massive(at, size + 11)])
  const file = newFile('july.csv', lines(MASSIVE, ...rows))
  const data = newFolder()
  await importFiles(data, 'massive-trades', file)
  const again = await importFiles(data, 'massive-trades', file)
  expect(again.out).toMatch(/2025-07-07 +prints +6 +0 +6 +0 +0 +0/)
  const prints = await tapeRows(
    data,
    '2025-07-07',
    'select sequence, size from tape.prints order by sequence',
  )
  expect(prints.map(row => row.size)).toEqual([1, 11, 2, 12, 3, 13])
  for (const { sequence } of prints) expect(Number.isSafeInteger(sequence)).toBe(true)
})

test('a made sequence names its instant again, before the evening and after it', async () => {
  const db = await openTestDb()
  const rows = await db.rows(
    `select distinct
       sequence_instant(tape_instant(starts_at + micros, starts_at) * 100000 + rank)
         = tape_instant(starts_at + micros, starts_at) as is_same
     from (select timestamp '2025-07-06 00:15:00' as starts_at)
     cross join (
       select to_microseconds(unnest([-259200000000, -1, 0, 1, 86399999999])) as micros
     )
     cross join (select unnest([0, 1, 99999]) as rank)`,
  )
  db.close()
  expect(rows).toEqual([{ is_same: true }])
})

test('an expiry of a Saturday is imported as the trading day before it', async () => {
  const data = newFolder()
  const rows = [
    cboe('2014-04-14 10:00:00.000', 1, 'SPX,2014-04-19,1860,C'),
    cboe('2014-04-14 10:00:00.000', 2, 'SPX,2014-05-17,1860,C'),
    cboe('2014-04-14 10:00:00.000', 3, 'SPXW,2014-04-25,1860,C'),
  ]
  await importFiles(data, 'cboe-trades', newFile('2014.csv', lines(CBOE, ...rows)))
  const columns = 'select root, expiry::varchar as expiry from tape.prints order by sequence'
  expect(await tapeRows(data, '2014-04-14', columns)).toEqual(
    table(`
    root  expiry
    SPX   2014-04-17   # the Friday was Good Friday
    SPX   2014-05-16
    SPXW  2014-04-25
  `),
  )
  const interest = newFile(
    'interest.csv',
    lines(
      'session_date,root,expiry,strike,option_type,open_interest',
      '2014-04-14,SPX,2014-04-19,1860,C,7',
    ),
  )
  expect((await importFiles(data, 'open-interest', interest)).code).toBe(0)
  const expiry = 'select expiry::varchar as expiry from tape.open_interest'
  expect(await tapeRows(data, '2014-04-14', expiry)).toEqual([{ expiry: '2014-04-17' }])
})

test.each([
  ['2004-06-10', '2004-06-12', '2004-06-10', 'a Friday of mourning'],
  ['2001-09-10', '2001-09-15', '2001-09-10', 'a week closed from Tuesday on'],
  ['2012-10-26', '2012-10-27', '2012-10-26', 'the Friday before hurricane Sandy'],
])('on %s an expiry of %s is that of %s: %s', async (day, written, settled) => {
  const data = newFolder()
  const row = cboe(`${day} 10:00:00.000`, 1, `SPX,${written},1100,C`)
  const { error } = await importFiles(data, 'cboe-trades', newFile('old.csv', lines(CBOE, row)))
  expect(error).toBe('')
  const expiry = 'select expiry::varchar as expiry from tape.prints'
  expect(await tapeRows(data, day, expiry)).toEqual([{ expiry: settled }])
})

test.each(['2001-09-12', '2004-06-11', '2007-01-02', '2012-10-29', '2012-10-30'])(
  'a print of %s is in no trading session',
  async day => {
    const row = cboe(`${day} 10:00:00.000`, 1, 'SPX,2013-01-18,1400,C')
    const file = newFile('closed.csv', lines(CBOE, row))
    const { error } = await importFiles(newFolder(), 'cboe-trades', file)
    expect(error).toContain('printed_at is in no trading session')
  },
)
