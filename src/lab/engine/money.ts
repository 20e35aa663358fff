import type { RuleCore } from '../language/spec.ts'

/** Points and dollars of a trade. Points are of one unit, received above zero. */

/** SPX is quoted in steps of this for a package, index points. */
const STEPS_PER_POINT = 20
/** A price that is a step but for the last digits of a double stays that step. */
const TOLERANCE = 1e-9
/** USD a point and contract. */
const MULTIPLIER = 100

/** What is received, rounded against us. */
export const roundedDown = (points: number): number =>
  Math.floor((points + TOLERANCE) * STEPS_PER_POINT) / STEPS_PER_POINT

/** The least that anything bought costs. */
export const LEAST_DEBIT = 1 / STEPS_PER_POINT

/** A sum as it is in steps of prices and fees, without the last digits of doubles: never -0. */
export const exact = (value: number): number => Math.round(value * 1e10) / 1e10 + 0

export const toUsd = (points: number, qty: number): number => exact(points * MULTIPLIER * qty)

/** What a trade can lose at most, index points; null: it has no bound. */
export function maximumLoss({ action, width }: RuleCore, net: number): number | null {
  if (action === 'buy') return -net
  return width === undefined ? null : width - net
}

/** What r is measured in: the maximum loss, else the distance of the stop, else the credit. */
export function computeRisk(core: RuleCore, net: number): number {
  const stop = core.exit.find(exit => 'stop_x_credit' in exit)
  return maximumLoss(core, net) ?? (stop ? (stop.stop_x_credit - 1) * net : net)
}
