import type { Database, Params } from '../../src/engine/database.ts'
import { emptyTable } from '../../src/tape/growing.ts'
import { EDITIONS } from './dag.ts'
import { buildFold, FOLD_PARAMETERS } from './fold.ts'
import { type AfterModel, buildModel, doNothing } from './steps.ts'

/**
 * How far a print reaches: nothing that prints farther from an order changes it. As many gaps
 * between fills as an order waits for after its last print.
 */
export const FOLD_WINDOW = {
  reach_us: FOLD_PARAMETERS.visible_gaps * FOLD_PARAMETERS.parent_gap_us,
  reach_slow_us: FOLD_PARAMETERS.visible_gaps * FOLD_PARAMETERS.parent_gap_floor_us,
} as const

/** What is empty where there is no news. */
const LATE_DATA_TABLES = [
  'fold/folded_then',
  ...EDITIONS.zones,
  ...EDITIONS.folded,
  ...EDITIONS.before,
  ...EDITIONS.changes,
].map(model => model.replace('/', '.'))

/** What a fold reads beside prints. */
export const FOLD_TABLES = [
  'tape.session',
  'tape.conditions',
  'tape.set_apart',
  'tape.silent_codes',
] as const

export type EditionOptions = {
  /** Whether the tables are there from a round before: without news they are emptied, not made. */
  readonly areMade?: boolean
  /** Whether `fold.news` is made. */
  readonly isLateDataBuilt?: boolean
  /** Called after each model. */
  readonly after?: AfterModel
  /**
   * Adds the prints of the rounds before to `fold.zone_prints`, where they are folded already;
   * answers whether they are.
   */
  readonly takeBefore?: () => Promise<boolean>
}

/**
 * Makes `fold.editions` and `fold.edition_legs`: every order in every version that a state of the
 * session knew. Late prints and cancels change orders after states were told of them; the
 * stretches around them are folded once more as they were known before. Needs everything that
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
  if (!isLateDataBuilt) await build(EDITIONS.news)
  if (areMade && (await db.isEmpty('fold.news'))) {
    for (const table of LATE_DATA_TABLES) await emptyTable(db, table)
    return
  }
  await build(EDITIONS.zones)
  const isFolded = await takeBefore()
  await build(EDITIONS.folded)
  if (isFolded) await db.refill('fold.folded_then', 'from fold.folded limit 0')
  else await foldThen(db, parameters, after)
  await build(EDITIONS.changes)
  // few orders ever change: the versions of all of them are no table of their own
  await build(EDITIONS.all)
}

/** Makes `fold.folded_then`: the orders of the zones as each round knew them. */
async function foldThen(db: Database, parameters: Params, after: AfterModel): Promise<void> {
  await db.build('fold/prints_then')
  await after('fold/prints_then', db)
  await db.build('fold/trust_then')
  if (await db.isEmpty('fold.prints_then')) {
    await db.refill('fold.folded_then', 'from fold.folded limit 0')
  } else {
    const then = await db.openSeparate('then', { isOfOneRound: true })
    try {
      for (const table of FOLD_TABLES) await then.viewFrom(table)
      await then.viewFrom('fold.prints_then', 'tape.prints')
      await then.viewFrom('fold.trust_then', 'fold.quote_trust')
      await buildFold(then, parameters, { judgeQuotes: null })
      await then.viewFrom('fold.news_zones')
      await then.viewFrom('fold.prints_then', 'fold.zone_prints')
      await then.build('fold/folded')
      await then.copyTo('fold.folded', 'fold.folded_then')
    } finally {
      await then.close()
    }
  }
  await after('fold/trust_then', db)
}
