/** The deflated Sharpe ratio (Bailey and Lopez de Prado 2014). */

import { normalQuantile, normalShare } from './normal.ts'
import { asOf, average, deviation } from './plain.ts'

const EULER = 0.5772156649015329

/** The best Sharpe ratio to be expected of so many trials that know nothing. */
export function luckySharpe(variance: number, trials: number): number {
  if (trials === 1) return 0
  const best = normalQuantile(1 - 1 / trials)
  const nextBest = normalQuantile(1 - 1 / (trials * Math.E))
  return Math.sqrt(variance) * ((1 - EULER) * best + EULER * nextBest)
}

/** The chance that the true Sharpe ratio is above `benchmark`, if measured over `count` trades. */
export function sharpeChance(
  measured: { sharpe: number; skew: number; kurtosis: number },
  count: number,
  benchmark: number,
): number {
  const { sharpe, skew, kurtosis } = measured
  const spread = 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
  return normalShare(((sharpe - benchmark) * Math.sqrt(count - 1)) / Math.sqrt(spread))
}

/** Of results: Sharpe ratio of one trade, skew, and kurtosis, which is 3 for the normal. */
export function findShape(results: readonly number[]) {
  const spread = Math.sqrt(asOf(results, 2))
  return {
    sharpe: average(results) / deviation(results),
    skew: asOf(results, 3) / spread ** 3,
    kurtosis: asOf(results, 4) / spread ** 4,
  }
}
