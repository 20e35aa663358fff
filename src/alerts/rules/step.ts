import type { MinuteEt } from '../../core/market/calendar.ts'
import type { LevelKind } from '../kinds.ts'
import type { BookState } from './inputs.ts'
import type { Side } from './side.ts'

/** Types common to all rules of levels. States are plain JSON. */

/** The level of an event. */
export type Subject = LevelKind | 'net_gamma'

/** An event of a level at a minute. */
export type LevelEvent = {
  readonly value: number
  /** The previous value, for a move or a change. */
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

/** Result for a level that is not known at a minute: its rule waits. */
export const hold = <State>(state: State | null): Step<State> => ({ state, event: null })

const FIELDS = { flip: 'flip', call_wall: 'callWall', put_wall: 'putWall' } as const

/** Returns the value of a level; null when it is not known. */
export const readLevel = (state: BookState, level: LevelKind): number | null => state[FIELDS[level]]
