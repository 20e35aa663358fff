import type { MinuteEt } from '../../core/market/calendar.ts'
import type { EntryParams } from '../kinds.ts'
import { since } from './gap.ts'
import type { BookState } from './inputs.ts'
import { priceSide, type Side, sideBeyond } from './side.ts'
import { hold, type RuleInput, type Step } from './step.ts'

/** Maximum move of a root in a minute to count as the same one, index points. */
const SAME_ROOT_POINTS = 10
/** Another root is followed once it is nearer to the price by this factor. */
const NEARER = 2
/** Automatic margin: a quarter of the interval's half width, within these index points. */
const AUTO_SHARE = 1 / 4
const AUTO_MIN_POINTS = 1
const AUTO_MAX_POINTS = 5

export type FlipCrossState = {
  readonly at: MinuteEt
  /** The root that is followed. */
  readonly root: number
  readonly side: Side
  /** Consecutive states on the other side. */
  readonly run: number
}

/**
 * The price crosses the flip: for the given number of consecutive states it is on the other side of
 * one root of net gamma by the margin. A change to another root is no cross.
 */
export function stepFlipCross(
  before: FlipCrossState | null,
  { minute, state }: RuleInput,
  params: EntryParams['flip_cross'],
): Step<FlipCrossState> {
  const { spot, flip } = state
  if (spot === null || flip === null) return hold(before)
  const gap = before && since(before.at, minute)
  const root = before && gap !== 'long' ? sameRoot(before.root, spot, state) : null
  if (before === null || root === null) {
    return hold({ at: minute, root: flip, side: priceSide(spot, flip), run: 0 })
  }
  const found = sideFor(spot, root, state, params)
  const isOther = found !== null && found !== before.side
  const run = isOther ? (gap === 'none' ? before.run : 0) + 1 : 0
  if (!isOther || run < params.confirm) return hold({ ...before, at: minute, root, run })
  const event = { value: root, direction: found }
  return { state: { at: minute, root, side: found, run: 0 }, event }
}

/** The followed root now; null when it is gone, or another one is much nearer. */
function sameRoot(followed: number, spot: number, { roots, flip }: BookState): number | null {
  const distance = (root: number) => Math.abs(root - followed)
  const nearest = roots.toSorted((a, b) => distance(a) - distance(b))[0]
  if (nearest === undefined || distance(nearest) > SAME_ROOT_POINTS) return null
  const isPassed = NEARER * Math.abs(spot - flip!) < Math.abs(spot - nearest)
  return isPassed ? null : nearest
}

function sideFor(
  spot: number,
  root: number,
  { flipLo, flipHi }: BookState,
  { margin_points, certain }: EntryParams['flip_cross'],
): Side | null {
  const margin = margin_points === 'auto' ? autoMargin(flipLo, flipHi) : margin_points
  const side = sideBeyond(spot, root, margin)
  if (!certain || side === null) return side
  // the confidence interval does not apply to a root outside of it
  if (flipLo === null || flipHi === null || root < flipLo || root > flipHi) return null
  return spot > flipHi || spot < flipLo ? side : null
}

/** Without a confidence interval the uncertainty of the flip is unknown: the widest margin. */
function autoMargin(low: number | null, high: number | null): number {
  if (low === null || high === null) return AUTO_MAX_POINTS
  const points = (AUTO_SHARE * (high - low)) / 2
  return Math.min(Math.max(points, AUTO_MIN_POINTS), AUTO_MAX_POINTS)
}
