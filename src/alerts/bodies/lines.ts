import type { AlertLine } from '../kinds.ts'
import type { LineEvent } from '../rules/lines.ts'
import type { BodyPart } from './bodyPart.ts'
import { buildHead, type FoundAt, levelText, levelWords } from './levels.ts'
import { formatCount, points, priceText, strikeText } from './numbers.ts'

/** Bodies of lines that the price reached: a shared part, and the part of the one line. */

/** Shared by all lines of a kind that fire in one direction at one state of one level. */
export const lineBody = ({ book, level, direction }: LineEvent, found: FoundAt): BodyPart => ({
  ...buildHead(level ? 'level_line' : 'price_alert', book, found),
  ...(level && { level: { kind: level.kind, value: points(level.value) } }),
  direction,
})

/** Builds the parts of accounts' own lines at one state; lines at one price share their text. */
export function openLineExtras(found: FoundAt) {
  const texts = new Map<string, { readonly price: number; readonly text: string }>()
  return (line: AlertLine, event: LineEvent): BodyPart => {
    const at = line.kind === 'price' ? '' : `${line.book} ${line.level} ${line.offset}`
    const key = `${event.price} ${event.direction} ${at}`
    const wording = texts.get(key) ?? formatWording(line, event, found)
    texts.set(key, wording)
    const { price, text } = wording
    const { id, kind, mode } = line
    const alert =
      kind === 'price'
        ? { id, kind, price, mode }
        : { id, kind, level: line.level, price, mode, offset: line.offset }
    return { alert, text }
  }
}

function formatWording(line: AlertLine, event: LineEvent, found: FoundAt) {
  const price = points(event.price)
  // no line fires without a price
  const spot = found.books[event.book].spot!
  // a price on the line itself came from either side
  const way = spot === event.price ? 'touched' : `crossed ${event.direction}`
  const position =
    line.kind === 'price' ? strikeText(event.price) : formatPosition(line, event.level!.value)
  const text = `SPX ${priceText(spot)} ${way} your line ${position} at ${found.minute} ET.`
  return { price, text }
}

function formatPosition(
  { book, level, offset }: AlertLine & { kind: 'level' },
  value: number,
): string {
  const name = `the ${levelWords(book, level)} ${levelText(level, value)}`
  if (offset === 0) return `at ${name}`
  return `${formatCount(Math.abs(offset), 'point')} ${offset > 0 ? 'above' : 'below'} ${name}`
}
