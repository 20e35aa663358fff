import type { MinuteEt } from '../../market/calendar.ts'
import type { LevelKind } from '../kinds.ts'
import type { BookState } from './inputs.ts'
import type { Side } from './side.ts'

/** What every rule of levels has in common. States are plain JSON. */

/** The level that an event is about. */
export type Subject = LevelKind | 'net_gamma'

/** What happened to a level at a minute. */
export type LevelEvent = {
  readonly value: number
  /** What it was before, of a move or a change. */
  readonly from?: number
  readonly direction: Side | 'up' | 'down' | 'positive' | 'negative'
}

export type RuleInput = {
  readonly minute: MinuteEt
  readonly state: BookState
  /** Largest absolute net gamma of the session up to this minute; null: none was known. */
  readonly largestGamma: number | null
}

export type Step<State> = { readonly state: State | null; readonly event: LevelEvent | null }

/** A level that is not known at a minute: its rule waits. */
export const hold = <State>(state: State | null): Step<State> => ({ state, event: null })

const FIELDS = { flip: 'flip', call_wall: 'callWall', put_wall: 'putWall' } as const

/** The value of a level; null where it is not known. */
export const readLevel = (state: BookState, level: LevelKind): number | null => state[FIELDS[level]]
