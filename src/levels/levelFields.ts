import { z } from 'zod'
import type { MinuteEt } from '../core/market/calendar.ts'
import {
  examplesOf,
  numberOrNull,
  schemasOf,
  shareOrNull,
  textOrNull,
  wholeOrNull,
} from '../platform/http/fields.ts'

/**
 * One row a field of the levels, in the order of a response: their stored columns, schemas, examples and
 * rounding follow from it.
 */

/**
 * How a stored value is sent: a `price` or a distance (`move`) in points of the symbol, a `gamma` of SPX
 * alone, a `share` to a thousandth; `wire.ts` has a function for the others that are not sent as stored.
 */
type Kind = 'price' | 'move' | 'gamma' | 'share' | 'as_stored'

/** `column` is the name of the stored column where it is another. */
const field = <Schema extends z.ZodType, const Column extends string | null = null>(
  kind: Kind,
  schema: Schema,
  example: z.infer<Schema>,
  column = null as Column,
) => ({ kind, schema, example, column })

const price = (description: string, example: number) =>
  field('price', numberOrNull(description), example)

export const SpotSource = z
  .enum(['index', 'parity'])
  .nullable()
  .describe(
    'Where the index is from: `index`, the tape, or `parity`, the forwards of its options. Null ' +
      'where `spot` is.',
  )
export const Regime = z
  .enum(['positive', 'negative'])
  .nullable()
  .describe(
    'Sign of the net gamma at the index: negative speeds the market up. Null with inventory_unknown.',
  )
const Reason = textOrNull(
  'Why a level is null: no_root, inventory_unknown, no_bound, no_calls, no_puts, empty_book, ' +
    'no_forward, no_spot, no_expiry, not_published; more may come.',
)

export const LEVEL = {
  spot: price('The index, in points of the symbol.', 5902.19),
  spot_source: field('as_stored', SpotSource.optional(), 'index'),
  spot_error: field(
    'move',
    numberOrNull(
      'One standard deviation of an index by parity, points; null of any other.',
    ).optional(),
    null,
  ),
  flip: price('Where net dealer gamma is zero, nearest to the index.', 5995.93),
  flip_lo: price(
    'Lower end of the 90 % interval of the flip; with no_root the stretch where none is ruled out.',
    5985.32,
  ),
  flip_hi: price('Upper end of the interval. The convention, oi, has none.', 6007.1),
  flip_roots: field(
    'as_stored',
    z.array(z.number()).describe('At most the 12 roots nearest, rising.'),
    [5995.93],
  ),
  call_wall: price('Strike with the most gamma of calls.', 6000),
  put_wall: price('Strike with the most gamma of puts.', 6000),
  net_gamma: field(
    'gamma',
    numberOrNull('Net dealer gamma at the index, $M per point of SPX.'),
    -857.4131,
    'net_gamma_musd_per_point',
  ),
  regime: field('as_stored', Regime, 'negative'),
  p_positive: field(
    'share',
    shareOrNull(
      'Probability that the net gamma is positive; null of the convention, oi.',
    ).optional(),
    0.014,
  ),
  net_gamma_deviation: field(
    'gamma',
    numberOrNull('One standard deviation of the net gamma, $M per point of SPX.').optional(),
    389.2201,
    'net_gamma_deviation_musd',
  ),
  expected_move: field(
    'move',
    numberOrNull('What remains of the expected move, points.'),
    45.74,
    'expected_move_points',
  ),
  session_move: field(
    'move',
    numberOrNull('The same as it was at 09:31.'),
    53.83,
    'session_expected_move_points',
  ),
  expected_move_reason: field('as_stored', textOrNull('Why the two moves are null.'), null),
  measured_share: field(
    'share',
    shareOrNull("Part of open interest's gamma of which the dealers' side is measured, 0 to 1."),
    0.949,
  ),
  sessions_carried: field(
    'as_stored',
    wholeOrNull('Sessions in a row whose flow the inventory at the open holds.').optional(),
    41,
  ),
  reason: field('as_stored', Reason, null),
} as const

type Fields = typeof LEVEL
export type LevelName = keyof Fields
type ColumnOf<Name extends LevelName> = Fields[Name]['column'] extends string
  ? Fields[Name]['column']
  : Name

/** The levels of a book at a minute as stored; a column that older code lacked is null. */
export type MinuteLevels = { readonly minute_et: MinuteEt } & {
  readonly [Name in LevelName as ColumnOf<Name>]: Exclude<
    z.infer<Fields[Name]['schema']>,
    undefined
  >
}

export const LEVEL_NAMES = Object.keys(LEVEL) as LevelName[]
export const columnOf = (name: LevelName) => (LEVEL[name].column ?? name) as keyof MinuteLevels

/** Levels that every reading of a symbol begins with. */
export const BAND = ['spot', 'spot_source', 'spot_error', 'flip', 'flip_lo', 'flip_hi'] as const

/** Levels that the expected move is sent with. */
export const MOVE_LEVELS = [
  'spot',
  'spot_source',
  'spot_error',
  'expected_move',
  'session_move',
] as const

/** Columns of the tabular forms, in order. */
export const HISTORY_COLUMNS = [
  'minute',
  'spot',
  'flip',
  'flip_lo',
  'flip_hi',
  'call_wall',
  'put_wall',
  'net_gamma',
  'regime',
  'reason',
  'p_positive',
  'spot_source',
  'spot_error',
] as const
export const HISTORY_TEXTS = ['minute', 'regime', 'reason', 'spot_source']

/** Levels of a history, in the order of the response. */
export const HISTORY_LEVELS = [
  ...HISTORY_COLUMNS.filter(name => name !== 'minute' && name !== 'reason'),
  'reason',
] as const satisfies readonly LevelName[]

export const LEVEL_SCHEMAS = schemasOf(LEVEL)
export const LEVEL_EXAMPLES = examplesOf(LEVEL)
