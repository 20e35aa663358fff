import type { RuleCore } from '../language/spec.ts'

/** Points and dollars of a trade. Points are per unit, positive when received. */

/** Steps per index point in which SPX quotes a package. */
const STEPS_PER_POINT = 20
/** Tolerance, in steps, within which a price counts as the step despite floating-point error. */
const TOLERANCE = 1e-9
/** USD per point and contract. */
const MULTIPLIER = 100

/** Rounds proceeds against the trader. */
export const roundedDown = (points: number): number =>
  Math.floor((points + TOLERANCE) * STEPS_PER_POINT) / STEPS_PER_POINT

/** Minimum cost of anything bought. */
export const LEAST_DEBIT = 1 / STEPS_PER_POINT

/** Removes floating-point error from a sum of prices and fees; never -0. */
export const exact = (value: number): number => Math.round(value * 1e10) / 1e10 + 0

export const toUsd = (points: number, qty: number): number => exact(points * MULTIPLIER * qty)

/** Maximum loss of a trade, index points; null: unbounded. */
export function maximumLoss({ action, width }: RuleCore, net: number): number | null {
  if (action === 'buy') return -net
  return width === undefined ? null : width - net
}

/** Unit of r: the maximum loss, else the distance of the stop, else the credit. */
export function computeRisk(core: RuleCore, net: number): number {
  const stop = core.exit.find(exit => 'stop_x_credit' in exit)
  return maximumLoss(core, net) ?? (stop ? (stop.stop_x_credit - 1) * net : net)
}
