import { z } from 'zod'
import { MIN_PREMIUM_USD } from '../core/market/minPremium.ts'
import {
  Day,
  examplesOf,
  flag,
  Gaps,
  Minute,
  number,
  param,
  schemasOf,
  text,
  whole,
} from '../platform/http/fields.ts'
import { ORDER } from './orderFields.ts'

/**
 * Schemas of the Orders API's responses: the OpenAPI file is built from them, and tests check every
 * response against them. Objects are open: fields are added within a version, and clients must skip
 * unknown ones.
 */

export const Asof = param(
  Minute,
  'ET minute of the session: what was known strictly before it counts.',
  '10:37',
)

/** One order in the API's format; CSV, Parquet and Arrow have its fields as columns. */
export const Order = z.looseObject(schemasOf(ORDER)).meta({
  id: 'Order',
  description: 'One large options order of a session.',
  example: examplesOf(ORDER),
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
