import type { MinuteEt } from '../../core/market/calendar.ts'
import { type EntryParams, LEVEL_KINDS, type ListEntry, type ListType } from '../kinds.ts'
import { type FlipCrossState, stepFlipCross } from './flipCross.ts'
import { type LevelNearState, stepLevelNear } from './levelNear.ts'
import { type FlipMoveState, stepFlipMove, stepWallMove, type WallMoveState } from './moves.ts'
import { type RegimeChangeState, stepRegimeChange } from './regimeChange.ts'
import type { RuleInput, Step, Subject } from './step.ts'
import { stepWallBreak, type WallBreakState, type WallName } from './wallBreak.ts'

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
