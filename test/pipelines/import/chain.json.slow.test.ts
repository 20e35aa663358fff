// Cboe's delayed quotes as JSON: of which instant they are, and what is no chain of SPX.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { randomNumbers } from '../../support/random.ts'
import { SHARED_DATA } from '../../support/shared.ts'

const option = (symbol: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  option: symbol,
  bid: 9.5,
  bid_size: 12,
  ask: 9.7,
  ask_size: 7,
  iv: 0.1311,
  open_interest: 40,
  volume: 3,
  delta: 0.51,
  gamma: 0.002,
  vega: 1,
  theta: -1,
  rho: 0,
  theo: 9.6,
  last_trade_price: 9.6,
  last_trade_time: '2026-10-14T10:27:30',
  ...changes,
})

const OPTIONS = [
  option('SPXW261016C06000000'),
  option('SPX261016P06000000', { bid: 0, ask: 0.05, open_interest: 50 }),
]

type Changes = Readonly<Record<string, unknown>> & { readonly options?: readonly unknown[] }

/** A chain that was made at 10:42:35 New York time. */
const chain = (changes: Changes = {}, timestamp: unknown = '2026-10-14 14:42:35') => ({
  timestamp,
  data: {
    options: OPTIONS,
    symbol: '^SPX',
    security_type: 'index',
    current_price: 6001.2598,
    last_trade_time: '2026-10-14T10:27:32',
    ...changes,
  },
  symbol: '_SPX',
})
const chainFile = (value: unknown, pack: (text: string) => Uint8Array = Buffer.from) =>
  newFile('_SPX.json', pack(typeof value === 'string' ? value : JSON.stringify(value)))

const QUOTES = `select minute_at::varchar as minute_at, quoted_at::varchar as quoted_at, root,
  option_type as type, best_bid as bid, best_ask as ask, bid_size, ask_size,
  (known_at = quoted_at)::int as own from tape.quotes order by root desc`
const INTEREST = 'select root, open_interest as contracts from tape.open_interest order by root'
const SPOTS = `select spotted_at::varchar as spotted_at, spot, symbol,
  (known_at = spotted_at)::int as own from tape.spots`

test('delayed quotes are of 15 minutes before the file was made, the index of its own time', async () => {
  for (const pack of [Buffer.from, gzipSync, zstdCompressSync]) {
    const data = newFolder()
    const file = chainFile(chain(), pack)
    expect((await importFiles(data, 'cboe-chain', file)).error).toBe('')
    expect(await tapeRows(data, '2026-10-14', QUOTES)).toEqual(
      table(`
      minute_at            quoted_at            root  type  bid  ask   bid_size  ask_size  own
      2026-10-14 14:28:00  2026-10-14 14:27:35  SPXW  C     9.5  9.7   12        7         1
      2026-10-14 14:28:00  2026-10-14 14:27:35  SPX   P     0    0.05  12        7         1
    `),
    )
    expect(await tapeRows(data, '2026-10-14', SPOTS)).toEqual([
      { spotted_at: '2026-10-14 14:27:32', spot: 6001.2598, symbol: 'SPX', own: 1 },
    ])
    expect(await tapeRows(data, '2026-10-14', INTEREST)).toEqual([
      { root: 'SPX', contracts: 50 },
      { root: 'SPXW', contracts: 40 },
    ])
    const again = await importFiles(data, 'cboe-chain', file)
    expect(again.out).toMatch(/quotes +2 +0 +2/)
    expect(again.out).toMatch(/open_interest +2 +0 +2/)
    expect(again.out).toMatch(/spots +1 +0 +1/)
  }
})

test.each([
  // made at, latest trade, quoted at
  ['2026-10-14 14:42:35', '2026-10-14T10:28:04', '2026-10-14 14:28:04'],
  ['2026-10-14T14:42:35.250', '2026-10-14T09:59:00', '2026-10-14 14:27:35.25'],
  // after its own file: no evidence
  ['2026-10-14 14:42:35', '2026-10-14T10:43:00', '2026-10-14 14:27:35'],
  ['2026-10-14 14:42:35', 'yesterday', '2026-10-14 14:27:35'],
  // winter
  ['2026-11-24 15:42:35', '2026-11-24T10:27:34', '2026-11-24 15:27:35'],
])('quotes made at %s with a trade at %s are of %s', async (timestamp, trade, quotedAt) => {
  const data = newFolder()
  const day = timestamp.slice(0, 10)
  const options = [option('SPXW261218C06000000', { last_trade_time: trade })]
  const file = chainFile(chain({ options, last_trade_time: `${day}T09:58:00` }, timestamp))
  expect((await importFiles(data, 'cboe-chain', file)).error).toBe('')
  const [quote] = await tapeRows(data, day, QUOTES)
  expect(quote!.quoted_at).toBe(quotedAt)
})

test('quotes and index outside a session are skipped, the open interest is stored', async () => {
  const outside = [
    // a Sunday, an evening and a morning
    ['2026-10-11 17:06:54', '2026-10-12'],
    ['2026-10-14 23:02:44', '2026-10-14'],
    ['2026-10-14 13:40:00', '2026-10-14'],
  ] as const
  for (const [timestamp, morning] of outside) {
    const data = newFolder()
    const last = { last_trade_time: '2026-10-09T16:14:59' }
    const options = OPTIONS.map(one => ({
      ...one,
      option: one.option.replace('1016', '1218'),
      ...last,
    }))
    const file = chainFile(chain({ options, ...last }, timestamp))
    const { out, error } = await importFiles(data, 'cboe-chain', file)
    expect(error).toBe('')
    expect(out).toMatch(/quotes +2 +0 +0 +0 +2/)
    expect(out).toMatch(/spots +1 +0 +0 +0 +1/)
    const use = `outside any session: its quotes count for no minute, its open interest for ${morning}`
    expect(out).toContain(use)
    expect(await tapeRows(data, morning, INTEREST)).toHaveLength(2)
  }
  // the last minute before the open is that of the open
  const data = newFolder()
  await importFiles(
    data,
    'cboe-chain',
    chainFile(
      chain(
        {
          last_trade_time: '2026-10-13T16:14:59',
          options: [option('SPXW261016C06000000', { last_trade_time: '' })],
        },
        '2026-10-14 13:44:30',
      ),
    ),
  )
  expect(await tapeRows(data, '2026-10-14', QUOTES)).toMatchObject([
    { minute_at: '2026-10-14 13:30:00', quoted_at: '2026-10-14 13:29:30' },
  ])
})

test.each([
  { current_price: null },
  { current_price: 0 },
  { last_trade_time: null },
  { current_price: 0, last_trade_time: null },
  { last_trade_time: '10/14/2026' },
])('a chain with %j gives quotes and open interest, and says what it lacks', async index => {
  const file = chainFile(chain(index))
  const { out, error } = await importFiles(newFolder(), 'cboe-chain', file)
  expect(error).toBe('')
  expect(out).toMatch(/quotes +2 +2/)
  expect(out).toContain(
    'its quotes count for 2026-10-14 10:28 ET, its open interest for 2026-10-14; it has no index value',
  )
})

const TEXT = JSON.stringify(chain())

test.each([
  ['an error of an interface', { message: 'Forbidden' }, 'is JSON without the list data.options'],
  ['a list', [1, 2], 'is JSON without the list data.options'],
  ['nothing of a chain', { data: {} }, 'is JSON without the list data.options'],
  ['another symbol', chain({ symbol: '^VIX' }), 'has the chain of "^VIX"; that of ^SPX is needed'],
  ['no symbol', { ...chain({ symbol: undefined }), symbol: undefined }, 'has the chain of missing'],
  ['no contracts', chain({ options: [] }), 'holds no rows: data.options is empty'],
  [
    'contracts of another',
    chain({ options: [option('VIX261021C00020000')] }),
    'has no contract of SPX, SPXW, SPXPM, SPXQ; its first one is "VIX261021C00020000"',
  ],
  ['no time', chain({}, null), 'has the timestamp null; a time of UTC such as'],
  [
    'a time of another form',
    chain({}, '10/14/2026 2:42 PM'),
    'has the timestamp "10/14/2026 2:42 PM"',
  ],
  [
    'an index of later',
    chain({ last_trade_time: '2026-10-14T14:42:35' }),
    'which is after its timestamp',
  ],
  ['an index of words', chain({ current_price: 'n/a' }), 'has data.current_price "n/a"; a number'],
  [
    'an index far off',
    chain({ current_price: 17.3 }),
    'says data.current_price 17.3, and no index of 17.3 has strikes from 6000 to 6000',
  ],
  ['half a chain', TEXT.slice(0, 400), 'is cut short or damaged: no whole JSON; it begins with'],
  ['a page', '<!DOCTYPE html><title>Access denied</title>', 'is a web page, no table'],
  [
    'an answer of S3',
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    'is XML, no table',
  ],
  [
    'broken contracts',
    chain({ options: [...OPTIONS, { option: 'SPXW' }, null, 7] }),
    'line 4: root is missing',
  ],
])('JSON of %s is refused by name', async (_, value, says) => {
  const { code, error } = await importFiles(newFolder(), 'cboe-chain', chainFile(value))
  expect([code, error]).toEqual([1, expect.stringContaining(says)])
  expect(error.split('\n')).toHaveLength(1)
})

test('no other format reads JSON', async () => {
  const { error } = await importFiles(newFolder(), 'quotes', chainFile(chain()))
  expect(error).toContain('_SPX.json is JSON, no table; it begins with')
})

test('whatever a few contracts hold, each is stored, skipped or rejected with a reason', async () => {
  const random = randomNumbers(4712)
  const odd = [
    null,
    '',
    'NaN',
    -1,
    1e300,
    true,
    [],
    {},
    'a,"b"\nc',
    '\u0000',
    undefined,
    0.004,
    2.5,
  ]
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const symbol = (n: number) => `SPXW261016C${String(5_000_000 + 5000 * n).padStart(8, '0')}`
  for (let round = 0; round < 4; round++) {
    const options = Array.from({ length: 600 }, (_, n) => option(symbol(n)))
    const broken = Array.from({ length: 4 }, (_, n) => {
      const name = pick([
        'option',
        'bid',
        'ask',
        'bid_size',
        'ask_size',
        'open_interest',
        'last_trade_time',
      ])
      return random() < 0.2 ? pick(odd) : option(symbol(600 + n), { [name]: pick(odd) })
    })
    const data = newFolder()
    const { out, error } = await importFiles(
      data,
      'cboe-chain',
      chainFile(chain({ options: [...options, ...broken] })),
    )
    expect(error).toBe('')
    expect(out).toMatch(/2026-10-14 +quotes +60\d +60\d +0 +\d +0/)
    const [quotes] = await tapeRows(
      data,
      '2026-10-14',
      'select count(*)::int as n from tape.quotes',
    )
    expect(quotes!.n).toBeGreaterThanOrEqual(600)
  }
})

const CHAINS = join(SHARED_DATA, 'chains')

/** A real chain of CSV as the JSON of the same figures, made 15 minutes after its own time. */
function asJson(name: string): { json: unknown; file: string; at: string } {
  const text = gunzipSync(readFileSync(join(CHAINS, name))).toString()
  const [, date, hour, minute] = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)/.exec(name)!
  const at = Date.parse(`${date}T${hour}:${minute}:00-04:00`)
  const options = text.split(/\r?\n/).flatMap(line => {
    const cells = line.split(',')
    if (!/^SPXW?\d{6}C\d{8}$/.test(cells[1] ?? '')) return []
    return [1, 12].map(first => ({
      option: cells[first]!,
      bid: Number(cells[first + 3]),
      ask: Number(cells[first + 4]),
      open_interest: Number(cells[first + 9]),
      last_trade_time: `${date}T09:31:00`,
    }))
  })
  const made = new Date(at + 15 * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  const price = Number(/Last: ([\d.]+)/.exec(text)![1])
  const json = chain({ options, current_price: price, last_trade_time: `${date}T09:31:00` }, made)
  return { json, file: join(CHAINS, name), at: date! }
}

const ALL = ['quotes', 'open_interest'].map(
  name => `select * exclude (session_date) from tape.${name} order by all`,
)

test.skipIf(!existsSync(CHAINS))('real chains say the same as JSON and as CSV', async () => {
  const names = readdirSync(CHAINS).filter(name => /T1155_|T1631_/.test(name))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const { json, file, at } = asJson(name)
    const [asFile, asText] = [newFolder(), newFolder()]
    const first = await importFiles(asFile, 'cboe-chain', chainFile(json))
    const second = await importFiles(asText, 'cboe-chain', file)
    expect([first.error, second.error]).toEqual(['', ''])
    const isInside = name.includes('T1155_')
    for (const sql of isInside ? ALL : ALL.slice(1)) {
      const rows = await tapeRows(asFile, at, sql)
      expect(rows.length).toBeGreaterThan(8000)
      expect(rows).toEqual(await tapeRows(asText, at, sql))
    }
  }
})
