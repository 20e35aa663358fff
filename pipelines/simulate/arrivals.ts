import type { SimulatedMarket } from './market.ts'
import type { SimulateOptions, TapePreset } from './options.ts'
import { createRandom, type Random } from './random.ts'

/** Draws the instants at which orders arrive. */
export type Arrivals = {
  /** A fresh arrival somewhere in the day. */
  readonly draw: (random: Random) => number
}

const SECOND_US = 1_000_000
/** Share of prints outside regular hours. */
const OFF_HOURS_SHARE = 0.025
/** Share of prints that are legs of packages: 8,930 of 27,938 on 2026-09-15. */
export const LEG_SHARE = 0.32
/** Share of a thin tape that falls into the active windows. */
const WINDOW_SHARE = 0.8
const WINDOW_SECONDS = 40

/**
 * Intensity by second: busy at the open and the close, little at night. A tape with too few prints
 * for the preset's rate all day has that rate in windows spread over the day.
 */
export function createArrivals(
  market: SimulatedMarket,
  options: SimulateOptions,
  preset: TapePreset,
): Arrivals {
  const random = createRandom(options.seed, 'windows')
  const seconds = Math.ceil(market.endUs / SECOND_US)
  const open = Math.round(market.openUs / SECOND_US)
  const close = Math.round(market.closeUs / SECOND_US)
  const weights = new Float64Array(seconds)
  let dayTotal = 0
  for (let s = open; s < close; s++) {
    weights[s] = dayShape(market, s * SECOND_US)
    dayTotal += weights[s]!
  }
  for (let s = open; s < close; s++) weights[s] = weights[s]! / dayTotal

  const legPrints = options.prints * LEG_SHARE * (1 - OFF_HOURS_SHARE)
  const windowSeconds = (WINDOW_SHARE * legPrints) / preset.legPrintsPerSecond
  if (windowSeconds / WINDOW_SHARE < 0.7 * (close - open)) {
    const windows = planWindows({ random, weights, open, close, windowSeconds })
    for (let s = open; s < close; s++) weights[s] = weights[s]! * (1 - WINDOW_SHARE)
    for (const s of windows) weights[s] = weights[s]! + WINDOW_SHARE / windows.length
  }
  addOffHours(market, weights)
  const total = cumulate(weights)
  return {
    draw: stream => {
      const wanted = stream.uniform() * total[seconds - 1]!
      return (search(total, wanted) + stream.uniform()) * SECOND_US
    },
  }
}

/** Relative intensity of a second in regular hours. */
function dayShape({ openUs, pmExpiryUs }: SimulatedMarket, atUs: number): number {
  if (atUs >= pmExpiryUs) return 0.25
  const u = (atUs - openUs) / (pmExpiryUs - openUs)
  return 1 + 1.1 * Math.exp(-u / 0.08) + 0.9 * Math.exp((u - 1) / 0.07)
}

type Windows = {
  readonly random: Random
  readonly weights: Float64Array
  readonly open: number
  readonly close: number
  readonly windowSeconds: number
}

/** Seconds of the active windows, drawn where the day is busy. */
function planWindows({ random, weights, open, close, windowSeconds }: Windows): number[] {
  const wanted = Math.max(1, Math.round(windowSeconds))
  const length = Math.min(WINDOW_SECONDS, wanted)
  const total = cumulate(weights)
  const chosen = new Set<number>()
  while (chosen.size < wanted) {
    const start = search(total, random.uniform() * total.at(-1)!)
    for (let s = start; s < Math.min(close, start + length); s++) {
      if (s >= open && chosen.size < wanted) chosen.add(s)
    }
  }
  return [...chosen]
}

/** Adds the overnight session and the curb; also on half days, whose curb hardly exists. */
function addOffHours(market: SimulatedMarket, weights: Float64Array): void {
  const night: number[] = []
  for (let s = 0; s < weights.length; s++) {
    const at = s * SECOND_US
    const isOvernight = at >= market.overnightUs && at < market.overnightEndUs
    if (isOvernight || at >= market.closeUs) night.push(s)
  }
  for (const s of night) weights[s] = OFF_HOURS_SHARE / (1 - OFF_HOURS_SHARE) / night.length
}

function cumulate(weights: Float64Array): Float64Array {
  let sum = 0
  return weights.map(weight => {
    sum += weight
    return sum
  })
}

/** Returns the first index whose running total exceeds a value. */
function search(total: Float64Array, value: number): number {
  let low = 0
  let high = total.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (total[middle]! > value) high = middle
    else low = middle + 1
  }
  return low
}
