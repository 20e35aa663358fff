import { createDraws } from './draws.ts'

/**
 * Runs test of wins and losses (Wald and Wolfowitz), without a correction for continuity: below
 * zero they cluster, above zero they alternate. Null when all are on one side.
 */
export function runsZ(r: readonly number[]): number | null {
  const n = r.length
  const wins = r.filter(value => value > 0).length
  const losses = n - wins
  if (wins === 0 || losses === 0) return null
  const runs = r.filter((value, index) => index === 0 || value > 0 !== r[index - 1]! > 0).length
  const product = 2 * wins * losses
  const variance = (product * (product - n)) / (n * n * (n - 1))
  // one win and one loss can only alternate
  return variance === 0 ? null : (runs - (product / n + 1)) / Math.sqrt(variance)
}

/** Trades per series, and the number of series drawn. */
const SERIES = 20
const DRAWN = 10_000
/** Tolerance within which a sum of results is zero: rounding noise, not a loss. */
const ROUNDING = 1e-9

/**
 * Probability that a series of 20 trades loses: sessions are drawn with all their trades, in order,
 * until there are 20. `bySession` has the results of each session with a trade; at least one.
 */
export function probLoss20(bySession: readonly (readonly number[])[], seed: bigint): number {
  const draws = createDraws(seed)
  let losses = 0
  for (let series = 0; series < DRAWN; series++) {
    let [sum, left] = [0, SERIES]
    while (left > 0) {
      for (const value of bySession[draws.index(bySession.length)]!) {
        if (left-- === 0) break
        sum += value
      }
    }
    if (sum < -ROUNDING) losses += 1
  }
  return losses / DRAWN
}
