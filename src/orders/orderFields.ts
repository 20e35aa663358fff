import { type Data, Field, Float64, Int8, makeData, Struct, Utf8 } from 'apache-arrow'
import { z } from 'zod'
import { toDecimals, toDigits } from '../core/text/values.ts'
import { doubles, integers, lists, signs, texts } from '../platform/http/columns.ts'
import {
  Minute,
  numberOrNull,
  shareOrNull,
  text,
  textOrNull,
  whole,
  wholeOrNull,
} from '../platform/http/fields.ts'

/**
 * One row a field of an order, in the order of a response and of a table: the column of the stage
 * `ledger`, how a value is sent, its Arrow column, schema and example. The rows, the API, CSV, Parquet and
 * Arrow follow.
 */

/** Significant digits of `g`: a tiny gamma never rounds to zero. */
const GAMMA_DIGITS = 10
/** Decimals of `flip`, index points. */
const FLIP_DECIMALS = 7
/** Decimals of `net`, $M: one dollar. */
const NET_DECIMALS = 6
const USD_PER_MILLION = 1_000_000

/** Reasons why `g` is null. */
export const GAMMA_NULL_REASONS = [
  'no_side',
  'last_half_hour',
  'no_quote',
  'no_forward',
  'no_spot',
  'arbitrage',
  'expired',
] as const

/** Reasons why an order has no side. */
export const SIDE_REASONS = [
  'cross',
  'late',
  'not_allowed',
  'orphan_leg',
  'no_pattern',
  'ambiguous',
  'low_confidence',
  'locked',
  'no_quote',
  'stale_quotes',
  'fills_disagree',
  'outside',
  'middle',
  'undecided',
] as const

export type LedgerLeg = {
  readonly strike: number
  readonly option_type: string
  readonly customer_sign: number
}

const Leg = z
  .tuple([
    z.number().describe('Strike, index points.'),
    z.enum(['C', 'P']).describe('Call or put.'),
    z
      .union([z.literal(-1), z.literal(0), z.literal(1)])
      .describe('1 the customer bought, -1 the customer sold, 0 undecidable (never flat).'),
  ])
  .meta({
    id: 'Leg',
    description: 'One leg: strike, type, sign.',
    // exactly three items, but tools require `items` here
    override: ({ jsonSchema }) => {
      jsonSchema.items = {}
    },
  })
type Leg = z.infer<typeof Leg>

const sendLeg = ({ strike, option_type, customer_sign }: LedgerLeg) =>
  [finite(strike), option_type, customer_sign] as Leg

const LEG_TYPE = new Struct([
  new Field('strike', new Float64()),
  new Field('option_type', new Utf8()),
  new Field('sign', new Int8()),
])

/** Arrow data of legs, which are triples. */
function legs(triples: Leg[]): Data {
  const children = [
    doubles(triples.map(([strike]) => strike)),
    texts(triples.map(([, optionType]) => optionType)),
    signs(triples.map(([, , sign]) => sign)),
  ]
  return makeData({ type: LEG_TYPE, length: triples.length, nullCount: 0, children })
}

export const toMusd = (usd: number): number =>
  toDecimals(finite(usd / USD_PER_MILLION), NET_DECIMALS)

// JSON.stringify would write NaN as null, which has a meaning here
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error(`a ledger number is ${value}`)
  return value
}

const toGamma = (gamma: number) => toDigits(finite(gamma), GAMMA_DIGITS)
const toPoints = (points: number) => toDecimals(finite(points), FLIP_DECIMALS)

/** Numbers are sent only when they are finite, unless another function sends them. */
const field = <const Column extends string, Schema extends z.ZodType>(
  column: Column,
  arrow: (values: never[]) => Data,
  schema: Schema,
  example: z.infer<Schema>,
  send: (value: never) => unknown = arrow === doubles || arrow === integers ? finite : as => as,
) => ({ column, arrow, schema, example, send })

const Side = z.enum(['over', 'under']).nullable()
const Expiry = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .nullable()

export const ORDER = {
  oid: field(
    'order_id',
    texts,
    text('Stable id of the order: session, ET time and sequence of its first print.'),
    '20261014-130012345678-1',
  ),
  t: field('minute_et', texts, Minute.describe('ET minute of the first print.'), '13:00'),
  g: field(
    'dealer_gamma_musd_per_point',
    doubles,
    numberOrNull(
      'Dealer gamma the order added, $M per index point. Null is not zero: `g_null` says why.',
    ),
    1.325330518,
    toGamma,
  ),
  g_null: field(
    'gamma_null_reason',
    texts,
    textOrNull(`Why \`g\` is null: ${GAMMA_NULL_REASONS.join(', ')}; more may come.`),
    null,
  ),
  kind: field(
    'structure',
    texts,
    text('Structure of the order: single, vertical, iron_condor, …'),
    'vertical',
  ),
  legs: field(
    'legs_text',
    texts,
    text('The contracts in words, strikes joined by `/`.'),
    '5950/5970P',
  ),
  lg: field(
    'legs',
    lists(LEG_TYPE, legs),
    z
      .array(Leg)
      .describe('The legs as data, each [strike, C or P, sign]: 1 bought, -1 sold, 0 undecidable.'),
    [
      [5950, 'P', 1],
      [5970, 'P', -1],
    ],
    (stored: readonly LedgerLeg[]) => stored.map(sendLeg),
  ),
  exp: field(
    'main_expiry',
    texts,
    Expiry.describe("The expiry with most of the order's gamma."),
    '2026-10-14',
  ),
  size: field('size', integers, wholeOrNull('How many times the structure traded.'), 1000),
  contracts: field('contracts', integers, wholeOrNull('Contracts over all legs.'), 2000),
  net: field(
    'net_premium_usd',
    doubles,
    numberOrNull(
      'Net premium without sign, $M. Null when no combination of bought and sold legs fits.',
    ),
    0.15,
    toMusd,
  ),
  flip: field(
    'flip_distance_points',
    doubles,
    numberOrNull(
      "Index points from the flip at that minute, without sign. Null where the dealers' positions " +
        'do not bound it: `flip_convention` is there beside it.',
    ),
    5.1899416,
    toPoints,
  ),
  side: field(
    'flip_side',
    texts,
    Side.describe('Whether the index was over or under the flip.'),
    'under',
  ),
  confidence: field(
    'fold_confidence',
    doubles,
    shareOrNull('How sure the fold is that these prints are one order.'),
    0.98,
  ),
  fold: field(
    'fold_basis',
    texts,
    z
      .enum(['conditions', 'prints'])
      .describe('What the fold read: trade conditions, or prices, sizes and times alone.'),
    'conditions',
  ),
  flags: field(
    'flags',
    lists(new Utf8(), texts),
    z
      .array(z.string())
      .describe(
        'Remarks, such as hedged_with_combo, or legs_disagree: the legs alone say another side.',
      ),
    [],
  ),
  p: field(
    'side_probability',
    doubles,
    shareOrNull(`Probability that the customer bought the package, which means its first leg,
by published rates of right sides. The first sign in \`lg\` is 1 from 0.51 on, -1 up to 0.49, else 0
(and 0 near the middle of the quote). For a leg with the opposite sign it is 1 - p. Null: nothing
known.`).optional(),
    0.8261,
  ),
  sign_null: field(
    'side_reason',
    texts,
    textOrNull(`Why the signs in \`lg\` are 0; null where they are not:
${SIDE_REASONS.join(', ')}; more may come.`).optional(),
    null,
  ),
  rule: field(
    'fold_rule',
    texts,
    text(
      'Evidence: the rule by which these prints became one order; the dataset ' +
        '`order_prints` lists them.',
    ).optional(),
    'island 1000 us',
  ),
  prints: field(
    'print_count',
    integers,
    whole('Evidence: how many prints of the tape the order is made of.').optional(),
    2,
  ),
  flip_convention: field(
    'convention_distance_points',
    doubles,
    numberOrNull(
      'Index points from the flip of the convention (dealers long every call of open interest ' +
        'and short every put), without sign: what other services show.',
    ).optional(),
    12.4407219,
    toPoints,
  ),
  side_convention: field(
    'convention_side',
    texts,
    Side.optional().describe("Whether the index was over or under the convention's flip."),
    'under',
  ),
} as const

type Fields = typeof ORDER
type OrderName = keyof Fields

/** An order of the ledger stage. */
export type LedgerOrder = {
  readonly [Name in OrderName as Fields[Name]['column']]: Stored<Name>
}

/** Texts are read as the database has them. */
type Stored<Name extends OrderName> = Name extends 'lg'
  ? readonly LedgerLeg[]
  : Name extends 'flags'
    ? readonly string[]
    : Widened<Exclude<z.infer<Fields[Name]['schema']>, undefined>>
type Widened<Value> = Value extends string ? string : Value

/** Names of the columns of CSV, Parquet and Arrow, in order. */
export const LEDGER_COLUMNS = Object.keys(ORDER) as OrderName[]
