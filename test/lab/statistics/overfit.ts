/**
 * How likely the best variant of the past is below the middle afterwards: combinatorially symmetric
 * cross-validation (Bailey, Borwein, Lopez de Prado and Zhu 2015).
 */

import { average, deviation } from './plain.ts'

/** All ways to choose `count` of `from`, in the order of a dictionary. */
export function choices(from: readonly number[], count: number): number[][] {
  if (count === 0) return [[]]
  return from.flatMap((first, index) =>
    choices(from.slice(index + 1), count - 1).map(rest => [first, ...rest]),
  )
}

/** Mean over deviation; 0 of results that are all the same. */
const sharpe = (values: readonly number[]): number =>
  new Set(values).size === 1 ? 0 : average(values) / deviation(values)

/** Ratios closer than this are the same. */
const isSame = (one: number, other: number) =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one))

/** Rows are sessions, columns variants. Of each way to split: the best, and its rank elsewhere. */
export function splits(rows: readonly (readonly number[])[], blockCount: number) {
  const size = Math.floor(rows.length / blockCount)
  const blocks = Array.from({ length: blockCount }, (_, block) => block)
  const variants = rows[0]!.map((_, variant) => variant)
  return choices(blocks, blockCount / 2).map(train => {
    const isTrained = (index: number) => train.includes(Math.floor(index / size))
    const scores = (isWanted: (index: number) => boolean) =>
      variants.map(variant =>
        sharpe(rows.filter((_, index) => isWanted(index)).map(row => row[variant]!)),
      )
    const [inside, outside] = [scores(isTrained), scores(index => !isTrained(index))]
    const most = Math.max(...inside)
    const best = inside.findIndex(score => isSame(score, most))
    const score = outside[best]!
    const same = outside.filter(other => isSame(score, other)).length
    const below = outside.filter(other => other < score && !isSame(score, other)).length
    const rank = below + (same + 1) / 2
    return { train, best, rank, logit: Math.log(rank / (variants.length + 1 - rank)) }
  })
}

/** The share of the ways in which the best of one half is in the lower half of the other. */
export function overfit(rows: readonly (readonly number[])[], blockCount: number): number {
  const all = splits(rows, blockCount)
  return all.filter(({ logit }) => logit <= 0).length / all.length
}
