/** The customers' flow as published, and as the simulated customers really traded. */

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
  /** Slope of the true flow on the published one, and its error; null of a day. */
  readonly delta_slope: number | null
  readonly delta_slope_error: number | null
  readonly median_delta_width: number
  readonly median_delta_error: number
}

const FLOW_MODELS = [
  'book/leg_sides',
  'book/flows',
  'book/balances',
  'book/leg_gammas',
  'book/edition_flows',
  'book/flow_changes',
  'book/minute_flows',
] as const

/** Makes `measure.published_flow` of a session with its surface. */
export async function buildPublishedFlow(db: Database): Promise<void> {
  for (const model of FLOW_MODELS) await db.build(model)
  await db.build('ledger/flow', {}, 'measure.published_flow')
}

/** Builds `book.minute_flows` of the orders as customers really traded them, at the true surface. */
export async function buildTrueFlow(db: Database): Promise<void> {
  await db.build('measure/true_forwards', {}, 'surface.forwards')
  await db.build('measure/true_smiles', {}, 'surface.smiles')
  // quotes are not what truth is priced by
  await db.run('delete from surface.implied_vols')
  for (const name of ['editions', 'edition_legs']) await db.run(`drop view fold.${name}`)
  await db.build('measure/true_orders', {}, 'fold.editions')
  await db.build('measure/true_order_legs', {}, 'fold.edition_legs')
  for (const model of FLOW_MODELS) await db.build(model)
}
