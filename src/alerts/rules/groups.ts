import type { MinuteEt } from '../../core/market/calendar.ts'
import { type EntryParams, LEVEL_KINDS, type ListEntry, type ListType } from '../kinds.ts'
import { type FlipCrossState, stepFlipCross } from './flipCross.ts'
import { since } from './gap.ts'
import { type LevelNearState, stepLevelNear } from './levelNear.ts'
import { priceSide, type Side, sideBeyond } from './side.ts'
import { hold, type RuleInput, readLevel, type Step, type Subject } from './step.ts'

type WallName = 'call_wall' | 'put_wall'

type WallBreakState = {
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
function stepWallBreak(
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

/** Levels that moved, each compared with the value last reported. */

type WallMoveState = {
  readonly at: MinuteEt
  readonly told: number
  /** The current wall, if another; null: the one last reported. */
  readonly wall: number | null
  /** Consecutive states with that other wall. */
  readonly run: number
}

/** A wall is on another strike for the given number of consecutive states. */
function stepWallMove(
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

type FlipMoveState = {
  readonly at: MinuteEt
  readonly told: number
  /** Consecutive states that far from it. */
  readonly run: number
}

/**
 * The flip is at least the threshold from the value last reported, for the given number of
 * consecutive states.
 */
function stepFlipMove(
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

/** A sign counts from this share of the session's largest net gamma so far. */
const LEAST_SHARE = 0.05

type RegimeChangeState = {
  readonly at: MinuteEt
  readonly sign: 1 | -1
  /** Net gamma when it last had this sign, $M per index point. */
  readonly from: number
  /** Consecutive states with the other sign. */
  readonly run: number
}

/** Net gamma changes its sign and is not close to zero. */
function stepRegimeChange(
  before: RegimeChangeState | null,
  { minute, state, largestGamma }: RuleInput,
  params: EntryParams['regime_change'],
): Step<RegimeChangeState> {
  const gamma = state.netGamma
  if (gamma === null) return hold(before)
  const sign = gamma > 0 ? 1 : -1
  const gap = before && since(before.at, minute)
  // exactly zero has no sign
  if (before === null || gap === 'long') {
    return hold(gamma === 0 ? null : { at: minute, sign, from: gamma, run: 0 })
  }
  const isOther = gamma !== 0 && sign !== before.sign
  const counts = isOther && Math.abs(gamma) >= LEAST_SHARE * (largestGamma ?? 0)
  const run = counts ? (gap === 'none' ? before.run : 0) + 1 : 0
  if (run < params.confirm) {
    const from = isOther || gamma === 0 ? before.from : gamma
    return hold({ at: minute, sign: before.sign, from, run })
  }
  const direction = sign > 0 ? 'positive' : 'negative'
  const event = { value: gamma, from: before.from, direction } as const
  return { state: { at: minute, sign, from: gamma, run: 0 }, event }
}

/** Entries with equal conditions from the same minute on: they share one state and its findings. */
export type RuleGroup = {
  readonly key: string
  readonly entry: ListEntry
  /** First state of the session that the entry sees; null: it existed before the session. */
  readonly firstMinute: MinuteEt | null
}

const PARAMS: { readonly [Type in ListType]: readonly (keyof EntryParams[Type])[] } = {
  flip_cross: ['confirm', 'margin_points', 'certain'],
  wall_break: ['walls', 'confirm', 'margin_points'],
  regime_change: ['confirm'],
  wall_move: ['walls', 'confirm', 'min_points'],
  flip_move: ['threshold_points', 'confirm'],
  level_near: ['levels', 'threshold_points'],
}

/** Key that is equal for entries of a group, whatever the order of their walls and levels. */
export function ruleKey(entry: ListEntry, firstMinute: MinuteEt | null): string {
  const params = entry as Readonly<Record<string, unknown>>
  const values = PARAMS[entry.type].map(name => {
    const value = params[name]
    return Array.isArray(value) ? value.toSorted().join(' ') : String(value)
  })
  return [entry.type, entry.book, ...values, firstMinute ?? ''].join('|')
}

/** Returns the groups of the enabled entries, each once, in the order of first appearance. */
export function groupEntries(
  entries: Iterable<Pick<RuleGroup, 'entry' | 'firstMinute'>>,
): Map<string, RuleGroup> {
  const groups = new Map<string, RuleGroup>()
  for (const { entry, firstMinute } of entries) {
    if (!entry.on) continue
    const key = ruleKey(entry, firstMinute)
    if (!groups.has(key)) groups.set(key, { key, entry, firstMinute })
  }
  return groups
}

/** Returns the levels of an entry, in the order in which they are reported. */
export function listSubjects(entry: ListEntry): readonly Subject[] {
  switch (entry.type) {
    case 'flip_cross':
    case 'flip_move':
      return ['flip']
    case 'regime_change':
      return ['net_gamma']
    case 'wall_break':
    case 'wall_move':
      return LEVEL_KINDS.filter(kind => (entry.walls as readonly string[]).includes(kind))
    case 'level_near':
      return LEVEL_KINDS.filter(kind => entry.levels.includes(kind))
  }
}

/** Steps one level of an entry; `state` is the result of the previous step, or null at first. */
export function stepEntry(
  entry: ListEntry,
  subject: Subject,
  state: unknown,
  input: RuleInput,
): Step<unknown> {
  switch (entry.type) {
    case 'flip_cross':
      return stepFlipCross(state as FlipCrossState | null, input, entry)
    case 'wall_break':
      return stepWallBreak(state as WallBreakState | null, input, entry, subject as WallName)
    case 'regime_change':
      return stepRegimeChange(state as RegimeChangeState | null, input, entry)
    case 'wall_move':
      return stepWallMove(state as WallMoveState | null, input, entry, subject as WallName)
    case 'flip_move':
      return stepFlipMove(state as FlipMoveState | null, input, entry)
    case 'level_near': {
      const level = subject as EntryParams['level_near']['levels'][number]
      return stepLevelNear(state as LevelNearState | null, input, entry, level)
    }
  }
}
