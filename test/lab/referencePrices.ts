/** Prices of options for the second backtest, from the formulas and nothing of the first. */

import type { LegPrice } from '../../src/lab/engine/trade.ts'
import type { OptionType, PlainExpiry, PlainQuote, PlainSmile } from './referenceRows.ts'

const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)

/** Marsaglia's series near zero, Laplace's continued fraction far from it. */
export function normalCdf(x: number): number {
  if (x > 40) return 1
  if (x < -40) return 0
  if (Math.abs(x) < 4) {
    let [term, sum] = [x, x]
    for (let odd = 3; Math.abs(term) > 1e-18 * Math.abs(sum); odd += 2) {
      term *= (x * x) / odd
      sum += term
    }
    return 0.5 + sum * density(x)
  }
  let fraction = Math.abs(x)
  for (let step = 60; step > 0; step--) fraction = Math.abs(x) + step / fraction
  const tail = density(x) / fraction
  return x > 0 ? 1 - tail : tail
}

/** Total variance at ln(strike / forward): linear between the points of a smile, flat outside. */
export function totalVariance(smile: PlainSmile, forward: number, strike: number): number | null {
  const points = smile.map(point => ({ ...point, log: Math.log(point.strike / forward) }))
  const log = Math.log(strike / forward)
  const below = points.filter(point => point.log <= log).at(-1)
  const above = points.find(point => point.log > log)
  if (!below) return above?.variance ?? null
  if (!above) return below.variance
  const share = (log - below.log) / (above.log - below.log)
  return below.variance + share * (above.variance - below.variance)
}

/** Total variance of an expiry at a minute, at a strike or (null) at the forward itself. */
export function varianceAt(
  expiry: PlainExpiry,
  minute: number,
  strike: number | null,
): { readonly forward: number; readonly variance: number } | null {
  const forward = expiry.forward(minute)
  if (forward === null) return null
  const variance = totalVariance(expiry.smile(minute), forward, strike ?? forward)
  return variance === null ? null : { forward, variance }
}

/** Size of the undiscounted delta of an option; null: not known. */
export function deltaSize(
  expiry: PlainExpiry,
  minute: number,
  { type, strike }: { readonly type: OptionType; readonly strike: number },
): number | null {
  const found = varianceAt(expiry, minute, strike)
  if (!found) return null
  const s = Math.sqrt(found.variance)
  const d1 = Math.log(found.forward / strike) / s + s / 2
  return type === 'C' ? normalCdf(d1) : normalCdf(-d1)
}

/** Undiscounted price of the straddle at the forward, points. */
export function moveLeft(expiry: PlainExpiry, minute: number): number | null {
  const found = varianceAt(expiry, minute, null)
  if (!found) return null
  return found.forward * (4 * normalCdf(Math.sqrt(found.variance) / 2) - 2)
}

const OLDEST_QUOTE_SECONDS = 60
const HALF_SPREADS: readonly (readonly [below: number, half: number])[] = [
  [0.3, 0.025] as const,
  [1, 0.05] as const,
  [3, 0.075] as const,
  [10, 0.15] as const,
  [30, 0.25] as const,
]

/** With an offer of 0.30 or less the bid may be nothing. */
function isMarket({ bid, ask, ageSeconds }: PlainQuote): boolean {
  if (ageSeconds > OLDEST_QUOTE_SECONDS || !(ask > 0)) return false
  return bid > 0 ? ask >= bid : ask < 0.301
}

/** The price of an option at a minute: its quote, else the smile's, else none. */
export function legPrice(
  expiry: PlainExpiry,
  minute: number,
  { type, strike }: { readonly type: OptionType; readonly strike: number },
): LegPrice | null {
  const quote = expiry.quote(minute, type, strike)
  if (quote && isMarket(quote)) {
    const { bid, ask } = quote
    return { bid, ask, mid: (bid + ask) / 2, halfSpread: (ask - bid) / 2, source: 'quote' }
  }
  const discount = expiry.discount(minute)
  const found = varianceAt(expiry, minute, strike)
  if (!found || discount === null) return null
  const mid = discount * black76(found.forward, strike, found.variance, type)
  const halfSpread = HALF_SPREADS.find(([below]) => mid < below)?.[1] ?? 0.7
  return { bid: null, ask: null, mid, halfSpread, source: 'smile' }
}

/** Undiscounted price of an option on a forward. */
export function black76(
  forward: number,
  strike: number,
  variance: number,
  type: OptionType,
): number {
  const out = type === 'C' ? forward - strike : strike - forward
  if (variance === 0) return Math.max(out, 0)
  const s = Math.sqrt(variance)
  const d1 = Math.log(forward / strike) / s + s / 2
  return type === 'C'
    ? forward * normalCdf(d1) - strike * normalCdf(d1 - s)
    : strike * normalCdf(s - d1) - forward * normalCdf(-d1)
}

const STEP = 0.05

/** The multiple of 0.05 at or below a number; one that is a multiple but for a hair stays. */
export const steppedDown = (points: number): number => Math.floor((points + 1e-9) / STEP) * STEP
