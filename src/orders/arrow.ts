import {
  type Data,
  Field,
  Float64,
  Int8,
  makeData,
  Struct,
  Table,
  Utf8,
  Vector,
} from 'apache-arrow'
import { doubles, integers, lists, signs, texts } from '../platform/http/columns.ts'
import type { WireOrder } from './schema.ts'

type Leg = WireOrder['lg'][number]

const LEG_TYPE = new Struct([
  new Field('strike', new Float64()),
  new Field('option_type', new Utf8()),
  new Field('sign', new Int8()),
])

/** Columns of the tabular forms: the order's fields, with the builders of their Arrow data. */
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
  flip_convention: doubles,
  side_convention: texts,
} as const satisfies Record<string, (values: never[]) => Data>

/** Names of the columns of CSV, Parquet and Arrow, in order. */
export const LEDGER_COLUMNS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

/** The orders as an Arrow table. */
export function arrowTable(orders: readonly WireOrder[]): Table {
  const columns = LEDGER_COLUMNS.map(name => {
    const values = orders.map(order => order[name])
    return [name, new Vector([COLUMNS[name](values as never[])])] as const
  })
  return new Table(Object.fromEntries(columns))
}

/** Arrow data of legs, which are triples. */
function legs(triples: Leg[]): Data {
  const children = [
    doubles(triples.map(([strike]) => strike)),
    texts(triples.map(([, optionType]) => optionType)),
    signs(triples.map(([, , sign]) => sign)),
  ]
  return makeData({ type: LEG_TYPE, length: triples.length, nullCount: 0, children })
}
