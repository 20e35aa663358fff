import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { callContext } from '../accounts/callContext.ts'
import { planAt } from '../accounts/products.ts'
import { dayReader, type SessionDate } from '../core/market/calendar.ts'
import type { Catalog } from '../data/published/catalog.ts'
import { EVENT_STREAM_TYPE } from '../platform/http/eventStream.ts'
import { hasKey } from '../platform/http/mask.ts'
import { ignoreParams, parseQuery, readSearch } from '../platform/http/query.ts'
import type { LevelsQuestion } from './ask.ts'
import { dayOfTime } from './asOf.ts'
import type { FlowQuestion } from './flow.ts'
import { FILE_STYLES, type TextStyle } from './levelsText.ts'
import { oldestLiveDay } from './oldestDay.ts'
import {
  isCellName,
  readBook,
  readDay,
  readExpiry,
  readExposure,
  readPart,
  readSpan,
  readStrikes,
  readStyle,
  readSymbols,
  readTime,
  refuseOtherThanSpx,
  refuseTooOld,
  refuseUnfinished,
  SYMBOLS_MAX,
} from './params.ts'
import { mayBeFuture } from './symbols.ts'

/** Parameters and content types of each endpoint, and the parser of its query. */

export const JSON_ONLY = ['application/json'] as const

export type Endpoint = {
  readonly name: string
  readonly symbolsMax: number
  /** Parameters besides those of every query. */
  readonly params: readonly string[]
  /** Default number of strikes, overridden by `g`. */
  readonly strikes?: number
  readonly isDayRequired?: boolean
  /** Name of a measure of SPX alone; left out: other symbols have it too. */
  readonly spxOnly?: string
  /** True where all books have one response. */
  readonly isWithoutBook?: boolean
  /** Content types, the first one being the default. */
  readonly types: readonly string[]
}

const GEX_IN_TEXT = 10
const AS_OF_PARAMETERS = ['day', 'time'] as const
export const LEVELS: Endpoint = {
  name: 'levels',
  symbolsMax: SYMBOLS_MAX.levels,
  params: [...AS_OF_PARAMETERS, 'g', 'expiry'],
  types: JSON_ONLY,
}
export const GAMMA: Endpoint = {
  name: 'gamma',
  symbolsMax: SYMBOLS_MAX.one,
  params: [...AS_OF_PARAMETERS, 'g', 'exposure'],
  types: JSON_ONLY,
}
export const EXPECTED_MOVE: Endpoint = {
  name: 'expected_move',
  symbolsMax: SYMBOLS_MAX.one,
  params: AS_OF_PARAMETERS,
  spxOnly: 'the expected move',
  types: JSON_ONLY,
}
export const HISTORY: Endpoint = {
  name: 'history',
  symbolsMax: SYMBOLS_MAX.one,
  params: ['day'],
  isDayRequired: true,
  types: ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream'],
}
export const FLOW: Endpoint = {
  name: 'flow',
  symbolsMax: SYMBOLS_MAX.one,
  params: [...AS_OF_PARAMETERS, 'part', 'span'],
  spxOnly: 'the flow',
  isWithoutBook: true,
  types: HISTORY.types,
}
export const STREAM: Endpoint = {
  name: 'stream',
  symbolsMax: SYMBOLS_MAX.levels,
  params: ['g', 'expiry'],
  types: [EVENT_STREAM_TYPE],
}
export const TEXT: Endpoint = {
  name: 'levels.txt',
  symbolsMax: SYMBOLS_MAX.text,
  params: [...AS_OF_PARAMETERS, 'g', 'key', 'style'],
  strikes: GEX_IN_TEXT,
  types: ['text/plain'],
}
export const NOTES: Endpoint = {
  ...TEXT,
  name: 'bookmap.csv',
  params: [...AS_OF_PARAMETERS, 'g', 'key', 'map', 'as'],
  types: ['text/csv'],
}

export type Query = Readonly<Record<string, readonly string[]>>

type LevelsCall = {
  readonly req: Request
  readonly res: Response
  readonly deps: {
    readonly catalog: Catalog
    readonly nowMs: () => number
    readonly daysAt: DaysReader
    /** Real time, also in a replay: plans end by it. */
    readonly elapsedMs: () => number
  }
}

/** A query, parsed and checked but for what depends on the time and on the key. */
export type ParsedQuery = {
  readonly query: Query
  /** Names of parameters that are unknown, and of those without effect. */
  readonly ignored: readonly (readonly string[])[]
  readonly question: LevelsQuestion
  readonly flow: Pick<FlowQuestion, 'part' | 'span'>
  readonly style: TextStyle
  /** Text of all parameters that the response depends on. */
  readonly parameters: string
  readonly hasFuture: boolean
}

/** Recent queries by their text: a program repeats few, and parsing one takes as long as a count. */
const recent = new LRUCache<string, ParsedQuery>({ max: 2_000 })
/** Length of a query that is parsed for each call: those of programs are shorter. */
const RECENT_MAX_LENGTH = 400

/** Parses the query of a call; errors are reported in this order. */
export function readQuestion(call: LevelsCall, endpoint: Endpoint): ParsedQuery {
  const { req, res, deps } = call
  const search = readSearch(req.url)
  const key = `${endpoint.name} ${search}`
  const known = recent.get(key)
  for (const names of known?.ignored ?? []) ignoreParams(res, names)
  const parsed = known ?? parseQuestion(call, endpoint, search)
  const { symbols, day, time } = parsed.question
  // a time without a day is one of the newest session
  const isLasting = day !== null || time === null
  if (!known && isLasting && search.length <= RECENT_MAX_LENGTH && !hasKey(search)) {
    recent.set(key, parsed)
  }
  refuseUnfinished(day, deps.daysAt(deps.nowMs()).today)
  if (endpoint.spxOnly !== undefined) refuseOtherThanSpx(symbols[0]!, endpoint.spxOnly)
  refuseTooOld(day, findOldestDay(res, deps))
  return parsed
}

function parseQuestion({ res, deps }: LevelsCall, endpoint: Endpoint, search: string): ParsedQuery {
  const { name, symbolsMax, strikes: g = 0, isDayRequired = false, params } = endpoint
  const parsed = parseQuery<string>(search, ['sym', 'book', 'errors', ...params])
  const query: Query = parsed.values
  const idle = params.concat('errors').filter(param => isWithoutEffect(param, query[param]))
  const ignored = [
    parsed.unknown,
    endpoint.isWithoutBook && query.book?.length ? [...idle, 'book'] : idle,
  ]
  for (const names of ignored) ignoreParams(res, names)
  const given = (param: string) => query[param] ?? []
  const isOneFile = FILE_STYLES.includes(given('style')[0] ?? '')
  const symbols = readSymbols(given('sym'), isOneFile ? SYMBOLS_MAX.one : symbolsMax)
  const book = readBook(given('book'))
  const strikes = readStrikes(given('g'), g)
  const expiry = params.includes('expiry') ? readExpiry(given('expiry')) : null
  const exposure = params.includes('exposure') ? readExposure(given('exposure')) : null
  const part = readPart(given('part'))
  const span = readSpan(given('span'))
  const style = readStyle(given('style'))
  const day = readDay(given('day'), isDayRequired)
  const time = readTime(given('time'), () => day ?? dayOfTime(deps))
  const question: LevelsQuestion = { symbols, book, strikes, expiry, exposure, day, time }
  const named = symbols.join().toUpperCase()
  const others = [style, query.map, query.as, part, span]
  return {
    query,
    ignored,
    question,
    flow: { part, span },
    style,
    parameters: JSON.stringify([name, named, book, strikes, expiry, exposure, day, time, others]),
    hasFuture: symbols.some(mayBeFuture),
  }
}

/** True for values without effect: they are reported like unused parameters. */
function isWithoutEffect(name: string, values: readonly string[] = []): boolean {
  const [value] = values
  if (value === undefined) return false
  if (name === 'errors') return value !== '200'
  return (name === 'map' || name === 'as') && !value.split(',').every(isCellName)
}

/** Returns the ET day of an instant, and the earliest day that LIVE opens then. */
export type DaysReader = (atMs: number) => {
  readonly today: SessionDate
  readonly oldest: SessionDate
}

/** Caches the days for a day: every call needs them. */
export function openDays(): DaysReader {
  const toDay = dayReader()
  let known = { today: '', oldest: '' }
  return atMs => {
    const today = toDay(atMs)
    if (today !== known.today) known = { today, oldest: oldestLiveDay(atMs) }
    return known
  }
}

/** Returns the earliest day that the key of a call opens; null: every day. */
export function findOldestDay(
  res: Response,
  { nowMs, daysAt, elapsedMs }: Omit<LevelsCall['deps'], 'catalog'>,
) {
  const hasLicence = planAt(callContext(res).holder!.products, 'dataset', elapsedMs()) !== null
  return hasLicence ? null : daysAt(nowMs()).oldest
}
