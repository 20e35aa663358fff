import type { MinuteEt } from '../../core/market/calendar.ts'
import {
  ALERT_BOOKS,
  type AlertBook,
  type AlertLine,
  LEVEL_KINDS,
  type LevelKind,
} from '../kinds.ts'
import { since } from './gap.ts'
import { isLevelMinute, isPriceMinute } from './hours.ts'
import type { MinuteInput } from './inputs.ts'
import { isSettled } from './levelNear.ts'
import { readSpot, type WatchStates } from './minute.ts'
import { priceSide, type Side } from './side.ts'
import { readLevel } from './step.ts'

/** Distance of the price, index points, at which a repeated line is rearmed. */
const REARMED_POINTS = 2
/** Slack added to the queried ranges: a store's arithmetic may round in another way. */
const RANGE_SLACK_POINTS = 0.001

/** Inputs for judging lines at a state: the previous price, and the settled levels. */
export type LineView = {
  readonly minute: MinuteEt
  readonly before: number
  readonly spot: number
  /** True when the price is of an earlier session: overnight it may have taken any path. */
  readonly isFirst: boolean
  readonly levels: readonly {
    readonly book: AlertBook
    readonly level: LevelKind
    readonly value: number
  }[]
}

/** Lines that a state can change: their price or offset is within the range. */
export type LineRange = {
  /** True: armed lines; false: repeated ones that are not armed. */
  readonly isArmed: boolean
  /** Both included; null: no limit. */
  readonly from: number | null
  readonly to: number | null
} & (
  | { readonly kind: 'price' }
  | { readonly kind: 'level'; readonly book: AlertBook; readonly level: LevelKind }
)

/** Stored state of a line. */
export type LineArming = {
  readonly armed: boolean
  /** First state of this session that it sees; null: it existed before the session. */
  readonly firstMinute: MinuteEt | null
}

/** A line that the price reached. */
export type LineEvent = {
  /** Price of the line, index points. */
  readonly price: number
  /** Book whose levels are reported: the line's own; for a line at a price, the measured one. */
  readonly book: AlertBook
  readonly direction: Side
  /** Present for a line at a level. */
  readonly level?: { readonly kind: LevelKind; readonly value: number }
}

/**
 * Returns the inputs for judging lines at a state, given the previous states; null: no line is
 * judged. Between sessions the price can cross a line at a price, but not one at a level.
 */
export function viewLines(before: WatchStates | null, input: MinuteInput): LineView | null {
  const { day, minute } = input
  const spot = readSpot(input)
  const price = before?.price
  if (!price || spot === null || !isPriceMinute(day, minute)) return null
  const isFirst = price.day !== day
  if (!isFirst && since(price.minute, minute) === 'long') return null
  const isJudged = !isFirst && isLevelMinute(day, minute)
  const levels = isJudged ? settledLevels(before, input) : []
  return { minute, before: price.spot, spot, isFirst, levels }
}

function settledLevels({ levels }: WatchStates, { minute, books }: MinuteInput) {
  return ALERT_BOOKS.flatMap(book =>
    LEVEL_KINDS.flatMap(level => {
      const known = levels[book][level]
      const value = readLevel(books[book], level)
      if (!known || value === null || since(known.minute, minute) === 'long') return []
      return isSettled(level, known.value, value) ? [{ book, level, value }] : []
    }),
  )
}

/** Returns the ranges of lines to look up; all others stay unchanged. */
export function affectedLineRanges({ before, spot, levels }: LineView): LineRange[] {
  const [low, high] = [Math.min(before, spot), Math.max(before, spot)]
  const around = (level: number) => [
    {
      isArmed: true,
      from: low - level - RANGE_SLACK_POINTS,
      to: high - level + RANGE_SLACK_POINTS,
    },
    { isArmed: false, from: null, to: spot - level - REARMED_POINTS + RANGE_SLACK_POINTS },
    { isArmed: false, from: spot - level + REARMED_POINTS - RANGE_SLACK_POINTS, to: null },
  ]
  return [
    ...around(0).map(range => ({ kind: 'price' as const, ...range })),
    ...levels.flatMap(({ book, level, value }) =>
      around(value).map(range => ({ kind: 'level' as const, book, level, ...range })),
    ),
  ]
}

/** Judges one line: its event, if it fires, and its new armed state. */
export function judgeLine(
  view: LineView,
  line: AlertLine,
  arming: LineArming,
): { readonly armed: boolean; readonly event: LineEvent | null } {
  const position = findPosition(view, line)
  if (position === null || !isSeen(view, arming)) return { armed: arming.armed, event: null }
  const { spot, before } = view
  const direction = priceSide(spot, position.price)
  const isTouched = spot === position.price && before !== position.price
  const isReached = isTouched || direction !== priceSide(before, position.price)
  const isWantedDirection = line.direction === 'any' || line.direction === direction
  const hasFired = arming.armed && isReached && isWantedDirection
  // the price that fires it can also rearm it
  const isOff = line.mode === 'repeat' && Math.abs(spot - position.price) >= REARMED_POINTS
  const armed = hasFired ? isOff : arming.armed || isOff
  return { armed, event: hasFired ? { ...position, direction } : null }
}

/**
 * True when a line sees this state. For a line saved in the session, the first state only sets the
 * price.
 */
const isSeen = ({ minute, isFirst }: LineView, { firstMinute }: LineArming): boolean =>
  firstMinute === null || firstMinute < minute || (firstMinute === minute && isFirst)

/** Position of a line; null while its level is unknown or has not settled. */
function findPosition({ levels }: LineView, line: AlertLine): Omit<LineEvent, 'direction'> | null {
  if (line.kind === 'price') return { price: line.price, book: 'measured' }
  const found = levels.find(({ book, level }) => book === line.book && level === line.level)
  if (!found) return null
  return {
    price: found.value + line.offset,
    book: line.book,
    level: { kind: line.level, value: found.value },
  }
}
