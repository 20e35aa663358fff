import { normalCdf, normalQuantile } from '../../core/market/normal.ts'

/** Shape of per-trade results: mean over standard deviation, skew, and kurtosis. */
export type ResultShape = {
  readonly sharpe: number
  readonly skew: number
  /** 3 for a normal distribution. */
  readonly kurtosis: number
}

/** Null when all results are equal. */
export function computeShape(r: readonly number[]): ResultShape | null {
  const n = r.length
  const mean = r.reduce((sum, value) => sum + value, 0) / n
  const moment = (power: number) => r.reduce((sum, value) => sum + (value - mean) ** power, 0) / n
  const deviation = Math.sqrt(moment(2))
  const largest = r.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (n < 2 || deviation <= 1e-12 * largest) return null
  return {
    // sample deviation: divisor n - 1
    sharpe: (mean / deviation) * Math.sqrt((n - 1) / n),
    skew: moment(3) / deviation ** 3,
    kurtosis: moment(4) / deviation ** 4,
  }
}

const EULER = 0.5772156649

/** Expected maximum Sharpe ratio over a number of trials without an edge. */
export function luckySharpe(trials: number, varianceOfSharpes: number): number {
  if (trials <= 1) return 0
  // upper tail for precision: the quantile of 1 - p is minus that of p
  const best = -normalQuantile(1 / trials)
  const next = -normalQuantile(1 / (trials * Math.E))
  return Math.sqrt(varianceOfSharpes) * ((1 - EULER) * best + EULER * next)
}

/**
 * Returns the probability that the true Sharpe ratio is above `benchmark` (Bailey and Lopez de
 * Prado, 2014); `count` is the effective number of trades. Null when the shape gives no valid
 * error.
 */
export function deflatedSharpe(
  { sharpe, skew, kurtosis }: ResultShape,
  count: number,
  benchmark: number,
): number | null {
  const variance = 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe
  if (count <= 1 || variance <= 0) return null
  return normalCdf(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(variance))
}
