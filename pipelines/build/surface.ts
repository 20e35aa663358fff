/**
 * From the tape and the folded orders to the dealers' levels.
 * `buildSurface` needs the tape tables with `tape.session`, `tape.minutes` and `tape.expiries`;
 * `buildBook` also `tape.carried_positions`, `fold.legs` and `fold.parent_orders`.
 */

import type { Database } from '../../src/core/engine/database.ts'
import { BOOK_MODELS, LEVELS_MODELS, SPOT_MODELS, SURFACE_MODELS } from './dag.ts'
import { type AfterModel, buildModel, buildModels, doNothing } from './steps.ts'

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

/** Makes the index of every minute, and the futures above it, alone. */
export async function buildSpots(db: Database, minPairs: number = MIN_PAIRS): Promise<void> {
  for (const model of SPOT_MODELS) await db.build(model, { min_pairs: minPairs })
}

export async function buildBook(db: Database, after: AfterModel = doNothing): Promise<void> {
  await buildModels(db, BOOK_MODELS, async (connection, model) => {
    await buildModel(connection, model)
    await after(model, connection)
  })
}

export async function buildLevels(db: Database, after: AfterModel = doNothing): Promise<void> {
  for (const model of LEVELS_MODELS) {
    await db.build(model)
    await after(model, db)
  }
}
