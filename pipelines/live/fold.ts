/** The fold of a running session: each state folds again what its news can have changed. */

import { type Milestone, milestone } from '../../src/engine/beside.ts'
import type { Database } from '../../src/engine/database.ts'
import { readSql } from '../../src/engine/sql.ts'
import { addInvolved } from '../../src/tape/growing.ts'
import { auditFold } from '../build/audit.ts'
import { buildEditions, type EditionOptions, REACH } from '../build/editions.ts'
import { buildFold, FOLD_PARAMETERS, type FoldOptions } from '../build/fold.ts'
import { addBefore, type Before, clearRoom, makeRoom } from './foldBefore.ts'
import type { Desks } from './workspaces.ts'

const TRUST_MODELS = ['fold/print_fates', 'fold/quote_trust'] as const

/** The tables that a first state looks back on: there, and empty. */
export async function emptyState(desks: Desks): Promise<void> {
  const { db, cancelling, judging, folding, doubting } = desks
  await db.run('create table live.none as from tape.prints limit 0')
  await db.refill('live.involved', 'from live.none')
  await cancelling.viewFrom('live.involved', 'tape.prints')
  await cancelling.build('fold/cancel_matches')
  await cancelling.viewTo('fold.cancel_matches', 'fold.cancel_matches')
  await db.refill('live.traded', 'select root, expiry, strike from live.none')
  await db.refill('live.trust_prints', 'from live.none')
  await judging.viewFrom('live.trust_prints', 'tape.prints')
  await judging.viewFrom('fold.cancel_matches')
  for (const model of TRUST_MODELS) await judging.build(model, FOLD_PARAMETERS)
  await judging.copyTo('fold.quote_trust', 'fold.quote_trust')
  await db.refill('live.window_prints', 'from live.none')
  await db.refill('live.window_trust', 'from fold.quote_trust')
  await folding.viewFrom('live.window_prints', 'tape.prints_now')
  await folding.viewFrom('live.window_trust', 'fold.trust_now')
  await makeRoom(folding)
  await refold(folding, {})
  await folding.viewTo('fold.editions', 'live.step_editions')
  await folding.viewTo('fold.edition_legs', 'live.step_edition_legs')
  await db.refill('live.refolded', 'from live.step_editions')
  await db.build('live/new_spans')
  await addSpans(db)
  for (const name of ['pending', 'pending_now']) {
    await db.refill(`live.${name}`, 'from live.step_editions')
    await db.refill(
      `live.${name.replace('pending', 'pending_legs')}`,
      'from live.step_edition_legs',
    )
  }
  await doubting.viewFrom('live.pending_now', 'fold.editions')
  await doubting.viewFrom('live.pending_legs_now', 'fold.edition_legs')
  await doubting.viewFrom('tape.minutes')
  await doubtOrders(desks)
  await doubting.viewTo('book.flows', 'live.step_flows')
  await doubting.viewTo('book.doubt_products', 'live.step_products')
  await db.refill('live.flows', 'select * exclude (minute_at) from live.step_flows')
  await db.refill('live.products', 'select * exclude (minute_at) from live.step_products')
}

/** Notes when the orders that were folded again printed. */
export async function addSpans(db: Database): Promise<void> {
  await db.append('live.spans', 'from live.new_spans')
  await db.append('live.widths', readSql('live/new_widths'))
}

type Refold = Pick<EditionOptions, 'areMade'> & {
  readonly judgeQuotes?: () => Promise<void>
  /** Reached when the quotes beside the prints are judged. */
  readonly judged?: Milestone
  /** Whether what was known of the prints before is folded with them, not after. */
  readonly isWithBefore?: boolean
}

/** Folds the prints of the desk, and what was known of them before. */
async function refold(folding: Database, options: Refold): Promise<void> {
  const { judgeQuotes = async () => {}, judged = milestone() } = options
  const { areMade = false, isWithBefore = false } = options
  let before: Before | null = null
  await clearRoom(folding)
  const foldOptions: FoldOptions = {
    addPrints: async () => {
      if (isWithBefore) before = await addBefore(folding)
      return before !== null
    },
    judgeQuotes: async () => {
      await judgeQuotes()
      await before?.addTrust()
    },
    onTrust: judged.reach,
  }
  await buildFold(folding, {}, foldOptions)
  const takeBefore = async () => (await before?.take()) ?? false
  await buildEditions(folding, {}, { areMade, isNewsMade: isWithBefore, takeBefore })
}

export type NewsOptions = {
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
export async function foldNews(desks: Desks, options: NewsOptions): Promise<readonly string[]> {
  const { isOneMinute, priced, judged } = options
  const { db, folding } = desks
  await matchCancels(desks)
  await db.build('live/news')
  await db.build('live/near_spans', REACH)
  await db.build('live/zones', REACH)
  const [zones] = await db.query('live/zones_from')
  await db.build('live/window_prints', { from_us: Number(zones?.from_us ?? 0) })
  await refold(folding, {
    judgeQuotes: () => priced.reached.then(() => judgeQuotes(desks)),
    judged,
    areMade: true,
    // wide zones of many minutes would be most of these
    isWithBefore: isOneMinute,
  })
  const alarms = await auditFold(folding)
  await db.build('live/refolded')
  await db.build('live/refolded_legs')
  await db.build('live/replaced')
  for (const name of ['pending_now', 'pending_legs_now']) await db.build(`live/${name}`)
  return alarms
}

/** Says of every cancel so far which print it takes off. */
async function matchCancels({ db, cancelling }: Desks): Promise<void> {
  await db.build('live/cancels_now')
  await db.build('live/keys_now')
  await db.append('live.keys', 'select sequence, key from live.keys_now')
  await db.append('live.cancel_keys', readSql('live/cancel_keys_now'))
  await db.build('live/found_now')
  if (await db.isEmpty('live.found_now')) return
  await addInvolved(db)
  await cancelling.build('fold/cancel_matches')
}

/** Says of every new print whether its quotes may be believed, and again of those folded again. */
async function judgeQuotes({ db, judging }: Desks): Promise<void> {
  await db.build('live/message_times')
  await db.build('live/span', FOLD_PARAMETERS)
  const [span] = await db.query('live/trust_from')
  await db.build('live/trust_prints', { from_us: Number(span?.from_us ?? 0) })
  for (const model of TRUST_MODELS) await judging.build(model, FOLD_PARAMETERS)
  await judging.viewTo('fold.quote_trust', 'live.step_trust')
  await db.build('live/new_trust')
  await db.append('fold.quote_trust', 'from live.new_trust')
  await db.build('live/window_trust')
}

/**
 * Says what the versions that wait to be known add to the book, and what they may add other than
 * they read.
 */
export async function doubtOrders({ doubting }: Desks): Promise<void> {
  await doubting.build('book/flows')
  await doubting.build('book/doubts')
  await doubting.view('book/doubt_products')
}
