/**
 * Earlier versions of prints, folded together with the current ones: as prints of exchanges of
 * their own, so that the two never meet. A second fold would cost as much as the first, however few
 * they are.
 */

import type { Database } from '../../src/core/engine/database.ts'
import { emptyTable } from '../../src/data/published/growing.ts'
import { FOLD_WINDOW } from '../build/editions.ts'

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
export async function emptyEarlierTables(db: Database): Promise<void> {
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
