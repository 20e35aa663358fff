import {
  type Data,
  Field,
  Float64,
  Int8,
  Int32,
  List,
  makeData,
  Struct,
  Table,
  Utf8,
  Vector,
} from 'apache-arrow'
import type { WireOrder } from './schema.ts'

type Leg = WireOrder['lg'][number]

const LEG_TYPE = new Struct([
  new Field('strike', new Float64()),
  new Field('option_type', new Utf8()),
  new Field('sign', new Int8()),
])

/** Columns of the tabular forms: the order's fields, with the makers of their Arrow data. */
const COLUMNS = {
  oid: texts,
  t: texts,
  g: doubles,
  g_null: texts,
  kind: texts,
  legs: texts,
  lg: lists(LEG_TYPE, legs),
  exp: texts,
  size: integers,
  contracts: integers,
  net: doubles,
  flip: doubles,
  side: texts,
  confidence: doubles,
  fold: texts,
  flags: lists(new Utf8(), texts),
  p: doubles,
  sign_null: texts,
  rule: texts,
  prints: integers,
} as const satisfies Record<string, (values: never[]) => Data>

/** Names of the columns of CSV, Parquet and Arrow, in order. */
export const LEDGER_COLUMNS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/**
 * The orders as an Arrow table. Its buffers are filled here, a column at once: the builders of the
 * library take one value after the other, and several times as long.
 */
export function arrowTable(orders: readonly WireOrder[]): Table {
  const columns = LEDGER_COLUMNS.map(name => {
    const values = orders.map(order => order[name])
    return [name, new Vector([COLUMNS[name](values as never[])])] as const
  })
  return new Table(Object.fromEntries(columns))
}

function texts(values: (string | null)[]): Data {
  const data = Buffer.from(values.join(''))
  const valueOffsets = offsetsOf(values, value => (value === null ? 0 : Buffer.byteLength(value)))
  const length = values.length
  return makeData({ type: new Utf8(), length, ...nullsOf(values), valueOffsets, data })
}

function doubles(values: (number | null)[]): Data {
  const data = Float64Array.from(values as number[])
  return makeData({ type: new Float64(), length: values.length, ...nullsOf(values), data })
}

function integers(values: (number | null)[]): Data {
  const data = Int32Array.from(values as number[])
  return makeData({ type: new Int32(), length: values.length, ...nullsOf(values), data })
}

/** The data of legs, which come as triples. */
function legs(triples: Leg[]): Data {
  const children = [
    doubles(triples.map(([strike]) => strike)),
    texts(triples.map(([, optionType]) => optionType)),
    makeData({ type: new Int8(), data: Int8Array.from(triples, ([, , sign]) => sign) }),
  ]
  return makeData({ type: LEG_TYPE, length: triples.length, nullCount: 0, children })
}

function lists<Item>(type: Utf8 | Struct, dataOf: (items: Item[]) => Data) {
  const list = new List(new Field('item', type, true))
  return (values: Item[][]): Data => {
    const valueOffsets = offsetsOf(values, items => items.length)
    const child = dataOf(values.flat() as Item[]) as never
    return makeData({ type: list, length: values.length, nullCount: 0, valueOffsets, child })
  }
}

/** Where each value begins, and after the last one where it ends. */
function offsetsOf<Value>(values: readonly Value[], lengthOf: (value: Value) => number) {
  const offsets = new Int32Array(values.length + 1)
  let end = 0
  for (const [index, value] of values.entries()) {
    end += lengthOf(value)
    offsets[index + 1] = end
  }
  return offsets
}

/** The library pads the bits of validity to whole 64 bytes. */
const BITS_OF_A_BLOCK = 512
const BYTES_OF_A_BLOCK = 64

/** Which values there are, a bit each; no bits where all are. */
function nullsOf(values: readonly unknown[]): { nullCount: number; nullBitmap?: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / BITS_OF_A_BLOCK) * BYTES_OF_A_BLOCK)
  let nullCount = 0
  for (const [index, value] of values.entries()) {
    if (value === null) nullCount++
    else nullBitmap[index >> 3]! |= 1 << (index & 7)
  }
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap }
}
