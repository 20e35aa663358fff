/** What was known before news, folded beside the fold of what is known: no state waits for it. */

import type { Milestone } from '../src/store/beside.ts'
import type { Database, DatabaseAside } from '../src/store/duck.ts'
import { foldPrintsThen, REACH } from './editions.ts'

/** The orders of wide zones, as each round of these knew them. */
export type FoldedAhead = { readonly wide: DatabaseAside; readonly then: DatabaseAside }

/** What a database aside reads of the one that is folded beside. */
const FOLDED_TABLES = [
  ...['tape.prints', 'tape.session', 'tape.conditions'],
  ...['fold.cancel_matches', 'fold.print_fates', 'fold.quote_trust'],
] as const

/**
 * Folds what was known before the news in zones that are wide enough for nearly all. Needs
 * `fold.cancel_matches` and `fold.print_fates`, and `fold.quote_trust` when the quotes are judged.
 * Null where there is no news.
 */
export async function foldAhead(db: Database, judged: Milestone): Promise<FoldedAhead | null> {
  const wide = await db.aside('wide', { isOfOneRound: true })
  for (const table of FOLDED_TABLES) await wide.viewFrom(table)
  await wide.build('fold/news')
  if (await wide.isEmpty('fold.news')) return null
  await wide.build('live/wide_zones', REACH, 'fold.news_zones')
  for (const model of ['fold/news_rounds', 'fold/prints_then']) await wide.build(model)
  // there before it is made, for whoever reads it
  await wide.make('fold.trust_then', 'from fold.quote_trust limit 0')
  const then = await wide.aside('wide_then', { isOfOneRound: true })
  await foldPrintsThen(then, {}, async () => {
    await judged.reached
    await wide.build('fold/trust_then')
  })
  return { wide, then }
}

/**
 * Makes `fold.folded_then` of what was folded ahead, now that `fold.news_zones` and
 * `fold.news_rounds` are known; answers whether it could: whether the zones lie in the wide ones.
 * Then both folds say the same, for nothing outside a zone changes an order in it.
 */
export async function takeAhead({ wide, then }: FoldedAhead): Promise<boolean> {
  await wide.viewFrom('fold.news_zones', 'fold.known_zones')
  await wide.viewFrom('fold.news_rounds', 'fold.known_rounds')
  if ((await wide.query('live/zones_outside')).length > 0) return false
  await wide.build('live/then_prints', {}, 'fold.zone_prints')
  await then.viewFrom('fold.zone_prints')
  await then.viewFrom('fold.known_zones', 'fold.news_zones')
  await then.build('fold/folded')
  await then.copyTo('fold.folded', 'fold.folded_then')
  await wide.copyTo('fold.folded_then', 'fold.folded_then')
  return true
}
