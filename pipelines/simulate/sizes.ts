import { createChoice, type Random } from './random.ts'

/** Sizes people type. */
const ROUND = [10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 750] as const
const LARGE = [1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000] as const

type Range = readonly [low: number, high: number]

const singleRange = createChoice<Range>([
  [[1, 1], 44],
  [[2, 5], 26],
  [[6, 20], 18],
  [[21, 100], 9],
  [[101, 500], 2.6],
  [[501, 5000], 0.25],
])

const packageRange = createChoice<Range>([
  [[1, 1], 30],
  [[2, 9], 24],
  [[10, 49], 21],
  [[50, 250], 17],
  [[251, 1000], 6.5],
  [[1001, 5000], 0.9],
])

const floorRange = createChoice<Range>([
  [[50, 250], 25],
  [[251, 1000], 50],
  [[1001, 5000], 25],
])

/** Contracts of a single-leg order. */
export const drawSingleSize = (random: Random): number => drawIn(random, singleRange(random))
/** Units of a package. */
export const drawPackageSize = (random: Random): number => drawIn(random, packageRange(random))
/** Size of a negotiated order, never small. */
export const drawFloorSize = (random: Random): number => drawIn(random, floorRange(random))

/** Heavy to the low end, and mostly a round number. */
function drawIn(random: Random, [low, high]: Range): number {
  const exact = Math.round(low * (high / low) ** random.uniform())
  if (exact < 10 || random.chance(0.3)) return exact
  const near = [...ROUND, ...LARGE].filter(size => size >= low && size <= high)
  if (near.length === 0) return exact
  return near.reduce((best, size) =>
    Math.abs(size - exact) < Math.abs(best - exact) ? size : best,
  )
}

/** Splits a whole number into `parts` whole numbers above zero; fewer when it is too small. */
export function split(random: Random, total: number, parts: number): number[] {
  const count = Math.min(parts, total)
  if (count <= 1) return [total]
  const weights = Array.from({ length: count }, () => 0.2 + random.exponential(1))
  const sum = weights.reduce((one, other) => one + other, 0)
  const sizes = weights.map(weight => Math.max(1, Math.floor((weight / sum) * total)))
  let left = total - sizes.reduce((one, other) => one + other, 0)
  for (let i = 0; left !== 0; i = (i + 1) % count) {
    if (left > 0) {
      sizes[i] = sizes[i]! + left
      left = 0
    } else if (sizes[i]! > 1) {
      sizes[i] = sizes[i]! - 1
      left++
    }
  }
  return sizes
}
