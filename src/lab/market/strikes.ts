/** Searches in ascending lists of strikes. */

/** Index of a strike in an ascending list, or -1. */
export function findStrikeIndex(strikes: Float64Array, strike: number): number {
  const index = findFirstIndexFrom(strikes, strike)
  return strikes[index] === strike ? index : -1
}

/** Index of the first strike at or above a level; the length when there is none. */
export function findFirstIndexFrom(strikes: Float64Array, level: number): number {
  let low = 0
  let high = strikes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (strikes[middle]! < level) low = middle + 1
    else high = middle
  }
  return low
}
