/** One choice of blocks to pick the best variant on; the rest judges it. */
export type Split = {
  readonly trainBlocks: readonly number[]
  readonly best: number
  /** From 1, the worst, on the other blocks; between them where variants are equal. */
  readonly rankOut: number
  readonly logit: number
}

/**
 * The chance that picking the best variant overfits (Bailey, Borwein, Lopez de Prado and Zhu,
 * 2015): the share of splits in which the best one on half of the blocks is in the lower half on
 * the others. Sessions that do not fill the blocks are left out at the old end.
 * `results` has a list a variant, with one value a session.
 */
export function listSplits(results: readonly (readonly number[])[], blocks: number): Split[] {
  const halves = listHalves(blocks)
  const ratios = ratiosBy(results, blocks)
  const splits = new Array<Split>(halves.length)
  for (let index = 0; index < halves.length / 2; index++) {
    // in their order, the other half of one choice is as far from the end
    const [one, other] = [index, halves.length - 1 - index]
    const [first, second] = [ratios(halves[one]!), ratios(halves[other]!)]
    splits[one] = buildSplit(halves[one]!, first, second)
    splits[other] = buildSplit(halves[other]!, second, first)
  }
  return splits
}

function buildSplit(trainBlocks: readonly number[], inside: Float64Array, outside: Float64Array) {
  const best = findBest(inside)
  const rankOut = computeRank(outside, outside[best]!)
  const share = rankOut / (inside.length + 1)
  return { trainBlocks, best, rankOut, logit: Math.log(share / (1 - share)) }
}

/** The first of those that are as good as the best. */
function findBest(ratios: Float64Array): number {
  let most = -Infinity
  for (const ratio of ratios) if (ratio > most) most = ratio
  const limit = roundedDown(most)
  let best = 0
  while (ratios[best]! < limit) best += 1
  return best
}

/** Mean over deviation of each variant, on some of the blocks. */
function ratiosBy(results: readonly (readonly number[])[], blocks: number) {
  const length = Math.floor(results[0]!.length / blocks)
  const skipped = results[0]!.length - length * blocks
  const count = results.length
  const sums = new Float64Array(blocks * count)
  const squares = new Float64Array(blocks * count)
  for (const [variant, values] of results.entries()) {
    for (let index = 0; index < length * blocks; index++) {
      const at = Math.floor(index / length) * count + variant
      const value = values[skipped + index]!
      sums[at]! += value
      squares[at]! += value * value
    }
  }
  return (taken: readonly number[]): Float64Array => {
    const [sum, square] = [new Float64Array(count), new Float64Array(count)]
    for (const block of taken) {
      for (let variant = 0, at = block * count; variant < count; variant++, at++) {
        sum[variant]! += sums[at]!
        square[variant]! += squares[at]!
      }
    }
    return sum.map((value, variant) =>
      computeSharpe(value, square[variant]!, length * taken.length),
    )
  }
}

/** The share of splits whose pick was no better than the middle on the other half. */
export const overfitShare = (splits: readonly Split[]): number =>
  splits.filter(({ logit }) => logit <= 0).length / splits.length

/** Mean over deviation; zero of a variant that never differs, such as one that never traded. */
function computeSharpe(sum: number, square: number, count: number): number {
  const variance = (square - (sum * sum) / count) / (count - 1)
  return variance <= (1e-12 * square) / count ? 0 : sum / count / Math.sqrt(variance)
}

/** Between equal ones the mean of their ranks. */
function computeRank(values: Float64Array, value: number): number {
  const [low, high] = [roundedDown(value), -roundedDown(-value)]
  let [less, equal] = [0, 0]
  for (const other of values) {
    if (other < low) less += 1
    else if (other <= high) equal += 1
  }
  return less + (equal + 1) / 2
}

/** Ratios closer than this are equal: of those that are, rounding is not to pick one. */
const ROUNDING = 1e-9
const roundedDown = (ratio: number) => ratio - ROUNDING * Math.max(1, Math.abs(ratio))

/** Every choice of half of the blocks, in the order of their numbers. */
function listHalves(blocks: number): number[][] {
  const extend = (chosen: readonly number[], from: number): number[][] => {
    if (chosen.length === blocks / 2) return [[...chosen]]
    const out: number[][] = []
    for (let block = from; block < blocks; block++)
      out.push(...extend([...chosen, block], block + 1))
    return out
  }
  return extend([], 0)
}
