/** Figures of several tapes as if they were of one. */

/** Means of all numbers, weighted by a count, which is added up; words are those of the first. */
export function weightedMean<const T extends object>(rows: readonly T[], count: keyof T): T {
  const total = rows.reduce((sum, row) => sum + Number(row[count]), 0)
  const entries = Object.entries(rows[0]!).map(([name, value]) => {
    if (typeof value !== 'number') return [name, value]
    if (name === count) return [name, total]
    const weigh = (row: T) => Number(row[name as keyof T]) * Number(row[count])
    return [name, rows.reduce((sum, row) => sum + weigh(row), 0) / total]
  })
  return Object.fromEntries(entries)
}

/** Standard error of a share over a number of orders. */
export const standardError = (share: number, orders: number): number =>
  Math.sqrt((share * (1 - share)) / orders)
