import { normalCdf } from '../../core/market/normal.ts'
import { createByteCache } from '../market/byteCache.ts'
import { type LegType, readOptionQuotes } from '../market/quotes.ts'
import { type LabExpiry, NO_QUOTE } from '../market/session.ts'
import { findStrikeIndex } from '../market/strikes.ts'
import type { LegPrice } from './trade.ts'

/** Price of an option at each state of a session: by its quote, else by the smile. */

/** Prices of one option of an expiry by state, index points; a NaN mid: no price there. */
export type PriceColumn = {
  readonly mids: Float64Array
  readonly halves: Float64Array
  /** 1 where the price comes from a quote. */
  readonly isQuoted: Uint8Array
}

/** Maximum age of a quote, seconds. */
const AGE_MAX = 60

/**
 * Maximum ask, index points, at which a missing bid is read as zero: such an option sells for
 * nothing and is bought at the ask. Above it, a missing bid does not bound the value.
 */
const UNBID_ASK_MAX = 0.3

/** Half spread of a smile price, below each mid; measured on real 0DTE minutes. */
const HALF_SPREADS = [
  { below: 0.3, half: 0.025 },
  { below: 1, half: 0.05 },
  { below: 3, half: 0.075 },
  { below: 10, half: 0.15 },
  { below: 30, half: 0.25 },
] as const
const HALF_SPREAD_MAX = 0.7

/** Maximum bytes of computed prices held in memory. */
const CACHE_BYTES_MAX = 512 * 1024 ** 2

type Worked = {
  readonly columns: Map<number, PriceColumn>
  readonly callDeltas: Map<number, Float64Array>
  atmVariances: Float64Array | null
}
const worked = createByteCache<LabExpiry, Worked>(CACHE_BYTES_MAX, () => ({
  columns: new Map(),
  callDeltas: new Map(),
  atmVariances: null,
}))

/** Returns the prices of an option at all states; cached in memory with the expiry. */
export function priceColumn(expiry: LabExpiry, strike: number, type: LegType): PriceColumn {
  const { columns } = worked.of(expiry)
  const key = strike * 2 + (type === 'P' ? 1 : 0)
  const known = columns.get(key)
  if (known) return known
  const made = makeColumn(expiry, strike, type)
  columns.set(key, made)
  worked.grew(made.mids.length * 17)
  return made
}

/** Forward call deltas of all strikes at a state; NaN: not known. */
export function callDeltas(expiry: LabExpiry, state: number): Float64Array {
  const { callDeltas: byState } = worked.of(expiry)
  const known = byState.get(state)
  if (known) return known
  const surface = readSurface(expiry)
  const made = expiry.strikes.map(strike => callDelta(surface, state, strike))
  byState.set(state, made)
  worked.grew(made.byteLength)
  return made
}

/** Annualized implied volatility at the forward, as a fraction; NaN: not known. */
export const atmVolatility = (expiry: LabExpiry, state: number): number =>
  Math.sqrt(atmVariances(expiry)[state]! / expiry.years[state]!)

/** Remaining expected move of an expiry, index points; NaN: not known. */
export const remainingMove = (expiry: LabExpiry, state: number): number =>
  movePoints(expiry.forward[state]!, atmVariances(expiry)[state]!)

function atmVariances(expiry: LabExpiry): Float64Array {
  const cached = worked.of(expiry)
  if (cached.atmVariances) return cached.atmVariances
  const surface = readSurface(expiry)
  const made = expiry.forward.map((forward, state) => totalVarianceAt(surface, state, forward))
  cached.atmVariances = made
  worked.grew(made.byteLength)
  return made
}

/**
 * Returns the price at one state with everything that a trade records of it; null: there is none.
 */
export function legPrice(
  expiry: LabExpiry,
  state: number,
  strike: number,
  type: LegType,
): LegPrice | null {
  const { mids, halves, isQuoted } = priceColumn(expiry, strike, type)
  const [mid, halfSpread] = [mids[state]!, halves[state]!]
  if (Number.isNaN(mid)) return null
  if (isQuoted[state] === 0) return { bid: null, ask: null, mid, halfSpread, source: 'smile' }
  const perPoint = Math.round(1 / expiry.tick)
  const onStep = (points: number) => Math.round(points * perPoint) / perPoint
  const [bid, ask] = [onStep(mid - halfSpread), onStep(mid + halfSpread)]
  return { bid, ask, mid, halfSpread, source: 'quote' }
}

export function computeHalfSpread(mid: number): number {
  for (const { below, half } of HALF_SPREADS) if (mid < below) return half
  return HALF_SPREAD_MAX
}

function makeColumn(expiry: LabExpiry, strike: number, type: LegType): PriceColumn {
  const states = expiry.forward.length
  const mids = new Float64Array(states)
  const halves = new Float64Array(states)
  const isQuoted = new Uint8Array(states)
  const strikeIndex = findStrikeIndex(expiry.strikes, strike)
  const quotes = strikeIndex < 0 ? null : readOptionQuotes(expiry, strikeIndex, type)
  const perPoint = Math.round(1 / expiry.tick)
  const unbidMax = Math.round(UNBID_ASK_MAX * perPoint)
  let surface: Surface | null = null
  for (let state = 0; state < states; state++) {
    const bid = quotes ? toBidSteps(quotes.bids[state]!) : 0
    const ask = quotes ? quotes.asks[state]! : NO_QUOTE
    if (quotes && isPrice(bid, ask, quotes.ages[state]!, unbidMax)) {
      mids[state] = (bid + ask) / (2 * perPoint)
      halves[state] = (ask - bid) / (2 * perPoint)
      isQuoted[state] = 1
    } else {
      surface ??= readSurface(expiry)
      mids[state] = smilePrice(surface, state, strike, type === 'P')
      halves[state] = computeHalfSpread(mids[state]!)
    }
  }
  return { mids, halves, isQuoted }
}

const toBidSteps = (steps: number) => (steps === NO_QUOTE ? 0 : steps)

/** Bid and ask in steps; `unbidMax` is the maximum ask when there is no bid. */
function isPrice(bid: number, ask: number, age: number, unbidMax: number): boolean {
  if (ask === 0 || ask === NO_QUOTE || age > AGE_MAX) return false
  return bid > 0 ? ask >= bid : ask <= unbidMax
}

/**
 * Smile of one expiry at one state: linear in total variance against log-moneyness between its
 * points, flat outside of them, as in sql/macros/smile.sql.
 */

/** Data that prices the options of an expiry when they have no quote. */
type Surface = Pick<
  LabExpiry,
  'forward' | 'discount' | 'smileFrom' | 'smileStrikes' | 'smileTotalVariances'
>

/** Returns the surface of an expiry. May read its smiles from disk: call once for many states. */
function readSurface(expiry: LabExpiry): Surface {
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
function movePoints(forward: number, totalVariance: number): number {
  const deviation = Math.sqrt(totalVariance)
  return deviation > 0 ? forward * (4 * normalCdf(deviation / 2) - 2) : Number.NaN
}
