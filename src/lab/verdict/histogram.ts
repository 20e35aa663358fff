/** Maximum number of bins; the width is the finest of 1, 2 or 5 times a power of ten within it. */
const BINS_MAX = 30

/** Bin edges at round numbers that cover all values; empty for no values. */
export function computeEdges(values: readonly number[]): number[] {
  if (values.length === 0) return []
  const low = values.reduce((least, value) => Math.min(least, value))
  const high = values.reduce((most, value) => Math.max(most, value))
  const width = findWidth(high - low)
  const first = Math.floor(low / width)
  const count = Math.floor(high / width) + 1 - first
  return Array.from({ length: count + 1 }, (_, index) => round((first + index) * width))
}

const round = (value: number) => Number(value.toPrecision(12))

function findWidth(span: number): number {
  const power = Math.floor(Math.log10(Math.max(span, 0.1) / BINS_MAX))
  const widths = [1, 2, 5, 10].map(times => round(times * 10 ** power))
  return widths.find(width => span / width < BINS_MAX) ?? widths.at(-1)!
}

/** Counts the values in each bin, from its edge up to but excluding the next. */
export function countBins(values: readonly number[], edges: readonly number[]): number[] {
  const counts = edges.slice(1).map(() => 0)
  for (const value of values) {
    const next = edges.findIndex(edge => edge > value)
    // rounding may put a value slightly beyond the outermost edges
    const bin = next < 0 ? counts.length - 1 : Math.max(next - 1, 0)
    counts[bin]! += 1
  }
  return counts
}
