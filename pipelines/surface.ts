/**
 * From the tape and the folded orders to the dealers' levels: three ordered lists of SQL models.
 * `buildSurface` needs the tape tables with `tape.session`, `tape.minutes` and `tape.expiries`;
 * `buildBook` also `tape.carried_positions`, `fold.legs` and `fold.parent_orders`.
 */

import type { Database } from '../src/store/duck.ts'
import { type AfterModel, doNothing } from './models.ts'

/** Forwards, volatilities and smiles of every minute, in the order of their building. */
export const SURFACE_MODELS = [
  'surface/quotes',
  'surface/spots',
  'surface/terms',
  'surface/pairs',
  'surface/forwards',
  'surface/implied_vols',
  'surface/smiles',
  'surface/expected_moves',
  'surface/session_smiles',
] as const

/** The dealers' positions, their gamma, and its course over the index. */
export const BOOK_MODELS = [
  'book/known_positions',
  'book/inventory',
  'book/inventory_shares',
  'book/flows',
  'book/doubts',
  'book/pairs',
  'book/pair_flows',
  'book/bar_states',
  'book/bar_nodes',
  'book/bar_shifts',
  'book/bar_strikes',
  'book/bar_covariances',
  'book/bar_variances',
  'book/bar_noises',
  'book/bar_deviations',
  'book/leg_gammas',
  'book/smile_pairs',
  'book/positions',
  'book/coverage',
  'book/gammas',
  'book/scan_nodes',
  'book/scan_weights',
  'book/scan_sums',
  'book/scan',
  'book/profiles',
] as const

/** Flip, walls and regime of every minute and book. */
export const LEVELS_MODELS = [
  'levels/lobes',
  'levels/flips',
  'levels/bars',
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
    await after(model)
  }
}

export async function buildBook(db: Database, after: AfterModel = doNothing): Promise<void> {
  for (const model of BOOK_MODELS) {
    await db.build(model)
    await after(model)
  }
}

export async function buildLevels(db: Database): Promise<void> {
  for (const model of LEVELS_MODELS) await db.build(model)
}
