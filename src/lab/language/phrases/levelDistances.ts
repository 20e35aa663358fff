import type { Values } from '../phrase.ts'
import type { ComparedField, CompareOp, LevelRef } from '../spec.ts'
import { compare, inclusive, OPPOSITE, twoWays } from './comparing.ts'

/** Field of the price's distance from a level, and its direction. */
export const DISTANCES: Readonly<Record<LevelRef, { f: ComparedField; above: 1 | -1 }>> = {
  flip: { f: 'spot_minus_flip', above: 1 },
  put_wall: { f: 'spot_minus_put_wall', above: 1 },
  call_wall: { f: 'call_wall_minus_spot', above: -1 },
}
export const findDistanceField = (level: LevelRef): ComparedField => DISTANCES[level].f

/** Price above or below a level, by a number of points or by any distance. */
export function compareToLevel(
  level: LevelRef,
  dir: 'above' | 'below',
  n: number | undefined,
  op?: CompareOp,
) {
  const { f, above } = DISTANCES[level]
  const sign = dir === 'above' ? above : -above
  const base = n === undefined ? '>' : inclusive(op ?? '>=')
  // "less than 10 points above" is between the level and ten points
  const isBounded = n !== undefined && (base === '<=' || base === '<')
  const size = n ?? 0
  const bound = compare(f, sign > 0 ? base : OPPOSITE[base], sign * size)
  return isBounded ? [compare(f, sign > 0 ? '>' : '<', 0), bound] : bound
}

/** Price above or below a level, by any distance. */
export function above(level: LevelRef, dir: 'above' | 'below') {
  const { f, above: side } = DISTANCES[level]
  return compare(f, (dir === 'above') === side > 0 ? '>' : '<', 0)
}

export const near = (level: LevelRef | 'wall', isFar = false) => ({
  k: 'when_open' as const,
  v: { near: level, ...(isFar ? { isFar: true as const } : {}) },
})

export const DIST = `[<cmp:op>] <num:n> [@pt]`

export function level(values: Values, flip: boolean) {
  const { dir, n, op } = values
  if (op === '<=') return twoWays(dir)
  const way = flip ? (dir === 'above' ? 'below' : 'above') : dir
  return compareToLevel(values.level, way, n, op)
}
