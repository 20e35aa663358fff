/** The middle of some numbers; the mean of the middle two. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  return sorted.length % 2 === 1
    ? sorted[Math.floor(half)]!
    : (sorted[half - 1]! + sorted[half]!) / 2
}

/**
 * The nearest-rank percentile: the smallest value that at least this share of all values does not
 * exceed. `share` is above 0 and at most 1. NaN of none.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  // 0.07 * 100 is a hair above 7: the next rank must not be taken for it
  const rank = Math.ceil(Number((share * sorted.length).toPrecision(12)))
  return sorted[rank - 1] ?? Number.NaN
}
