import { runConcurrently } from '../../src/core/engine/concurrent.ts'
import type { Database, Params } from '../../src/core/engine/database.ts'
import { loadSideRates } from '../../src/data/tape/session.ts'
import { FOLD } from './dag.ts'
import { type AfterModel, buildModels, doNothing } from './steps.ts'

/** Every number the fold decides by; times in microseconds, costs in thousandths of a package. */
export const FOLD_PARAMETERS = {
  /** A quote older than this says nothing about the side of a print. */
  quote_age_us: 5_000_000,
  /** Longest stretch of prints tried as one package inside a larger island. */
  longest_run: 10,
  /** A print left over costs as much as two packages: better explained than loose. */
  leg_cost: 2_000,
  /** Without conditions: a print that may be a single order, and one of a single lot. */
  print_cost: 760,
  lot_cost: 700,
  large_cost: 920,
  /** Contracts from which two prints of one instant are hardly strangers. */
  large_size: 20,
  /** Longest gap inside a package where no print says that it is a leg. */
  blind_gap_us: 500,
  /** Cost that a reading must save to be taken from a listing other than by time. */
  listing_cost: 600,
  /** Structures up to this rarity are closed at once; rarer ones wait for the prints around. */
  plain_rarity: 300,
  /** From this cost on a package was closed only because nothing else was left. */
  weak_cost: 3_200,
  /** A package that came twice is sure; what it costs only orders it among others. */
  repeat_cost_thousandths: 1_000,
  /** Longest time two complete halves of a package take together. */
  merge_span_us: 5_000,
  /** Longest gap inside a burst of one contract. */
  burst_gap_us: 50_000,
  burst_gap_late_us: 100_000,
  burst_gap_floor_us: 1_000_000,
  /** Longest gap between two fills of one order; an order worked for minutes stays several. */
  parent_gap_us: 1_000_000,
  /** Tapes before 2019: stamps are 25 ms coarse and an order came through in waves. */
  parent_gap_legacy_us: 10_000_000,
  parent_gap_floor_us: 30_000_000,
  /**
   * Gaps after its last print until nothing that prints can change an order: one for a loose leg
   * that a package marks, one to the package it repeats, one to what makes that one a repeat, and
   * one to the next fill.
   */
  visible_gaps: 4,
  /** One step of an SPX package. */
  net_tolerance_cents: 5,
  /** Closer to the middle than this share of the half spread, a price gives no side. */
  side_middle: 0.1,
  /** From here on a price is at the quote: the size shown there speaks. */
  side_near: 0.9,
  /** Prices outside the quote are badly classified by any rule. */
  side_outside: 1.05,
  /** Fills that disagree by more than this share of the size give no side. */
  side_minority: 0.2,
  /** A side is decided from this probability on; nearer to one half it is undecided. */
  side_probability_least: 0.51,
  /** Quotes are judged by this many of the latest single orders... */
  trust_prints: 200,
  /**
   * ...and not believed while more than this share of them, and at least so many, stand outside. Of
   * 200, at most 7 did on simulated tapes, 17 without conditions, 3 on the VIX tape of 1 June 2016;
   * of quotes 15 minutes late at least 47.
   */
  trust_most_outside: 0.15,
  trust_least_outside: 2,
  confidence_single: 0.99,
  confidence_orphan: 0.3,
  /** Below this confidence an order stays, without a side. */
  confidence_least: 0.5,
  /**
   * Codes of an exchange after which one that names no leg says nothing, if none of them did:
   * where legs are one code in fifty, so many without one are met once in 10^17. Fewer do while
   * no code of the exchange ever named a leg.
   */
  silent_codes: 2_000,
  silent_first_codes: 100,
  /** Longest gap inside one execution, and from a cancelled leg to the one it leaves alone. */
  widest_gap_us: 7_500,
} as const

type Pass = {
  readonly level_us: number
  readonly pass_rule: string
  readonly is_any_letter: boolean
  readonly is_weak_allowed: boolean
  readonly is_final: boolean
  /** Longest gap to a part that is joined after the pass; zero for no joining. */
  readonly join_gap_us: number
}

const pass = (level_us: number, pass_rule = '', options: Partial<Pass> = {}): Pass => ({
  level_us,
  pass_rule,
  is_any_letter: false,
  is_weak_allowed: false,
  is_final: false,
  join_gap_us: 0,
  ...options,
})

/** From fine to coarse; each pass sees only the prints that no earlier one explained. */
const LADDER: readonly Pass[] = [
  pass(200, '', { join_gap_us: 1_000 }),
  pass(1_000, '', { join_gap_us: 1_000 }),
  pass(7_500, '', { is_final: true, join_gap_us: 7_500 }),
  // floor packages only: electronic legs never wait that long
  pass(30_000, '', { is_final: true, join_gap_us: 30_000 }),
  pass(1_000, 'any letter', { is_any_letter: true, is_final: true }),
  pass(200, 'off step', { is_weak_allowed: true, is_final: true }),
  pass(7_500, 'off step', { is_weak_allowed: true, is_final: true, join_gap_us: 7_500 }),
]

/** The packages found so far, by their prints. */
const FILL_PRINTS = 'fold.fill_prints'

/** Gaps of the islands in which packages that came before or after are looked for. */
const REPEAT_LEVELS_US = [5_000]

export type FoldOptions = {
  /** Called when all packages are found, and after each model from there on. */
  readonly after?: AfterModel
  /**
   * Makes `fold.quote_trust` while the packages are found, where it rests on more prints than are
   * folded; null where it is there already.
   */
  readonly judgeQuotes?: (() => Promise<unknown>) | null
  /**
   * Called when the dispositions of the prints are known; may add others to `tape.prints`, and
   * returns true when it did.
   */
  readonly addPrints?: () => Promise<boolean>
  /** Called when the quotes are judged: the rest of the fold leaves a core idle. */
  readonly onTrust?: () => void
}

/**
 * Folds the prints of `tape` into parent orders: everything of the `fold` schema. Needs
 * `tape.prints`, `tape.session` and `tape.conditions`; `parameters` replace FOLD_PARAMETERS.
 */
export async function buildFold(
  db: Database,
  parameters: Params = {},
  { after = doNothing, judgeQuotes, addPrints, onTrust = () => {} }: FoldOptions = {},
): Promise<void> {
  const params = { ...FOLD_PARAMETERS, ...parameters }
  const judge =
    judgeQuotes ?? ((connection: Database) => connection.build('fold/quote_trust', params))
  await loadSideRates(db)
  // a few prints folded again were judged among all others
  if (judgeQuotes === undefined) await db.build('tape/silent_codes', params)
  await buildAll(db, FOLD.fates, params)
  if (await addPrints?.()) await buildAll(db, FOLD.fates, params)
  await buildAll(db, FOLD.prints, params)
  await runConcurrently(db, [
    connection => findPackages(connection, params),
    // the passes over few prints leave a core idle
    ...(judgeQuotes === null ? [] : [(connection: Database) => judge(connection).then(onTrust)]),
  ])
  await after('fold/quote_trust', db)
  await buildModels(db, FOLD.orders, async (connection, model) => {
    await connection.build(model, params)
    await after(model, connection)
  })
}

async function buildAll(db: Database, models: readonly string[], params: Params): Promise<void> {
  for (const model of models) await db.build(model, params)
}

/** Makes `fold.package_prints`: the passes of the ladder, then repeated packages. */
async function findPackages(db: Database, params: Params): Promise<void> {
  await db.build('fold/no_fills', params, FILL_PRINTS)
  await db.build('fold/no_islands', params, 'fold.judged_islands')
  await db.build('fold/no_refusals', params, 'fold.refused_pairs')
  let isCut = false
  for (const [index, step] of LADDER.entries()) {
    isCut = await climb(db, { ...params, ...step, pass_number: index + 1 }, isCut)
  }
  for (const repeat_level_us of REPEAT_LEVELS_US) {
    const step = { ...params, repeat_level_us, pass_number: LADDER.length + 1 }
    await buildAll(db, FOLD.repeats.slice(0, -1), step)
    await db.build('fold/repeated_fill_prints', step, FILL_PRINTS)
  }
  await buildAll(db, FOLD.packages, params)
}

/** Replaces joined parts in `fold.fill_prints` by their packages, and refuses the other pairs. */
async function join(db: Database, params: Params): Promise<void> {
  await db.build('fold/joins', params)
  await db.view('fold/used_fills')
  await db.repeat(`delete from ${FILL_PRINTS} where fill_id in (from fold.used_fills)`)
  await db.add('fold/joined_prints', params, FILL_PRINTS)
  await db.add('fold/new_refusals', params, 'fold.refused_pairs')
}

/**
 * One pass of the ladder: cut the islands that are left, then join what belongs together. `isCut`
 * is true when an earlier pass has made the tables of the cuts: where nothing is listed, they stay
 * as they are, and no print is found in them. Returns `isCut` for the next pass.
 */
async function climb(db: Database, params: Params, isCut: boolean): Promise<boolean> {
  await buildAll(db, FOLD.islands, params)
  const hasIslands = !(await db.isEmpty('fold.islands'))
  if (hasIslands) {
    await buildAll(db, FOLD.whole, params)
    if (!isCut || !(await db.isEmpty('fold.listings'))) {
      await buildAll(db, FOLD.cuts, params)
    }
    await db.add('fold/found_prints', params, FILL_PRINTS)
    await db.add('fold/new_islands', params, 'fold.judged_islands')
  }
  const hasFills = hasIslands || !(await db.isEmpty(FILL_PRINTS))
  if (Number(params.join_gap_us) > 0 && hasFills) {
    await buildAll(db, FOLD.pairs, params)
    if (!(await db.isEmpty('fold.pairs'))) await join(db, params)
  }
  return isCut || hasIslands
}
