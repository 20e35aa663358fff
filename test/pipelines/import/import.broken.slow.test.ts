// Broken files: each gets one sentence that names the file, and leaves the data folder as it was.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { findTree, importFiles, newFile, newFolder } from '../../support/import.ts'

const HEADER = 'printed_at,root,expiry,strike,option_type,size,price'
const GOOD = '2026-10-14T14:00:00Z,SPXW,2026-10-14,6000,C,5,1.25'
const rows = (...broken: string[]) => [HEADER, GOOD, ...broken, ''].join('\n')

const CBOE_HEADER =
  'underlying_symbol,quote_datetime,sequence_number,root,expiration,strike,option_type,' +
  'exchange_id,trade_size,trade_price,trade_condition_id,canceled_trade_condition_id,best_bid,' +
  'best_ask,underlying_bid,underlying_ask,number_of_exchanges,' +
  '{exchange,bid_size,bid,ask_size,ask}[number_of_exchanges]'

const CHAIN_HEADER =
  'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,' +
  'Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest'

const strikeOf = (column: string) =>
  `session_date,root,expiry,strike,option_type,${column}\n2026-10-14,SPXW,2026-10-16,5900000,C,12\n`
const underlying = (index: number) => `${HEADER},underlying_price\n${GOOD},${index}\n`
const REORDERED = 'root,printed_at,expiry,strike,option_type,size,price'
const JSON_ERROR = '{"status":"ERROR","error":"Unknown API Key"}\n'

let parquet: Buffer
beforeAll(async () => {
  const path = join(newFolder(), 'x.parquet')
  const db = await openDatabase()
  await db.run(
    `copy (
       select timestamp '2026-10-14 14:00:00' + to_seconds(i) as printed_at, 'SPXW' as root,
         date '2026-10-14' as expiry, 6000.0 as strike, 'C' as option_type, 5 as size,
         (hash(i) % 1000 + 1)::double as price
       from range(5000) t(i)
     ) to $path`,
    { path },
  )
  db.close()
  parquet = readFileSync(path)
})

type Broken = [kind: string, format: string, content: () => string | Uint8Array, says: string]

const BROKEN: Broken[] = [
  ['an empty file', 'prints', () => '', 'is empty'],
  ['a header and nothing else', 'prints', () => `${HEADER}\n`, 'holds no rows after its header'],
  ['blank lines only', 'prints', () => '\n\n\n', 'has no header of this format'],
  ['a header in another order', 'prints', () => rows(REORDERED), 'another header in line 3'],
  ['semicolons', 'prints', () => rows().replaceAll(',', ';'), 'is separated by semicolons'],
  ['tabs', 'prints', () => rows().replaceAll(',', '\t'), 'is separated by tabs'],
  ['a chain of semicolons', 'cboe-chain', () => semicolons(), 'is separated by semicolons'],
  ['a web page', 'prints', () => '\n<!DOCTYPE html>\n<p>502</p>\n', 'is a web page, no table'],
  ['an XML feed', 'treasury-rates', () => '<?xml version="1.0"?><feed/>\n', 'is XML, no table'],
  ['a JSON error', 'massive-trades', () => JSON_ERROR, 'begins with "{\\"status\\":\\"ERROR'],
  ['a word of refusal', 'prints', () => 'No data.\n', 'its first line is "No data."'],
  ['another format', 'prints', () => `${CBOE_HEADER}\n1,2\n`, 'lacks the column printed_at'],
  ['a letter to a friend', 'prints', () => 'Dear Ann,\nhow are you?\n', 'has no header'],
  ['a missing column', 'prints', () => rows().replace(',price', ',cost'), 'the column price'],
  ['a column named twice', 'prints', () => `${HEADER},price\n${GOOD},1\n`, 'price twice'],
  ['too few columns', 'prints', () => rows('2026-10-14T14:00:00Z,SPXW'), 'has 2 columns'],
  ['too many columns', 'prints', () => rows(`${GOOD},7,7`), 'has 9 columns, the header has 7'],
  ['an open quote', 'prints', () => rows(GOOD.replace('SPXW', '"SPXW')), 'quote that stays open'],
  ['a NUL byte', 'prints', () => rows(GOOD.replace('SPXW', 'SP\0W')), 'bytes that are not text'],
  ['UTF-16', 'prints', () => Buffer.from(`\uFEFF${rows()}`, 'utf16le'), 'UTF-16'],
  ['UTF-16 without a mark', 'prints', () => Buffer.from(rows(), 'utf16le'), 'UTF-16'],
  ['Latin-1', 'prints', () => Buffer.from(rows(GOOD.replace('C', 'é')), 'latin1'), 'not text'],
  ['a line of 1 MB', 'prints', () => rows('x'.repeat(1 << 20)), 'longer than 10000 characters'],
  ['a line of 9 MB', 'prints', () => rows('x'.repeat(9 << 20)), 'longer than 10000 characters'],
  ['a negative size', 'prints', () => rows(GOOD.replace(',5,', ',-5,')), 'size is not a whole'],
  ['a size of 1.5', 'prints', () => rows(GOOD.replace(',5,', ',1.5,')), 'size is not a whole'],
  ['a price of 0', 'prints', () => rows(GOOD.replace('1.25', '0')), 'price is 0'],
  ['a negative price', 'prints', () => rows(GOOD.replace('1.25', '-1')), 'price is not a number'],
  ['a price of NaN', 'prints', () => rows(GOOD.replace('1.25', 'NaN')), 'price is not a number'],
  ['a price of 1e400', 'prints', () => rows(GOOD.replace('1.25', '1e400')), 'price is not a num'],
  ['an infinite price', 'prints', () => rows(GOOD.replace('1.25', 'inf')), 'price is not a num'],
  ['words as a strike', 'prints', () => rows(GOOD.replace('6000', 'high')), 'strike is not a num'],
  ['no strike', 'prints', () => rows(GOOD.replace('6000', '0')), 'strike is not a number above 0'],
  ['thousandths', 'prints', () => rows(GOOD.replace('6000', '6e6')), 'strike is 6000000.0, which'],
  ['thousandths', 'open-interest', () => strikeOf('open_interest'), 'strike is 5900000.0, which'],
  ['thousandths', 'dealer-positions', () => strikeOf('quantity'), 'strike is 5900000.0, which'],
  ['another index', 'prints', () => underlying(119), 'no option has at an index of 119.0; give'],
  ['an index in cents', 'prints', () => underlying(1200001), 'strike is 6000.0, which no option'],
  ['a right that is X', 'prints', () => rows(GOOD.replace(',C,', ',X,')), 'not C or P'],
  ['a day of 1970', 'prints', () => rows(GOOD.replace('2026', '1970')), 'between 2000 and 2100'],
  ['a day of 2999', 'prints', () => rows(GOOD.replace('2026', '2999')), 'between 2000 and 2100'],
  ['an infinite day', 'prints', () => rows(GOOD.replace(/^[^,]+/, 'infinity')), 'is not a time'],
  ['a day without a time', 'prints', () => rows(GOOD.replace('T14:00:00Z', '')), 'is not a time'],
  ['a price of 0.0042', 'prints', () => rows(GOOD.replace('1.25', '0.0042')), 'below a cent'],
  ['lost digits', 'massive-trades', () => massiveAt('1.79E+18'), 'is 1.79E+18, whose digits'],
  ['a number of no unit', 'massive-trades', () => massiveAt('17919864001'), 'which is not a time'],
  ['lost ids', 'cboe-trades', () => cboe('1.2E+10'), 'sequence_number is 1.2E+10, not a whole n'],
  ['a chain of CEST', 'cboe-chain', () => chain('28 August 2026 at 16:15 CEST'), 'CEST'],
  ['a file of ThetaData v2', 'thetadata-trade-quote', () => V2, "ThetaData's old v2 terminal"],
  ['a tcbbo named tbbo', 'databento-tbbo', () => TCBBO, 'import it as databento-tcbbo'],
  ['a tbbo named tcbbo', 'databento-tcbbo', () => TBBO, 'import it as databento-tbbo'],
  ['a Sunday', 'prints', () => rows(GOOD.replace('-14T', '-11T')), 'in no trading session'],
  ['an expired contract', 'prints', () => rows(GOOD.replace(',2026-10-14', ',2026-10-13')), 'expi'],
  ['a truncated gzip', 'prints', () => gzipSync(rows()).subarray(0, -12), 'is cut short'],
  ['a damaged gzip', 'prints', () => damaged(gzipSync(rows(), { level: 0 }), 40), 'is damaged'],
  ['a gzip of a gzip', 'prints', () => gzipSync(gzipSync(rows())), 'gzip data inside its gzip'],
  ['a zip', 'prints', () => zipSync({ 'a.csv': Buffer.from(rows()) }), 'is a zip archive'],
  ['an Excel workbook', 'prints', () => zip('[Content_Types].xml', '<x/>'), 'is an Excel workb'],
  ['a tar', 'prints', () => `${'a.csv'.padEnd(257, '0')}ustar`, 'is a tar archive'],
  ['gzip of a web page', 'prints', () => gzipSync('<html></html>'), 'is a web page'],
  ['gzip of nothing', 'prints', () => gzipSync(''), 'is empty'],
  ['a PNG', 'prints', () => Buffer.from('89504e470d0a1a0a0000', 'hex'), 'is a PNG image'],
  ['a Parquet named .csv', 'cboe-trades', () => parquet, 'is a Parquet file'],
  ['a truncated Parquet', 'prints', () => parquet.subarray(0, -100), 'damaged Parquet file'],
  ['a Parquet with torn pages', 'prints', () => damaged(parquet, 300), 'pages are damaged'],
  ['a Parquet of another kind', 'rates', () => parquet, 'must name session_date'],
  ['random bytes', 'prints', () => Buffer.from(sequence(4096)), 'has no header'],
  ['a CSV where a zip is due', 'lean-index-options', () => rows(), 'is not a zip file'],
  ['a zip of something else', 'lean-index-options', () => zip('a.csv', 'x'), 'holds a.csv'],
  ['a truncated zip', 'lean-index-options', () => zip(LEAN, '1').subarray(0, 30), 'damaged zip'],
  ['a zip with a flipped bit', 'lean-index-options', () => flippedZip(), 'cannot be unpacked'],
  ['minute bars of trades', 'lean-index-options', () => zip(LEAN_TRADE, '1'), 'not prints'],
  ['an empty member', 'lean-index-options', () => zip(LEAN, ''), 'holds no rows'],
  ['a chain without a date', 'cboe-chain', () => `${CHAIN_HEADER}\n1,2\n`, 'has no date'],
  ['a chain without a zone', 'cboe-chain', () => chain('June 8, 2023, 7:56 PM'), 'has "June 8'],
  ['a row of few exchanges', 'cboe-trades', () => `${CBOE_HEADER}\n${VIX}\n`, 'asks for 22'],
  ['other roots only', 'massive-trades', () => MASSIVE, 'no rows of SPX, SPXW'],
  ['a rate in percent', 'rates', () => 'session_date,tenor_days,rate\n2026-10-13,30,4.3\n', 'rate'],
]

const VIX =
  '^VIX,2016-06-01 13:57:58.175,78677916,SPX,2016-06-08,12.500,C,5,1,2.40,0,0,2.15,2.60,14.7,14.7,1'
const MASSIVE =
  'ticker,conditions,correction,exchange,price,sip_timestamp,size\n' +
  'O:SPY261014C00600000,232,0,302,1.25,1791986400000000000,5\n'
const massiveAt = (at: string) => MASSIVE.replace('SPY', 'SPXW').replace(/1791986\d+/, at)
const cboe = (sequence: string) => `${CBOE_HEADER}\n${VIX.replace('78677916', sequence)}${GROUP}\n`
const GROUP = ',5,1,2.15,1,2.60'
const V2 = 'root,expiration,strike,right,ms_of_day,sequence,date\nSPXW,20241104,1,C,1,1,1\n'
const TCBBO =
  'ts_recv,ts_event,publisher_id,action,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,' +
  'bid_pb_00,ask_pb_00,symbol\nx,x,22,T,1,1,1,1,1,1,22,22,x\n'
const TBBO = TCBBO.replace('bid_pb_00,ask_pb_00', 'bid_ct_00,ask_ct_00,sequence')
const LEAN = '20210104_spxw_minute_quote_european_call_37000000_20210104.csv'
const LEAN_TRADE = LEAN.replace('quote', 'trade')

const zip = (name: string, text: string) => zipSync({ [name]: Buffer.from(text) })
const chain = (date: string) =>
  `S&P 500,Last: 4293.93\n"Date: ${date}",Bid: 1\n${CHAIN_HEADER}\n1\n`
const semicolons = () => chain('June 8, 2023 at 7:56 PM EDT').replaceAll(',', ';')

function damaged(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  for (let offset = 0; offset < 64; offset += 1) copy[at + offset] = 0xff ^ copy[at + offset]!
  return copy
}

function flippedZip(): Uint8Array {
  const text = '34200000,1,1,1,1,1,1,1,1,1,1\n'
  const bytes = zipSync({ [LEAN]: Buffer.from(text) }, { level: 0 })
  const at = Buffer.from(bytes).indexOf(text)
  bytes[at + 3]! ^= 1
  return bytes
}

/** Bytes from a small generator: the same on every run. */
function sequence(count: number): number[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647
    return 1 + (state % 255)
  })
}

test.each(BROKEN)('%s is refused in one sentence', async (_kind, format, content, says) => {
  const data = newFolder()
  const good = newFile('good.csv', rows())
  expect((await importFiles(data, 'prints', good)).code).toBe(0)
  const before = findTree(data)
  const file = newFile('vendor file.csv', content())

  const outcome = await importFiles(data, format, file)
  expect(outcome).toMatchObject({ code: 1, out: '' })
  expect(outcome.error).toContain(says)
  expect(outcome.error).toContain(file)
  expect(outcome.error.split('\n')).toHaveLength(1)
  expect(outcome.error).toMatch(/\.$/)
  expect(findTree(data)).toEqual(before)
})

test('a folder, a missing file and an unreadable one are refused by name', async () => {
  const data = join(newFolder(), 'absent')
  const folder = newFolder()
  mkdirSync(join(folder, 'day'))
  writeFileSync(join(folder, 'secret.csv'), rows())
  chmodSync(join(folder, 'secret.csv'), 0)
  expect((await importFiles(data, 'prints', join(folder, 'day'))).error).toContain('is a folder')
  expect((await importFiles(data, 'prints', join(folder, 'no.csv'))).error).toContain('not exist')
  const isRoot = process.getuid?.() === 0 // a superuser may read everything
  const secret = await importFiles(data, 'prints', join(folder, 'secret.csv'))
  expect(secret.code).toBe(isRoot ? 0 : 1)
  if (!isRoot) expect(findTree(data)).toBeNull()
})

test('one broken file of two refuses both, and an absent data folder stays absent', async () => {
  const data = join(newFolder(), 'absent')
  const outcome = await importFiles(data, 'prints', newFile('a', rows()), newFile('b', 'x'))
  expect(outcome.code).toBe(1)
  expect(findTree(data)).toBeNull()
})

test('a wrong command line prints the formats and exits with code 2', async () => {
  for (const args of [[], ['prints'], ['excel', 'a.csv'], ['--sessions', 'prints', 'a.csv']]) {
    const outcome = await importFiles(newFolder(), ...args)
    expect(outcome.code).toBe(2)
    expect(outcome.error).toContain('usage: tapefold import')
    expect(outcome.error).toContain('thetadata-trade-quote')
  }
})
