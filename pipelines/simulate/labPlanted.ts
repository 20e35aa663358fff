import type { LabLevels } from './labLevels.ts'
import { jumpOutcomes, relativeVariance, timeValue } from './labPricing.ts'

/** The state of 10:00: net gamma above zero there determines the kind of day. */
export const PLANTED_STATE = 29

type FairDay = { readonly spots: Float64Array; readonly remaining: Float64Array }

/**
 * Returns the path of a day with the planted effect. Where net gamma is above zero at 10:00 the
 * index then moves less than implied, elsewhere more; its steps stay fair. A straddle sold at the
 * money at 10:00 and held to expiry then earns before costs, as a share of its credit, `plantedSd`
 * of its standard deviations more on the days of the one kind than on the others, and nothing
 * overall. A day whose net gamma is unknown at 10:00 stays as it is.
 */
export function bent(fair: FairDay, levels: LabLevels, plantedSd: number): Float64Array {
  const { spots, remaining } = fair
  const netGamma = levels.netGamma[PLANTED_STATE]!
  if (Number.isNaN(netGamma)) return spots
  const minutes = spots.length - 1 - PLANTED_STATE
  const outcomes = jumpOutcomes({ variance: remaining[PLANTED_STATE]!, minutes, nights: 0 })
  const size = 2 * timeValue(outcomes, 1, 1, 0)
  // of |move| / mean |move|: a sold straddle earns 1 less that, as a share of its credit
  const deviation = Math.sqrt(relativeVariance(outcomes) / size ** 2 - 1)
  const scale = 1 + (netGamma > 0 ? -0.5 : 0.5) * plantedSd * deviation
  const from = spots[PLANTED_STATE]!
  return spots.map((spot, state) => (state <= PLANTED_STATE ? spot : from + scale * (spot - from)))
}
