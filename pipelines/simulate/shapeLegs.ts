import type { Random } from './random.ts'

/** One leg before it has a strike: its position is in standard deviations of its front expiry. */
export type ShapeLeg = {
  readonly type: 'C' | 'P'
  /** Deviations above the forward; below when negative. */
  readonly deviations: number
  /** 0 = front expiry, 1 = back expiry. */
  readonly month: 0 | 1
  readonly ratio: number
  readonly sign: -1 | 1
  /** Legs with one key share a strike, however the grid rounds their deviations. */
  readonly key?: string
  /**
   * A strike measured from two earlier legs: strike[from] + step x (strike[to] - strike[from]),
   * so that equal widths stay equal on the strike grid.
   */
  readonly mirror?: { readonly from: number; readonly to: number; readonly step: number }
}

/** Legs of a package, as its buyer trades them. */
export type Shape = readonly ShapeLeg[]

/** Call or put. */
export type OptionType = 'C' | 'P'

/** A leg by type, deviations and sign; one contract of the front expiry by default. */
export const leg = (
  type: OptionType,
  deviations: number,
  sign: -1 | 1,
  more: Partial<Omit<ShapeLeg, 'type' | 'deviations' | 'sign'>> = {},
): ShapeLeg => ({ type, deviations, sign, month: 0, ratio: 1, ...more })

/** Calls or puts, evenly. */
export const anyType = (random: Random): OptionType => (random.chance(0.5) ? 'P' : 'C')
/** Distance of the main strike: out of the money as a rule. */
export const away = (random: Random) => 0.05 + Math.abs(0.75 * random.normal())
/** The direction in which a type goes out of the money. */
export const outward = (type: OptionType) => (type === 'P' ? -1 : 1)
/** Distance between two strikes. */
export const width = (random: Random) => 0.06 + 0.5 * random.uniform()

/** Strikes at `count` steps outwards from a start, the first nearest the money. */
export function outwardDeviations(random: Random, type: OptionType, count: number): number[] {
  const start = away(random)
  const step = width(random)
  return Array.from({ length: count }, (_, index) => outward(type) * (start + index * step))
}

/** Two legs in a ratio other than one to one. */
export const unequal = (shape: Shape, random: Random): Shape => {
  const [first, second] = shape as [ShapeLeg, ShapeLeg]
  const [one, other] = random.pick([
    [1, 2],
    [2, 1],
    [1, 3],
    [2, 3],
  ]) as [number, number]
  return [
    { ...first, ratio: one },
    { ...second, ratio: other },
  ]
}
