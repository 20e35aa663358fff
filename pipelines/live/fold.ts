/** The fold of a running session: each state folds again the orders that new data may change. */

import { allEnded, type Milestone, milestone } from '../../src/core/engine/concurrent.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { addInvolved } from '../../src/data/published/growing.ts'
import { auditFold } from '../build/audit.ts'
import { buildEditions, type EditionOptions, FOLD_WINDOW } from '../build/editions.ts'
import { buildFold, FOLD_PARAMETERS, type FoldOptions } from '../build/fold.ts'
import { addBefore, type Before, createEarlierTables, emptyEarlierTables } from './foldBefore.ts'
import { handOver, type Workspaces } from './handoffs.ts'

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
