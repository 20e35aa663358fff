import { z } from 'zod'
import { Day, Gaps, Minute } from '../http/fields.ts'

/**
 * The Orders API's answers as schemas: what the OpenAPI file is made of and what tests check every
 * answer against. Objects are open: fields are added inside a version, and clients must skip the
 * ones they do not know.
 */

export const Asof = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .meta({
    description: 'ET minute of the session: what was known strictly before it counts.',
    param: { example: '10:37' },
  })

/** Why `g` is null. */
const GAMMA_NULL_REASONS = [
  'no_side',
  'last_half_hour',
  'no_quote',
  'no_forward',
  'no_spot',
  'arbitrage',
  'expired',
] as const

/** Why an order has no side. */
export const SIDE_REASONS = [
  ...['cross', 'late', 'not_allowed', 'orphan_leg', 'no_pattern', 'ambiguous', 'low_confidence'],
  ...['locked', 'no_quote', 'stale_quotes', 'fills_disagree', 'outside', 'not_calibrated'],
  ...['middle', 'undecided'],
] as const

const Leg = z
  .tuple([
    z.number().meta({ description: 'Strike, index points.' }),
    z.enum(['C', 'P']).meta({ description: 'Call or put.' }),
    z.union([z.literal(-1), z.literal(0), z.literal(1)]).meta({
      description: '1 the customer bought, -1 the customer sold, 0 undecidable (never flat).',
    }),
  ])
  .meta({
    id: 'Leg',
    description: 'One leg: strike, type, sign.',
    // three at most, so that of more there is none to describe: tools ask for a schema here
    override: ({ jsonSchema }) => {
      jsonSchema.items = {}
    },
  })

/** One order as the wire has it; CSV, Parquet and Arrow have its fields as columns. */
export const Order = z
  .looseObject({
    oid: z.string().meta({
      description:
        'Stable id of the parent order: session, ET time and sequence of its first print.',
    }),
    t: Minute.meta({ description: 'ET minute the parent order printed.' }),
    g: z.number().nullable().meta({
      description:
        'Dealer gamma the order added, $M per index point. Null is not zero: `g_null` says why.',
    }),
    g_null: z
      .string()
      .nullable()
      .meta({
        description: `Why \`g\` is null: ${GAMMA_NULL_REASONS.join(', ')}; more may come.`,
      }),
    kind: z.string().meta({
      description: 'Structure by package reconstruction: single, vertical, iron_condor, …',
    }),
    legs: z.string().meta({ description: 'The contracts in words, strikes joined by a slash.' }),
    lg: z.array(Leg).meta({ description: 'The legs as data.' }),
    exp: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .nullable()
      .meta({
        description: "The expiry carrying most of the order's gamma.",
      }),
    size: z.int().nullable().meta({ description: 'How many times the structure traded.' }),
    contracts: z.int().nullable().meta({ description: 'Contracts over all legs.' }),
    net: z.number().nullable().meta({
      description: 'Net premium without sign, $M. Null when no orientation of the legs fits.',
    }),
    flip: z.number().nullable().meta({
      description: 'Index points from the zero-gamma flip at that minute, without sign.',
    }),
    side: z.enum(['over', 'under']).nullable().meta({ description: 'Which side of the flip.' }),
    confidence: z.number().min(0).max(1).nullable().meta({
      description: 'How sure the fold is that these prints are one order.',
    }),
    fold: z.enum(['conditions', 'prints']).meta({
      description: 'What the fold read: trade conditions, or prices, sizes and times alone.',
    }),
    flags: z.array(z.string()).meta({
      description:
        'Remarks, such as hedged_with_combo, or legs_disagree: a leg alone reads the other way.',
    }),
    p: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .optional()
      .meta({
        description: `Probability that the customer bought the package, its first leg bought;
calibrated on simulated tapes. The first sign in \`lg\` is 1 from 0.51 on, -1 up to 0.49, else 0
(and 0 near the middle). Null when nothing can be said. That of a leg whose sign differs from the
first one's is 1 - p.`,
      }),
    sign_null: z
      .string()
      .nullable()
      .optional()
      .meta({
        description: `Why the signs in \`lg\` are 0; null where they are not:
${SIDE_REASONS.join(', ')}; more may come.`,
      }),
    rule: z
      .string()
      .optional()
      .meta({
        description:
          'Evidence: the rule of the fold that made these prints one order; the dataset ' +
          '`order_prints` names them.',
      }),
    prints: z.int().optional().meta({
      description: 'Evidence: how many prints of the tape the order is made of.',
    }),
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
    },
  })

const Stats = z
  .looseObject({
    n: z.int().meta({ description: 'Orders above the floor.' }),
    net: z.number().meta({ description: 'Sum of their net premiums, $M.' }),
    no_side: z.int().meta({ description: 'Orders the package rule could not orient.' }),
    no_gamma: z.int().meta({ description: 'Orders without a gamma, unoriented ones included.' }),
    gamma_up: z.int().meta({ description: 'Orders that added dealer gamma.' }),
    gamma_dn: z.int().meta({ description: 'Orders that removed dealer gamma.' }),
    gamma_flat: z.int().meta({ description: 'Orders whose legs cancel to exactly zero gamma.' }),
  })
  .meta({
    id: 'Stats',
    description: 'Counts of the whole session: n = gamma_up + gamma_dn + gamma_flat + no_gamma.',
  })

const ORDER_EXAMPLE = Order.meta()!.example

/** How far a tape can be trusted. */
const TAPE_GRADES = ['good', 'doubtful', 'bad'] as const

const Tape = z
  .looseObject({
    grade: z
      .enum(TAPE_GRADES)
      .optional()
      .meta({
        description:
          'Bad: parts of the session are missing or misleading; do not rely on it. Absent, as ' +
          '`reasons`, while the tape is not whole.',
      }),
    reasons: z.array(z.string()).optional().meta({
      description: 'Every measure of the tape that is not good, with its value and limit.',
    }),
    gaps: Gaps.optional().meta({
      description:
        'Minutes in which nothing was printed, both ends included, as far as the ledger knows: ' +
        'before its `asof` while the tape is not whole. Absent in ledgers of older code.',
    }),
  })
  .meta({
    id: 'Tape',
    description:
      'The verdict on the tape that the ledger was built from, and its gaps. Before the tape is ' +
      'whole it is there when there are gaps.',
  })

/** The answer of day and latest. */
export const Ledger = z
  .looseObject({
    day: Day,
    sym: z.literal('SPX').optional().meta({
      description: 'Absent on the ledger of a tape of another product.',
    }),
    min_premium: z.number().optional().meta({
      description: 'Gross premium floor the ledger was built at, USD.',
    }),
    asof: z
      .string()
      .regex(/^\d{2}:\d{2}:\d{2}$/)
      .nullable()
      .meta({
        description: 'ET time up to which the ledger knows the tape; null when there is no ledger.',
      }),
    book: z.literal('measured').optional().meta({
      description: 'The dealer book that orders are placed against.',
    }),
    simulated: z.boolean().optional().meta({
      description: 'True when the tape was made by the simulator: no such trades took place.',
    }),
    tape: Tape.optional(),
    orders: z.array(Order).meta({
      description: 'Sorted by the size of `g`, largest first; unpriced orders after them.',
    }),
    stats: Stats.optional(),
    note: z
      .string()
      .optional()
      .meta({
        description:
          'Present when the day has no ledger: the list is then empty and `asof` null, which is ' +
          'not an error. Also beside the orders of a bad tape, and of one from which an ' +
          'audit took prints; `tape` says what is wrong with it.',
      }),
  })
  .meta({
    id: 'Ledger',
    description: 'Every large order of one session.',
    example: {
      day: '2026-10-14',
      sym: 'SPX',
      min_premium: 100000,
      asof: '16:15:00',
      book: 'measured',
      simulated: false,
      tape: {
        ...{ grade: 'good', reasons: [] },
        gaps: [{ from: '15:31', to: '15:33', minutes: 3 }],
      },
      orders: [ORDER_EXAMPLE],
      stats: { n: 1, net: 0.15, no_side: 0, no_gamma: 0, gamma_up: 1, gamma_dn: 0, gamma_flat: 0 },
    },
  })

/** The answer of sessions. */
export const Sessions = z
  .looseObject({
    sessions: z.array(Day).meta({ description: 'Sessions that have a ledger, oldest first.' }),
    first: Day.nullable().meta({ description: 'The oldest, or null.' }),
    last: Day.nullable().meta({ description: 'The newest, or null.' }),
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
export type WireLedger = z.infer<typeof Ledger>
