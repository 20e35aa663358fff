/** The orders of a running session, placed against the states that know them. */

import type { Database, DatabaseAside } from '../../src/engine/database.ts'
import { readSql } from '../../src/engine/sql.ts'
import { addSpans } from './fold.ts'
import { lookBack } from './lookBack.ts'
import type { Desks } from './workspaces.ts'

const GAMMA_MODELS = ['book/leg_gammas', 'ledger/leg_texts', 'ledger/order_gammas'] as const

/**
 * Finds the orders that became known, and their legs with their gammas in the states of their
 * minutes: all that is said of them without the levels. The others wait. And finds what earlier
 * states published of the orders that ended.
 */
export async function priceOrders(
  db: Database,
  placing: DatabaseAside,
  isFirst: boolean,
): Promise<void> {
  await db.build('live/new_spans')
  await db.repeat('delete from live.spans where edition_id in (from live.replaced)')
  await addSpans(db)
  await db.build('live/known_now')
  await db.build('live/known_legs')
  await db.build('live/placing_minutes', {}, 'live.states')
  await lookBack(db, placing)
  await placing.viewFrom('live.known_now', 'fold.editions')
  await placing.viewFrom('live.known_legs', 'fold.edition_legs')
  for (const model of GAMMA_MODELS) await placing.build(model)
  await placing.build('ledger/legs')
  // a version may begin and end within the step
  await placing.build('ledger/revision_legs', {}, 'ledger.brief_legs')
  await placing.viewTo('ledger.legs', 'live.legs_now')
  await placing.viewTo('ledger.brief_legs', 'live.brief_legs')
  await db.append('ledger.legs', readSql('live/told_legs'))
  await findEnded(db, isFirst)
}

/** Finds what earlier states published of the orders that ended: nearly always a recent one. */
async function findEnded(db: Database, isFirst: boolean): Promise<void> {
  await db.build('live/ended_keys')
  const [ended] = await db.query('live/ended_from')
  const from_us = ended!.from_us as number | null
  await db.build('live/ended_legs', { from_us })
  if (!isFirst) await db.build('live/ended_before', { from_us })
}

/** Keeps the orders that are known, and those that wait to be known, or known better. */
export async function keepOrders(db: Database): Promise<void> {
  await db.append('ledger.placed', 'from live.placed_now')
  for (const name of ['pending', 'pending_legs']) await db.build(`live/${name}`)
}

/** Places the orders that became known against the levels of their minutes. */
export async function placeOrders({ db, placing }: Desks): Promise<void> {
  await placing.viewFrom('levels.levels')
  await placing.view('ledger/placed')
  await placing.copyTo('ledger.placed', 'live.placed_now')
  await db.make('live.ended_before', 'from live.placed_now limit 0')
  await db.build('live/ended')
  await db.view('live/standing_now')
  await placing.viewFrom('live.standing_now', 'ledger.orders')
  await placing.viewFrom('live.ended', 'ledger.revisions')
  await placing.viewFrom('live.ended_legs', 'ledger.revision_legs')
  await placing.build('ledger/large_orders')
  await placing.viewTo('ledger.large_orders', 'live.large_now')
}
