/** Quotes and smiles of one expiry of a random market. */

import type { LabExpiry } from '../../src/lab/market/session.ts'
import { NO_AGE, NO_QUOTE } from '../../src/lab/market/session.ts'
import type { Dice } from './randomMarket.ts'

type ExpiryOptions = {
  readonly dice: Dice
  readonly hasHoles: boolean
  readonly dte: number
  readonly path: readonly number[]
  readonly stateCount: number
  readonly expiry: string
  /** Seconds to the expiry at state 0. */
  readonly secondsAtFirst: number
}

const YEAR_SECONDS = 365 * 86_400

export function randomExpiry(options: ExpiryOptions): LabExpiry {
  const { dice, hasHoles, path, stateCount, expiry, secondsAtFirst } = options
  const hole = (chance: number) => hasHoles && dice.isHit(chance)
  const strikes = randomStrikes(options)
  const tick = dice.isHit(0.8) ? 0.05 : 0.01
  const years = Float64Array.from(path, (_, state) =>
    Math.max(0, (secondsAtFirst - 60 * state) / YEAR_SECONDS),
  )
  const volatility = dice.between(0.08, 0.3)
  const carry = dice.between(-1, 1) * options.dte
  const forwards = path.map(spot => spot + carry)
  const blackouts = Array.from({ length: hasHoles ? dice.whole(0, 3) : 0 }, () => {
    const from = dice.whole(0, stateCount - 1)
    return { from, to: from + dice.whole(1, 40), hasQuotes: dice.isHit(0.5) }
  })
  const darkAt = (state: number) => blackouts.find(({ from, to }) => from <= state && state < to)
  const smile = { from: [0], strikes: [] as number[], variances: [] as number[] }
  const listedFrom = Int32Array.from(strikes, () => (hole(0.08) ? dice.whole(1, stateCount) : 0))
  const quotes = listPlanes(stateCount * strikes.length)
  for (let state = 0; state < stateCount; state++) {
    const dark = darkAt(state)
    const isQuiet = dark !== undefined && !dark.hasQuotes
    const [forward, time] = [forwards[state]!, years[state]!]
    for (const [index, strike] of strikes.entries()) {
      if (isQuiet || listedFrom[index]! > state) continue
      const cell = state * strikes.length + index
      const move = volatility * Math.sqrt(time) * forward
      quote({ ...options, tick, hole }, quotes.call, cell, fair(forward - strike, move))
      quote({ ...options, tick, hole }, quotes.put, cell, fair(strike - forward, move))
    }
    if (!dark && time > 0 && !hole(0.03)) {
      const isLonely = hole(0.01)
      for (const strike of strikes) {
        if (hole(0.1) || (isLonely && smile.strikes.length > smile.from.at(-1)!)) continue
        const k = Math.log(strike / forward)
        const sigma = volatility * (1 - 1.5 * k + 20 * k * k)
        smile.strikes.push(strike)
        smile.variances.push(sigma * sigma * time * dice.between(0.98, 1.02))
      }
    }
    smile.from.push(smile.strikes.length)
  }
  return {
    expiry,
    years,
    tick,
    listedFrom,
    strikes: Float64Array.from(strikes),
    callBid: quotes.call.bid,
    callAsk: quotes.call.query,
    callAge: quotes.call.age,
    putBid: quotes.put.bid,
    putAsk: quotes.put.query,
    putAge: quotes.put.age,
    forward: Float64Array.from(forwards, value => (hole(0.02) ? Number.NaN : value)),
    discount: Float64Array.from(years, value => (hole(0.01) ? Number.NaN : Math.exp(-value / 25))),
    smileFrom: Int32Array.from(smile.from),
    smileStrikes: Float64Array.from(smile.strikes),
    smileTotalVariances: Float64Array.from(smile.variances),
  }
}

/** 5 apart near the money, further apart away from it, some of them not there. */
function randomStrikes({ dice, hasHoles, path }: ExpiryOptions): number[] {
  const centre = Math.round(path[0]! / 25) * 25
  const strikes: number[] = []
  for (let away = -175; away <= 175; away += away >= -100 && away < 100 ? 5 : 25) {
    if (!(hasHoles && dice.isHit(0.03))) strikes.push(centre + away)
  }
  return strikes
}

type Plane = { readonly bid: Uint32Array; readonly query: Uint32Array; readonly age: Uint8Array }

function listPlanes(cells: number): { call: Plane; put: Plane } {
  const plane = () => ({
    bid: new Uint32Array(cells).fill(NO_QUOTE),
    query: new Uint32Array(cells).fill(NO_QUOTE),
    age: new Uint8Array(cells).fill(NO_AGE),
  })
  return { call: plane(), put: plane() }
}

/** Roughly what an option that is so far in the money is worth: prices need not be exact here. */
function fair(inTheMoney: number, move: number): number {
  if (move <= 0) return Math.max(0, inTheMoney)
  const away = Math.abs(inTheMoney) / move
  return Math.max(0, inTheMoney) + 0.4 * move * Math.exp(-away * (1.25 + 0.35 * away))
}

type Quoting = {
  readonly dice: Dice
  readonly tick: number
  readonly hole: (chance: number) => boolean
}

function quote({ dice, tick, hole }: Quoting, plane: Plane, cell: number, mid: number): void {
  if (hole(0.05)) return
  const half = mid * dice.between(0.005, 0.04) + 0.01
  const bid = Math.max(0, Math.floor((mid - half) / tick))
  const query = Math.max(1, Math.ceil((mid + half) / tick))
  const isCrossed = hole(0.02)
  plane.bid[cell] = isCrossed ? query : bid
  plane.query[cell] = isCrossed ? Math.max(0, query - dice.whole(0, 2)) : query
  if (hole(0.01)) plane.bid[cell] = 0
  if (hole(0.01)) plane.bid[cell] = NO_QUOTE
  if (hole(0.01)) plane.query[cell] = NO_QUOTE
  plane.age[cell] = hole(0.04) ? dice.whole(58, 64) : hole(0.02) ? NO_AGE : dice.whole(0, 30)
}
