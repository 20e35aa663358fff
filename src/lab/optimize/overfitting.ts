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
export function splitsOf(results: readonly (readonly number[])[], blocks: number): Split[] {
  const length = Math.floor(results[0]!.length / blocks)
  const skipped = results[0]!.length - length * blocks
  const sums = results.map(one => blockSums(one, skipped, length, blocks, value => value))
  const squares = results.map(one => blockSums(one, skipped, length, blocks, value => value ** 2))
  const half = (length * blocks) / 2
  const ratios = (isTaken: (block: number) => boolean): Float64Array => {
    const taken = Array.from({ length: blocks }, (_, block) => block).filter(isTaken)
    const out = new Float64Array(results.length)
    for (let variant = 0; variant < results.length; variant++) {
      let [sum, square] = [0, 0]
      for (const block of taken) {
        sum += sums[variant]![block]!
        square += squares[variant]![block]!
      }
      out[variant] = sharpeOf(sum, square, half)
    }
    return out
  }
  return halvesOf(blocks).map(trainBlocks => {
    const isTrain = new Set(trainBlocks)
    const inside = ratios(block => isTrain.has(block))
    const outside = ratios(block => !isTrain.has(block))
    const best = inside.indexOf(Math.max(...inside))
    const rankOut = rankOf(outside, outside[best]!)
    const share = rankOut / (results.length + 1)
    return { trainBlocks, best, rankOut, logit: Math.log(share / (1 - share)) }
  })
}

/** The share of splits whose pick was no better than the middle on the other half. */
export const overfitShare = (splits: readonly Split[]): number =>
  splits.filter(({ logit }) => logit <= 0).length / splits.length

function blockSums(
  values: readonly number[],
  skipped: number,
  length: number,
  blocks: number,
  of: (value: number) => number,
): Float64Array {
  const sums = new Float64Array(blocks)
  for (let index = 0; index < length * blocks; index++) {
    sums[Math.floor(index / length)]! += of(values[skipped + index]!)
  }
  return sums
}

/** Mean over deviation; zero of a variant that never differs, such as one that never traded. */
function sharpeOf(sum: number, square: number, count: number): number {
  const variance = (square - (sum * sum) / count) / (count - 1)
  return variance <= (1e-12 * square) / count ? 0 : sum / count / Math.sqrt(variance)
}

/** Between equal ones the mean of their ranks. */
function rankOf(values: Float64Array, value: number): number {
  let [less, equal] = [0, 0]
  for (const other of values) {
    if (other < value) less += 1
    else if (other === value) equal += 1
  }
  return less + (equal + 1) / 2
}

/** Every choice of half of the blocks, in the order of their numbers. */
function halvesOf(blocks: number): number[][] {
  const extend = (chosen: readonly number[], from: number): number[][] => {
    if (chosen.length === blocks / 2) return [[...chosen]]
    const out: number[][] = []
    for (let block = from; block < blocks; block++)
      out.push(...extend([...chosen, block], block + 1))
    return out
  }
  return extend([], 0)
}
