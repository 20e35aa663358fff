/**
 * What was known of prints before news, folded with what is known: as prints of exchanges of their
 * own, where the two never meet. A second fold would cost as much as the first, however few they
 * are.
 */

import type { Database } from '../../src/engine/database.ts'
import { emptyTable } from '../../src/tape/growing.ts'
import { FOLD_WINDOW } from '../build/editions.ts'

/** The tables of what is known, and of what was known before, by those that a fold reads. */
const PARTS = {
  'tape.prints': ['tape.prints_now', 'tape.prints_before'],
  'fold.quote_trust': ['fold.trust_now', 'fold.trust_before'],
} as const

/**
 * Makes `tape.prints` and `fold.quote_trust` of `tape.prints_now` and `fold.trust_now`, with room
 * for what was known before.
 */
export async function createEarlierTables(db: Database): Promise<void> {
  for (const [table, [now, before]] of Object.entries(PARTS)) {
    await db.refill(before, `from ${now} limit 0`)
    await db.viewName(table, `from ${now} union all by name from ${before}`)
  }
}

/** Takes out what was known before an earlier state. */
export async function emptyEarlierTables(db: Database): Promise<void> {
  for (const [, before] of Object.values(PARTS)) await emptyTable(db, before)
}

/** What the rounds before are found by. */
const EARLIER_ROUND_TABLES = [
  'tape.conditions',
  'fold.cancel_matches',
  'fold.print_fates',
  'fold.news',
] as const

/** The prints as they were known before, in zones that are wide enough for nearly all news. */
export type Before = {
  /** Adds what is known of the quotes beside them, when the quotes are judged. */
  readonly addTrust: () => Promise<void>
  /**
   * Adds their rounds to `fold.zone_prints`, now that `fold.news_zones` and `fold.news_rounds` are
   * known; answers whether it could: whether the zones lie in the wide ones. Then all that is said
   * of the zones is right, for nothing outside a zone changes an order in it.
   */
  readonly take: () => Promise<boolean>
}

/**
 * Makes `fold.news`, and adds to the prints what was known of them before. Needs
 * `fold.cancel_matches` and `fold.print_fates`. Null where there is no news.
 */
export async function addBefore(db: Database): Promise<Before | null> {
  await db.build('fold/news')
  if (await db.isEmpty('fold.news')) return null
  const wide = await db.openSeparate('wide', { isOfOneRound: true })
  for (const table of EARLIER_ROUND_TABLES) await wide.viewFrom(table)
  for (const [table, [now]] of Object.entries(PARTS)) await wide.viewFrom(now, table)
  await wide.build('live/wide_zones', FOLD_WINDOW, 'fold.news_zones')
  for (const model of ['fold/news_rounds', 'fold/prints_then']) await wide.build(model)
  const prints = '(select * exclude (own_sequence, zone, round) from fold.prints_then)'
  await wide.addTo(prints, 'tape.prints_before')
  return {
    addTrust: async () => {
      await wide.build('fold/trust_then')
      await wide.addTo('fold.trust_then', 'fold.trust_before')
    },
    take: async () => {
      await wide.viewFrom('fold.news_zones', 'fold.known_zones')
      await wide.viewFrom('fold.news_rounds', 'fold.known_rounds')
      if ((await wide.query('live/zones_outside')).length > 0) return false
      await wide.build('live/then_prints', {}, 'fold.zone_prints')
      await wide.addTo('fold.zone_prints', 'fold.zone_prints')
      return true
    },
  }
}
