/** The fold of a running session: each state folds again the orders that new data may change. */

import { allEnded, type Milestone, milestone } from '../../src/core/engine/concurrent.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { addInvolved, emptyTable } from '../../src/data/published/growing.ts'
import { auditFold } from '../build/audit.ts'
import { buildEditions, type EditionOptions, FOLD_WINDOW } from '../build/editions.ts'
import { buildFold, FOLD_PARAMETERS, type FoldOptions } from '../build/fold.ts'
import { handOver, type Workspaces } from './handoffs.ts'

// Earlier versions of prints, folded together with the current ones: as prints of exchanges of
// their own, so that the two never meet. A second fold would cost as much as the first, however few
// they are.

/** Tables of current and of earlier rows, by the table that a fold reads. */
const PARTS = {
  'tape.prints': ['tape.window_prints', 'tape.prints_before'],
  'fold.quote_trust': ['fold.window_trust', 'fold.trust_before'],
} as const

/**
 * Makes `tape.prints` and `fold.quote_trust` of `tape.window_prints` and `fold.window_trust`, and
 * of empty tables for earlier versions.
 */
export async function createEarlierTables(db: Database): Promise<void> {
  for (const [table, [now, before]] of Object.entries(PARTS)) {
    await db.refill(before, `from ${now} limit 0`)
    await db.viewName(table, `from ${now} union all by name from ${before}`)
  }
}

/** Removes the earlier versions of a previous state. */
async function emptyEarlierTables(db: Database): Promise<void> {
  for (const [, before] of Object.values(PARTS)) await emptyTable(db, before)
}

/** Tables from which the earlier rounds are found. */
const EARLIER_ROUND_TABLES = [
  'tape.conditions',
  'fold.cancel_matches',
  'fold.print_fates',
  'fold.late_changes',
] as const

/** Earlier versions of prints, in ranges wide enough for nearly all late changes. */
export type Before = {
  /** Adds the trust in their quotes, once the quotes are judged. */
  readonly addTrust: () => Promise<void>
  /**
   * Adds their rounds to `fold.range_prints`, now that `fold.affected_ranges` and
   * `fold.late_rounds` are known. True when the ranges lie in the wide ones; then their orders are
   * right, as no print outside a range changes an order in it.
   */
  readonly take: () => Promise<boolean>
}

/**
 * Makes `fold.late_changes`, and adds earlier versions to the prints. Needs `fold.cancel_matches`
 * and `fold.print_fates`. Null where there are no late changes.
 */
export async function addBefore(db: Database): Promise<Before | null> {
  await db.build('fold/late_changes')
  if (await db.isEmpty('fold.late_changes')) return null
  const wide = await db.openSeparate('wide', { isOfOneRound: true })
  for (const table of EARLIER_ROUND_TABLES) await wide.viewFrom(table)
  for (const [table, [now]] of Object.entries(PARTS)) await wide.viewFrom(now, table)
  await wide.build('live/wide_ranges', FOLD_WINDOW, 'fold.affected_ranges')
  for (const model of ['fold/late_rounds', 'fold/earlier_prints']) await wide.build(model)
  const prints = '(select * exclude (own_sequence, range_number, round) from fold.earlier_prints)'
  await wide.addTo(prints, 'tape.prints_before')
  return {
    addTrust: async () => {
      await wide.build('fold/earlier_trust')
      await wide.addTo('fold.earlier_trust', 'fold.trust_before')
    },
    take: async () => {
      await wide.viewFrom('fold.affected_ranges', 'fold.exact_ranges')
      await wide.viewFrom('fold.late_rounds', 'fold.exact_rounds')
      if ((await wide.query('live/ranges_outside')).length > 0) return false
      await wide.build('live/earlier_range_prints', {}, 'fold.range_prints')
      await wide.addTo('fold.range_prints', 'fold.range_prints')
      return true
    },
  }
}

const TRUST_MODELS = ['fold/print_fates', 'fold/quote_trust'] as const

/** The tables that a first state looks back on: there, and empty. */
export async function emptyState(spaces: Workspaces): Promise<void> {
  const { main, cancelling, judging, folding } = spaces
  await main.run('create table live.none as from tape.prints limit 0')
  await handOver(spaces, 'opened')
  await cancelling.build('fold/cancel_matches')
  await handOver(spaces, 'firstMatched')
  for (const model of TRUST_MODELS) await judging.build(model, FOLD_PARAMETERS)
  await handOver(spaces, 'firstJudged')
  await createEarlierTables(folding)
  await refold(folding, {})
  await handOver(spaces, 'firstFolded')
  await main.build('live/new_spans')
  await noteSpans(spaces)
  await computeDeviations(spaces)
  await handOver(spaces, 'firstEstimated')
}

/** Records the print times of the orders that were folded again. */
export async function noteSpans(spaces: Workspaces): Promise<void> {
  await spaces.main.view('live/new_widths')
  await handOver(spaces, 'folded')
}

type Refold = Pick<EditionOptions, 'areMade'> & {
  readonly judgeQuotes?: () => Promise<void>
  /** Reached when the quotes of the prints are judged. */
  readonly judged?: Milestone
  /** True to fold earlier versions of the prints with them, not after them. */
  readonly isWithBefore?: boolean
}

/** Folds the prints of the workspace, and their earlier versions. */
async function refold(folding: Database, options: Refold): Promise<void> {
  const { judgeQuotes = async () => {}, judged = milestone() } = options
  const { areMade = false, isWithBefore = false } = options
  let before: Before | null = null
  await emptyEarlierTables(folding)
  const foldOptions: FoldOptions = {
    addPrints: async () => {
      if (isWithBefore) before = await addBefore(folding)
      return before !== null
    },
    judgeQuotes: async () => {
      await judgeQuotes()
      await before?.addTrust()
    },
    onTrust: judged.markReached,
  }
  await buildFold(folding, {}, foldOptions)
  const takeBefore = async () => (await before?.take()) ?? false
  await buildEditions(folding, {}, { areMade, isLateDataBuilt: isWithBefore, takeBefore })
}

export type FoldNewPrintsOptions = {
  readonly isOneMinute: boolean
  /** The quotes of the prints are judged after this. */
  readonly priced: Milestone
  /** Reached when they are. */
  readonly judged: Milestone
}

/**
 * Folds the orders that the new prints may have changed: their versions go to
 * `live.pending_versions`, those that they replace to `live.replaced`. Returns the findings of the
 * fold's audits, a sentence each; none when all is well.
 */
export async function foldNewPrints(
  spaces: Workspaces,
  options: FoldNewPrintsOptions,
): Promise<readonly string[]> {
  const { isOneMinute, priced, judged } = options
  const { main, folding } = spaces
  await matchCancels(spaces)
  await main.build('live/changed_prints')
  await main.build('live/near_spans', FOLD_WINDOW)
  await main.build('live/affected_ranges', FOLD_WINDOW)
  const [affectedRange] = await main.query('live/affected_from')
  await main.build('live/window_prints', { from_us: Number(affectedRange?.from_us ?? 0) })
  await refold(folding, {
    judgeQuotes: () => priced.reached.then(() => judgeQuotes(spaces)),
    judged,
    areMade: true,
    // wide ranges would cover most of these minutes
    isWithBefore: isOneMinute,
  })
  // neither waits for the other
  const audit = auditFold(folding)
  await allEnded([audit, findPending(main)])
  return audit
}

/** Finds the versions that are folded again, those that they replace, and those still to come. */
async function findPending(main: Database): Promise<void> {
  for (const name of ['refolded', 'refolded_legs', 'replaced']) await main.build(`live/${name}`)
  for (const name of ['pending_versions', 'pending_version_legs']) await main.build(`live/${name}`)
}

/** Matches every cancel so far with the print that it takes off. */
async function matchCancels(spaces: Workspaces): Promise<void> {
  const { main, cancelling } = spaces
  await main.build('live/new_cancels')
  await main.build('live/new_keys')
  await main.view('live/new_cancel_keys')
  await handOver(spaces, 'keyed')
  await main.build('live/cancel_candidates')
  if (await main.isEmpty('live.cancel_candidates')) return
  await addInvolved(main)
  await cancelling.build('fold/cancel_matches')
}

/** Judges the quotes of every new print, and again of those folded again. */
async function judgeQuotes(spaces: Workspaces): Promise<void> {
  const { main, judging } = spaces
  await main.build('live/message_times')
  await main.build('live/span', FOLD_PARAMETERS)
  const [span] = await main.query('live/trust_from')
  await main.build('live/trust_prints', { from_us: Number(span?.from_us ?? 0) })
  for (const model of TRUST_MODELS) await judging.build(model, FOLD_PARAMETERS)
  await handOver(spaces, 'judged')
  await main.build('live/new_trust')
  await handOver(spaces, 'trusted')
  await main.build('live/window_trust')
}

/**
 * Computes the contributions of pending versions to the book, with their standard deviations.
 */
export async function computeDeviations({ estimating }: Workspaces): Promise<void> {
  await estimating.build('book/leg_sides')
  await estimating.build('book/flows')
  await estimating.build('book/deviations')
  await estimating.view('book/deviation_products')
}
