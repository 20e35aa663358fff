import { isoTimeEt } from '../../core/market/calendar.ts'
import type { AlertBook, LevelKind } from '../kinds.ts'
import type { BookState, MinuteInput } from '../rules/inputs.ts'
import type { LevelFinding } from '../rules/minute.ts'
import { type BodyPart, type Origin, originFields } from './bodyPart.ts'
import {
  formatCount,
  formatNumber,
  gamma,
  known,
  points,
  priceText,
  strikeText,
} from './numbers.ts'

/** Bodies of level events, and the parts they share with those of lines and orders. */

/** The state at which an event was found, with the levels of all books, and the time of finding. */
export type FoundAt = Origin &
  Pick<MinuteInput, 'day' | 'minute' | 'books'> & {
    /** Milliseconds. */
    readonly foundAtMs: number
  }

/** Names of the books in a sentence. */
const BOOK_WORDS: Readonly<Record<AlertBook, string>> = {
  measured: 'measured',
  volume: 'volume',
  open_interest: 'open-interest',
}

const LEVEL_WORDS: Readonly<Record<LevelKind, string>> = {
  flip: 'flip',
  call_wall: 'call wall',
  put_wall: 'put wall',
}

/** `measured put wall`. */
export const levelWords = (book: AlertBook, level: LevelKind): string =>
  `${BOOK_WORDS[book]} ${LEVEL_WORDS[level]}`

/** A level in a text: walls are strikes. */
export const levelText = (level: LevelKind, value: number): string =>
  level === 'flip' ? priceText(value) : strikeText(value)

/** First fields of every event of a book; a level that is not known is absent. */
export function buildHead(type: string, book: AlertBook, found: FoundAt): BodyPart {
  const state = found.books[book]
  return {
    type,
    symbol: 'SPX',
    ...known('price', state.spot === null ? null : points(state.spot)),
    book,
    ts: isoTimeEt(found.foundAtMs),
    day: found.day,
    minute: found.minute,
    levels: {
      ...known('flip', state.flip === null ? null : points(state.flip)),
      ...known('call_wall', state.callWall === null ? null : points(state.callWall)),
      ...known('put_wall', state.putWall === null ? null : points(state.putWall)),
    },
    ...originFields(found),
  }
}

/** Body of a level event, the same for all accounts, without its id. */
export function levelBody(finding: LevelFinding, found: FoundAt): BodyPart {
  const { type, book, subject, direction, thresholdPoints } = finding
  const state = found.books[book]
  const round = subject === 'net_gamma' ? gamma : points
  return {
    ...buildHead(type, book, found),
    level: {
      kind: subject,
      value: round(finding.value),
      ...(finding.from !== undefined && { from: round(finding.from) }),
    },
    text: formatText(finding, state.spot),
    direction,
    ...(thresholdPoints !== undefined && { threshold_points: thresholdPoints }),
    ...(type === 'flip_cross' && buildConfidenceInterval(state)),
  }
}

/** The flip's confidence interval, and whether the price is in it; empty when it is not known. */
function buildConfidenceInterval({ spot, flipLo, flipHi }: BookState): BodyPart {
  if (flipLo === null || flipHi === null || spot === null) return {}
  const isWithin = flipLo <= spot && spot <= flipHi
  return { flip_lo: points(flipLo), flip_hi: points(flipHi), within_bar: isWithin }
}

function formatText(finding: LevelFinding, spot: number | null): string {
  const { type, book, subject, value, from, direction, minute, thresholdPoints } = finding
  if (subject === 'net_gamma') {
    const words = BOOK_WORDS[book]
    const name = words[0]!.toUpperCase() + words.slice(1)
    const net = `${formatNumber(gamma(value))} $M a point`
    return `${name} net gamma turned ${direction} at ${minute} ET: ${net}.`
  }
  const name = levelWords(book, subject)
  const level = levelText(subject, value)
  if (type === 'wall_move' || type === 'flip_move') {
    const moved = `from ${levelText(subject, from!)} to ${level}`
    return `The ${name} moved ${direction} ${moved} at ${minute} ET.`
  }
  // an event about a price has one
  const price = `SPX ${priceText(spot!)}`
  if (type === 'flip_cross') return `${price} is ${direction} the ${name} ${level} at ${minute} ET.`
  if (type === 'wall_break') {
    return `${price} broke ${direction} the ${name} ${level} at ${minute} ET.`
  }
  const threshold = formatCount(thresholdPoints!, 'point')
  return `${price} is within ${threshold} of the ${name} ${level} at ${minute} ET.`
}
