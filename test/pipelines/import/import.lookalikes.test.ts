// Files that look like others, and cells that may be empty.

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const CBOE =
  'underlying_symbol,quote_datetime,sequence_number,root,expiration,strike,option_type,' +
  'exchange_id,trade_size,trade_price,trade_condition_id,canceled_trade_condition_id,best_bid,' +
  'best_ask,underlying_bid,underlying_ask,number_of_exchanges'
const GROUP = '{exchange,bid_size,bid,ask_size,ask}[number_of_exchanges]'
const PADDED = 'exchange,bid_size,bid,ask_size,ask'
const cboe = (index: number, end: string) =>
  `^SPX,2024-11-04 09:31:0${index}.123,${1000 + index},SPXW,2024-11-08,5700.000,C,5,1,12.3000,` +
  `18,0,12.2000,12.6000,5712.1000,5712.9000${end}`
const cboeFile = (group: string, end: string) =>
  newFile('count.csv', lines(`${CBOE},${group}`, ...[0, 1, 2, 3].map(index => cboe(index, end))))

test.each([
  ['as the vendor ends it', GROUP, ','],
  ['padded to the header', PADDED, ',,,,,,'],
  ['with no exchange', GROUP, ',0'],
])('an empty count of exchanges is none: a file of DataShop %s', async (_, group, end) => {
  const data = newFolder()
  const { out } = await importFiles(data, 'cboe-trades', cboeFile(group, end))
  expect(out).toMatch(/2024-11-04 +prints +4 +4 +0 +0 +0 +0/)
  const values = `select count(*)::int as n, any_value(best_bid) as bid, any_value(best_ask) as ask,
      any_value(underlying_price) as underlying
    from tape.prints`
  expect(await tapeRows(data, '2024-11-04', values)).toEqual([
    { n: 4, bid: 12.2, ask: 12.6, underlying: 5712.5 },
  ])
})

test.each([
  ['groups without a count', ',,5,1,12.2,1,12.6', 'has 22 columns and no number_of_exchanges'],
  ['a row that ends early', '', 'has 16 columns; 17 are needed'],
  ['a count in words', ',two', 'number_of_exchanges is two, not a whole number'],
  ['a group too few', ',2,5,1,12.2,1,12.6', 'its number_of_exchanges asks for 27'],
])('%s is refused', async (_, end, says) => {
  const { code, error } = await importFiles(newFolder(), 'cboe-trades', cboeFile(GROUP, end))
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

const THETA =
  'expiration,strike,right,ms_of_day,sequence,condition,size,exchange,price,ms_of_day2,bid,ask,date'

test.each([
  [`symbol,${THETA}`, "a whole-day file of ThetaData's v3 terminal"],
  [`root,${THETA}`, "of ThetaData's old v2 terminal"],
])('a file of ThetaData is named by what it is: %s', async (header, says) => {
  const file = newFile('flat.csv', lines(header, header))
  const { error } = await importFiles(newFolder(), 'thetadata-trade-quote', file)
  expect(error).toContain(`flat.csv is ${says}, which counts times and strikes otherwise; ask `)
  expect(error.includes('option/history/trade_quote')).toBe(header.startsWith('symbol'))
})

const RESPONSE = // of option/history/trade_quote, as ThetaData documents it
  'symbol,expiration,strike,right,trade_timestamp,quote_timestamp,sequence,ext_condition1,' +
  'ext_condition2,ext_condition3,ext_condition4,condition,size,exchange,price,bid_size,' +
  'bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition'

test('1 column cut from a response of ThetaData is named, and 0 other formats', async () => {
  for (const column of ['sequence', 'condition', 'size', 'exchange', 'price', 'bid', 'ask']) {
    const header = RESPONSE.replace(`,${column},`, ',')
    const file = newFile('cut.csv', lines(header, header))
    const { error } = await importFiles(newFolder(), 'thetadata-trade-quote', file)
    expect(error).toContain(`cut.csv lacks the column ${column}; this format needs`)
  }
})

test('quotes of Databento are not sent from one format of trades to the next', async () => {
  const header = 'ts_recv,ts_event,publisher_id,side,bid_px_00,ask_px_00,bid_pb_00,ask_pb_00,symbol'
  for (const format of ['databento-trades', 'databento-tbbo', 'databento-tcbbo']) {
    const { error } = await importFiles(newFolder(), format, newFile('cbbo.csv', lines(header)))
    expect(error).toMatch(/cbbo.csv lacks the column action, price, size/)
    expect(error).not.toContain('import it as')
  }
})

const CHAIN =
  'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,' +
  'Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest'
const chain = (last: string, interest = '40') =>
  newFile(
    'chain.csv',
    lines(
      '',
      `S&P 500 INDEX,${last},Change:  8.5602`,
      '"Date: October 14, 2026 at 11:55 AM EDT",Bid: 1,Ask: 2,Size: 1*1,Volume: 0',
      CHAIN,
      ...[1200, 4600, 4800, 12_000].map(strike => {
        const side = (right: string) =>
          `SPXW261016${right}${String(strike * 1000).padStart(8, '0')},1,0,9.5,9.7,1,0.1,0.5,0.001`
        return `Fri,${side('C')},${interest},${strike}.00,${side('P')},50`
      }),
    ),
  )

test.each([
  ['"Last: 4,697.2402"', 4697.2402],
  ['Last: 4,697.2402', 4697.2402],
  ['Last: 4697.2402', 4697.2402],
  ['Last: 5,712', 5712],
  ['Last:  14697.5', 14_697.5],
])('the index of a chain is read whole: %s', async (last, spot) => {
  const data = newFolder()
  expect((await importFiles(data, 'cboe-chain', chain(last))).error).toBe('')
  expect(await tapeRows(data, '2026-10-14', 'select spot from tape.spots')).toEqual([{ spot }])
})

test.each([
  ['Last: 4', 'says "Last: 4" above its header, and no index of 4 has strikes from 1200 to 12000'],
  ['"Last: 4.697"', 'no index of 4.697 has strikes'],
  ['Last: 469.7', 'no index of 469.7 has strikes'],
  ['Last: 46972.4', 'no index of 46972.4 has strikes'],
  ['"Last: 4.697,24"', 'has "Last: 4.697,24" above its header; a number such as "Last: 4697.24"'],
  ['"Last: 4,69"', 'has "Last: 4,69" above its header'],
  ['Last: N/A', 'has "Last: N/A" above its header'],
])('an index that cannot be that of the strikes is refused: %s', async (last, says) => {
  const data = newFolder()
  const { code, error } = await importFiles(data, 'cboe-chain', chain(last))
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

test('a chain without an index or an open interest gives what it has', async () => {
  const data = newFolder()
  const { out } = await importFiles(data, 'cboe-chain', chain('Last: ', ''))
  expect(out).toMatch(/quotes +8 +8 +0 +0 +0 +0/)
  expect(out).toMatch(/open_interest +8 +4 +0 +0 +4 +0/)
  expect(out).not.toContain('spots')
})

type Page = { readonly offset?: number; readonly count?: number; readonly dates: number }

const page = ({ dates, ...text }: Page) =>
  newFile(
    `page-${text.offset ?? 0}.json`,
    JSON.stringify({
      ...text,
      limit: 1000,
      release_dates: Array.from({ length: dates }, (_, index) => ({
        release_id: 10,
        date: `2026-${String(1 + (text.offset ?? 0) + index).padStart(2, '0')}-14`,
      })),
    }),
  )
const releases = (...pages: Page[]) =>
  importFiles(newFolder(), 'fred-release-dates', ...pages.map(page))

test('a page of a list of FRED is taken, and reported as a part', async () => {
  const { code, out } = await releases({ count: 3421, offset: 0, dates: 2 })
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      'page-0.json is a part: 2 of 3,421 entries, from 0 on; ask for the rest with offset=2 and ' +
        'import it, too: a week that has no record here may have one there.',
    ),
  ])
  expect((await releases({ count: 3, offset: 2, dates: 1 })).out).toContain(
    'page-2.json is a part: 1 of 3 entries, from 2 on; ask for the rest with offset=0',
  )
})

test('all pages of a list in one import are no part, nor is a list that says nothing', async () => {
  const whole = [
    [{ count: 2, offset: 0, dates: 2 }],
    [{ dates: 2 }],
    [
      { count: 5, offset: 3, dates: 2 },
      { count: 5, offset: 0, dates: 3 },
    ],
  ]
  for (const pages of whole) {
    const { code, out } = await releases(...pages)
    expect([code, out.includes('part')]).toEqual([0, false])
  }
  expect((await releases({ count: 5, offset: 0, dates: 1 }, whole[2]![0]!)).out).toContain(
    'page-0.json is a part: 1 of 5 entries, from 0 on; ask for the rest with offset=1',
  )
})

/** A Parquet file of prints, one of its columns as another expression. */
async function parquet(changes: Readonly<Record<string, string>>): Promise<string> {
  const columns = {
    printed_at: "timestamp '2026-10-14 14:00:00' + to_seconds(i)",
    root: "'SPXW'",
    expiry: "date '2026-10-16'",
    strike: '6000.0',
    option_type: "'C'",
    size: '5',
    price: '1.25::double',
    ...changes,
  }
  const path = join(newFolder(), 'prints.parquet')
  const db = await openDatabase()
  const all = Object.entries(columns).map(([name, value]) => `${value} as ${name}`)
  await db.run(`copy (select ${all.join(', ')} from range(20) t(i)) to $path`, { path })
  db.close()
  return path
}

test.each([
  ['bid_size', '[1, 2]', 'INTEGER[]', 'numbers, such as DOUBLE or BIGINT'],
  ['bid_size', "{'price': 1}", 'STRUCT(price INTEGER)', 'numbers, such as DOUBLE or BIGINT'],
  ['size', 'true', 'BOOLEAN', 'numbers, such as DOUBLE or BIGINT'],
  ['price', "date '2026-10-14'", 'DATE', 'numbers, such as DOUBLE or BIGINT'],
  ['expiry', '20261016', 'INTEGER', 'dates, such as DATE'],
  ['printed_at', '1791986400000::bigint', 'BIGINT', 'times of day with their date, such as TIME'],
  ['printed_at', "date '2026-10-14'", 'DATE', 'times of day with their date, such as TIMESTAMP'],
  ['root', "'SPXW'::blob", 'BLOB', 'text, such as VARCHAR'],
  ['root', "['SPXW']", 'VARCHAR[]', 'text, such as VARCHAR'],
])('a column %s of %s is refused by its name and type', async (name, value, type, wanted) => {
  const file = await parquet({ [name]: value })
  const { code, error } = await importFiles(newFolder(), 'prints', file)
  const says = `prints.parquet has the column ${name} as ${type}; it must hold ${wanted}`
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

test('a field within a column that is not read is no column of that name', async () => {
  const file = await parquet({ extra: "{'best_bid': 1.0, 'condition': 'I'}" })
  const data = newFolder()
  expect((await importFiles(data, 'prints', file)).error).toBe('')
  const values = 'select distinct best_bid, condition from tape.prints'
  expect(await tapeRows(data, '2026-10-14', values)).toEqual([{ best_bid: null, condition: null }])
})

test.each([
  ['root=SPX', 'exchange=CBOE', 'size=999'],
  ['printed_at=2024-11-04', 'line=1', 'line_number=7'],
])('a file says the same below %s/%s/%s', async (...folders) => {
  const text = await importedText(newFolder(), await parquet({ exchange: "'C'" }))
  const below = join(newFolder(), ...folders)
  const file = join(below, 'prints.parquet')
  cpSync(await parquet({ exchange: "'C'" }), file)
  // the folder of the data as well
  expect(await importedText(join(below, 'data'), file)).toBe(text)
  const csv = join(below, 'count.csv')
  cpSync(cboeFile(GROUP, ','), csv)
  expect((await importFiles(join(below, 'csv'), 'cboe-trades', csv)).out).toMatch(/ 4 +4 +0 +0 +0/)
  const broken = join(below, 'broken.parquet')
  cpSync(await parquet({ price: 'case when i = 3 then -1.0 else 1.25 end' }), broken)
  const stream = await importFiles(join(below, 'rejects'), 'prints', broken)
  expect(stream.error).toContain('line 4: price is not a number above 0')
})

async function importedText(data: string, file: string): Promise<string> {
  expect((await importFiles(data, 'prints', file)).error).toBe('')
  const rows = await tapeRows(data, '2026-10-14', 'select * from tape.prints order by sequence')
  expect([rows.length, rows[0]!.root, rows[0]!.size, rows[0]!.exchange]).toEqual([
    20,
    'SPXW',
    5,
    'C',
  ])
  return JSON.stringify(rows)
}
