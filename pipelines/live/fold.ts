/** The fold of a running session: each state folds again what its news can have changed. */

import { type Milestone, milestone } from '../../src/engine/beside.ts'
import type { Database } from '../../src/engine/database.ts'
import { addInvolved } from '../../src/tape/growing.ts'
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
  await handOver(spaces, 'firstDoubted')
}

/** Notes when the orders that were folded again printed. */
export async function noteSpans(spaces: Workspaces): Promise<void> {
  await spaces.main.view('live/new_widths')
  await handOver(spaces, 'folded')
}

type Refold = Pick<EditionOptions, 'areMade'> & {
  readonly judgeQuotes?: () => Promise<void>
  /** Reached when the quotes beside the prints are judged. */
  readonly judged?: Milestone
  /** Whether what was known of the prints before is folded with them, not after. */
  readonly isWithBefore?: boolean
}

/** Folds the prints of the workspace, and what was known of them before. */
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
  /** What the quotes beside the prints are judged after. */
  readonly priced: Milestone
  /** Reached when they are. */
  readonly judged: Milestone
}

/**
 * Folds what the new prints can have changed: the versions of these orders stand in
 * `live.pending_now`, those that they replace in `live.replaced`. Answers what the audits of the
 * fold say of it, a sentence each; nothing when all is well.
 */
export async function foldNewPrints(
  spaces: Workspaces,
  options: FoldNewPrintsOptions,
): Promise<readonly string[]> {
  const { isOneMinute, priced, judged } = options
  const { main, folding } = spaces
  await matchCancels(spaces)
  await main.build('live/news')
  await main.build('live/near_spans', FOLD_WINDOW)
  await main.build('live/zones', FOLD_WINDOW)
  const [affectedRange] = await main.query('live/zones_from')
  await main.build('live/window_prints', { from_us: Number(affectedRange?.from_us ?? 0) })
  await refold(folding, {
    judgeQuotes: () => priced.reached.then(() => judgeQuotes(spaces)),
    judged,
    areMade: true,
    // wide zones of many minutes would be most of these
    isWithBefore: isOneMinute,
  })
  const alarms = await auditFold(folding)
  await main.build('live/refolded')
  await main.build('live/refolded_legs')
  await main.build('live/replaced')
  for (const name of ['pending_now', 'pending_legs_now']) await main.build(`live/${name}`)
  return alarms
}

/** Says of every cancel so far which print it takes off. */
async function matchCancels(spaces: Workspaces): Promise<void> {
  const { main, cancelling } = spaces
  await main.build('live/cancels_now')
  await main.build('live/keys_now')
  await main.view('live/cancel_keys_now')
  await handOver(spaces, 'keyed')
  await main.build('live/found_now')
  if (await main.isEmpty('live.found_now')) return
  await addInvolved(main)
  await cancelling.build('fold/cancel_matches')
}

/** Says of every new print whether its quotes may be believed, and again of those folded again. */
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
 * Says what the versions that wait to be known add to the book, and what they may add other than
 * they read.
 */
export async function computeDeviations({ doubting }: Workspaces): Promise<void> {
  await doubting.build('book/flows')
  await doubting.build('book/doubts')
  await doubting.view('book/doubt_products')
}
