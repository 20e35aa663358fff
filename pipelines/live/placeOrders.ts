/** The orders of a running session, placed against the states that know them. */

import type { Database } from '../../src/engine/database.ts'
import { noteSpans } from './fold.ts'
import { handOver, type Workspaces } from './handoffs.ts'
import { lookBack } from './lookBack.ts'

const GAMMA_MODELS = ['book/leg_gammas', 'ledger/leg_texts', 'ledger/order_gammas'] as const

/**
 * Finds the orders that became known, and their legs with their gammas in the states of their
 * minutes: all that is said of them without the levels. The others wait. And finds what earlier
 * states published of the orders that ended.
 */
export async function priceOrders(spaces: Workspaces, isFirst: boolean): Promise<void> {
  const { main, placing } = spaces
  await main.build('live/new_spans')
  await main.repeat('delete from live.spans where edition_id in (from live.replaced)')
  await noteSpans(spaces)
  await main.build('live/known_now')
  await main.build('live/known_legs')
  await main.build('live/placing_minutes', {}, 'live.states')
  await lookBack(main)
  await handOver(spaces, 'known')
  for (const model of GAMMA_MODELS) await placing.build(model)
  await placing.view('ledger/known_legs')
  await placing.build('ledger/legs')
  // a version may begin and end within the step
  await placing.build('ledger/revision_legs', {}, 'ledger.brief_legs')
  await handOver(spaces, 'legsPriced')
  await main.view('live/told_legs')
  await handOver(spaces, 'legsTold')
  await findEnded(main, isFirst)
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
export async function storeOrders(spaces: Workspaces): Promise<void> {
  await handOver(spaces, 'ordersKept')
  for (const name of ['pending', 'pending_legs']) await spaces.main.build(`live/${name}`)
}

/** Places the orders that became known against the levels of their minutes. */
export async function matchOrdersToLevels(spaces: Workspaces): Promise<void> {
  const { main, placing } = spaces
  await handOver(spaces, 'levelsKnown')
  await placing.view('ledger/placed')
  await handOver(spaces, 'placed')
  await main.build('live/ended')
  await main.view('live/standing_now')
  await handOver(spaces, 'ended')
  await placing.build('ledger/large_orders')
  await handOver(spaces, 'largeFound')
}
