/** One choice of blocks to select the best variant on; the remaining blocks evaluate it. */
export type Split = {
  readonly trainBlocks: readonly number[]
  readonly best: number
  /** Rank on the other blocks from 1, the worst; ties share the mean rank. */
  readonly rankOut: number
  readonly logit: number
}

/**
 * Lists the splits that give the probability of backtest overfitting (Bailey, Borwein, Lopez de
 * Prado and Zhu, 2015): the share in which the best variant on half of the blocks ranks in the
 * lower half on the others. The oldest sessions that do not fill the blocks are dropped. `results`
 * has one list per variant, with one value per session.
 */
export function listSplits(results: readonly (readonly number[])[], blocks: number): Split[] {
  const halves = listHalves(blocks)
  const ratios = ratiosBy(results, blocks)
  const splits = new Array<Split>(halves.length)
  for (let index = 0; index < halves.length / 2; index++) {
    // in this order, the complement of a half is its mirror from the end
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

/** Index of the first variant among those tied for best. */
function findBest(ratios: Float64Array): number {
  let most = -Infinity
  for (const ratio of ratios) if (ratio > most) most = ratio
  const limit = roundedDown(most)
  let best = 0
  while (ratios[best]! < limit) best += 1
  return best
}

/** Mean over standard deviation of each variant, on some of the blocks. */
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

/** Share of splits whose best variant ranked no better than the median on the other half. */
export const overfitShare = (splits: readonly Split[]): number =>
  splits.filter(({ logit }) => logit <= 0).length / splits.length

/** Mean over standard deviation; zero for a variant with constant results, such as no trades. */
function computeSharpe(sum: number, square: number, count: number): number {
  const variance = (square - (sum * sum) / count) / (count - 1)
  return variance <= (1e-12 * square) / count ? 0 : sum / count / Math.sqrt(variance)
}

/** Rank of a value; ties share the mean rank. */
function computeRank(values: Float64Array, value: number): number {
  const [low, high] = [roundedDown(value), -roundedDown(-value)]
  let [less, equal] = [0, 0]
  for (const other of values) {
    if (other < low) less += 1
    else if (other <= high) equal += 1
  }
  return less + (equal + 1) / 2
}

/** Tolerance within which ratios are equal, so that rounding does not pick among ties. */
const ROUNDING = 1e-9
const roundedDown = (ratio: number) => ratio - ROUNDING * Math.max(1, Math.abs(ratio))

/** Lists every choice of half of the blocks, in the order of their numbers. */
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
