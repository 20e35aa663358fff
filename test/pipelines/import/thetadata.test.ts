// Responses of ThetaData's v3 terminal: minute quotes, open interest and the index.

import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { randomNumbers } from '../../support/random.ts'

const DAY = '2026-10-14'
const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const QUOTE =
  'symbol,expiration,strike,right,timestamp,bid_size,bid_exchange,bid,bid_condition,ask_size,' +
  'ask_exchange,ask,ask_condition'
const quote = (at: string, strike: string, bid = '4.10', ask = '4.30') =>
  `"SPXW","${DAY}",${strike},"CALL",${at},275,5,${bid},50,191,5,${ask},50`
const quotes = (...rows: string[]) => newFile('quote.csv', lines(QUOTE, ...rows))

const QUOTES = `select minute_at::varchar as minute_at, quoted_at::varchar as quoted_at, root, strike,
  option_type as type, best_bid as bid, best_ask as ask, bid_size, ask_size,
  (known_at = quoted_at)::int as own
  from tape.quotes order by minute_at, strike, type`

test('a minute quote is the state of the minute that its timestamp names', async () => {
  const data = newFolder()
  const file = quotes(
    quote(`${DAY}T09:30:00.000`, '6000.000', '0.00', '0.00'),
    quote(`${DAY}T09:31:00.000`, '6000.000'),
    quote(`${DAY}T09:31:00.000`, '6000.500', '0.00', '0.05').replace('CALL', 'PUT'),
    quote(`${DAY}T09:31:00.000`, '6005.000').replace('"SPXW"', '"VIX"'),
  )
  const { out } = await importFiles(data, '--roots', 'SPXW', 'thetadata-quote', file)
  expect(out).toMatch(/2026-10-14 +quotes +4 +3 +0 +0 +1 +0/)
  expect(await tapeRows(data, DAY, QUOTES)).toEqual(
    table(`
    minute_at            quoted_at                   root  strike  type  bid   ask   bid_size  ask_size  own
    2026-10-14 13:30:00  2026-10-14 13:29:59.999999  SPXW  6000    C     _     _     275       191       1
    2026-10-14 13:31:00  2026-10-14 13:30:59.999999  SPXW  6000    C     4.1   4.3   275       191       1
    2026-10-14 13:31:00  2026-10-14 13:30:59.999999  SPXW  6000.5  P     0     0.05  275       191       1
  `).map(row => ({
      ...row,
      bid: row.bid === '_' ? null : row.bid,
      ask: row.ask === '_' ? null : row.ask,
    })),
  )
  const again = await importFiles(data, 'thetadata-quote', file)
  expect(again.out).toMatch(/2026-10-14 +quotes +4 +0 +3 +0 +1 +0/)
})

test('quotes of another interval are refused: one would be taken for the state of a minute', async () => {
  const file = quotes(quote(`${DAY}T09:31:00.000`, '6000'), quote(`${DAY}T09:31:01.000`, '6000'))
  const { code, error } = await importFiles(newFolder(), 'thetadata-quote', file)
  expect([code, error]).toEqual([
    1,
    expect.stringContaining(
      `line 3: timestamp is ${DAY}T09:31:01.000, not a whole minute; ask for interval=1m`,
    ),
  ])
})

test('open interest is known from its report on, and of the session of that morning', async () => {
  const data = newFolder()
  const header = 'symbol,expiration,strike,right,timestamp,open_interest'
  const row = (day: string, at: string, interest: string, strike = '6000.000') =>
    `SPXW,2026-12-18,${strike},PUT,${day}T${at},${interest}`
  const file = newFile(
    'open_interest.csv',
    lines(
      header,
      row(DAY, '06:30:02.500', '1234'),
      row('2026-10-15', '06:30:04.000', '1300'),
      // an evening is of the next session
      row('2026-10-15', '20:30:00.000', '7', '6100.000'),
    ),
  )
  const { out } = await importFiles(data, '--day', DAY, 'thetadata-open-interest', file)
  expect(out).toMatch(/2026-10-14 +open_interest +1 +1 +0 +0 +0 +0/)
  await importFiles(data, 'thetadata-open-interest', file)
  const rows = `select session_date::varchar as day, strike, open_interest as contracts,
    known_at::varchar as known_at from tape.open_interest order by strike`
  expect(await tapeRows(data, DAY, rows)).toEqual([
    { day: DAY, strike: 6000, contracts: 1234, known_at: '2026-10-14 10:30:02.5' },
  ])
  expect(await tapeRows(data, '2026-10-15', rows)).toMatchObject([{ contracts: 1300 }])
  expect(await tapeRows(data, '2026-10-16', rows)).toMatchObject([{ strike: 6100, contracts: 7 }])
  const broken = newFile(
    'broken.csv',
    lines(
      header,
      ...Array.from({ length: 200 }, (_, n) => row(DAY, '06:30:01', '5', `${n + 1}`)),
      row(DAY, '06:30:01', '-1', '300'),
      row('2026-10-17', '06:30:01', '5'),
    ),
  )
  const outcome = await importFiles(newFolder(), 'thetadata-open-interest', broken)
  expect(outcome.out).toMatch(/- +open_interest +1 +0 +0 +1/)
  expect(outcome.out).toMatch(/2026-10-14 +open_interest +201 +200 +0 +1/)
})

const PRICES = `select spotted_at::varchar as at, spot, symbol, (known_at = spotted_at)::int as own
  from tape.spots order by spotted_at`

test('the price of the index is that of its timestamp, and of SPX', async () => {
  const data = newFolder()
  const rows = [`${DAY}T09:30:00.000,0.00`, `${DAY}T09:30:01.000,6001.25`]
  const file = newFile('price.csv', lines('timestamp,price', ...rows))
  const { out } = await importFiles(data, 'thetadata-index-price', file)
  expect(out).toMatch(/2026-10-14 +spots +2 +1 +0 +0 +1 +0/)
  expect(await tapeRows(data, DAY, PRICES)).toEqual([
    { at: '2026-10-14 13:30:01', spot: 6001.25, symbol: 'SPX', own: 1 },
  ])
  const named = newFile('named.csv', lines('symbol,timestamp,price', `SPX,${rows[1]}`))
  expect((await importFiles(data, 'thetadata-index-price', named)).out).toMatch(/spots +1 +0 +1/)
})

test.each([
  [
    'another index',
    'timestamp,price',
    `${DAY}T10:00:00,17.31`,
    'price is 17.31, which is no value',
  ],
  [
    'another name',
    'symbol,timestamp,price',
    `VIX,${DAY}T10:00:00,17.31`,
    'holds no rows of SPX, SPXW, SPXPM, SPXQ (see --roots); it has 1 row of other roots (VIX 1)',
  ],
  [
    'trades',
    'timestamp,sequence,condition,size,exchange,price',
    '',
    'holds trades; it is no answer',
  ],
  ['options', 'symbol,strike,timestamp,price', '', 'holds options; it is no answer'],
  ['bars', 'timestamp,open,high,low,close', '', 'holds bars; ask index/history/price for prices'],
  ['the v2 terminal', 'ms_of_day,price,date', '', "is of ThetaData's old v2 terminal"],
])('prices of %s are refused', async (_, header, row, says) => {
  const file = newFile('price.csv', lines(header, row))
  const { code, error } = await importFiles(newFolder(), 'thetadata-index-price', file)
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

const TRADE =
  'symbol,expiration,strike,right,trade_timestamp,quote_timestamp,sequence,ext_condition1,' +
  'ext_condition2,ext_condition3,ext_condition4,condition,size,exchange,price,bid_size,' +
  'bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition'
const INTEREST = 'symbol,expiration,strike,right,timestamp,open_interest'

test.each([
  ['thetadata-quote', TRADE, 'holds trades; import it as thetadata-trade-quote'],
  ['thetadata-quote', INTEREST, 'holds open interest; import it as thetadata-open-interest'],
  ['thetadata-open-interest', QUOTE, 'holds quotes; import it as thetadata-quote'],
  ['thetadata-trade-quote', QUOTE, 'holds quotes; import it as thetadata-quote'],
  ['thetadata-quote', 'root,expiration,strike,right,ms_of_day,bid,ask', "is of ThetaData's old v2"],
  [
    'thetadata-open-interest',
    'symbol,expiration,strike,right,ms_of_day,open_interest',
    'ask its option/history/open_interest instead',
  ],
  ['thetadata-quote', 'No data for the specified timeframe', 'has no header of this format'],
])('%s says what else a file is: %s', async (format, header, says) => {
  const { code, error } = await importFiles(
    newFolder(),
    format,
    newFile('a.csv', lines(header, '1')),
  )
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

test('a trade with its quote is read in the columns of the present terminal', async () => {
  const file = newFile(
    'trade.csv.zst',
    zstdCompressSync(
      lines(
        TRADE,
        `"SPXW","${DAY}",6000.000,"CALL",${DAY}T10:00:00.250,${DAY}T10:00:00.100,-77,255,255,255,255,` +
          '131,10,5,41.71,431,5,41.2,50,430,5,42.09,50',
      ),
    ),
  )
  const data = newFolder()
  expect((await importFiles(data, 'thetadata-trade-quote', file)).error).toBe('')
  const print = 'select price, best_bid, best_ask, quoted_at::varchar as at from tape.prints'
  expect(await tapeRows(data, DAY, print)).toEqual([
    { price: 41.71, best_bid: 41.2, best_ask: 42.09, at: '2026-10-14 14:00:00.1' },
  ])
})

test('whatever a few rows hold: each is stored or rejected with a reason, and twice is once', async () => {
  const random = randomNumbers(4710)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const odd = [
    '',
    'NaN',
    '-1',
    '1e400',
    '"',
    'null',
    '9'.repeat(30),
    'CALL',
    '2026-13-40',
    '\u0000',
  ]
  for (let round = 0; round < 3; round++) {
    const sound = Array.from({ length: 400 }, (_, n) =>
      quote(
        `${DAY}T10:${String(n % 60).padStart(2, '0')}:00.000`,
        `${5000 + 5 * Math.floor(n / 60)}`,
      ),
    )
    const broken = [1, 2, 3].map(n => {
      const cells = quote(`${DAY}T11:0${n}:00.000`, '7000').split(',')
      // symbol, expiration, strike, right, timestamp, bid, ask
      cells[pick([0, 1, 2, 3, 4, 7, 11])] = pick(odd)
      return cells.join(',')
    })
    const file = quotes(...sound, ...broken)
    const data = newFolder()
    const first = await importFiles(data, 'thetadata-quote', file)
    expect(first.error).toBe('')
    const [stored] = await tapeRows(data, DAY, 'select count(*)::int as n from tape.quotes')
    expect(stored!.n).toBeGreaterThanOrEqual(400)
    const rows = await tapeRows(data, DAY, QUOTES)
    expect(rows.every(({ minute_at: at }) => String(at).endsWith(':00'))).toBe(true)
    await importFiles(data, 'thetadata-quote', file)
    expect(await tapeRows(data, DAY, QUOTES)).toEqual(rows)
  }
})
