/**
 * From the tape and the folded orders to the dealers' levels: three ordered lists of SQL models.
 * `buildSurface` needs the tape tables with `tape.session`, `tape.minutes` and `tape.expiries`;
 * `buildBook` also `tape.carried_positions`, `fold.legs` and `fold.parent_orders`.
 */

import type { Database } from '../../src/engine/database.ts'
import { type AfterModel, buildSteps, doNothing } from './steps.ts'

/** Forwards, volatilities and smiles of every minute, in the order of their building. */
export const SURFACE_MODELS = [
  'surface/sources',
  'surface/known_spots',
  'surface/spots',
  'surface/bases',
  'surface/terms',
  'surface/quotes',
  'surface/pairs',
  'surface/forwards',
  'surface/implied_vols',
  'surface/smiles',
  'surface/expected_moves',
  'surface/session_smiles',
] as const

/** The dealers' positions, their gamma, and its course over the index, step by step. */
export const BOOK_STEPS = [
  [
    [
      ...['known_positions', 'inventory', 'late_inventory', 'inventory_shares'],
      ...['flows', 'doubts', 'traded', 'doubt_products', 'pairs', 'holdings'],
      'pair_flows',
      ...['bar_states', 'bar_nodes', 'bar_shifts'],
      ...['bar_points', 'bar_shares', 'bar_strikes'],
    ],
  ],
  [
    [
      ...['leg_gammas', 'smile_pairs', 'positions', 'gammas', 'coverage'],
      ...['scan_nodes', 'scan_weights', 'scan_sums'],
    ],
    ['bar_covariances', 'bar_variances'],
  ],
  // the scan keeps one core busy: something for the other one
  [['scan'], ['bar_noises', 'bar_deviations']],
  [['profiles']],
].map(branches => branches.map(models => models.map(model => `book/${model}`)))

export const BOOK_MODELS: readonly string[] = BOOK_STEPS.flat(2)

/** Read once, row by row: views, so that nobody holds them. */
const BOOK_VIEWS: readonly string[] = ['book/doubt_products']

/** Flip, walls and regime of every minute and book. */
export const LEVELS_MODELS = [
  'levels/lobes',
  'levels/flips',
  'levels/bars',
  'levels/strikes',
  'levels/walls',
  'levels/levels',
] as const

/** Fewest put-call pairs that make a forward. */
const MIN_PAIRS = 3

export async function buildSurface(
  db: Database,
  minPairs: number = MIN_PAIRS,
  after: AfterModel = doNothing,
): Promise<void> {
  for (const model of SURFACE_MODELS) {
    await db.build(model, { min_pairs: minPairs })
    await after(model, db)
  }
}

export async function buildBook(db: Database, after: AfterModel = doNothing): Promise<void> {
  await buildSteps(db, BOOK_STEPS, async (connection, model) => {
    if (BOOK_VIEWS.includes(model)) await connection.view(model)
    else await connection.build(model)
    await after(model, connection)
  })
}

export async function buildLevels(db: Database): Promise<void> {
  for (const model of LEVELS_MODELS) await db.build(model)
}
