import type { MinuteEt } from '../../market/calendar.ts'
import type { EntryParams, LevelKind } from '../kinds.ts'
import { since } from './gap.ts'
import { priceSide } from './side.ts'
import { hold, type RuleInput, readLevel, type Step } from './step.ts'

/** How far a flip may go between two states and still be the same level, index points. */
const SETTLED_FLIP_POINTS = 10
/** The price has to go away by so many thresholds before a level is told again. */
const REARMED_AT = 2

export type LevelNearState = {
  readonly at: MinuteEt
  readonly level: number
  /** Whether the price was farther from the level, and would be told when it comes. */
  readonly armed: boolean
}

/** Whether a level is where it was a state before: the price came to it, not it to the price. */
export const isSettled = (kind: LevelKind, before: number, now: number): boolean =>
  kind === 'flip' ? Math.abs(now - before) <= SETTLED_FLIP_POINTS : now === before

/** The price comes within the threshold of a level. */
export function stepLevelNear(
  before: LevelNearState | null,
  { minute, state }: RuleInput,
  { threshold_points }: EntryParams['level_near'],
  kind: LevelKind,
): Step<LevelNearState> {
  const { spot } = state
  const level = readLevel(state, kind)
  if (spot === null || level === null) return hold(before)
  const distance = Math.abs(spot - level)
  const isAnew = before === null || since(before.at, minute) === 'long'
  // a level that jumped is another one, to which the price has not come
  if (isAnew || !isSettled(kind, before.level, level)) {
    return hold({ at: minute, level, armed: distance > threshold_points })
  }
  const isReported = before.armed && distance <= threshold_points
  const isFar = distance >= REARMED_AT * threshold_points
  const armed = isReported ? false : before.armed || isFar
  const event = isReported ? { value: level, direction: priceSide(spot, level) } : null
  return { state: { at: minute, level, armed }, event }
}
