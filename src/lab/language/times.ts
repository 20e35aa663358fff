import { formatMinute } from '../../core/market/calendar.ts'
import { HALF } from './numbers.ts'
import type { Token } from './tokens.ts'

/** Matches HH:MM. */
const HHMM = /^(\d{1,2}):(\d{2})$/
const OPENS = 9 * 60 + 30
const CLOSES = 16 * 60

/** Hours to add for New York time; for London, while New York has daylight saving time. */
const TIME_ZONES: Readonly<Record<string, { hours: number; name: string }>> = {
  ...zone(['et', 'est', 'edt', 'eastern', 'ny', 'nyc'], 0, 'ET'),
  ...zone(['ct', 'cst', 'cdt', 'central', 'chicago'], 1, 'CT'),
  ...zone(['mt', 'mst', 'mdt', 'mountain'], 2, 'MT'),
  ...zone(['pt', 'pst', 'pdt', 'pacific'], 3, 'PT'),
  ...zone(['utc', 'gmt', 'z', 'zulu'], -4, 'UTC'),
}

function zone(words: readonly string[], hours: number, name: string) {
  return Object.fromEntries(words.map(word => [word, { hours, name }]))
}

/** Words that only occur in times. */
export const TIME_WORDS: readonly string[] = [
  ...Object.keys(TIME_ZONES),
  ...(
    'am pm oclock o clock noon midday midnight past time new york hour hours hr hrs minute ' +
    'minutes min mins m h after before into from to the open opening bell close closing half ' +
    'quarter an a and end of day session plus'
  ).split(' '),
]

/** An hour without am or pm: 1 to 6 are in the afternoon. */
const toHour24 = (hour: number): number => (hour >= 1 && hour <= 6 ? hour + 12 : hour)

/** Replaces every time of day by one token HH:MM, in New York time. */
export function joinTimes(tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  for (let index = 0; index < tokens.length; ) {
    const found = timeAt(tokens, index)
    if (!found) {
      out.push(tokens[index]!)
      index += 1
      continue
    }
    const { minutes, length, note } = withTimeZone(tokens, index, found)
    const [first, last] = [tokens[index]!, tokens[index + length - 1]!]
    const text = formatMinute(((minutes % 1440) + 1440) % 1440)
    out.push({ text, from: first.from, to: last.to, ...(note === undefined ? {} : { note }) })
    index += length
  }
  return out
}

type Found = { readonly minutes: number; readonly length: number; readonly note?: string }
type Ahead = (ahead: number) => string | undefined

function timeAt(tokens: readonly Token[], index: number): Found | null {
  const text: Ahead = ahead => tokens[index + ahead]?.text
  const isSpelled = (ahead: number) => tokens[index + ahead]?.isSpelled === true
  return (
    clockAt(text) ??
    namedAt(text) ??
    (isSpelled(0) && isSpelled(1) && !isUnit(text(2)) ? spelledAt(text) : null) ??
    fromBellAt(text)
  )
}

/** "9:45", "10am", "10:30 pm", "ten o'clock". */
function clockAt(text: Ahead): Found | null {
  const first = text(0)!
  const written = HHMM.exec(first)
  // "at 1:15 in the afternoon", "10 in the morning"
  const isNamed = text(1) === 'in' && text(2) === 'the'
  const named = isNamed ? { morning: 'am', afternoon: 'pm' }[text(3) ?? ''] : undefined
  if (named) {
    const found = clockAt(ahead => (ahead === 1 ? named : ahead === 0 ? first : undefined))
    return found && { ...found, length: 4 }
  }
  const half = text(1) === 'am' || text(1) === 'pm' ? text(1)! : null
  if (written) {
    const [hour, minute] = [Number(written[1]), Number(written[2])]
    if (hour > 23 || minute > 59) return null
    // 01:30 with a leading zero is no afternoon hour
    const isPadded = first.startsWith('0')
    const hours = half ? halfHour(hour, half) : isPadded ? hour : toHour24(hour)
    if (hours === null) return null
    return { minutes: hours * 60 + minute, length: half ? 2 : 1 }
  }
  if (!/^\d{1,2}$/.test(first)) return null
  const hour = Number(first)
  if (half) {
    const hours = halfHour(hour, half)
    return hours === null ? null : { minutes: hours * 60, length: 2 }
  }
  const isSplit = text(1) === 'o' && text(2) === 'clock'
  if (isSplit && hour >= 1 && hour <= 12) return { minutes: toHour24(hour) * 60, length: 3 }
  if (text(1) === 'oclock' && hour >= 1 && hour <= 12) {
    return { minutes: toHour24(hour) * 60, length: 2 }
  }
  return null
}

function halfHour(hour: number, half: string): number | null {
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

/** "noon", "half past ten", "quarter to four", "ten past eleven". */
function namedAt(text: Ahead): Found | null {
  const first = text(0)!
  if (first === '12' && text(1) === 'noon') return { minutes: 720, length: 2 }
  if (first === 'noon' || first === 'midday') return { minutes: 720, length: 1 }
  if (first === 'midnight') return { minutes: 0, length: 1 }
  const start = first === 'a' && text(1) === 'quarter' ? 1 : 0
  const [part, side, hour] = [text(start), text(start + 1), text(start + 2)]
  const minutes =
    part === 'half' ? 30 : part === 'quarter' ? 15 : /^\d{1,2}$/.test(part ?? '') ? Number(part) : 0
  if (minutes === 0 || !/^(?:[1-9]|1[0-2])$/.test(hour ?? '')) return null
  const length = start + 3
  if (side === 'past') return { minutes: toHour24(Number(hour)) * 60 + minutes, length }
  if (side === 'to' && part === 'quarter') {
    return { minutes: toHour24(Number(hour)) * 60 - minutes, length }
  }
  return null
}

/** "ten thirty", when both are words. */
function spelledAt(text: Ahead): Found | null {
  const [hour, minute] = [text(0)!, text(1)!]
  if (!/^(?:[1-9]|1[0-2])$/.test(hour) || !/^(?:1[0-9]|[2-5]\d)$/.test(minute)) return null
  return { minutes: toHour24(Number(hour)) * 60 + Number(minute), length: 2 }
}

const HOURS = new Set(['hour', 'hours', 'hr', 'hrs', 'h'])
const MINUTES = new Set(['minute', 'minutes', 'min', 'mins', 'm'])
const isUnit = (text: string | undefined) =>
  /^(points?|pts?|wide|delta|deltas|%|percent|x|dte|handles?|expected|em)$/.test(text ?? '')

/** "an hour after the open", "30 minutes before the close". */
function fromBellAt(text: Ahead): Found | null {
  const plus = text(0) === 'open' && text(1) === 'plus' ? spanAt(ahead => text(ahead + 2)) : null
  if (plus) return { minutes: OPENS + plus.minutes, length: plus.length + 2 }
  const span = spanAt(text)
  if (!span) return null
  let at = span.length
  const side = text(at++)
  const isAfter = side === 'after' || side === 'into' || side === 'past' || side === 'from'
  if (!isAfter && side !== 'before') return null
  if (text(at) === 'the') at++
  const bell = text(at++)
  const isBell = bell === 'bell'
  const isSession = side === 'into' && (bell === 'session' || bell === 'day' || bell === 'trading')
  const isOpen = isBell ? isAfter : bell === 'open' || bell === 'opening' || isSession
  if (!isBell && !isOpen && bell !== 'close' && bell !== 'closing') return null
  if (text(at) === 'bell') at++
  if (isOpen !== isAfter) return null
  return { minutes: isOpen ? OPENS + span.minutes : CLOSES - span.minutes, length: at }
}

function spanAt(text: Ahead): Found | null {
  const first = text(0)!
  const count = first === 'an' || first === 'a' ? 1 : /^\d+(\.\d+)?$/.test(first) ? +first : null
  if (count === null) return null
  const unit = text(1) ?? ''
  if (MINUTES.has(unit)) return wholeMinutes(count, 2)
  if (!HOURS.has(unit)) return null
  if (text(2) === 'and' && /^\d+(\.\d+)?$/.test(text(3) ?? '')) {
    if (MINUTES.has(text(4) ?? '')) return wholeMinutes(count * 60 + Number(text(3)), 5)
    // "an hour and a half"
    if (text(3) === HALF) return wholeMinutes((count + 0.5) * 60, 4)
  }
  return wholeMinutes(count * 60, 2)
}

const wholeMinutes = (minutes: number, length: number): Found | null =>
  Number.isInteger(minutes) ? { minutes, length } : null

/** Converts a time with a time zone, and notes it. */
function withTimeZone(tokens: readonly Token[], index: number, found: Found): Found {
  let { length } = found
  const text: Ahead = ahead => tokens[index + ahead]?.text
  // "points" begins like a Pacific time zone: only a clock time has a zone
  const isNewYork = text(length) === 'new' && text(length + 1) === 'york'
  const given = isNewYork
    ? TIME_ZONES.et!
    : Object.hasOwn(TIME_ZONES, text(length) ?? '')
      ? TIME_ZONES[text(length)!]
      : null
  if (!given) return found
  length += isNewYork ? 2 : 1
  if (text(length) === 'time') length += 1
  if (given.hours === 0) return { ...found, length }
  const minutes = found.minutes + given.hours * 60
  const summer = given.hours < 0 ? ' while New York has summer time' : ''
  const inNewYork = formatMinute((minutes + 1440) % 1440)
  const note = `${formatMinute(found.minutes)} ${given.name} is ${inNewYork} ET${summer}`
  return { minutes, length, note }
}
