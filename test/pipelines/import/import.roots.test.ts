// `--roots` keeps the rows of some roots, whatever the dataset and the format.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { tapeInputs } from '../../../src/data/tape/manifest.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const DAY = '2026-10-14'
const ROOTS = ['SPX', 'SPXW', 'SPY'] as const

const rows = (header: string, line: (root: string, index: number) => string) =>
  `${[header, ...ROOTS.map(line)].join('\n')}\n`

const FILES = {
  prints: rows(
    'printed_at,root,expiry,strike,option_type,size,price,sequence',
    (root, index) => `${DAY}T14:00:01Z,${root},2026-10-16,6000,C,5,1.25,${index}`,
  ),
  quotes: rows(
    'minute_at,root,expiry,strike,option_type,best_bid,best_ask',
    root => `${DAY}T14:00:00Z,${root},2026-10-16,6000,C,1,2`,
  ),
  'open-interest': rows(
    'session_date,root,expiry,strike,option_type,open_interest',
    root => `${DAY},${root},2026-10-16,6000,C,7`,
  ),
  'dealer-positions': rows(
    'session_date,root,expiry,strike,option_type,quantity',
    root => `${DAY},${root},2026-10-16,6000,C,-7`,
  ),
}

test.each(Object.entries(FILES))('--roots holds for %s', async (format, text) => {
  const data = newFolder()
  const file = newFile('rows.csv', text)
  const { code, error } = await importFiles(data, '--roots', 'SPXW,SPX', format, file)
  expect([code, error]).toEqual([0, ''])
  const table = `tape.${format.replace('-', '_')}`
  expect(await tapeRows(data, DAY, `select root from ${table} order by root`)).toEqual([
    { root: 'SPX' },
    { root: 'SPXW' },
  ])
})

const SPOTS = `spotted_at,spot,symbol
${DAY}T14:00:00Z,6000,SPX
${DAY}T14:00:00Z,600,SPY
${DAY}T14:00:01Z,6001,
${DAY}T14:00:02Z,6002,SPXW
`
const SPOT_ROWS = 'select spot, symbol from tape.spots order by spot'

test('--roots holds for spots: of the symbols of its roots, and without a symbol', async () => {
  const data = newFolder()
  const file = newFile('spots.csv', SPOTS)
  expect((await importFiles(data, '--roots', 'SPXW', 'spots', file)).code).toBe(0)
  const stored = [
    { spot: 6000, symbol: 'SPX' },
    { spot: 6001, symbol: null },
    // a root stands for its symbol
    { spot: 6002, symbol: 'SPX' },
  ]
  expect(await tapeRows(data, DAY, SPOT_ROWS)).toEqual(stored)
  // without it the other one, too, which no key keeps apart from the first but its symbol
  const again = await importFiles(data, 'spots', file)
  expect([again.code, again.error]).toEqual([0, ''])
  expect(await tapeRows(data, DAY, SPOT_ROWS)).toEqual([{ spot: 600, symbol: 'SPY' }, ...stored])
  // and nothing a third time
  expect((await importFiles(data, 'spots', file)).out).toMatch(/ 4 +0 +4 +0 +0 +0$/m)
})

test('a symbol that is none is rejected in a sentence', async () => {
  const file = newFile('spots.csv', `spotted_at,spot,symbol\n${DAY}T14:00:00Z,6000,S&P 500\n`)
  const { code, error } = await importFiles(newFolder(), 'spots', file)
  expect([code, error]).toEqual([1, expect.stringContaining('symbol is not one such as SPX')])
})

/** A chain of two expiries at the strike of the index, in points. */
function makeChain(root: string, spot: number): string {
  const strike = String(spot * 1000).padStart(8, '0')
  return [
    '',
    `AN INDEX,Last: ${spot},Change: 1.0`,
    '"Date: October 14, 2026 at 11:55 AM EDT",Bid: 1,Ask: 2,Size: 1*1,Volume: 0',
    'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,' +
      'Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest',
    `Fri,${root}261016C${strike},1,0,9.5,9.7,1,0.1,0.5,0.001,40,${spot}.00,` +
      `${root}261016P${strike},1,0,0,0.05,1,0.1,0.5,0.001,50`,
    `Fri,${root}261120C${strike},1,0,9.5,9.7,1,0.1,0.5,0.001,40,${spot}.00,` +
      `${root}261120P${strike},1,0,0,0.05,1,0.1,0.5,0.001,50`,
  ].join('\n')
}

const COUNTS = `select (select count(*) from tape.quotes) as quotes,
  (select count(*) from tape.open_interest) as interest, (select count(*) from tape.spots) as spots`

test('--roots holds for a chain: its quotes, its open interest and its index', async () => {
  const data = newFolder()
  const [spx, spy] = [
    newFile('spx.csv', makeChain('SPXW', 6000)),
    newFile('spy.csv', makeChain('SPY', 600)),
  ]
  const only = await importFiles(data, '--roots', 'SPX,SPXW', 'cboe-chain', spy)
  const says = 'holds no rows of SPX, SPXW (see --roots); it has 4 rows of other roots (SPY 4).'
  expect([only.code, only.error]).toEqual([1, `${spy} ${says}`])
  const both = await importFiles(data, '--roots', 'SPX,SPXW', 'cboe-chain', spx)
  expect([both.code, both.error]).toEqual([0, ''])
  expect(await tapeRows(data, DAY, COUNTS)).toEqual([{ quotes: 4, interest: 4, spots: 1 }])
  expect(await tapeRows(data, DAY, SPOT_ROWS)).toEqual([{ spot: 6000, symbol: 'SPX' }])
})

test.each([
  ['massive-trades', [], ['SPX', 'SPXPM', 'SPXQ', 'SPXW']],
  ['massive-trades', ['--roots', 'RUTW,SPY'], ['RUTW', 'SPY']],
])('%s keeps the roots of SPX, or with %j %j', async (format, options, stored) => {
  const data = newFolder()
  const roots = ['SPX', 'SPXPM', 'SPXQ', 'SPXW', 'RUT', 'RUTW', 'SPY']
  const lines = roots.map(
    (root, index) =>
      `O:${root}261016C06000000,209,0,302,10.0,${1_791_986_401_000_000_000n + BigInt(index)},60`,
  )
  const header = 'ticker,conditions,correction,exchange,price,sip_timestamp,size'
  const file = newFile('trades.csv', `${[header, ...lines].join('\n')}\n`)
  const { code, error } = await importFiles(data, ...options, format, file)
  expect([code, error]).toEqual([0, ''])
  expect(await tapeRows(data, DAY, 'select root from tape.prints order by root')).toEqual(
    stored.map(root => ({ root })),
  )
})

const OSI = (root: string) => `${root.padEnd(6)}261016C06000000`
const AT = `${DAY}T14:01:00.000000000Z`
const UTC = `${DAY}T14:01:00Z`
const CBBO = '4.1,4.3,1,1,22,22'

/** A vendor's files by format: the header, and the row of a root. */
const VENDOR_FILES: Readonly<Record<string, readonly [string, (root: string) => string]>> = {
  'cboe-trades': [
    'quote_datetime,sequence_number,root,expiration,strike,option_type,exchange_id,trade_size,' +
      'trade_price,trade_condition_id,best_bid,best_ask',
    root => `${DAY} 10:01:00.025,${root.length},${root},2026-10-16,6000,C,5,1,4.2,18,4.1,4.3`,
  ],
  'massive-index-values': ['ticker,value,timestamp', root => `I:${root},6000,1791986460000000000`],
  'thetadata-trade-quote': [
    'symbol,expiration,strike,right,trade_timestamp,sequence,condition,size,exchange,price,bid,ask',
    root => `${root},2026-10-16,6000,CALL,${UTC},${root.length},18,1,5,4.2,4.1,4.3`,
  ],
  'thetadata-quote': [
    'symbol,expiration,strike,right,timestamp,bid_size,bid,ask_size,ask',
    root => `${root},2026-10-16,6000,CALL,${UTC},1,4.1,1,4.3`,
  ],
  'thetadata-open-interest': [
    'symbol,expiration,strike,right,timestamp,open_interest',
    root => `${root},2026-10-16,6000,CALL,${UTC},7`,
  ],
  'thetadata-index-price': ['symbol,timestamp,price', root => `${root},${UTC},6000`],
  'databento-tcbbo': [
    'ts_recv,ts_event,publisher_id,action,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,' +
      'bid_pb_00,ask_pb_00,symbol',
    root => `${AT},${AT},22,T,4.2,1,${CBBO},${OSI(root)}`,
  ],
  'databento-cbbo-1m': [
    'ts_recv,rtype,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00,symbol',
    root => `${AT},193,${CBBO},${OSI(root)}`,
  ],
  'databento-statistics': ['ts_recv,stat_type,quantity,symbol', root => `${AT},9,7,${OSI(root)}`],
}

test.each(Object.entries(VENDOR_FILES))(
  '%s: three rows of SPY, VIX and 4SPX next to one of SPX are passed over and counted, and refused alone',
  async (format, [header, row]) => {
    const others = ['SPY', 'VIX', '4SPX'].map(row)
    const mixed = newFile('mixed.csv', `${[header, row('SPX'), ...others].join('\n')}\n`)
    const { out, error } = await importFiles(newFolder(), format, mixed)
    expect(error).toBe('')
    expect(out).toMatch(/2026-10-14 +\w+ +4 +1 +0 +0 +3 +0/)
    const counts = '3 rows of other roots (4SPX 1, SPY 1, VIX 1)'
    expect(out).toContain(`mixed.csv: ${counts} passed over; --roots names others.`)
    const alone = newFile('alone.csv', `${[header, ...others].join('\n')}\n`)
    const refused = await importFiles(newFolder(), format, alone)
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining(`it has ${counts}`)])
  },
)

test.each(['spx', 'SPX, SPXW', '', 'SPX,,SPXW'])('--roots %j is refused as none', async roots => {
  const file = newFile('rows.csv', FILES.prints)
  const { code, error } = await importFiles(newFolder(), '--roots', roots, 'prints', file)
  expect([code, error]).toEqual([
    2,
    `--roots is ${roots}; give roots with commas between, such as SPX,SPXW.`,
  ])
})

test('spots that were stored before they had a symbol are read, and known again', async () => {
  const data = newFolder()
  const file = newFile('spx.csv', makeChain('SPXW', 6000))
  await importFiles(data, 'cboe-chain', file)
  const stored = tapeInputs(data, DAY).find(input => input.dataset === 'spots')!
  const db = await openDatabase()
  const path = join(data, stored.file)
  await db.run('create table old as select * exclude (symbol) from read_parquet($path)', { path })
  await db.run('copy old to $path (format parquet)', { path })
  db.close()
  expect(await tapeRows(data, DAY, SPOT_ROWS)).toEqual([{ spot: 6000, symbol: null }])
  expect((await importFiles(data, 'cboe-chain', file)).out).toMatch(/spots +1 +0 +1 +0 +0 +0$/m)
  // next to a younger file
  const spy = newFile('spy.csv', makeChain('SPY', 600))
  await importFiles(data, '--roots', 'SPY', 'cboe-chain', spy)
  expect(await tapeRows(data, DAY, SPOT_ROWS)).toEqual([
    { spot: 600, symbol: 'SPY' },
    { spot: 6000, symbol: null },
  ])
})
