import { normalCdf } from '../../core/market/normal.ts'
import type { LabExpiry } from '../market/session.ts'

/**
 * Smile of one expiry at one state: linear in total variance against log-moneyness between its
 * points, flat outside of them, as in sql/macros/smile.sql.
 */

/** Data that prices the options of an expiry when they have no quote. */
export type Surface = Pick<
  LabExpiry,
  'forward' | 'discount' | 'smileFrom' | 'smileStrikes' | 'smileTotalVariances'
>

/** Returns the surface of an expiry. May read its smiles from disk: call once for many states. */
export function readSurface(expiry: LabExpiry): Surface {
  const { forward, discount, smileFrom, smileStrikes, smileTotalVariances } = expiry
  return { forward, discount, smileFrom, smileStrikes, smileTotalVariances }
}

/** Implied variance x years at a strike or level in index points; NaN: there is no smile. */
export function totalVarianceAt(surface: Surface, state: number, level: number): number {
  const { smileFrom, smileStrikes, smileTotalVariances } = surface
  const first = smileFrom[state]!
  const end = smileFrom[state + 1]!
  if (!(end > first) || Number.isNaN(level)) return Number.NaN
  if (level <= smileStrikes[first]!) return smileTotalVariances[first]!
  if (level >= smileStrikes[end - 1]!) return smileTotalVariances[end - 1]!
  let low = first
  let high = end - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (smileStrikes[middle]! <= level) low = middle
    else high = middle
  }
  const strikeLow = smileStrikes[low]!
  const varianceLow = smileTotalVariances[low]!
  // the forward cancels out of a ratio of log-moneyness distances
  const share = Math.log(level / strikeLow) / Math.log(smileStrikes[high]! / strikeLow)
  return varianceLow + (smileTotalVariances[high]! - varianceLow) * share
}

/** Black-76 price by the smile, index points; NaN when forward, discount or smile is not known. */
export function smilePrice(
  surface: Surface,
  state: number,
  strike: number,
  isPut: boolean,
): number {
  const forward = surface.forward[state]!
  const deviation = Math.sqrt(totalVarianceAt(surface, state, strike))
  if (!(deviation > 0)) return Number.NaN
  const d1 = Math.log(forward / strike) / deviation + deviation / 2
  const d2 = d1 - deviation
  const undiscounted = isPut
    ? strike * normalCdf(-d2) - forward * normalCdf(-d1)
    : forward * normalCdf(d1) - strike * normalCdf(d2)
  // far out, the difference of two tiny terms may be negative
  return surface.discount[state]! * Math.max(0, undiscounted)
}

/** Forward delta of the call, 0 to 1; that of the put is 1 minus it. NaN: not known. */
export function callDelta(surface: Surface, state: number, strike: number): number {
  const deviation = Math.sqrt(totalVarianceAt(surface, state, strike))
  if (!(deviation > 0)) return Number.NaN
  return normalCdf(Math.log(surface.forward[state]! / strike) / deviation + deviation / 2)
}

/** Straddle at the forward, undiscounted; NaN: not known. */
export function movePoints(forward: number, totalVariance: number): number {
  const deviation = Math.sqrt(totalVariance)
  return deviation > 0 ? forward * (4 * normalCdf(deviation / 2) - 2) : Number.NaN
}
