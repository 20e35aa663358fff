import { PRODUCTS } from '../accounts/products.ts'
import {
  findTradingSession,
  isDate,
  isMinute,
  type MinuteEt,
  type SessionDate,
} from '../core/market/calendar.ts'
import type { Book } from '../data/published/books.ts'
import { FIRST_MINUTE, lastJudgedMinute } from '../data/published/stateMinutes.ts'
import { maskSecrets } from '../platform/http/mask.ts'
import { shown } from '../platform/http/request.ts'
import { liveError } from './errors.ts'
import { EXPIRY_BUCKETS, EXPOSURES, type ExpiryBucket, type Exposure } from './expiries.ts'
import { FLOW_PARTS, FLOW_SPANS, type FlowPart, type FlowSpan } from './flowFields.ts'
import { TEXT_STYLES, type TextStyle } from './levelsText.ts'

/** Parsers of a query's parameters, each from its texts as given. */

type Values = readonly string[]

const { symbolsMax, textSymbolsMax } = PRODUCTS.live.limits
export const SYMBOLS_MAX = { levels: symbolsMax, text: textSymbolsMax, one: 1 } as const

const STRIKES_MAX = 30
type ParamName = 'book' | 'g' | 'expiry' | 'exposure' | 'part' | 'span' | 'style' | 'day' | 'time'

/** Returns the one text of a parameter. Fails with `bad_` and its name when it is given twice. */
function readOnce(name: ParamName, values: Values): string | undefined {
  if (values.length <= 1) return values[0]
  const message = `${name} is given ${values.length} times; give it once.`
  throw liveError(`bad_${name}`, { message })
}

/** Returns the symbols of a comma-separated list, in the order given, each once. */
export function readSymbols(values: Values, max: number): string[] {
  const given = values.flatMap(text => text.split(',').map(part => part.trim()))
  const symbols = [...new Map(given.map(text => [text.toUpperCase(), text])).values()].filter(
    text => text !== '',
  )
  if (symbols.length === 0) {
    const example = max === 1 ? 'sym=SPX' : 'sym=SPX,ES'
    throw liveError('missing_sym', { message: `sym is missing; give one, such as ${example}.` })
  }
  if (symbols.length <= max) return symbols
  throw liveError('too_many_symbols', {
    message: `sym has ${symbols.length} symbols; give ${max === 1 ? 'one' : `at most ${max}`}.`,
  })
}

/** Returns the book; default: the measured one. */
export function readBook(values: Values): Book {
  const text = readOnce('book', values)
  if (text === undefined) return 'measured'
  if (text === 'vol' || text === 'oi') return text
  throw liveError('bad_book', {
    message: `book is ${shown(text)}; give vol or oi, or leave it out for the measured book.`,
  })
}

/** Returns the number of strikes to include. */
export function readStrikes(values: Values, fallback: number): number {
  const text = readOnce('g', values)
  if (text === undefined) return fallback
  if (/^\d{1,2}$/.test(text) && Number(text) <= STRIKES_MAX) return Number(text)
  throw liveError('bad_g', {
    message: `g is ${shown(text)}; give a whole number from 0 to ${STRIKES_MAX}, such as g=10.`,
  })
}

/** Returns the expiries whose levels are wanted; null: all, as without the parameter. */
export const readExpiry = (values: Values): ExpiryBucket | null =>
  readChoice<ExpiryBucket, null>(values, {
    name: 'expiry',
    choices: EXPIRY_BUCKETS,
    usual: null,
    example: '0dte',
  })

/** Returns the exposure wanted by strike and expiry; null: none. */
export const readExposure = (values: Values): Exposure | null =>
  readChoice<Exposure, null>(values, {
    name: 'exposure',
    choices: EXPOSURES,
    usual: null,
    example: 'vanna',
  })

/** Returns the part of the flow; default: all of it. */
export const readPart = (values: Values): FlowPart =>
  readChoice(values, { name: 'part', choices: FLOW_PARTS, usual: 'all', example: '0dte' })

/** Returns the span that the flow is summed over; default: the day so far. */
export const readSpan = (values: Values): FlowSpan =>
  readChoice(values, { name: 'span', choices: FLOW_SPANS, usual: 'day', example: '5m' })

/** Returns the form of the text of levels; default: pairs. */
export const readStyle = (values: Values): TextStyle =>
  readChoice(values, { name: 'style', choices: TEXT_STYLES, usual: 'pairs', example: 'lines' })

/** Returns the one value of a parameter with named choices. Fails with `bad_` and its name. */
function readChoice<Choice extends string, Usual extends string | null>(
  values: Values,
  wanted: {
    readonly name: 'expiry' | 'exposure' | 'part' | 'span' | 'style'
    readonly choices: readonly Choice[]
    readonly usual: Usual
    readonly example: Choice
  },
): Choice | Usual {
  const { name, choices, usual, example } = wanted
  const code = `bad_${name}` as const
  const text = readOnce(name, values)
  const choice = choices.find(known => known === text)
  if (text === undefined || choice) return choice ?? usual
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices)
  const message = `${name} is ${shown(text)}; give ${list}, such as ${name}=${example}.`
  throw liveError(code, { message })
}

/** Returns the day; null is the newest session. */
export function readDay(values: Values, isRequired: boolean): SessionDate | null {
  const example = 'such as day=2026-10-14'
  const text = readOnce('day', values)
  if (text === undefined && !isRequired) return null
  if (text === undefined) {
    throw liveError('bad_day', { message: `day is missing; give a past session, ${example}.` })
  }
  if (isDate(text)) return text
  throw liveError('bad_day', {
    message: `day is ${shown(text)}; give a date written YYYY-MM-DD, ${example}.`,
  })
}

/**
 * Returns a state minute of the session, or of the longest one if there is none; null is the
 * newest.
 */
export function readTime(values: Values, findDay: () => SessionDate): MinuteEt | null {
  const text = readOnce('time', values)
  if (text === undefined) return null
  const session = findTradingSession(findDay())
  const last = session ? lastJudgedMinute(session) : '15:59'
  if (isMinute(text) && text >= FIRST_MINUTE && text <= last) return text
  throw liveError('bad_time', {
    message:
      `time is ${shown(text)}; give an ET minute from ${FIRST_MINUTE} to ${last}, ` +
      'such as time=10:30.',
  })
}

/** True when a name from another program contains no secret and needs no quotes in a CSV cell. */
export const isCellName = (text: string): boolean =>
  /^[\w./:@=^-]{1,40}$/.test(text) && maskSecrets(text) === text

/** Returns comma-separated names from another program; one that is no CSV cell name is empty. */
export const readNames = (values: Values): string[] =>
  values.flatMap(text => text.split(',')).map(text => (isCellName(text) ? text : ''))

/** Fails with `not_finished` unless the day is before today. */
export function refuseUnfinished(day: SessionDate | null, today: SessionDate): void {
  if (day === null || day < today) return
  throw liveError('not_finished', {
    message:
      `day is ${day}, which is not before today, ${today} ET; ` +
      'leave day out for the newest session.',
  })
}

/** Fails with `spx_only`: what is requested is measured for the index alone. */
export function refuseOtherThanSpx(symbol: string, what: string): void {
  if (symbol.toUpperCase() === 'SPX') return
  throw liveError('spx_only', {
    message: `sym is ${shown(symbol)}; ${what} is measured for SPX only: give sym=SPX.`,
  })
}

/** Fails with `history_too_old`: days before `oldest` need a DATASET licence. */
export function refuseTooOld(day: SessionDate | null, oldest: SessionDate | null): void {
  if (day === null || oldest === null || day >= oldest) return
  throw liveError('history_too_old', {
    message: `day is ${day}; without a DATASET licence the earliest is ${oldest}.`,
    extras: { oldest },
  })
}
