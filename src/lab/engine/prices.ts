import { type LabExpiry, NO_QUOTE } from '../market/session.ts'
import { callDelta, smilePrice } from './smile.ts'
import type { LegPrice, TradeLeg } from './trade.ts'

/** What an option costs at each state of a session: by its quote, else by the smile. */

type OptionType = TradeLeg['type']

/** One option of an expiry by state, index points; a mid of NaN: it has no price there. */
export type PriceColumn = { readonly mids: Float64Array; readonly halves: Float64Array }

/** A quote that is older than this is no price, seconds. */
const AGE_MAX = 60

/** Half spread of a price by the smile, below each mid; measured on real 0DTE minutes. */
const HALF_SPREADS = [
  { below: 0.3, half: 0.025 },
  { below: 1, half: 0.05 },
  { below: 3, half: 0.075 },
  { below: 10, half: 0.15 },
  { below: 30, half: 0.25 },
] as const
const HALF_SPREAD_MAX = 0.7

/** Bytes of worked out prices that stay in memory; beyond it they are worked out anew. */
const KEPT_BYTES_MAX = 512 * 1024 ** 2

type Worked = {
  readonly columns: Map<number, PriceColumn>
  readonly callDeltas: Map<number, Float64Array>
}
let worked = new WeakMap<LabExpiry, Worked>()
let keptBytes = 0

/** Forgets what was worked out, which changes no answer. */
function forgetPrices(): void {
  worked = new WeakMap()
  keptBytes = 0
}

/** The prices of an option at all states; they stay in memory with the expiry. */
export function priceColumn(expiry: LabExpiry, strike: number, type: OptionType): PriceColumn {
  const { columns } = workedOf(expiry)
  const key = strike * 2 + (type === 'P' ? 1 : 0)
  const known = columns.get(key)
  if (known) return known
  const made = makeColumn(expiry, strike, type)
  columns.set(key, made)
  keep(made.mids.byteLength * 2)
  return made
}

/** Forward deltas of the calls of all strikes at a state; NaN: not known. */
export function callDeltas(expiry: LabExpiry, state: number): Float64Array {
  const { callDeltas: byState } = workedOf(expiry)
  const known = byState.get(state)
  if (known) return known
  const made = expiry.strikes.map(strike => callDelta(expiry, state, strike))
  byState.set(state, made)
  keep(made.byteLength)
  return made
}

/** The price at one state with all that a trade writes down of it; null: there is none. */
export function legPrice(
  expiry: LabExpiry,
  state: number,
  strike: number,
  type: OptionType,
): LegPrice | null {
  const { mids, halves } = priceColumn(expiry, strike, type)
  const mid = mids[state]!
  if (Number.isNaN(mid)) return null
  const quote = quoteAt(expiry, state, placeOf(expiry.strikes, strike), type)
  const price = { bid: quote?.bid ?? null, ask: quote?.ask ?? null }
  return { ...price, mid, halfSpread: halves[state]!, source: quote ? 'quote' : 'smile' }
}

/** Place of a strike in a rising list, or -1. */
export function placeOf(strikes: Float64Array, strike: number): number {
  const place = firstPlaceFrom(strikes, strike)
  return strikes[place] === strike ? place : -1
}

/** Place of the first strike at or above a level; the length where there is none. */
export function firstPlaceFrom(strikes: Float64Array, level: number): number {
  let low = 0
  let high = strikes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (strikes[middle]! < level) low = middle + 1
    else high = middle
  }
  return low
}

export function halfSpreadOf(mid: number): number {
  for (const { below, half } of HALF_SPREADS) if (mid < below) return half
  return HALF_SPREAD_MAX
}

function workedOf(expiry: LabExpiry): Worked {
  const known = worked.get(expiry)
  if (known) return known
  const made = { columns: new Map(), callDeltas: new Map() }
  worked.set(expiry, made)
  return made
}

function keep(bytes: number): void {
  if (keptBytes + bytes > KEPT_BYTES_MAX) forgetPrices()
  keptBytes += bytes
}

const sideOf = (expiry: LabExpiry, type: OptionType) =>
  type === 'P'
    ? { bids: expiry.putBid, asks: expiry.putAsk, ages: expiry.putAge }
    : { bids: expiry.callBid, asks: expiry.callAsk, ages: expiry.callAge }

function makeColumn(expiry: LabExpiry, strike: number, type: OptionType): PriceColumn {
  const states = expiry.forward.length
  const mids = new Float64Array(states)
  const halves = new Float64Array(states)
  const place = placeOf(expiry.strikes, strike)
  const { bids, asks, ages } = sideOf(expiry, type)
  const perPoint = Math.round(1 / expiry.tick)
  for (let state = 0; state < states; state++) {
    const at = state * expiry.strikes.length + place
    if (place >= 0 && isPrice(bids[at]!, asks[at]!, ages[at]!)) {
      mids[state] = (bids[at]! + asks[at]!) / (2 * perPoint)
      halves[state] = (asks[at]! - bids[at]!) / (2 * perPoint)
    } else {
      mids[state] = smilePrice(expiry, state, strike, type === 'P')
      halves[state] = halfSpreadOf(mids[state]!)
    }
  }
  return { mids, halves }
}

const isPrice = (bid: number, ask: number, age: number) =>
  bid > 0 && bid !== NO_QUOTE && ask !== NO_QUOTE && ask >= bid && age <= AGE_MAX

function quoteAt(expiry: LabExpiry, state: number, place: number, type: OptionType) {
  if (place < 0) return null
  const { bids, asks, ages } = sideOf(expiry, type)
  const at = state * expiry.strikes.length + place
  const [bid, ask] = [bids[at]!, asks[at]!]
  const perPoint = Math.round(1 / expiry.tick)
  return isPrice(bid, ask, ages[at]!) ? { bid: bid / perPoint, ask: ask / perPoint } : null
}
