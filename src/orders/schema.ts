import { z } from 'zod'
import { MIN_PREMIUM_USD } from '../core/market/minPremium.ts'
import {
  Day,
  flag,
  Gaps,
  Minute,
  number,
  numberOrNull,
  text,
  textOrNull,
  whole,
  wholeOrNull,
} from '../platform/http/fields.ts'

/**
 * Schemas of the Orders API's responses: the OpenAPI file is built from them, and tests check every
 * response against them. Objects are open: fields are added within a version, and clients must skip
 * unknown ones.
 */

export const Asof = Minute.meta({
  description: 'ET minute of the session: what was known strictly before it counts.',
  param: { example: '10:37' },
})

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

const Leg = z
  .tuple([
    number('Strike, index points.'),
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

/** One order in the API's format; CSV, Parquet and Arrow have its fields as columns. */
export const Order = z
  .looseObject({
    oid: text('Stable id of the order: session, ET time and sequence of its first print.'),
    t: Minute.describe('ET minute of the first print.'),
    g: numberOrNull(
      'Dealer gamma the order added, $M per index point. Null is not zero: `g_null` says why.',
    ),
    g_null: textOrNull(`Why \`g\` is null: ${GAMMA_NULL_REASONS.join(', ')}; more may come.`),
    kind: text('Structure of the order: single, vertical, iron_condor, …'),
    legs: text('The contracts in words, strikes joined by `/`.'),
    lg: z
      .array(Leg)
      .describe('The legs as data, each [strike, C or P, sign]: 1 bought, -1 sold, 0 undecidable.'),
    exp: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .nullable()
      .describe("The expiry with most of the order's gamma."),
    size: wholeOrNull('How many times the structure traded.'),
    contracts: wholeOrNull('Contracts over all legs.'),
    net: numberOrNull(
      'Net premium without sign, $M. Null when no combination of bought and sold legs fits.',
    ),
    flip: numberOrNull(
      "Index points from the flip at that minute, without sign. Null where the dealers' positions " +
        'do not bound it: `flip_convention` is there beside it.',
    ),
    side: z
      .enum(['over', 'under'])
      .nullable()
      .describe('Whether the index was over or under the flip.'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('How sure the fold is that these prints are one order.'),
    fold: z
      .enum(['conditions', 'prints'])
      .describe('What the fold read: trade conditions, or prices, sizes and times alone.'),
    flags: z
      .array(z.string())
      .describe(
        'Remarks, such as hedged_with_combo, or legs_disagree: the legs alone say another side.',
      ),
    p: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .optional()
      .describe(`Probability that the customer bought the package, which means its first leg,
by published rates of right sides. The first sign in \`lg\` is 1 from 0.51 on, -1 up to 0.49, else 0
(and 0 near the middle of the quote). For a leg with the opposite sign it is 1 - p. Null: nothing
known.`),
    sign_null: textOrNull(`Why the signs in \`lg\` are 0; null where they are not:
${SIDE_REASONS.join(', ')}; more may come.`).optional(),
    rule: text(
      'Evidence: the rule by which these prints became one order; the dataset ' +
        '`order_prints` lists them.',
    ).optional(),
    prints: whole('Evidence: how many prints of the tape the order is made of.').optional(),
    flip_convention: numberOrNull(
      'Index points from the flip of the convention (dealers long every call of open interest ' +
        'and short every put), without sign: what other services show.',
    ).optional(),
    side_convention: z
      .enum(['over', 'under'])
      .nullable()
      .optional()
      .describe("Whether the index was over or under the convention's flip."),
  })
  .meta({
    id: 'Order',
    description: 'One large options order of a session.',
    example: {
      oid: '20261014-130012345678-1',
      t: '13:00',
      g: 1.325330518,
      g_null: null,
      kind: 'vertical',
      legs: '5950/5970P',
      lg: [
        [5950, 'P', 1],
        [5970, 'P', -1],
      ],
      exp: '2026-10-14',
      size: 1000,
      contracts: 2000,
      net: 0.15,
      flip: 5.1899416,
      side: 'under',
      confidence: 0.98,
      fold: 'conditions',
      flags: [],
      p: 0.8261,
      sign_null: null,
      rule: 'island 1000 us',
      prints: 2,
      flip_convention: 12.4407219,
      side_convention: 'under',
    },
  })

const Stats = z
  .looseObject({
    n: whole('Orders above the floor.'),
    net: number('Sum of their net premiums, $M.'),
    no_side: whole('Orders whose side could not be told.'),
    no_gamma: whole('Orders without a gamma, those without a side included.'),
    gamma_up: whole('Orders that added dealer gamma.'),
    gamma_dn: whole('Orders that removed dealer gamma.'),
    gamma_flat: whole('Orders whose legs cancel to exactly zero gamma.'),
  })
  .meta({
    id: 'Stats',
    description: 'Counts of the whole session: n = gamma_up + gamma_dn + gamma_flat + no_gamma.',
  })

const ORDER_EXAMPLE = Order.meta()!.example

/** Quality of a tape. */
const TAPE_GRADES = ['good', 'doubtful', 'bad'] as const

const Tape = z
  .looseObject({
    grade: z
      .enum(TAPE_GRADES)
      .optional()
      .describe(
        'Bad: parts of the session are missing or misleading; do not rely on it. Absent, like ' +
          '`reasons`, while the session runs.',
      ),
    reasons: z
      .array(z.string())
      .optional()
      .describe('Every measure of the tape that is not good, with its value and limit.'),
    gaps: Gaps.optional().describe(
      'Minutes in which nothing was printed, both ends included; while the session runs those ' +
        'before `asof`. Absent in ledgers of older code.',
    ),
  })
  .meta({
    id: 'Tape',
    description:
      'Grade and gaps of the tape that the ledger was built from. While the session runs it has ' +
      'no grade, and is there only when there are gaps.',
  })

/** Response of day and latest. */
export const Ledger = z
  .looseObject({
    day: Day,
    sym: z
      .literal('SPX')
      .optional()
      .describe('Always SPX; absent when the tape is of another product.'),
    min_premium: number('Smallest gross premium of an order in the ledger, USD.').optional(),
    asof: z
      .string()
      .regex(/^\d{2}:\d{2}:\d{2}$/)
      .nullable()
      .describe('ET time up to which the ledger knows the tape; null without a ledger.'),
    book: z.literal('measured').optional().describe('The dealer book that the flip is taken from.'),
    simulated: flag(
      'True when the tape was made by the simulator: no such trades took place.',
    ).optional(),
    tape: Tape.optional(),
    orders: z
      .array(Order)
      .describe('Largest effect first, by `g` without its sign; orders without `g` last.'),
    stats: Stats.optional(),
    note: text(
      'There when the day has no ledger: the list is then empty and `asof` null, which is ' +
        'not an error. Also when the tape is bad, or an audit set prints apart; `tape` says why.',
    ).optional(),
  })
  .meta({
    id: 'Ledger',
    description: 'Every large order of one session.',
    example: {
      day: '2026-10-14',
      sym: 'SPX',
      min_premium: MIN_PREMIUM_USD,
      asof: '16:15:00',
      book: 'measured',
      simulated: false,
      tape: {
        grade: 'good',
        reasons: [],
        gaps: [{ from: '15:31', to: '15:33', minutes: 3 }],
      },
      orders: [ORDER_EXAMPLE],
      stats: { n: 1, net: 0.15, no_side: 0, no_gamma: 0, gamma_up: 1, gamma_dn: 0, gamma_flat: 0 },
    },
  })

/** Response of sessions. */
export const Sessions = z
  .looseObject({
    sessions: z.array(Day).describe('Sessions that have a ledger, oldest first.'),
    first: Day.nullable().describe('The oldest, or null.'),
    last: Day.nullable().describe('The newest, or null.'),
  })
  .meta({
    id: 'Sessions',
    description: 'Which days have a ledger.',
    example: {
      sessions: ['2026-10-13', '2026-10-14'],
      first: '2026-10-13',
      last: '2026-10-14',
    },
  })

export type WireOrder = z.infer<typeof Order>

/** True when the distance to the convention's flip is all that is known of an order. */
export const isByConvention = ({ flip, flip_convention }: WireOrder): boolean =>
  flip === null && typeof flip_convention === 'number'
export type WireLedger = z.infer<typeof Ledger>
