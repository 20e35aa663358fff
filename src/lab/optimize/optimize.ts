import { counted } from '../../core/text/counts.ts'
import type { LabResult } from '../result.ts'
import { computeMean } from '../verdict/clustered.ts'
import { createDraws, type Draws } from '../verdict/draws.ts'
import { chance, tooFew } from '../verdict/words.ts'
import { OFF } from './axes.ts'
import { deflatedSharpe, luckySharpe } from './deflatedSharpe.ts'
import { listSplits, overfitShare } from './overfitting.ts'
import type { VariantRow } from './rows.ts'
import type { Variants } from './variants.ts'

/** Tolerance within which two sums are equal: ties count as reached by luck. */
const ROUNDING = 1e-9

/**
 * White's reality check: the probability that the best of all variants beats its baseline by as
 * much through luck alone, by the stationary bootstrap over sessions (Politis and Romano, 1994).
 */
export function realityCheck(options: {
  /** One list per variant: its gain over its baseline, by session. */
  readonly gains: readonly (readonly number[])[]
  /** Probability that a block of sessions ends: 1 / its mean length. */
  readonly q: number
  readonly drawn: number
  readonly seed: bigint
}): { readonly best: number; readonly p: number } {
  const { gains, q, drawn, seed } = options
  const [count, variants] = [gains[0]!.length, gains.length]
  const means = Float64Array.from(gains, gain => gain.reduce((sum, one) => sum + one, 0) / count)
  const best = Math.sqrt(count) * means.reduce((most, mean) => Math.max(most, mean))
  // session by session, so that sessions that are not drawn are skipped
  const rows = new Float64Array(count * variants)
  for (const [variant, gain] of gains.entries()) {
    for (const [session, value] of gain.entries()) rows[session * variants + variant] = value
  }
  const limit = best - ROUNDING * Math.max(1, Math.abs(best))
  const draws = createDraws(seed)
  const times = new Int32Array(count)
  const sums = new Float64Array(variants)
  let reached = 0
  for (let series = 0; series < drawn; series++) {
    times.fill(0)
    sums.fill(0)
    for (const session of drawPath(count, q, draws)) times[session]! += 1
    for (let session = 0; session < count; session++) {
      const often = times[session]!
      if (often === 0) continue
      const from = session * variants
      for (let variant = 0; variant < variants; variant++) {
        sums[variant]! += often * rows[from + variant]!
      }
    }
    let most = -Infinity
    for (let variant = 0; variant < variants; variant++) {
      most = Math.max(most, sums[variant]! / count - means[variant]!)
    }
    if (Math.sqrt(count) * most >= limit) reached += 1
  }
  return { best, p: reached / drawn }
}

/** Draws the session indexes of a bootstrap series: circular blocks, each with a random start. */
export function drawPath(count: number, q: number, draws: Draws): Int32Array {
  const path = new Int32Array(count)
  let session = Math.floor(draws.unit() * count)
  for (let step = 0; step < count; step++) {
    path[step] = session
    session = draws.unit() < q ? Math.floor(draws.unit() * count) : (session + 1) % count
  }
  return path
}

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

type LabOptimized = NonNullable<LabResult['optimize']>

/** Facts about a list of variants besides its figures. */
type ListFacts = {
  /** Trials of the rule's whole family, including these variants. */
  readonly trials: number
  /** Number of combinations that are not valid rules. */
  readonly impossible: number
  readonly hasHoldout: boolean
}

/** Describes a list of variants, and states that it picks none. */
function sayOptimize(
  found: Omit<LabOptimized, 'says'>,
  { trials, impossible, hasHoldout }: ListFacts,
): string[] {
  const { variants_tried: variantCount, luck_t: luck, deflated_sharpe: sharpe, pbo } = found
  const reality = found.reality_check_p
  const { reasons } = found
  return [
    `With ${counted(variantCount, 'variant')} the best t expected from luck is about ${luck.toFixed(2)}.`,
    'All variants are listed in the order of their values. None is picked: the best of a list ' +
      'looks better than it is.',
    hasHoldout
      ? 'They were run on the sessions before the holdout alone.'
      : 'They were run on all sessions: there is no holdout.',
    ...(found.is_full_grid
      ? []
      : ['Not every combination was run: only changes of one number, and of two at a time.']),
    ...(impossible === 0
      ? []
      : [
          `${counted(impossible, 'combination')} left out as no rule, such as an exit ` +
            'before the entry.',
        ]),
    sharpe === null
      ? `The deflated Sharpe ratio is not told: ${reasons.deflated_sharpe}.`
      : `Counting ${counted(trials, 'trial')} of its kind, the chance that the gain of the rule ` +
        `itself is more than luck is ${chance(sharpe)}.`,
    pbo === null
      ? `The chance of overfitting is not told: ${reasons.pbo}.`
      : `Picked on one half of the sessions, the best variant was in the lower half on the other ` +
        `in ${chance(pbo)} of the splits.`,
    reality === null
      ? `The reality check is not told: ${reasons.reality_check_p}.`
      : `Luck alone makes the best variant beat its trades without conditions as far in ` +
        `${reality === 0 ? 'under 0.05%' : chance(reality)} of the cases.`,
  ]
}
