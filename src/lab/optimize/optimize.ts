import { counted } from '../../core/text/counts.ts'
import { computeMean } from '../verdict/clustered.ts'
import { tooFew } from '../verdict/words.ts'
import { OFF } from './axes.ts'
import { deflatedSharpe, luckySharpe } from './deflatedSharpe.ts'
import { listSplits, overfitShare } from './overfitting.ts'
import { realityCheck } from './realityCheck.ts'
import type { VariantRow } from './rows.ts'
import { type LabOptimized, sayOptimize } from './says.ts'
import type { Variants } from './variants.ts'

/** Minimum sample for each reported figure. */
const LEAST = { tradesThatCount: 30, realitySessions: 60, splitSessions: 64, splitVariants: 4 }
/**
 * Number of blocks that sessions are split into, and the session count from which `many` applies.
 */
const BLOCKS = { few: 8, many: 16, manyFrom: 160 }
/** Mean block length of a week (1 / q), and the number of bootstrap series. */
const REALITY = { q: 0.2, drawn: 2_000 }

/**
 * Compares all variants without picking one: tests whether the best of the whole list can be
 * explained by luck. `rows` has one row per variant, in their order.
 */
export function compareVariants(options: {
  readonly variants: Variants
  readonly rows: readonly VariantRow[]
  readonly sessions: number
  /** Trials of the rule's whole family, including these variants. */
  readonly trials: number
  readonly hasHoldout: boolean
  readonly seed: bigint
}): LabOptimized {
  const { variants, rows, sessions, trials, hasHoldout, seed } = options
  const { axes, isFullGrid, variants: list } = variants
  const own = list.findIndex(({ valueIndexes }) =>
    valueIndexes.every((at, axis) => at === axes[axis]!.own),
  )
  const [sharpe, split, reality] = [
    computeSharpe(rows, own, trials),
    computeOverfitting(rows, sessions),
    computeReality(rows, sessions, seed),
  ]
  const found = {
    axes: axes.map(axis => ({ ...axis, values: [...axis.values] })),
    is_full_grid: isFullGrid,
    variants_tried: list.length,
    variants: variantsTable(variants, rows, own),
    planes: buildPlanes(variants, rows),
    deflated_sharpe: sharpe.value,
    pbo: split.value,
    reality_check_p: reality.value,
    luck_t: Math.sqrt(2 * Math.log(list.length)),
    reasons: {
      ...(sharpe.value === null ? { deflated_sharpe: sharpe.why } : {}),
      ...(split.value === null ? { pbo: split.why } : {}),
      ...(reality.value === null ? { reality_check_p: reality.why } : {}),
    },
  }
  return {
    ...found,
    says: sayOptimize(found, { trials, hasHoldout, impossible: variants.impossible }),
  }
}

type FigureOrReason = { readonly value: number | null; readonly why: string }

function computeSharpe(rows: readonly VariantRow[], own: number, trials: number): FigureOrReason {
  const count = rows[own]!.effective ?? 0
  const { tradesThatCount } = LEAST
  if (count < tradesThatCount) {
    return { value: null, why: tooFew(Math.floor(count), 'effective trade', tradesThatCount) }
  }
  // excludes ratios of a handful of trades: they can be any number and would dominate the variance
  const sharpes = rows
    .filter(({ effective }) => effective !== null && effective >= tradesThatCount)
    .flatMap(row => (row.shape ? [row.shape.sharpe] : []))
  const shape = rows[own]!.shape
  if (!shape) return { value: null, why: 'nothing differs between its trades' }
  if (trials > 1 && sharpes.length < 2) {
    const found = counted(sharpes.length, 'variant')
    return { value: null, why: `${found} of ${tradesThatCount} effective trades; 2 are needed` }
  }
  const mean = computeMean(sharpes)!
  const squares = sharpes.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const variance = sharpes.length < 2 ? 0 : squares / (sharpes.length - 1)
  const value = deflatedSharpe(shape, count, luckySharpe(trials, variance))
  return { value, why: 'its results are of two sizes alone' }
}

function computeOverfitting(rows: readonly VariantRow[], sessions: number): FigureOrReason {
  const { splitSessions, splitVariants } = LEAST
  if (sessions < splitSessions) {
    return { value: null, why: tooFew(sessions, 'session', splitSessions) }
  }
  // a variant that never traded cannot be picked
  const results = rows.filter(({ n }) => n > 0).map(row => row.results)
  if (results.length < splitVariants) {
    return { value: null, why: tooFew(results.length, 'traded variant', splitVariants) }
  }
  const blocks = sessions >= BLOCKS.manyFrom ? BLOCKS.many : BLOCKS.few
  return { value: overfitShare(listSplits(results, blocks)), why: '' }
}

function computeReality(
  rows: readonly VariantRow[],
  sessions: number,
  seed: bigint,
): FigureOrReason {
  const { realitySessions } = LEAST
  if (sessions < realitySessions) {
    return { value: null, why: tooFew(sessions, 'session', realitySessions) }
  }
  const gains = rows.map(row => row.gains)
  if (gains.every(gain => gain.every(value => Math.abs(value) < 1e-12))) {
    return { value: null, why: 'no variant leaves out trades: there is nothing to compare with' }
  }
  return { value: realityCheck({ gains, seed, ...REALITY }).p, why: '' }
}

function variantsTable(
  { axes, variants }: Variants,
  rows: readonly VariantRow[],
  own: number,
): LabOptimized['variants'] {
  const indexByValues = new Map(
    variants.map(({ valueIndexes }, index) => [valueIndexes.join(), index]),
  )
  return variants.map(({ valueIndexes }, index) => {
    // one step in one number; `off` is not a step away from any value
    const neighbours = valueIndexes.flatMap((at, axis) => {
      const isOff = (valueIndex: number) => axes[axis]!.values[valueIndex] === OFF
      const steps = isOff(at) ? [] : [at - 1, at + 1].filter(other => !isOff(other))
      return steps.flatMap(other => indexByValues.get(valueIndexes.with(axis, other).join()) ?? [])
    })
    const means = neighbours.map(other => rows[other]!.mean).filter(mean => mean !== null)
    const above = means.filter(mean => mean > 0).length
    const { n, days, mean, median, win, t, drawdownUsd, netRr } = rows[index]!
    return {
      params: valueIndexes.map((at, axis) => axes[axis]!.values[at]!),
      is_own: index === own,
      n,
      days,
      mean,
      median,
      win,
      t,
      drawdown_usd: drawdownUsd,
      net_rr: netRr,
      neighbours: {
        n: means.length,
        mean: computeMean(means),
        share_above_0: means.length === 0 ? null : above / means.length,
      },
    }
  })
}

/** Builds the planes of two axes through the rule itself, as far as their variants were tested. */
function buildPlanes(
  { axes, variants }: Variants,
  rows: readonly VariantRow[],
): LabOptimized['planes'] {
  const indexByValues = new Map(
    variants.map(({ valueIndexes }, index) => [valueIndexes.join(), index]),
  )
  const own = axes.map(axis => axis.own)
  return axes.flatMap((first, x) =>
    axes.slice(x + 1).flatMap((second, offset) => {
      const y = x + 1 + offset
      const cells = [...second.values.keys()].map(atY =>
        [...first.values.keys()].map(atX =>
          indexByValues.get(own.with(x, atX).with(y, atY).join()),
        ),
      )
      const isPlaneTested = cells.some((row, atY) =>
        row.some((cell, atX) => cell !== undefined && atX !== own[x] && atY !== own[y]),
      )
      if (!isPlaneTested) return []
      const mean = cells.map(row => row.map(at => (at === undefined ? null : rows[at]!.mean)))
      const n = cells.map(row => row.map(at => (at === undefined ? 0 : rows[at]!.n)))
      return [{ x, y, mean, n }]
    }),
  )
}
