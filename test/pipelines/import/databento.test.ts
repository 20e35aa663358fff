// Databento's minute quotes and statistics as CSV, and what its own files say of their times.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { randomNumbers, shuffled } from '../../support/random.ts'
import { SHARED_DATA } from '../../support/shared.ts'

const DAY = '2026-10-14'
const SYMBOL = 'SPXW  261014C06000000'
const lines = (...rows: string[]) => `${rows.join('\n')}\n`

const CBBO =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,side,price,size,flags,bid_px_00,ask_px_00,' +
  'bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00,symbol'
const cbbo = (at: string, [bid, ask]: readonly string[], changes: { rtype?: string } = {}) =>
  `${at},${DAY}T13:59:58.123456789Z,${changes.rtype ?? '193'},30,1,N,4.200000000,5,0,${bid},${ask},` +
  `7,8,22,22,${SYMBOL}`
const minute = (at: string) => `${DAY}T${at}:00.000000000Z`

const QUOTES = `select minute_at::varchar as minute_at, root, strike, best_bid as bid,
  best_ask as ask, bid_size, ask_size from tape.quotes order by minute_at`

test.each([
  ['decimal', ['4.100000000', '4.300000000'], ['', '']],
  ['1e-9', ['4100000000', '4300000000'], ['9223372036854775807', '9223372036854775807']],
])('a quote of cbbo-1m stands at the end of its minute: %s prices', async (_, prices, none) => {
  const data = newFolder()
  const text = lines(CBBO, cbbo(minute('14:01'), prices), cbbo(minute('14:02'), none))
  const file = newFile('cbbo.csv.zst', zstdCompressSync(text))
  expect((await importFiles(data, 'databento-cbbo-1m', file)).error).toBe('')
  const quote = { root: 'SPXW', strike: 6000, bid_size: 7, ask_size: 8 }
  expect(await tapeRows(data, DAY, QUOTES)).toEqual([
    { minute_at: `${DAY} 14:01:00`, bid: 4.1, ask: 4.3, ...quote },
    { minute_at: `${DAY} 14:02:00`, bid: null, ask: null, ...quote },
  ])
  expect((await importFiles(data, 'databento-cbbo-1m', file)).out).toMatch(/quotes +2 +0 +2/)
})

// "If no trade or BBO update occurs within the interval, no record is printed": databento.com/docs, BBO
test('a quote of cbbo-1m stands for the minutes without a record, to the last minute of its file', async () => {
  const data = newFolder()
  const other = (row: string) => row.replace('C06000000', 'P06000000')
  const [first, second] = [['4.1', '4.3'] as const, ['5.1', '5.3'] as const]
  const files = [
    [
      cbbo(minute('14:01'), first),
      cbbo(minute('14:04'), second),
      other(cbbo(minute('14:06'), first)),
    ],
    // a file that follows without a gap, and one behind a gap
    [other(cbbo(minute('14:07'), second)), other(cbbo(minute('14:08'), first))],
    [other(cbbo(minute('14:20'), first)), other(cbbo(minute('14:21'), first))],
  ]
  for (const [index, rows] of files.entries()) {
    const file = newFile('cbbo.csv', lines(CBBO, ...rows))
    const { out } = await importFiles(data, 'databento-cbbo-1m', file)
    expect(out).toMatch(new RegExp(`quotes +${rows.length} +${rows.length} +0`))
    if (index === 0) expect(out).toContain('4 quotes carried through minutes without a change')
    // again is once
    expect((await importFiles(data, 'databento-cbbo-1m', file)).out).not.toContain('carried')
  }
  const calls = `select minute_at::time::varchar as at, best_bid as bid,
      epoch_us(minute_at) - epoch_us(quoted_at) as age, (known_at = quoted_at)::int as own
    from tape.quotes where option_type = 'C' order by minute_at`
  const bids = [4.1, 4.1, 4.1, 5.1, 5.1, 5.1, 5.1, 5.1]
  expect(await tapeRows(data, DAY, calls)).toEqual(
    bids.map((bid, at) => ({ at: `14:0${at + 1}:00`, bid, age: 1, own: 1 })),
  )
  const puts = "select count(*)::int as n from tape.quotes where option_type = 'P'"
  expect(await tapeRows(data, DAY, puts)).toEqual([{ n: 5 }])
})

// MEMX MX2 Options and IEX Options: databento-python 0.76.0, publishers.py; 999 is of no list
test('prints of the venues 108 (MXTO), 109 (IEXO) and 999 are on the tape with their number', async () => {
  const header =
    'ts_recv,ts_event,publisher_id,action,price,size,bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_pb_00,ask_pb_00,symbol'
  const rows = [108, 109, 999].map(
    venue =>
      `${minute('14:01')},${minute('14:01')},${venue},T,4.2,1,4.1,4.3,7,8,${venue},${venue},${SYMBOL}`,
  )
  const data = newFolder()
  const { out } = await importFiles(
    data,
    'databento-tcbbo',
    newFile('t.csv', lines(header, ...rows)),
  )
  expect(out).toMatch(/prints +3 +3 +0 +0 +0 +0/)
  const venues = 'select exchange from tape.prints order by exchange'
  expect((await tapeRows(data, DAY, venues)).map(({ exchange }) => exchange)).toEqual([
    '108',
    '109',
    '999',
  ])
})

test.each([
  [
    'another interval',
    cbbo(minute('14:01'), ['4', '5'], { rtype: '192' }),
    'rtype is 192, not 193',
  ],
  ['no end of a minute', cbbo(`${DAY}T14:01:01Z`, ['4', '5']), 'not the end of a minute'],
  ['no time', cbbo('18446744073709551615', ['4', '5']), 'ts_recv is 18446744073709551615, which'],
])('a row of %s is rejected, and a file of them refused', async (_, row, says) => {
  const { code, error } = await importFiles(
    newFolder(),
    'databento-cbbo-1m',
    newFile('cbbo.csv', lines(CBBO, row)),
  )
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

test.each([
  [CBBO.replace('side', 'action,side'), 'import tcbbo as databento-tcbbo'],
  [CBBO.replaceAll('_pb_', '_ct_'), 'holds the quotes of single exchanges; ask for cbbo-1m'],
  [
    'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol',
    'lacks the column',
  ],
])('what else a file may be is named: %s', async (header, says) => {
  const { code, error } = await importFiles(
    newFolder(),
    'databento-cbbo-1m',
    newFile('a.csv', lines(header, '1')),
  )
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
})

const STATISTICS =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,ts_ref,price,quantity,sequence,ts_in_delta,' +
  'stat_type,channel_id,update_action,stat_flags,symbol'
type Statistic = {
  readonly at: string
  readonly quantity: string
  readonly type?: number
  readonly action?: number
  readonly symbol?: string
}
const statistic = ({ at, quantity, type = 9, action = 1, symbol = SYMBOL }: Statistic) =>
  `${DAY}T${at}Z,${DAY}T${at}Z,24,22,1,,,${quantity},1,0,${type},1,${action},0,${symbol}`
const INTEREST = `select root, strike, open_interest as contracts, known_at::varchar as known_at
  from tape.open_interest order by root, strike`

test('open interest is known from when its number was received first', async () => {
  const data = newFolder()
  const other = 'SPX   261016P05000000'
  const rows = [
    { at: '10:30:08.5', quantity: '57924' },
    { at: '10:30:08.6', quantity: '57924' },
    { at: '10:30:09', quantity: '10' },
    { at: '12:00:00', quantity: '10' },
    { at: '15:00:00', quantity: '11' },
    { at: '15:00:00', quantity: '500', type: 1 },
    { at: '12:30:00', quantity: '99', action: 2 },
    { at: '12:31:00', quantity: '9223372036854775807' },
    // nothing before the open
    { at: '16:00:00', quantity: '3', symbol: other },
    { at: '17:00:00', quantity: '4', symbol: other },
  ]
  const file = newFile('statistics.csv', lines(STATISTICS, ...rows.map(statistic)))
  const { out } = await importFiles(data, 'databento-statistics', file)
  expect(out).toMatch(/2026-10-14 +open_interest +10 +2 +0 +0 +8 +0/)
  const stored = [
    { root: 'SPX', strike: 5000, contracts: 3, known_at: `${DAY} 16:00:00` },
    { root: 'SPXW', strike: 6000, contracts: 10, known_at: `${DAY} 10:30:09` },
  ]
  expect(await tapeRows(data, DAY, INTEREST)).toEqual(stored)
  expect((await importFiles(data, 'databento-statistics', file)).out).toMatch(
    /open_interest +10 +0 +2/,
  )
  // the order of the rows says nothing
  const random = randomNumbers(4711)
  for (let round = 0; round < 3; round++) {
    const mixed = newFile('m.csv', lines(STATISTICS, ...shuffled(rows, random).map(statistic)))
    const again = newFolder()
    await importFiles(again, 'databento-statistics', mixed)
    expect(await tapeRows(again, DAY, INTEREST)).toEqual(stored)
  }
})

test('statistics without any open interest are no rows', async () => {
  const file = newFile(
    's.csv',
    lines(STATISTICS, statistic({ at: '14:00:00', quantity: '1', type: 2 })),
  )
  const { error } = await importFiles(newFolder(), 'databento-statistics', file)
  expect(error).toContain('s.csv holds no rows')
})

test('what a few broken statistics hold is rejected with a reason', async () => {
  const sound = Array.from({ length: 400 }, (_, n) =>
    statistic({
      at: '10:30:08',
      quantity: String(n),
      symbol: `SPXW  261016C${String(1_000_000 + n * 5000).padStart(8, '0')}`,
    }),
  )
  const broken = [
    statistic({ at: '10:30:08', quantity: '-4', symbol: 'SPXW  261016P01000000' }),
    statistic({ at: '10:30:08', quantity: '4', symbol: 'AAPL' }),
    statistic({ at: 'soon', quantity: '4' }),
  ]
  const file = newFile('s.csv', lines(STATISTICS, ...sound, ...broken))
  const data = newFolder()
  const { out } = await importFiles(data, 'databento-statistics', file)
  expect(out).toMatch(/2026-10-14 +open_interest +402 +400 +0 +2/)
})

const DBN = join(SHARED_DATA, 'opra-fixtures/databento')

/** Records of a file of DBN 3, without their header. */
function records(schema: string): { rtype: number; publisher: number; at: bigint; body: Buffer }[] {
  const bytes = zstdDecompressSync(readFileSync(join(DBN, `test_data.${schema}.dbn.zst`)))
  const found = []
  for (let at = 8 + bytes.readUInt32LE(4); at < bytes.length; at += bytes[at]! * 4) {
    found.push({
      rtype: bytes[at + 1]!,
      publisher: bytes.readUInt16LE(at + 2),
      at: bytes.readBigUInt64LE(at + 8),
      body: bytes.subarray(at + 16, at + bytes[at]! * 4),
    })
  }
  return found
}

test.skipIf(!existsSync(DBN))(
  "Databento's own records, as CSV: times as the format reads them",
  async () => {
    const quotes = records('cbbo-1m').map(({ rtype, publisher, at, body }) => {
      const number = (offset: number) => body.readBigInt64LE(offset)
      return [
        number(16),
        at,
        rtype,
        publisher,
        1,
        'N',
        number(0),
        1,
        0,
        number(32),
        number(40),
        body.readUInt32LE(48),
        body.readUInt32LE(52),
        22,
        22,
        'AAPL  250321C00200000',
      ].join(',')
    })
    expect(quotes).toHaveLength(4)
    const data = newFolder()
    const file = newFile('cbbo.csv', lines(CBBO, ...quotes))
    expect((await importFiles(data, '--roots', 'AAPL', 'databento-cbbo-1m', file)).error).toBe('')
    const minutes = await tapeRows(data, '2025-02-20', QUOTES)
    expect(minutes.map(row => [row.minute_at, row.bid, row.ask])).toMatchInlineSnapshot(`
      [
        [
          "2025-02-20 13:01:00",
          null,
          null,
        ],
        [
          "2025-02-20 14:31:00",
          0.32,
          0.34,
        ],
        [
          "2025-02-20 14:32:00",
          0.43,
          0.45,
        ],
        [
          "2025-02-20 14:33:00",
          0.34,
          0.36,
        ],
      ]
    `)
    const interests = records('statistics').map(({ rtype, publisher, at, body }) =>
      [
        body.readBigUInt64LE(0),
        at,
        rtype,
        publisher,
        1,
        '',
        '',
        body.readBigInt64LE(24),
        1,
        0,
        body.readUInt16LE(40),
        1,
        body[44],
        0,
        'AAPL  250321C00200000',
      ].join(','),
    )
    const statistics = newFile('statistics.csv', lines(STATISTICS, ...interests))
    const imported = await importFiles(data, '--roots', 'AAPL', 'databento-statistics', statistics)
    expect(imported.out).toMatch(/2025-02-20 +open_interest +4 +1 +0 +0 +3 +0/)
    expect(await tapeRows(data, '2025-02-20', INTEREST)).toEqual([
      { root: 'AAPL', strike: 200, contracts: 57_924, known_at: '2025-02-20 11:30:08.943854' },
    ])
  },
)
