import { PRODUCTS } from '../accounts/products.ts'
import { addDays, isDate } from '../core/market/calendar.ts'
import { DAYS_MAX, isWeek, toWeek, type Week, weekDays } from '../data/geo/weeks.ts'
import { shown } from '../platform/http/request.ts'
import { type CursorPosition, readCursor } from './cursor.ts'
import { geoError } from './errors.ts'
import { COUNTRIES } from './reference.ts'

/** Parsers of a query's parameters, each from its texts as given. */

type Values = readonly string[]
export type Given<Name extends string> = Readonly<Record<Name, Values>>

export const RANGE_PARAMETERS = ['week', 'from', 'to', 'country', 'kind'] as const
export const PAGE_PARAMETERS = [...RANGE_PARAMETERS, 'limit', 'cursor'] as const

/** Access of a call: without a key only the last days are available. */
type GeoAccess = 'free' | 'keyed'

const COUNTRIES_MAX = 20
const LIMIT_MAX = 1000
const LIMIT = 100

const KINDS = ['event', 'release'] as const
export type Kind = (typeof KINDS)[number]

/** Requested items: days, both included, of some countries and kinds; null is all. */
export type WantedItems = {
  readonly from: string
  readonly to: string
  readonly countries: readonly string[] | null
  readonly kind: Kind | null
}

export type WantedPage = WantedItems & {
  readonly limit: number
  /** The last item of the previous page; null: the first page. */
  readonly after: string | null
  /** As-of time: every page of a list has the same. */
  readonly atMs: number
  /** The query as one text, which a cursor is bound to. */
  readonly question: string
}

const invalid = (message: string): Error => geoError('invalid', { message })

const formatDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** The first day available without a key, UTC. */
export const oldestFreeDay = (nowMs: number): string =>
  addDays(formatDay(nowMs), -PRODUCTS.geo.limits.freeDays)

function one(name: string, values: Values): string | null {
  if (values.length > 1) throw invalid(`${name} is given ${values.length} times; give it once.`)
  return values[0] ?? null
}

type GeoCall = { readonly access: GeoAccess; readonly nowMs: number }

/** Parses a query for a page of items. Fails with `invalid`. */
export function readPage(
  given: Given<(typeof PAGE_PARAMETERS)[number]>,
  { access, nowMs }: GeoCall,
): WantedPage {
  const { limit, cursor, ...range } = given
  const question = JSON.stringify(RANGE_PARAMETERS.map(name => range[name]))
  const position = readPosition(one('cursor', cursor), question, nowMs)
  const atMs = position?.atMs ?? nowMs
  const wanted = readItems(range, { access, nowMs, atMs, daysMax: DAYS_MAX.items })
  return { ...wanted, question, atMs, after: position?.after ?? null, limit: readLimit(limit) }
}

function readPosition(text: string | null, question: string, nowMs: number): CursorPosition | null {
  if (text === null) return null
  const position = readCursor(text, question)
  // a forged cursor must not reveal what is not known yet
  if (position !== null && position.atMs <= nowMs) return position
  throw invalid(
    `cursor is ${shown(text)}, which is not of this question; ` +
      'give next_cursor of the page before with the same other parameters.',
  )
}

function readLimit(values: Values): number {
  const text = one('limit', values)
  if (text === null) return LIMIT
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_MAX) return Number(text)
  throw invalid(
    `limit is ${shown(text)}; give a whole number from 1 to ${LIMIT_MAX}, such as limit=${LIMIT}.`,
  )
}

type Range = GeoCall & { readonly atMs: number; readonly daysMax: number }

/** Parses a query for items. Fails with `invalid`. */
export function readItems(
  { country, kind, ...days }: Given<(typeof RANGE_PARAMETERS)[number]>,
  range: Range,
): WantedItems {
  return { ...readDays(days, range), countries: readCountries(country), kind: readKind(kind) }
}

function readDays(given: Given<'week' | 'from' | 'to'>, range: Range) {
  const week = parseWeek(given.week)
  const [from, to] = [readDay('from', given.from), readDay('to', given.to)]
  if (week !== null && (from ?? to) !== null) {
    throw invalid(`week is given with ${from === null ? 'to' : 'from'}; give one or the other.`)
  }
  if (week !== null) return clipToFreeDays(week, range)
  const today = formatDay(range.atMs)
  const oldest = oldestFreeDay(range.nowMs)
  const last = to ?? (from !== null && from > today ? from : today)
  const first = from ?? firstDay(last, oldest)
  if (first > last) {
    throw invalid(`from is "${first}", which is after to, "${last}"; give the earlier day as from.`)
  }
  if (range.access === 'free' && first < oldest) throw tooOld(`${from ? 'from' : 'to'} is`, first)
  const count = 1 + (Date.parse(last) - Date.parse(first)) / 86_400_000
  if (count > range.daysMax) {
    throw invalid(
      `from "${first}" to "${last}" are ${count} days; ask for ${range.daysMax} at most, ` +
        `such as from=${addDays(last, 1 - range.daysMax)}&to=${last}.`,
    )
  }
  return { from: first, to: last }

  function tooOld(what: string, day: string) {
    return invalid(
      `${what} "${day}"; without a key items go back to ${oldest}. With a key, ask /v1/items.`,
    )
  }
}

/** First day of a range of the free number of days. */
const firstDay = (last: string, oldest: string): string => {
  const first = addDays(last, -PRODUCTS.geo.limits.freeDays)
  return first < oldest && oldest <= last ? oldest : first
}

/** Returns the days of a week that the caller may read. */
function clipToFreeDays(week: Week, { access, nowMs }: GeoCall) {
  const { from, to } = weekDays(week)
  const oldest = oldestFreeDay(nowMs)
  if (access === 'keyed' || from >= oldest) return { from, to }
  if (to >= oldest) return { from: oldest, to }
  throw invalid(
    `week is "${week}"; without a key items go back to ${oldest}, in ${toWeek(oldest)}. ` +
      'With a key, ask /v1/items.',
  )
}

/** Parses a week; default: the current one. */
export function readWeek(values: Values, call: GeoCall) {
  const week = parseWeek(values) ?? toWeek(formatDay(call.nowMs))
  return { week, ...clipToFreeDays(week, call) }
}

function parseWeek(values: Values): Week | null {
  const text = one('week', values)
  if (text === null || isWeek(text)) return text
  throw invalid(`week is ${shown(text)}; give an ISO week such as week=2026-W42.`)
}

function readDay(name: 'from' | 'to', values: Values): string | null {
  const text = one(name, values)
  if (text === null || isDate(text)) return text
  throw invalid(
    `${name} is ${shown(text)}; give a day written YYYY-MM-DD, such as ${name}=2026-10-14.`,
  )
}

function readCountries(values: Values): readonly string[] | null {
  const text = one('country', values)
  if (text === null) return null
  const codes = [...new Set(text.split(',').map(part => part.trim().toUpperCase()))]
  const unknown = codes.find(code => !COUNTRIES.has(code))
  if (unknown !== undefined) {
    throw invalid(`country is ${shown(unknown)}; give a code of ISO 3166, such as country=UA,US.`)
  }
  if (codes.length <= COUNTRIES_MAX) return codes
  throw invalid(`country names ${codes.length} countries; give ${COUNTRIES_MAX} at most.`)
}

function readKind(values: Values): Kind | null {
  const text = one('kind', values)
  const kind = KINDS.find(known => known === text) ?? null
  if (text === null || kind !== null) return kind
  throw invalid(`kind is ${shown(text)}; give event or release, such as kind=release.`)
}
