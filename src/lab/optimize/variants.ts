import { checkSpec } from '../language/checkSpec.ts'
import { canonicalSpec, type RuleSpec } from '../language/spec.ts'
import { type Axis, listAxes, OFF } from './axes.ts'

/** Maximum number of variants of a rule. */
export const VARIANTS_MAX = 500
/** Values per axis when there are too many variants: its own and two next to it. */
const CUT_TO = 3

export type Variant = {
  /** Index of its value on each axis. */
  readonly valueIndexes: readonly number[]
  readonly spec: RuleSpec
}

export type Variants = {
  readonly axes: readonly Axis[]
  readonly isFullGrid: boolean
  /** Ordered by their value indexes. */
  readonly variants: readonly Variant[]
  /** Number of combinations that are not valid rules, such as an exit before the entry. */
  readonly impossible: number
}

/**
 * Builds the variants of a rule: the full grid of its axes when small enough, else the rule itself,
 * the lines through it and the planes of two axes through it, with the last axes cut first.
 */
export function buildVariants(rule: RuleSpec): Variants {
  const spec = canonicalSpec(rule)
  const full = listAxes(spec)
  const isFullGrid = full.reduce((count, { values }) => count * values.length, 1) <= VARIANTS_MAX
  const { axes, planes } = isFullGrid ? { axes: full, planes: 0 } : cutAxes(full)
  const valueIndexes = isFullGrid ? buildGrid(axes) : buildCross(axes, planes)
  const variants = valueIndexes.flatMap(one => {
    const found = variantAt(spec, axes, one)
    return found ? [{ valueIndexes: one, spec: found }] : []
  })
  return { axes, isFullGrid, variants, impossible: valueIndexes.length - variants.length }
}

/**
 * Cuts axes from the last one on until the variants fit; then drops the planes of the last ones.
 */
function cutAxes(full: readonly Axis[]): { axes: Axis[]; planes: number } {
  const axes = [...full]
  for (let last = axes.length - 1; last >= 0; last--) {
    if (countCross(axes, axes.length) <= VARIANTS_MAX) return { axes, planes: axes.length }
    axes[last] = cutAxis(axes[last]!)
  }
  let planes = axes.length
  while (planes > 0 && countCross(axes, planes) > VARIANTS_MAX) planes -= 1
  return { axes, planes }
}

function cutAxis(axis: Axis): Axis {
  const from = Math.max(0, Math.min(axis.own - 1, axis.values.length - CUT_TO))
  return { ...axis, values: axis.values.slice(from, from + CUT_TO), own: axis.own - from }
}

/** Counts the variants on the lines of all axes and the planes of the first `planes`. */
function countCross(axes: readonly Axis[], planes: number): number {
  const others = axes.map(({ values }) => values.length - 1)
  const inPlanes = others
    .slice(0, planes)
    .flatMap((count, x) => others.slice(x + 1, planes).map(other => count * other))
  return [1, ...others, ...inPlanes].reduce((sum, count) => sum + count)
}

function buildGrid(axes: readonly Axis[]): number[][] {
  return axes.reduce<number[][]>(
    (grid, { values }) =>
      grid.flatMap(valueIndexes => values.map((_, valueIndex) => [...valueIndexes, valueIndex])),
    [[]],
  )
}

function buildCross(axes: readonly Axis[], planes: number): number[][] {
  const own = axes.map(axis => axis.own)
  const others = (axis: number) => [...axes[axis]!.values.keys()].filter(at => at !== own[axis])
  const out = [own]
  for (let x = 0; x < axes.length; x++) {
    for (const atX of others(x)) {
      out.push(own.with(x, atX))
      for (let y = x + 1; y < planes; y++) {
        for (const atY of others(y)) out.push(own.with(x, atX).with(y, atY))
      }
    }
  }
  return out.sort(compareIndexes)
}

function compareIndexes(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((valueIndex, index) => valueIndex !== b[index])
  return differing < 0 ? 0 : a[differing]! - b[differing]!
}

/** Null when the values are not a valid rule, or the same rule as another variant. */
function variantAt(
  spec: RuleSpec,
  axes: readonly Axis[],
  valueIndexes: readonly number[],
): RuleSpec | null {
  if (axes.every(({ own }, index) => own === valueIndexes[index])) return spec
  const draft = structuredClone(spec) as unknown as Draft
  const changed = axes.flatMap(({ field, values, own }, index) =>
    valueIndexes[index] === own
      ? []
      : [{ path: field.split('.'), value: values[valueIndexes[index]!]! }],
  )
  const off = changed.filter(({ value }) => value === OFF).map(({ path }) => path)
  for (const { path, value } of changed) {
    if (value === OFF) continue
    const parent = path.slice(0, -1)
    // changing a number of a part that is off gives no new rule
    if (off.some(one => one.slice(0, -1).join() === parent.join())) return null
    ;(parent.reduce((inner, key) => inner[key] as Draft, draft) as Draft)[path.at(-1)!] = value
  }
  for (const path of off) {
    const list = path.slice(0, -2).reduce((inner, key) => inner[key] as Draft, draft)
    list[path.at(-2)!] = null
  }
  return checkSpec(withoutOff(draft)).spec
}

type Draft = { [key: string]: unknown }

/** Removes the parts that are off; without an exit a trade is held to its expiry. */
function withoutOff(draft: Draft): unknown {
  const cleanLeg = (leg: Draft): Draft => {
    const core = leg.core as Draft
    const exits = (core.exit as unknown[]).filter(exit => exit !== null)
    const exit = exits.length > 0 ? exits : [{ at: 'expiry' }]
    return { ...leg, core: { ...core, exit }, when: (leg.when as unknown[]).filter(Boolean) }
  }
  const { more } = draft
  return { ...cleanLeg(draft), ...(more ? { more: (more as Draft[]).map(cleanLeg) } : {}) }
}
