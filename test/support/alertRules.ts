// Entries of the alert list, and their events for states that are written by hand.

import type { EntryParams, ListEntry, ListType } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import { minuteAt, quiet, stepDay, unknownAt } from './alertDays.ts'

const DEFAULTS: EntryParams = {
  flip_cross: { confirm: 2, margin_points: 'auto', certain: false },
  wall_break: { walls: ['call_wall', 'put_wall'], confirm: 2, margin_points: 1 },
  regime_change: { confirm: 2 },
  wall_move: { walls: ['call_wall', 'put_wall'], confirm: 5, min_points: 5 },
  flip_move: { threshold_points: 10, confirm: 3 },
  level_near: { levels: ['flip', 'call_wall', 'put_wall'], threshold_points: 5 },
}

export const findEntry = (type: ListType, params: object = {}): ListEntry =>
  ({
    type,
    book: 'measured',
    symbol: 'SPX',
    on: true,
    ...DEFAULTS[type],
    ...params,
  }) as ListEntry

export type Some = Partial<BookState> | 'unknown' | 'missing'

/** One element a minute from 09:31 on. */
export const listStates = (some: readonly Some[]) =>
  some.map((one, index) => {
    if (one === 'missing') return null
    return one === 'unknown' ? unknownAt(minuteAt(index)) : quiet(minuteAt(index), one)
  })

/** Event of one entry: its minute, level, value, origin and direction. */
export function reported(
  entry: ListEntry,
  some: readonly Some[],
  firstMinute: string | null = null,
) {
  return stepDay(listStates(some), [{ entry, firstMinute }]).findings.map(
    ({ minute, subject, value, from, direction }) =>
      [minute, subject, value, ...(from === undefined ? [] : [from]), direction].join(' '),
  )
}

export const spots = (...list: number[]): Some[] => list.map(spot => ({ spot }))
export const times = (count: number, one: Some): Some[] => Array.from({ length: count }, () => one)
export const same = (count: number, value: number) => Array.from({ length: count }, () => value)
