/** Coverage of the customers' flow against the flow that simulated customers really traded. */

import type { Database } from '../../src/core/engine/database.ts'

/** The flow of one part and span over all minutes of all sessions, $M of index and $M per point. */
export type CustomerFlowAccuracy = {
  readonly part: 'all' | '0dte' | 'calls' | 'puts'
  readonly span: 'day' | '5m'
  readonly sessions: number
  readonly minute_count: number
  /** Share of the minutes whose 90 % interval holds the true flow. */
  readonly delta_covered_share: number
  readonly gamma_covered_share: number
  /** Standard error of the covered share, of sessions as wholes; null of a single one. */
  readonly delta_covered_error: number | null
  readonly gamma_covered_error: number | null
  /** Slope of the true flow on the published one, over windows that do not overlap. */
  readonly delta_slope: number | null
  readonly gamma_slope: number | null
  readonly median_delta_width: number
  readonly median_delta_error: number
}

const FLOW_MODELS = [
  'book/leg_gammas',
  'book/edition_flows',
  'book/flow_changes',
  'book/minute_flows',
] as const

/** Stores the flow as published in `measure.published_flow`, while the session is as built. */
export const storePublishedFlow = (db: Database): Promise<void> =>
  db.build('ledger/flow', {}, 'measure.published_flow')

/**
 * Builds `book.minute_flows` of the orders as customers really traded them, priced by the true
 * surface, which is in place: the orders of the fold are gone afterwards.
 */
export async function buildTrueFlow(db: Database): Promise<void> {
  await db.run('drop view fold.editions; drop view fold.edition_legs')
  // quotes are not what truth is priced by
  await db.run('delete from surface.implied_vols')
  await db.build('measure/true_orders', {}, 'fold.editions')
  await db.build('measure/true_order_legs', {}, 'fold.edition_legs')
  for (const model of FLOW_MODELS) await db.build(model)
}
