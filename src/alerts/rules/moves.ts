import type { MinuteEt } from '../../core/market/calendar.ts'
import type { EntryParams } from '../kinds.ts'
import { since } from './gap.ts'
import { hold, type RuleInput, readLevel, type Step } from './step.ts'
import type { WallName } from './wallBreak.ts'

/** Levels that moved, each compared with the value last reported. */

export type WallMoveState = {
  readonly at: MinuteEt
  readonly told: number
  /** The current wall, if another; null: the one last reported. */
  readonly wall: number | null
  /** Consecutive states with that other wall. */
  readonly run: number
}

/** A wall is on another strike for the given number of consecutive states. */
export function stepWallMove(
  before: WallMoveState | null,
  { minute, state }: RuleInput,
  params: EntryParams['wall_move'],
  name: WallName,
): Step<WallMoveState> {
  const wall = readLevel(state, name)
  if (wall === null) return hold(before)
  const gap = before && since(before.at, minute)
  if (before === null || gap === 'long') return hold({ at: minute, told: wall, wall: null, run: 0 })
  const { told } = before
  const moved = Math.abs(wall - told)
  if (moved === 0 || moved < params.min_points) {
    return hold({ at: minute, told, wall: null, run: 0 })
  }
  const goesOn = gap === 'none' && before.wall === wall
  const run = (goesOn ? before.run : 0) + 1
  if (run < params.confirm) return hold({ at: minute, told, wall, run })
  const event = { value: wall, from: told, direction: moveDirection(told, wall) }
  return { state: { at: minute, told: wall, wall: null, run: 0 }, event }
}

export type FlipMoveState = {
  readonly at: MinuteEt
  readonly told: number
  /** Consecutive states that far from it. */
  readonly run: number
}

/**
 * The flip is at least the threshold from the value last reported, for the given number of
 * consecutive states.
 */
export function stepFlipMove(
  before: FlipMoveState | null,
  { minute, state }: RuleInput,
  params: EntryParams['flip_move'],
): Step<FlipMoveState> {
  const { flip } = state
  if (flip === null) return hold(before)
  const gap = before && since(before.at, minute)
  if (before === null || gap === 'long') return hold({ at: minute, told: flip, run: 0 })
  const { told } = before
  const isFar = Math.abs(flip - told) >= params.threshold_points
  const run = isFar ? (gap === 'none' ? before.run : 0) + 1 : 0
  if (!isFar || run < params.confirm) return hold({ at: minute, told, run })
  const event = { value: flip, from: told, direction: moveDirection(told, flip) }
  return { state: { at: minute, told: flip, run: 0 }, event }
}

const moveDirection = (from: number, to: number): 'up' | 'down' => (to > from ? 'up' : 'down')
