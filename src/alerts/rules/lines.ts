import type { MinuteEt } from '../../market/calendar.ts'
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

/** A repeated line is armed again once the price is so many index points off. */
const REARMED_POINTS = 2
/** Ranges are asked for wider by this: a store adds and compares in its own way. */
const RANGE_SLACK_POINTS = 0.001

/** What lines are judged by at a state: where the price came from, and the levels that stand. */
export type LineView = {
  readonly minute: MinuteEt
  readonly before: number
  readonly spot: number
  /** Whether the price came from an earlier session: over the night it may have gone any way. */
  readonly isFirst: boolean
  readonly levels: readonly {
    readonly book: AlertBook
    readonly level: LevelKind
    readonly value: number
  }[]
}

/** The lines that a state can change: their price, or their offset, is between two numbers. */
export type LineRange = {
  /** Armed lines, or repeated ones that are not. */
  readonly isArmed: boolean
  /** Both included; null: no limit. */
  readonly from: number | null
  readonly to: number | null
} & (
  | { readonly kind: 'price' }
  | { readonly kind: 'level'; readonly book: AlertBook; readonly level: LevelKind }
)

/** What is kept of a line. */
export type LineArming = {
  readonly armed: boolean
  /** First state of this session that it sees; null: it was there before the session. */
  readonly firstMinute: MinuteEt | null
}

/** A line that the price came to. */
export type LineEvent = {
  /** Where the line was, index points. */
  readonly price: number
  /** Whose levels are told: the line's own book, of a line at a price the measured one. */
  readonly book: AlertBook
  readonly direction: Side
  /** Of a line at a level. */
  readonly level?: { readonly kind: LevelKind; readonly value: number }
}

/**
 * What lines are judged by at a state, with what was kept of the states before it; null: no line is
 * judged. Between sessions the price may have gone over a line at a price, not over one at a level.
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

/** Which lines a store has to look up: all others stay as they are. */
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

/** Judges one line: its event, if it fires, and whether it is armed from now on. */
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
  // the price that fires it is the one that arms it again
  const isOff = line.mode === 'repeat' && Math.abs(spot - position.price) >= REARMED_POINTS
  const armed = hasFired ? isOff : arming.armed || isOff
  return { armed, event: hasFired ? { ...position, direction } : null }
}

/** A line that was saved in the session takes the first state it sees as where the price is. */
const isSeen = ({ minute, isFirst }: LineView, { firstMinute }: LineArming): boolean =>
  firstMinute === null || firstMinute < minute || (firstMinute === minute && isFirst)

/** Where a line is; null while its level is not known, or has not settled. */
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
