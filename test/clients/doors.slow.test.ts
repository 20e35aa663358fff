// The same rows through every door, to the last digit: dataset file, SQL, JSON, CSV, Arrow, Parquet
// of the ledger, and both clients, over an ordinary session and ten odd ones.

import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../clients/typescript/src/index.ts'
import { buildDay } from '../../pipelines/build/day.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { importSimulated } from '../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import { runQuery } from '../../src/data/published/analyst.ts'
import { publishedFolder, readManifest } from '../../src/data/published/manifest.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { findPython, runClient } from '../support/clientServer.ts'
import { emptyPrints, TWENTY_SINGLES } from '../support/emptyPrints.ts'

type Value = string | number | null
type Row = Readonly<Record<string, Value>>

/** A session: what is changed in the files of its tape, and with which floors it is built. */
type Case = {
  readonly day: string
  readonly odd: string
  readonly change?: Readonly<Record<string, string>>
  readonly floors?: readonly number[]
  readonly hasEmptyPrints?: boolean
  /** True when its own rows show what is odd. */
  readonly isOdd: (seen: Seen) => boolean
}
type Seen = {
  readonly orders: readonly Row[]
  readonly levels: readonly Row[]
  readonly manifest: NonNullable<ReturnType<typeof readManifest>>
}

const FLOOR = 20_000
const CASES: readonly Case[] = [
  { day: '2026-10-15', odd: 'ordinary', isOdd: ({ orders }) => orders.length > 20 },
  {
    day: '2026-11-27',
    odd: 'a half day',
    isOdd: ({ levels }) => levels.at(-1)!.minute === '12:59',
  },
  // the clocks of New York change on 2026-11-01
  { day: '2026-11-02', odd: 'after the clocks went back', isOdd: isWholeDay },
  {
    day: '2026-10-16',
    odd: 'a monthly expiration, AM-settled at its open',
    isOdd: ({ orders }) => orders.some(({ exp }) => exp === '2026-10-16'),
  },
  {
    day: '2026-10-19',
    odd: 'without a large order',
    floors: [1e15],
    isOdd: ({ orders }) => orders.length === 0,
  },
  {
    day: '2026-10-20',
    odd: 'a gap in the tape',
    change: { prints: `where hour(printed_at) <> 15` },
    isOdd: ({ manifest }) =>
      manifest.minutes.missing.filter(at => at.startsWith('11:')).length === 60,
  },
  {
    day: '2026-10-22',
    odd: 'no quote, so no side',
    change: { prints: 'no_quotes' },
    isOdd: ({ orders }) => orders.some(({ sign_null: reason }) => reason !== null),
  },
  {
    day: '2026-10-23',
    odd: 'restated',
    floors: [FLOOR, 5 * FLOOR],
    isOdd: ({ manifest }) => manifest.edition === 2,
  },
  {
    day: '2026-10-26',
    odd: 'no index of the vendor',
    change: { spots: 'where hour(spotted_at) < 14' },
    isOdd: ({ levels }) => levels.some(({ spot_source: source }) => source === 'parity'),
  },
  {
    day: '2026-10-27',
    odd: 'prints of one hour alone',
    change: { prints: 'where hour(printed_at) = 17' },
    isOdd: ({ orders }) => orders.every(({ t }) => String(t).startsWith('13:')),
  },
  {
    day: '2026-10-28',
    odd: 'prints that an audit sets apart',
    hasEmptyPrints: true,
    // every order is one, so that an audit sees them
    floors: [1],
    isOdd: ({ manifest }) => manifest.tape.set_apart! > 0,
  },
]
const CHANGED: Readonly<Record<string, string>> = {
  no_quotes: `select * replace (null::double as best_bid, null::double as best_ask,
    null::integer as bid_size, null::integer as ask_size, null::timestamp as quoted_at)`,
}

function isWholeDay({ levels }: Seen): boolean {
  return levels[0]!.minute === '09:31' && levels.at(-1)!.minute === '15:59'
}

const root = mkdtempSync(join(tmpdir(), 'tapefold-doors-'))
const dataFolder = join(root, 'data')
let api: TestApi
let keys: Readonly<Record<'orders' | 'live', string>>

beforeAll(async () => {
  for (const [index, one] of CASES.entries()) {
    const { day, change = {}, floors = [FLOOR], hasEmptyPrints = false } = one
    const out = join(root, day)
    await runSimulate({
      ...DEFAULT_OPTIONS,
      prints: 1_500,
      contracts: 400,
      seed: 7 + index,
      date: day,
      out,
    })
    await changeFiles(out, change)
    await importSimulated(dataFolder, out)
    if (hasEmptyPrints) await emptyPrints(dataFolder, day, TWENTY_SINGLES)
    for (const minPremiumUsd of floors) {
      await buildDay({ dataFolder, date: day, minPremiumUsd, progress: silent })
    }
  }
  api = await startTestApi({ dataFolder })
  api.clock.atMs = Date.parse('2026-12-01T16:00:00Z')
  keys = { orders: api.key, live: (await api.newKey('live', 'live')).key }
})
// a key and an address have so many calls a minute
beforeEach(() => {
  api.clock.atMs += 60_000
})
afterAll(async () => {
  await api?.close()
  rmSync(root, { recursive: true, force: true })
})

/** Replaces files of a simulated tape by others with other rows. */
async function changeFiles(
  folder: string,
  change: Readonly<Record<string, string>>,
): Promise<void> {
  const db = await openDatabase({ threads: 1 })
  for (const [name, how] of Object.entries(change)) {
    const path = join(folder, `${name}.parquet`)
    const select = CHANGED[how] ?? 'select *'
    const where = CHANGED[how] === undefined ? how : ''
    await db.run(`copy (${select} from read_parquet('${path}') ${where})
      to '${path}.new' (format parquet)`)
    renameSync(`${path}.new`, path)
  }
  db.close()
}

const ORDER_COLUMNS = ['oid', 't', 'g', 'g_null', 'kind', 'legs', 'lg', 'exp', 'size', 'contracts']
const MORE_COLUMNS = [
  'net',
  'flip',
  'side',
  'confidence',
  'fold',
  'flags',
  'p',
  'sign_null',
  'rule',
]
const COLUMNS = [...ORDER_COLUMNS, ...MORE_COLUMNS, 'prints', 'flip_convention', 'side_convention']
const LISTS = ['lg', 'flags']
const LEVELS = [
  'minute',
  'spot',
  'flip',
  'flip_lo',
  'flip_hi',
  'call_wall',
  'put_wall',
  'net_gamma',
]
const LEVEL_COLUMNS = [...LEVELS, 'regime', 'reason', 'p_positive', 'spot_source', 'spot_error']

/** A row with the wanted columns; lists as their JSON. */
const pick = (columns: readonly string[], row: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(
    columns.map(name => {
      const value = row[name] ?? null
      return [name, typeof value === 'object' && value !== null ? JSON.stringify(value) : value]
    }),
  ) as Row

type Door = {
  readonly orders?: (day: string) => Promise<readonly Row[]>
  readonly levels?: (day: string) => Promise<readonly Row[]>
}

const get = (path: string, product: 'orders' | 'live', accept = 'application/json') =>
  api.call(path, { key: keys[product], headers: { accept } })
const ledgerPath = (day: string) => `/orders/api/day?day=${day}`
const historyPath = (day: string) => `/api/v1/history?sym=SPX&day=${day}`

/** Rows of lists by column, one entry a minute. */
const byMinute = (body: Readonly<Record<string, unknown>>): Row[] =>
  (body.minutes as string[]).map((minute, at) =>
    pick(LEVEL_COLUMNS, {
      ...Object.fromEntries(
        LEVEL_COLUMNS.map(name => [name, (body[name] as unknown[] | undefined)?.[at]]),
      ),
      minute,
    }),
  )

type Field = { readonly text: string; readonly isQuoted: boolean }

/** Fields of CSV by RFC 4180, a character at a time. */
function readCsv(text: string): Field[][] {
  const rows: Field[][] = []
  let [fields, field, isQuoted, isInside] = [[] as Field[], '', false, false]
  const endField = () => {
    fields.push({ text: field, isQuoted })
    ;[field, isQuoted] = ['', false]
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (isInside && letter === '"' && text[at + 1] === '"') {
      field += '"'
      at++
    } else if (letter === '"') {
      isInside = !isInside
      isQuoted = true
    } else if (!isInside && letter === ',') endField()
    else if (!isInside && letter === '\r') continue
    else if (!isInside && letter === '\n') {
      endField()
      rows.push(fields)
      fields = []
    } else field += letter
  }
  return rows
}

/** Rows of CSV: a field without quotes that is empty is null, numbers are numbers. */
function fromCsv(text: string, columns: readonly string[], texts: readonly string[]): Row[] {
  const [head, ...rows] = readCsv(text)
  expect(head!.map(({ text: name }) => name)).toEqual(columns)
  return rows.map(fields =>
    pick(
      columns,
      Object.fromEntries(
        fields.map(({ text: field, isQuoted }, at) => {
          if (field === '' && !isQuoted) return [columns[at], null]
          return [columns[at], texts.includes(columns[at]!) ? field : Number(field)]
        }),
      ),
    ),
  )
}
const ORDER_TEXTS = COLUMNS.filter(
  name =>
    ![
      'g',
      'size',
      'contracts',
      'net',
      'flip',
      'confidence',
      'p',
      'prints',
      'flip_convention',
    ].includes(name),
)
const LEVEL_TEXTS = ['minute', 'regime', 'reason', 'spot_source']

/** Legs as triples, as JSON has them. */
type LegRow = { strike: number; option_type: string; sign: number }
const triples = (legs: Iterable<LegRow>) =>
  [...legs].map(({ strike, option_type, sign }) => [strike, option_type, sign])

/** Rows of a dataset by the reader of another engine; dates as text, whole numbers as numbers. */
async function readFileRows(day: string, dataset: string): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(
    join(publishedFolder(dataFolder), readManifest(dataFolder, day)!.datasets[dataset]!.file),
  )
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const rows = await parquetReadObjects({ file, compressors })
  const plain = (value: unknown): unknown =>
    typeof value === 'bigint'
      ? Number(value)
      : value instanceof Date
        ? value.toISOString().slice(0, 10)
        : value
  return rows.map(row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
  )
}

/** Rounds as the page of the API says: digits of a gamma, decimals of points and of $M. */
const digits = (value: unknown, count: number) =>
  value === null || value === undefined ? null : Number((value as number).toPrecision(count)) + 0
const decimals = (value: unknown, count: number) =>
  value === null || value === undefined ? null : Number((value as number).toFixed(count)) + 0

/** Orders of the published dataset in the form of the API. */
function fromDatasets(
  orders: readonly Record<string, unknown>[],
  legs: readonly Record<string, unknown>[],
): Row[] {
  const ofOrder = Map.groupBy(legs, leg => leg.order_id)
  return orders
    .filter(row => row.is_in_ledger)
    .toSorted((a, b) => Number(a.ledger_rank) - Number(b.ledger_rank))
    .map(row => {
      const own = (ofOrder.get(row.order_id) ?? []).toSorted(
        (a, b) => Number(a.leg_number) - Number(b.leg_number),
      )
      const net = row.net_premium_usd === null ? null : Number(row.net_premium_usd) / 1e6
      return pick(COLUMNS, {
        oid: row.order_id,
        t: row.minute_et,
        g: digits(row.dealer_gamma_musd_per_point, 10),
        g_null: row.gamma_null_reason,
        kind: row.structure,
        legs: row.legs_text,
        lg: own.map(leg => [leg.strike, leg.option_type, leg.customer_sign]),
        exp: row.main_expiry,
        size: row.size,
        contracts: row.contracts,
        net: decimals(net, 6),
        flip: decimals(row.flip_distance_points, 7),
        side: row.flip_side,
        confidence: row.fold_confidence,
        fold: row.fold_basis,
        flags: row.flags,
        p: row.side_probability,
        sign_null: row.side_reason,
        rule: row.fold_rule,
        prints: row.print_count,
        flip_convention: decimals(row.convention_distance_points, 7),
        side_convention: row.convention_side,
      })
    })
}

const hundredth = (value: unknown, scale = 100) =>
  value === null || value === undefined ? null : Math.round((value as number) * scale) / scale + 0

/** Levels of the measured book from the published dataset, in the form of the API. */
const levelsFromDataset = (rows: readonly Record<string, unknown>[], last: string): Row[] =>
  rows
    .filter(({ book_basis, minute_et }) => book_basis === 'measured' && minute_et !== null)
    .filter(({ minute_et: at }) => String(at) >= '09:31' && String(at) <= last)
    .toSorted((a, b) => (String(a.minute_et) < String(b.minute_et) ? -1 : 1))
    .map(row =>
      pick(LEVEL_COLUMNS, {
        minute: row.minute_et,
        ...Object.fromEntries(
          ['spot', 'flip', 'flip_lo', 'flip_hi', 'call_wall', 'put_wall', 'spot_error'].map(
            name => [name, hundredth(row[name])],
          ),
        ),
        net_gamma: hundredth(row.net_gamma_musd_per_point, 10_000),
        regime: row.regime,
        reason: row.reason,
        p_positive: hundredth(row.p_positive, 1000),
        spot_source: row.spot === null ? null : row.spot_source,
      }),
    )

/** The last minute that is judged, or the one that begins after the newest print. */
function lastMinute(day: string): string {
  const known = minutesAfter(readManifest(dataFolder, day)!.asof.slice(0, 5), 1)
  const last = day === '2026-11-27' ? '12:59' : '15:59'
  return known < last ? known : last
}
const listSql = async (query: string) =>
  (await runQuery(dataFolder, query)).rows as Record<string, unknown>[]
const client = () => createClient({ url: api.url, keys })
const python = findPython(['pandas', 'httpx'])

/** Rows of a call of the client in Python, by pandas; not a number is null. */
async function fromPython(call: string, columns: readonly string[]): Promise<Row[]> {
  const program = `import json, math, os, pandas, tapefold as tf
client = tf.Client(os.environ["TAPEFOLD_URL"], [os.environ["ORDERS_KEY"], os.environ["LIVE_KEY"]])
def plain(value):
    if hasattr(value, "item"):
        value = value.item()
    return None if value is pandas.NA or (isinstance(value, float) and math.isnan(value)) else value
frame = ${call}
print(json.dumps([{name: plain(value) for name, value in row.items() if name != "at"} for row in frame.to_dict("records")]))`
  const { out, errors, code } = await runClient([python!, '-c', program], {
    env: {
      ...process.env,
      PYTHONPATH: resolve('clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      TAPEFOLD_URL: api.url,
      ORDERS_KEY: keys.orders,
      LIVE_KEY: keys.live,
    },
  })
  expect([code, code === 0 ? '' : errors]).toEqual([0, ''])
  return (JSON.parse(out) as Record<string, unknown>[]).map(row => pick(columns, row))
}

const DOORS: Readonly<Record<string, Door>> = {
  CSV: {
    orders: async day => {
      const { body } = await get(ledgerPath(day), 'orders', 'text/csv')
      return fromCsv(body.toString(), COLUMNS, ORDER_TEXTS)
    },
    levels: async day => {
      const { body } = await get(historyPath(day), 'live', 'text/csv')
      return fromCsv(body.toString(), LEVEL_COLUMNS, LEVEL_TEXTS)
    },
  },
  Arrow: {
    orders: async day => {
      const accept = 'application/vnd.apache.arrow.stream'
      const { body } = await get(ledgerPath(day), 'orders', accept)
      return tableFromIPC(body)
        .toArray()
        .map(row => pick(COLUMNS, { ...row.toJSON(), lg: triples(row.lg), flags: [...row.flags] }))
    },
    levels: async day => {
      const accept = 'application/vnd.apache.arrow.stream'
      const { body } = await get(historyPath(day), 'live', accept)
      return tableFromIPC(body)
        .toArray()
        .map(row => pick(LEVEL_COLUMNS, row.toJSON()))
    },
  },
  'Parquet of the ledger': {
    orders: async day => {
      const { body } = await get(ledgerPath(day), 'orders', 'application/vnd.apache.parquet')
      const file = body.buffer.slice(body.byteOffset, body.byteOffset + body.length) as ArrayBuffer
      const rows = await parquetReadObjects({ file, compressors })
      return rows.map(row =>
        pick(COLUMNS, {
          ...Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              typeof value === 'bigint' ? Number(value) : value,
            ]),
          ),
          lg: triples(row.lg as LegRow[]),
        }),
      )
    },
  },
  'dataset file': {
    orders: async day =>
      fromDatasets(await readFileRows(day, 'orders'), await readFileRows(day, 'legs')),
    levels: async day => levelsFromDataset(await readFileRows(day, 'levels'), lastMinute(day)),
  },
  SQL: {
    orders: async day =>
      fromDatasets(
        await listSql(`from orders where session_date = '${day}'`),
        await listSql(`from legs where session_date = '${day}'`),
      ),
    levels: async day =>
      levelsFromDataset(
        await listSql(`from levels where session_date = '${day}'`),
        lastMinute(day),
      ),
  },
  'client in TypeScript': {
    orders: async day =>
      (await client().orders(day)).orders.map(order => pick(COLUMNS, order as never)),
    levels: async day => {
      const [body] = await Array.fromAsync(client().levels(day))
      return byMinute(body as never)
    },
  },
  'client in Python': {
    orders: day => fromPython(`client.orders("${day}")`, COLUMNS),
    levels: day => fromPython(`client.levels("${day}", "${day}")`, LEVEL_COLUMNS),
  },
}

const readJson = {
  orders: async (day: string) =>
    ((await get(ledgerPath(day), 'orders')).json.orders as object[]).map(order =>
      pick(COLUMNS, order as never),
    ),
  levels: async (day: string) => byMinute((await get(historyPath(day), 'live')).json),
}

test.each(CASES)('the session $day is $odd', async ({ day, isOdd }) => {
  const seen = {
    orders: await readJson.orders(day),
    levels: await readJson.levels(day),
    manifest: readManifest(dataFolder, day)!,
  }
  expect(isOdd(seen)).toBe(true)
})

const READS = Object.entries(DOORS).flatMap(([door, reads]) =>
  CASES.map(({ day, odd }) => ({ door, reads, day, odd })),
)

test.each(READS)('$door has the rows of JSON: $day, $odd', async ({ door, reads, day }) => {
  if (door === 'client in Python' && python === null) {
    console.log(`SKIPPED ${door}, ${day}: python3-pandas or httpx is not installed`)
    return
  }
  for (const dataset of ['orders', 'levels'] as const) {
    const read = reads[dataset]
    if (!read) continue
    const expected = await readJson[dataset](day)
    expect(await read(day), dataset).toEqual(expected)
  }
})

test('lists are compared too', async () => {
  const orders = await readJson.orders('2026-10-15')
  for (const name of LISTS)
    expect(orders.every(order => typeof order[name] === 'string')).toBe(true)
  expect(orders.some(({ flags }) => flags !== '[]')).toBe(true)
})
