import type { MinuteEt } from '../../core/market/calendar.ts'
import type { EntryParams, LevelKind } from '../kinds.ts'
import { since } from './gap.ts'
import { priceSide } from './side.ts'
import { hold, type RuleInput, readLevel, type Step } from './step.ts'

/** Maximum move of a flip between two states to count as the same level, index points. */
const SETTLED_FLIP_POINTS = 10
/** Thresholds that the price has to move away before a level is reported again. */
const REARMED_AT = 2

export type LevelNearState = {
  readonly at: MinuteEt
  readonly level: number
  /** True when the price was farther from the level, so that its return is reported. */
  readonly armed: boolean
}

/** True when a level has not jumped since the last state: the price came to it, not vice versa. */
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
  const isFresh = before === null || since(before.at, minute) === 'long'
  // a level that jumped is another one, which the price has not approached
  if (isFresh || !isSettled(kind, before.level, level)) {
    return hold({ at: minute, level, armed: distance > threshold_points })
  }
  const isReported = before.armed && distance <= threshold_points
  const isFar = distance >= REARMED_AT * threshold_points
  const armed = isReported ? false : before.armed || isFar
  const event = isReported ? { value: level, direction: priceSide(spot, level) } : null
  return { state: { at: minute, level, armed }, event }
}
