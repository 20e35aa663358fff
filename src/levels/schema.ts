import { z } from 'zod'
import { BOOKS } from '../data/published/books.ts'
import {
  Day,
  flag,
  Minute,
  number,
  numberOrNull,
  text,
  textOrNull,
  wholeOrNull,
} from '../platform/http/fields.ts'
import { EXPIRY_BUCKETS, EXPOSURES } from './expiries.ts'
import { FLOW_PARTS, FLOW_SPANS } from './flowParts.ts'

/** Schemas of the levels API's responses. Objects are open: fields are added within a version. */

const Price = z.number().nullable()
const price = (description: string) => Price.describe(description)

const BookName = z
  .enum(BOOKS)
  .describe(
    "The dealer book: measured (inventory and today's flow), vol (flow), oi (open interest by the " +
      'convention: calls long, puts short).',
  )

const Sym = text('The symbol, in capitals.')

const head = {
  day: Day.nullable().describe('ET trading day; null while nothing is published.'),
  time: Minute.nullable().describe(
    'State minute, ET: what was known before HH:MM:00. Null without a reading.',
  ),
  live: flag('True of the newest state of a running session, asked for without `time`.'),
  book: BookName,
  simulated: flag('True when the tape was made by the simulator.'),
  next_update_at: textOrNull(
    "When the next state is due, UTC. Null for a given `day` or `time`, and when today's states are overdue.",
  ),
}

const future = {
  contract: text('Only of a future: the contract it stands for.').optional(),
  basis: number('Only of a future: points above the index, added to every level.').optional(),
}

const SpotSource = z
  .enum(['index', 'parity'])
  .nullable()
  .describe(
    'Where the index is from: `index`, the tape, or `parity`, the forwards of its options. Null ' +
      'where `spot` is.',
  )
const spotOrigin = {
  spot_source: SpotSource.optional(),
  spot_error: Price.optional().describe(
    'One standard deviation of an index by parity, points; null of any other.',
  ),
}

const band = {
  spot: price('The index, in points of the symbol.'),
  ...spotOrigin,
  flip: price('Where net dealer gamma is zero, nearest to the index.'),
  flip_lo: price(
    'Lower end of the 90 % interval of the flip; with no_root the stretch where none is ruled out.',
  ),
  flip_hi: price('Upper end of the interval. The convention, oi, has none.'),
}

const Reason = textOrNull(
  'Why a level is null: no_root, inventory_unknown, no_bound, no_calls, no_puts, empty_book, ' +
    'no_forward, no_spot, no_expiry, not_published; more may come.',
)
const Regime = z
  .enum(['positive', 'negative'])
  .nullable()
  .describe(
    'Sign of the net gamma at the index: negative speeds the market up. Null with inventory_unknown.',
  )
const GammaReason = textOrNull(
  'Why gamma is null: of_spx, it is that of SPX options and is told of SPX alone.',
)

const Gex = z.looseObject({
  strike: z.number(),
  call: Price,
  put: Price,
  net: Price,
})

export const ExpiryShares = z.looseObject({
  expiry: z
    .enum(EXPIRY_BUCKETS)
    .describe('Only where `expiry` is asked for: the expiries that the levels are of.'),
  expiry_day: Day.nullable().describe('The expiration date; null of all, and where there is none.'),
  gamma_share: numberOrNull(
    'Share of the gamma that the book may hold, without sign, of these expiries.',
  ),
  leaves: z
    .looseObject({
      today: z.number().nullable(),
      monthly: z.number().nullable(),
      monthly_day: Day.nullable(),
    })
    .describe("The same share that leaves at today's close and at the next monthly expiry."),
})

export const Exposures = z.looseObject({
  exposure: z.enum(EXPOSURES).describe('Only where `exposure` is asked for: what `cells` are of.'),
  unit: text('The unit of `cells` and `net`.'),
  cells_time: Minute.describe(
    'State minute of `cells`: the first, or the last fifth minute up to `time`.',
  ),
  net: price('Sum over all strikes and expiries.'),
  cells: z
    .array(
      // more may follow in later versions
      z.tuple([z.number().nullable(), z.string(), Day, z.number(), Price]).rest(z.unknown()),
    )
    .nullable()
    .describe(
      'Strike, root, expiry, the exposure of the dealers there and one standard deviation of ' +
        'it (null in the book oi). Strike null: all further than 300 points from the index. ' +
        'With `g` the cells of as many strikes.',
    ),
  cells_reason: textOrNull(
    'Why `cells` is null: not_published (an old session), empty_book, of_spx.',
  ),
})

export const SymbolLevels = z
  .looseObject({
    sym: Sym,
    source: text('The book, or what the levels follow from.'),
    ...future,
    ...band,
    flip_roots: z.array(z.number()).describe('At most the 12 roots nearest, rising.'),
    call_wall: price('Strike with the most gamma of calls.'),
    put_wall: price('Strike with the most gamma of puts.'),
    net_gamma: price('Net dealer gamma at the index, $M per point of SPX.'),
    regime: Regime,
    p_positive: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .optional()
      .describe('Probability that the net gamma is positive; null of the convention, oi.'),
    net_gamma_deviation: Price.optional().describe(
      'One standard deviation of the net gamma, $M per point of SPX.',
    ),
    expected_move: price('What remains of the expected move, points.'),
    session_move: price('The same as it was at 09:31.'),
    expected_move_reason: textOrNull('Why the two moves are null.'),
    measured_share: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe("Part of open interest's gamma of which the dealers' side is measured, 0 to 1."),
    sessions_carried: wholeOrNull(
      'Sessions in a row whose flow the inventory at the open holds.',
    ).optional(),
    reason: Reason,
    gamma_reason: GammaReason,
    gex: z
      .array(Gex)
      .nullable()
      .describe('The strikes with most net gamma, largest first, as many as `g` says.'),
    gex_reason: textOrNull(
      'Why `gex` is null: not_published (an old session), empty_book, all_expiries (with `expiry`).',
    ),
    ...ExpiryShares.partial().shape,
  })
  .meta({ id: 'SymbolLevels', description: 'The levels of one symbol.' })

export const SymbolError = z
  .looseObject({
    sym: z.string(),
    error: z.looseObject({
      code: z.enum(['unknown_symbol', 'contract_not_live', 'no_basis', 'no_data']),
      message: z.string(),
      next_update_s: z.int().nullable().optional(),
      live: z.array(z.string()).optional(),
    }),
  })
  .meta({ id: 'SymbolError', description: 'A symbol that fails among several.' })

const LEVELS_EXAMPLE = {
  sym: 'SPX',
  source: 'measured',
  spot: 5902.19,
  spot_source: 'index',
  spot_error: null,
  flip: 5995.93,
  flip_lo: 5985.32,
  flip_hi: 6007.1,
  flip_roots: [5995.93],
  call_wall: 6000,
  put_wall: 6000,
  net_gamma: -857.4131,
  regime: 'negative',
  p_positive: 0.014,
  net_gamma_deviation: 389.2201,
  expected_move: 45.74,
  session_move: 53.83,
  expected_move_reason: null,
  measured_share: 0.949,
  sessions_carried: 41,
  reason: null,
  gamma_reason: null,
  gex: [{ strike: 6000, call: 401.2, put: -912.7, net: -511.5 }],
  gex_reason: null,
}
const HEAD_EXAMPLE = {
  day: '2026-10-15',
  time: '11:14',
  live: true,
  book: 'measured',
  simulated: true,
  next_update_at: '2026-10-15T15:15:03Z',
}

export const Levels = z
  .looseObject({
    ...head,
    symbols: z
      .array(z.union([SymbolLevels, SymbolError]))
      .describe('Each symbol in the order asked for: its levels, or `sym` and its own `error`.'),
  })
  .meta({
    id: 'Levels',
    description: 'The levels of one or several symbols at a minute.',
    example: {
      ...HEAD_EXAMPLE,
      symbols: [
        LEVELS_EXAMPLE,
        { sym: 'ES', error: { code: 'no_basis', message: 'no basis.', next_update_s: 60 } },
      ],
    },
  })

const FlowValues = z.array(Price)
const flowValues = (description: string) => FlowValues.describe(description)
const FlowReasons = z.array(z.string().nullable())

export const Flow = z
  .looseObject({
    day: head.day,
    time: head.time,
    live: head.live,
    simulated: head.simulated,
    next_update_at: head.next_update_at,
    sym: Sym,
    part: z.enum(FLOW_PARTS).describe('The legs that count: all, those of 0DTE, calls or puts.'),
    span: z
      .enum(FLOW_SPANS)
      .describe('day: all orders known so far; 5m: those that printed in the last five minutes.'),
    minutes: z.array(Minute).describe('State minutes, rising; the columns follow.'),
    spot: flowValues('The index.'),
    delta: flowValues('Delta that customers bought less what they sold, $M of index.'),
    delta_lo: flowValues('Lower end of its 90 % interval.'),
    delta_hi: flowValues('Upper end.'),
    delta_reason: FlowReasons.describe(
      'Why a delta is null: no_orders, or unpriced (under 0.9 of the contracts are).',
    ),
    gamma: flowValues('Gamma that they bought less what they sold, $M per point.'),
    gamma_lo: flowValues('Lower end of its 90 % interval.'),
    gamma_hi: flowValues('Upper end.'),
    gamma_reason: FlowReasons.describe(
      'The same of gamma: the last half hour of an expiry has none.',
    ),
    orders: z.array(z.int()).describe('Orders that count.'),
    contracts: z.array(z.int()).describe('Contracts of their legs.'),
    reason: textOrNull('Why there is no minute: not_published (an old session).'),
  })
  .meta({
    id: 'Flow',
    description: 'Delta and gamma that customers bought, minute by minute.',
    example: {
      day: '2026-10-15',
      time: '11:14',
      live: true,
      simulated: true,
      next_update_at: '2026-10-15T15:15:03Z',
      sym: 'SPX',
      part: 'all',
      span: 'day',
      minutes: ['11:14'],
      spot: [5902.19],
      delta: [-812.4],
      delta_lo: [-1630.2],
      delta_hi: [5.4],
      delta_reason: [null],
      gamma: [3.2145],
      gamma_lo: [-8.0012],
      gamma_hi: [14.4302],
      gamma_reason: [null],
      orders: [18211],
      contracts: [1203344],
      reason: null,
    },
  })

export const Gamma = z
  .looseObject({
    ...head,
    sym: Sym,
    ...future,
    ...band,
    reason: Reason,
    strikes: z
      .array(z.array(Price).length(3))
      .nullable()
      .describe(
        'Strike, gamma of its calls and of its puts, $M per point: rising, or as `g` ranks them.',
      ),
    strikes_reason: textOrNull(
      'Why `strikes` is null: not_published (an old session), empty_book, of_spx.',
    ),
    curve: z
      .looseObject({ from: z.number(), step: z.number(), net: z.array(z.number()) })
      .nullable()
      .describe('Net gamma were the index there, from a point on, step by step.'),
    curve_reason: textOrNull('Why `curve` is null: not_published, empty_book, of_spx.'),
    ...Exposures.partial().shape,
  })
  .meta({
    id: 'Gamma',
    description: 'Gamma by strike, and over the index.',
    example: {
      ...HEAD_EXAMPLE,
      sym: 'SPX',
      spot: 5902.19,
      spot_source: 'index',
      spot_error: null,
      flip: 5995.93,
      flip_lo: 5985.32,
      flip_hi: 6007.1,
      reason: null,
      strikes: [[6000, 401.2, -912.7]],
      strikes_reason: null,
      curve: { from: 5610, step: 10, net: [-120.5, -131.2] },
      curve_reason: null,
    },
  })

const column = (description: string) => z.array(Price).describe(description)

export const History = z
  .looseObject({
    day: Day.describe('ET trading day.'),
    book: BookName,
    sym: Sym,
    simulated: head.simulated,
    contract: future.contract,
    minutes: z.array(Minute).describe('State minutes, ET, 09:31 to 15:59.'),
    spot: column('The index, in points of the symbol.'),
    flip: column('As in levels, a value a minute.'),
    flip_lo: column('Lower end of its interval.'),
    flip_hi: column('Upper end of the interval.'),
    call_wall: column('As in levels.'),
    put_wall: column('As in levels.'),
    net_gamma: column('As in levels.'),
    regime: z.array(Regime).describe('As in levels.'),
    p_positive: column('As in levels.').optional(),
    spot_source: z.array(SpotSource).describe('As in levels.').optional(),
    spot_error: column('As in levels.').optional(),
    reason: z
      .array(z.string().nullable())
      .describe('Why a value of the minute is null; no_basis where the future has no price.'),
    gamma_reason: GammaReason,
  })
  .meta({
    id: 'History',
    description: 'Every minute of a past session, a column a level.',
    example: {
      day: '2026-10-14',
      book: 'measured',
      sym: 'SPX',
      simulated: true,
      minutes: ['09:31'],
      spot: [5902.19],
      flip: [5995.93],
      flip_lo: [5985.32],
      flip_hi: [6007.1],
      call_wall: [6000],
      put_wall: [6000],
      net_gamma: [-857.4131],
      regime: ['negative'],
      p_positive: [0.014],
      spot_source: ['index'],
      spot_error: [null],
      reason: [null],
      gamma_reason: null,
    },
  })

export const ExpectedMove = z
  .looseObject({
    day: Day.describe('ET trading day.'),
    time: Minute.describe('State minute, ET.'),
    spot: price('The index.'),
    ...spotOrigin,
    expected_move: price('What remains of it at the minute, points.'),
    session_move: price('The same as it was at 09:31.'),
    low: price('The index at 09:31 less the move of the session.'),
    high: price('The same, more.'),
    reason: textOrNull('Why the move is null.'),
    name: text('What is measured, in words.'),
    simulated: head.simulated,
  })
  .meta({
    id: 'ExpectedMove',
    description: 'How far the index was expected to move until the PM close.',
    example: {
      day: '2026-10-15',
      time: '11:14',
      spot: 5902.19,
      spot_source: 'index',
      spot_error: null,
      expected_move: 45.74,
      session_move: 53.83,
      low: 5937.53,
      high: 6045.19,
      reason: null,
      name: 'E|S-F|, forward straddle',
      simulated: true,
    },
  })

export const Symbols = z
  .looseObject({
    symbols: z.array(
      z.looseObject({
        sym: Sym,
        kind: z.enum(['index', 'mini_index', 'future']).describe('What it is.'),
        source: text('What its levels follow from.'),
        books: z.array(BookName).describe('Books it can be asked of.'),
        available: flag('Whether the newest session has a reading.'),
        reason: textOrNull('Why not: no_data or no_basis.'),
        first_day: Day.nullable().describe('The first session that has it.'),
        tick: number('Points between two prices of it.'),
      }),
    ),
  })
  .meta({
    id: 'LevelSymbols',
    description: 'The symbols that have levels.',
    example: {
      symbols: [
        {
          sym: 'SPX',
          kind: 'index',
          source: 'book',
          books: [...BOOKS],
          available: true,
          reason: null,
          first_day: '2026-10-14',
          tick: 0.01,
        },
      ],
    },
  })

export const Key = z
  .looseObject({
    scope: text('The product of the key.'),
    name: text('What its owner calls it.'),
    plans: z.array(z.string()).describe('Open plans of its account.'),
    oldest: Day.nullable().describe('The earliest day it opens; null: every day.'),
    minute: z
      .looseObject({ limit: z.int(), used: z.int(), reset_s: z.int() })
      .describe('Calls of this UTC minute, this one included, and seconds until the next one.'),
    places: z
      .looseObject({ limit: z.int(), used: z.int() })
      .describe('Places the key was used from in this UTC hour, this one included.'),
  })
  .meta({
    id: 'LevelsKey',
    description: 'What a key opens, and how much of its limits is used.',
    example: {
      scope: 'live',
      name: 'desk',
      plans: ['live'],
      oldest: '2026-07-17',
      minute: { limit: 120, used: 12, reset_s: 41 },
      places: { limit: 3, used: 2 },
    },
  })
