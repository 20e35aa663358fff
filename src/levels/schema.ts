import { z } from 'zod'
import { pick } from '../core/text/values.ts'
import { BOOKS } from '../data/published/books.ts'
import {
  Day,
  examplesOf,
  flag,
  Minute,
  number,
  numberOrNull,
  schemasOf,
  text,
  textOrNull,
} from '../platform/http/fields.ts'
import { EXPIRY_BUCKETS, EXPOSURES } from './expiries.ts'
import { FLOW, FLOW_PARTS, FLOW_SPANS } from './flowFields.ts'
import {
  BAND,
  HISTORY_LEVELS,
  LEVEL,
  LEVEL_EXAMPLES,
  LEVEL_SCHEMAS,
  MOVE_LEVELS,
  Regime,
  SpotSource,
} from './levelFields.ts'

/** Schemas of the levels API's responses. Objects are open: fields are added within a version. */

const Price = z.number().nullable()
const column = (description: string) => z.array(Price).describe(description)

const BookName = z
  .enum(BOOKS)
  .describe(
    "The dealer book: measured (inventory and today's flow), vol (flow), oi (open interest by the " +
      'convention: calls long, puts short).',
  )

const Sym = text('The symbol, in capitals.')

const HEAD = {
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
  net: numberOrNull('Sum over all strikes and expiries.'),
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
    ...LEVEL_SCHEMAS,
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
  ...LEVEL_EXAMPLES,
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
    ...HEAD,
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

const { book: _, ...FLOW_HEAD } = HEAD
const { book: _example, ...FLOW_HEAD_EXAMPLE } = HEAD_EXAMPLE

export const Flow = z
  .looseObject({
    ...FLOW_HEAD,
    sym: Sym,
    part: z.enum(FLOW_PARTS).describe('The legs that count: all, those of 0DTE, calls or puts.'),
    span: z
      .enum(FLOW_SPANS)
      .describe('day: all orders known so far; 5m: those that printed in the last five minutes.'),
    minutes: z.array(Minute).describe('State minutes, rising; the columns follow.'),
    spot: column('The index.'),
    ...schemasOf(FLOW),
    reason: textOrNull('Why there is no minute: not_published (an old session).'),
  })
  .meta({
    id: 'Flow',
    description: 'Delta and gamma that customers bought, minute by minute.',
    example: {
      ...FLOW_HEAD_EXAMPLE,
      sym: 'SPX',
      part: 'all',
      span: 'day',
      minutes: ['11:14'],
      spot: [5902.19],
      ...examplesOf(FLOW),
      reason: null,
    },
  })

export const Gamma = z
  .looseObject({
    ...HEAD,
    sym: Sym,
    ...future,
    ...pick(LEVEL_SCHEMAS, [...BAND, 'reason']),
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
      ...pick(LEVEL_EXAMPLES, [...BAND, 'reason']),
      strikes: [[6000, 401.2, -912.7]],
      strikes_reason: null,
      curve: { from: 5610, step: 10, net: [-120.5, -131.2] },
      curve_reason: null,
    },
  })

export const History = z
  .looseObject({
    day: Day.describe('ET trading day.'),
    book: BookName,
    sym: Sym,
    simulated: HEAD.simulated,
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
      ...Object.fromEntries(HISTORY_LEVELS.map(name => [name, [LEVEL[name].example]])),
      gamma_reason: null,
    },
  })

export const ExpectedMove = z
  .looseObject({
    day: Day.describe('ET trading day.'),
    time: Minute.describe('State minute, ET.'),
    spot: numberOrNull('The index.'),
    ...pick(LEVEL_SCHEMAS, ['spot_source', 'spot_error']),
    expected_move: numberOrNull('What remains of it at the minute, points.'),
    session_move: numberOrNull('The same as it was at 09:31.'),
    low: numberOrNull('The index at 09:31 less the move of the session.'),
    high: numberOrNull('The same, more.'),
    reason: textOrNull('Why the move is null.'),
    name: text('What is measured, in words.'),
    simulated: HEAD.simulated,
  })
  .meta({
    id: 'ExpectedMove',
    description: 'How far the index was expected to move until the PM close.',
    example: {
      day: '2026-10-15',
      time: '11:14',
      ...pick(LEVEL_EXAMPLES, MOVE_LEVELS),
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
