/** The largest fall of a sum from where it stood highest, beginning at zero. */
export function drawdown(steps: readonly number[]): number {
  const sums = [0]
  for (const step of steps) sums.push(sums.at(-1)! + step)
  const falls = sums.flatMap((high, index) => sums.slice(index).map(later => high - later))
  return Math.max(...falls)
}

/** The middle value; of an even count, the mean of the two. */
export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  return sorted.length % 2 === 1
    ? sorted[Math.floor(half)]!
    : (sorted[half - 1]! + sorted[half]!) / 2
}
