/** Orders of a running session, matched with the states that know them. */

import type { Database } from '../../src/core/engine/database.ts'
import { MINUTE_MS } from '../../src/core/market/calendar.ts'
import { noteSpans } from './fold.ts'
import { handOver, type Workspaces } from './handoffs.ts'

/** Surface tables that are stored for orders matched with a state later. */
const MATCHING_SURFACE = ['forwards', 'smiles', 'implied_vols'] as const

/** Makes the surface of the states in `live.states`. */
async function lookBack(db: Database): Promise<void> {
  const rows = await db.query('live/state_instants')
  const ranges = lookRanges(rows.map(row => Number(row.at_ms)))
  for (const name of MATCHING_SURFACE) await db.build(`live/at_${name}`, ranges)
}

/**
 * The first of some states in UTC milliseconds, rising, and the two around their widest gap as term
 * numbers of surface.forwards.
 */
function lookRanges(states: readonly number[]) {
  const widest = states.slice(1).reduce(
    (best, atMs, index) => {
      const beforeMs = states[index]!
      return atMs - beforeMs > best.atMs - best.beforeMs ? { beforeMs, atMs } : best
    },
    { beforeMs: states.at(-1) ?? 0, atMs: states.at(-1) ?? 0 },
  )
  const toTerm = (atMs: number) => (Math.floor(atMs / MINUTE_MS) % 1440) * 4096
  const firstMs = states[0] ?? 0
  return {
    first_term: toTerm(firstMs),
    early_term: toTerm(widest.beforeMs) + 4095,
    late_term: toTerm(widest.atMs),
  }
}

const GAMMA_MODELS = [
  'book/leg_gammas',
  'book/edition_flows',
  'ledger/leg_texts',
  'ledger/order_gammas',
] as const

/**
 * Finds the orders that became known, with their legs and gammas in the states of their minutes:
 * everything but the levels. The others wait. Also finds the earlier published rows of superseded
 * orders.
 */
export async function priceOrders(spaces: Workspaces, isFirst: boolean): Promise<void> {
  const { main, matching } = spaces
  await main.build('live/new_spans')
  await main.repeat('delete from live.spans where edition_id in (from live.replaced)')
  await noteSpans(spaces)
  await main.build('live/new_versions')
  await main.build('live/new_version_legs')
  await main.build('live/placing_minutes', {}, 'live.states')
  await lookBack(main)
  await handOver(spaces, 'known')
  for (const model of GAMMA_MODELS) await matching.build(model)
  await matching.view('ledger/edition_legs')
  await matching.build('ledger/legs')
  // a version may begin and end within the step
  await matching.build('ledger/revision_legs', {}, 'ledger.brief_legs')
  await handOver(spaces, 'legsPriced')
  await main.view('live/reported_legs')
  await handOver(spaces, 'legsReported')
  await findEnded(main, isFirst)
}

/** Sums what customers bought, of the orders that each new state knows; after the book's flows. */
export async function sumFlows(spaces: Workspaces): Promise<void> {
  const { main, matching } = spaces
  await main.build('live/new_flow_changes')
  await handOver(spaces, 'flowsChanged')
  await main.view('live/current_flow_changes')
  await handOver(spaces, 'flowsKnown')
  await matching.build('book/balances')
  await matching.build('book/minute_flows')
  await matching.build('ledger/flow')
  await handOver(spaces, 'ledger/flow')
}

/** Finds the published rows of superseded orders: nearly always of a recent state. */
async function findEnded(db: Database, isFirst: boolean): Promise<void> {
  await db.build('live/ended_keys')
  const [ended] = await db.query('live/ended_from')
  const from_us = ended!.from_us as number | null
  await db.build('live/ended_legs', { from_us })
  if (!isFirst) await db.build('live/ended_before', { from_us })
}

/** Stores the known orders, and the pending versions. */
export async function storeOrders(spaces: Workspaces): Promise<void> {
  await handOver(spaces, 'ordersStored')
  for (const name of ['pending', 'pending_legs']) await spaces.main.build(`live/${name}`)
}

/** Matches the orders that became known with the levels of their minutes. */
export async function matchOrdersToLevels(spaces: Workspaces): Promise<void> {
  const { main, matching } = spaces
  await handOver(spaces, 'levelsKnown')
  await matching.view('ledger/order_versions')
  await handOver(spaces, 'matched')
  await main.build('live/ended')
  await main.view('live/current_orders')
  await handOver(spaces, 'ended')
  await matching.build('ledger/large_orders')
  await handOver(spaces, 'largeFound')
}
