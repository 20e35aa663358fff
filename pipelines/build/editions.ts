import type { Database, Params } from '../../src/core/engine/database.ts'
import { emptyTable } from '../../src/data/published/growing.ts'
import { EDITIONS } from './dag.ts'
import { buildFold, FOLD_PARAMETERS } from './fold.ts'
import { type AfterModel, buildModel, doNothing } from './steps.ts'

/**
 * Window around a print: no print outside it changes an order. It spans as many gaps between fills
 * as an order waits for after its last print.
 */
export const FOLD_WINDOW = {
  window_us: FOLD_PARAMETERS.visible_gaps * FOLD_PARAMETERS.parent_gap_us,
  window_slow_us: FOLD_PARAMETERS.visible_gaps * FOLD_PARAMETERS.parent_gap_floor_us,
} as const

/** Tables that are empty where there are no late changes. */
const LATE_DATA_TABLES = [
  'fold/earlier_orders',
  ...EDITIONS.ranges,
  ...EDITIONS.folded,
  ...EDITIONS.before,
  ...EDITIONS.changes,
].map(model => model.replace('/', '.'))

/** Tables that a fold reads besides prints. */
export const FOLD_TABLES = [
  'tape.session',
  'tape.conditions',
  'tape.set_apart',
  'tape.silent_codes',
] as const

export type EditionOptions = {
  /** True when the tables exist already: without late changes they are emptied, not made. */
  readonly areMade?: boolean
  /** True when `fold.late_changes` is made already. */
  readonly isLateDataBuilt?: boolean
  /** Called after each model. */
  readonly after?: AfterModel
  /**
   * Adds the prints of the earlier rounds to `fold.range_prints`; true when they are folded
   * already.
   */
  readonly takeBefore?: () => Promise<boolean>
}

/**
 * Makes `fold.editions` and `fold.edition_legs`: every order in every version that a state of the
 * session knew. Late prints and cancels change orders after states have published them; the
 * ranges around them are folded once more as they were known before. Needs everything that
 * `buildFold` made.
 */
export async function buildEditions(
  db: Database,
  parameters: Params = {},
  options: EditionOptions = {},
): Promise<void> {
  const { areMade, isLateDataBuilt, after = doNothing, takeBefore = async () => false } = options
  const params = { ...FOLD_WINDOW, ...parameters }
  const build = async (models: readonly string[]) => {
    for (const model of models) {
      await buildModel(db, model, params)
      await after(model, db)
    }
  }
  if (!isLateDataBuilt) await build(EDITIONS.lateChanges)
  if (areMade && (await db.isEmpty('fold.late_changes'))) {
    for (const table of LATE_DATA_TABLES) await emptyTable(db, table)
    return
  }
  await build(EDITIONS.ranges)
  const isFolded = await takeBefore()
  await build(EDITIONS.folded)
  if (isFolded) await db.refill('fold.earlier_orders', 'from fold.range_orders limit 0')
  else await foldEarlier(db, parameters, after)
  await build(EDITIONS.changes)
  // few orders ever change: the versions of all of them are no table of their own
  await build(EDITIONS.all)
}

/** Makes `fold.earlier_orders`: the orders of the ranges as each round knew them. */
async function foldEarlier(db: Database, parameters: Params, after: AfterModel): Promise<void> {
  await db.build('fold/earlier_prints')
  await after('fold/earlier_prints', db)
  await db.build('fold/earlier_trust')
  if (await db.isEmpty('fold.earlier_prints')) {
    await db.refill('fold.earlier_orders', 'from fold.range_orders limit 0')
  } else {
    const earlier = await db.openSeparate('earlier', { isOfOneRound: true })
    try {
      for (const table of FOLD_TABLES) await earlier.viewFrom(table)
      await earlier.viewFrom('fold.earlier_prints', 'tape.prints')
      await earlier.viewFrom('fold.earlier_trust', 'fold.quote_trust')
      await buildFold(earlier, parameters, { judgeQuotes: null })
      await earlier.viewFrom('fold.affected_ranges')
      await earlier.viewFrom('fold.earlier_prints', 'fold.range_prints')
      await earlier.build('fold/range_orders')
      await earlier.copyTo('fold.range_orders', 'fold.earlier_orders')
    } finally {
      await earlier.close()
    }
  }
  await after('fold/earlier_trust', db)
}
