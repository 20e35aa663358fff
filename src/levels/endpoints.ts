import type { Request, Response } from 'express'
import { callContext } from '../accounts/callContext.ts'
import { planAt } from '../accounts/products.ts'
import { dayReader, type SessionDate } from '../core/market/calendar.ts'
import type { Catalog } from '../data/published/catalog.ts'
import { EVENT_STREAM_TYPE } from '../platform/http/eventStream.ts'
import { ignoreParams, readQuery } from '../platform/http/query.ts'
import type { LevelsQuestion } from './ask.ts'
import { dayOfTime } from './asOf.ts'
import { FILE_STYLES, TEXT_STYLES } from './levelsText.ts'
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
  readSymbols,
  readTime,
  refuseOtherThanSpx,
  refuseTooOld,
  refuseUnfinished,
  SYMBOLS_MAX,
} from './params.ts'

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

/** Parses the query of a call; errors are reported in this order. */
export function readQuestion({ req, res, deps }: LevelsCall, endpoint: Endpoint) {
  const { symbolsMax, strikes = 0, isDayRequired = false, spxOnly, params } = endpoint
  const query: Query = readQuery(req, res, ['sym', 'book', 'errors', ...params])
  const idle = params.concat('errors').filter(name => isWithoutEffect(name, query[name]))
  ignoreParams(res, endpoint.isWithoutBook && query.book ? [...idle, 'book'] : idle)
  const given = (name: string) => query[name] ?? []
  const isOneFile = FILE_STYLES.includes(given('style')[0] ?? '')
  const symbols = readSymbols(given('sym'), isOneFile ? SYMBOLS_MAX.one : symbolsMax)
  const book = readBook(given('book'))
  const g = readStrikes(given('g'), strikes)
  const expiry = params.includes('expiry') ? readExpiry(given('expiry')) : null
  const exposure = params.includes('exposure') ? readExposure(given('exposure')) : null
  const part = readPart(given('part'))
  const span = readSpan(given('span'))
  const day = readDay(given('day'), isDayRequired)
  const time = readTime(given('time'), () => day ?? dayOfTime(deps))
  refuseUnfinished(day, deps.daysAt(deps.nowMs()).today)
  if (spxOnly !== undefined) refuseOtherThanSpx(symbols[0]!, spxOnly)
  refuseTooOld(day, findOldestDay(res, deps))
  const question: LevelsQuestion = { symbols, book, strikes: g, expiry, exposure, day, time }
  return { query, question, flow: { part, span } }
}

/** True for values without effect: they are reported like unused parameters. */
function isWithoutEffect(name: string, values: readonly string[] = []): boolean {
  const [value] = values
  if (value === undefined) return false
  if (name === 'style') return !TEXT_STYLES.some(style => style === value)
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
