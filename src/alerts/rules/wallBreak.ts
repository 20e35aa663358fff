import type { MinuteEt } from '../../core/market/calendar.ts'
import type { EntryParams } from '../kinds.ts'
import { since } from './gap.ts'
import { priceSide, type Side, sideBeyond } from './side.ts'
import { hold, type RuleInput, readLevel, type Step } from './step.ts'

export type WallName = 'call_wall' | 'put_wall'

export type WallBreakState = {
  readonly at: MinuteEt
  readonly wall: number
  /** Side on which the price was last seen of each wall of the session, by its strike. */
  readonly sides: Readonly<Record<string, Side>>
  /** Consecutive states beyond this wall. */
  readonly run: number
}

/** Side of each wall that the price moves to when it breaks it. */
const OUTSIDE: Readonly<Record<WallName, Side>> = { call_wall: 'above', put_wall: 'below' }

/**
 * The price breaks a wall: for the given number of consecutive states it is beyond the same strike
 * by the margin. It can break it again only after it was back by the margin.
 */
export function stepWallBreak(
  before: WallBreakState | null,
  { minute, state }: RuleInput,
  params: EntryParams['wall_break'],
  name: WallName,
): Step<WallBreakState> {
  const { spot } = state
  const wall = readLevel(state, name)
  if (spot === null || wall === null) return hold(before)
  const gap = before && since(before.at, minute)
  const sides = before && gap !== 'long' ? before.sides : {}
  const known = sides[wall]
  if (known === undefined) {
    return hold({ at: minute, wall, sides: { ...sides, [wall]: priceSide(spot, wall) }, run: 0 })
  }
  const found = sideBeyond(spot, wall, params.margin_points)
  const isBehind = found === OUTSIDE[name] && known !== found
  const goesOn = gap === 'none' && before!.wall === wall
  const run = isBehind ? (goesOn ? before!.run : 0) + 1 : 0
  if (isBehind && run < params.confirm) return hold({ at: minute, wall, sides, run })
  const next = { at: minute, wall, sides: { ...sides, [wall]: found ?? known }, run: 0 }
  return { state: next, event: isBehind ? { value: wall, direction: found } : null }
}
