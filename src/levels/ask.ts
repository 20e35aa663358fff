import type { z } from 'zod'
import type { MinuteEt, SessionDate } from '../core/market/calendar.ts'
import { neighbourSession } from '../core/market/calendar.ts'
import { BOOKS, type Book } from '../data/published/books.ts'
import type { Found } from '../data/published/catalog.ts'
import { readLiveFacts } from '../data/published/liveManifest.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { findAsOf, type LevelsDeps, noData, readDatasetOfSession, type StateAsOf } from './asOf.ts'
import { contractUntil, type Futures } from './basis.ts'
import { bucketKey, minuteKey } from './columns.ts'
import { liveError } from './errors.ts'
import {
  EXPIRY_BUCKETS,
  EXPOSURES,
  type ExpiryBucket,
  type Exposure,
  exposureMinute,
} from './expiries.ts'
import { partRow, wireExposures, wireShares } from './expiryWire.ts'
import { type FlowQuestion, type FlowResponse, flowAt } from './flow.ts'
import { buildHistory, type HistoryResponse } from './history.ts'
import { MOVE_LEVELS } from './levelFields.ts'
import { createReading, curveAt, type LevelReading, ladderAt, type Sources } from './reading.ts'
import type { ExpectedMove, ExpiryShares, Gamma, Levels, Symbols } from './schema.ts'
import { type LevelSymbol, parseSymbol, toContract, UNDATED } from './symbols.ts'
import { sendLevels, type WireLevels, wireError, wireGamma, wireLevels } from './wire.ts'

/**
 * Queries of levels for the API, the command line and other programs: values in, values out. Each
 * fails with an error of the catalogue, such as `no_data` or `damaged`.
 */

export type LevelsQuestion = {
  readonly symbols: readonly string[]
  readonly book: Book
  /** Number of strikes of the ladder to include. */
  readonly strikes: number
  /** Expiries whose levels are wanted; null: all, without what leaves with which. */
  readonly expiry: ExpiryBucket | null
  /** Exposure wanted by strike and expiry; null: none. */
  readonly exposure: Exposure | null
  /** Null: the newest session. */
  readonly day: SessionDate | null
  /** Null: its newest minute. */
  readonly time: MinuteEt | null
}

/** Levels of a symbol in a response, with the reading they were made of; or its error. */
export type SymbolLevels =
  | {
      readonly wire: WireLevels
      readonly reading: LevelReading
      /** Shares of gamma that leave with each expiry, where the query names expiries. */
      readonly shares?: z.infer<typeof ExpiryShares> | null
    }
  | { readonly failed: NonNullable<ReturnType<typeof wireError>> }

/** Returns the readings of symbols as of a minute: the error of a single symbol fails the query. */
export async function readSymbols(deps: LevelsDeps, question: LevelsQuestion) {
  const { symbols, book, strikes, expiry } = question
  // an unknown symbol is reported before anything is read
  if (symbols.length === 1) parseSymbol(symbols[0]!)
  const asOf = await findAsOf(deps, question)
  const symbolLevels: SymbolLevels[] = []
  const own = expiry === null || asOf.lack !== null ? null : await expiryAt(deps, asOf, question)
  for (const text of symbols) {
    try {
      const symbol = parseSymbol(text)
      const { sources, ladder } = await readSources(deps, asOf, { symbol, book, strikes })
      const whole = createReading(symbol, sources)
      const reading = own ? { ...whole, row: { ...whole.row, ...own.row } } : whole
      const wire = wireLevels(reading, own?.isPart ? ALL_EXPIRIES_ONLY : ladder, strikes)
      const shares = own?.shares ?? null
      symbolLevels.push({ reading, wire: { ...wire, ...shares }, shares })
    } catch (error) {
      const failed = symbols.length > 1 ? wireError(text, error) : null
      if (failed === null) throw error
      symbolLevels.push({ failed })
    }
  }
  return { asOf, symbolLevels }
}

/** Reason why there is no ladder: strikes are ranked over all expiries. */
const ALL_EXPIRIES_ONLY = { ladder: null, reason: 'all_expiries' }

/** The levels of a bucket of expiries at a minute, and how much gamma leaves when. */
async function expiryAt(deps: LevelsDeps, asOf: StateAsOf, { book, expiry }: LevelsQuestion) {
  const buckets = await readDatasetOfSession(deps, asOf.found!, 'expiry_levels')
  const find = (bucket: ExpiryBucket) => buckets?.get(bucketKey(asOf.minute!, book, bucket))
  const found = find(expiry!)
  const isPart = expiry !== 'all'
  const shares = wireShares({ bucket: expiry!, found, today: find('0dte'), all: find('all') })
  // all of them are those of levels, with their roots
  const row = isPart ? partRow(found) : {}
  return { isPart, row, shares }
}

/** Returns the levels of symbols as of a minute. */
export async function levelsAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<z.infer<typeof Levels>> {
  const { asOf, symbolLevels } = await readSymbols(deps, question)
  const symbols = symbolLevels.map(one => ('wire' in one ? one.wire : one.failed))
  return { ...formatHead(asOf, question.book), symbols }
}

/** Returns gamma by strike and by index level. */
export async function gammaAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<z.infer<typeof Gamma>> {
  const { book, strikes, exposure } = question
  const symbol = parseSymbol(question.symbols[0]!)
  const asOf = await findAsOf(deps, question)
  // elsewhere 0 strikes means none, here it means the whole ladder
  const wanted = { symbol, book, strikes: Number.POSITIVE_INFINITY }
  const { sources, ladder } = await readSources(deps, asOf, wanted)
  const reading = createReading(symbol, sources)
  const curve = curveAt(await readDatasetOfSession(deps, asOf.found!, 'profiles'), sources)
  const body = {
    ...formatHead(asOf, book),
    ...wireGamma(reading, ladder, { ...curve, strikeCount: strikes }),
  }
  if (exposure === null) return body
  const minute = exposureMinute(sources.minute)
  const cells = await readDatasetOfSession(deps, asOf.found!, 'exposures', minute)
  const found = { cells: cells?.get(minuteKey(minute, book)) ?? null, isPublished: cells !== null }
  return { ...body, ...wireExposures(symbol, { ...found, exposure, minute, strikeCount: strikes }) }
}

/** The exposures there are, by name. */
export const EXPOSURE_NAMES = EXPOSURES

/** A finished or running session of SPX at a minute; null: its newest. */
export type SessionMinute = {
  readonly day: SessionDate
  readonly time: MinuteEt | null
  readonly book: Book
}

/** Queries of levels for other areas; each fails with `no_data` or `damaged`. */
export type LevelsAsk = {
  /** Levels of the session's expiry, of the next one and of all, and what leaves when. */
  readonly readExpiries: (wanted: SessionMinute) => Promise<readonly ExpiryReading[]>
  /** One exposure by strike and expiry. */
  readonly readExposures: (
    wanted: SessionMinute & { readonly exposure: Exposure },
  ) => Promise<z.infer<typeof Gamma>>
  /** The customers' flow, minute by minute. */
  readonly readFlow: (wanted: FlowQuestion) => Promise<FlowResponse>
}

export type { FlowResponse }

/** Levels of some expiries, as in a response. */
export type ExpiryReading = z.infer<typeof ExpiryShares> & {
  readonly time: MinuteEt
  readonly levels: WireLevels
}

/** Opens the queries of levels for other areas. */
export function openLevelsAsk(deps: LevelsDeps): LevelsAsk {
  const of = { symbols: ['SPX'], strikes: 0 }
  return {
    readExpiries: wanted =>
      Promise.all(
        EXPIRY_BUCKETS.map(async (expiry): Promise<ExpiryReading> => {
          const { asOf, symbolLevels } = await readSymbols(deps, {
            ...of,
            ...wanted,
            expiry,
            exposure: null,
          })
          const [only] = symbolLevels
          if (only === undefined || !('wire' in only)) throw noData(asOf)
          return { ...only.shares!, time: asOf.minute!, levels: only.wire }
        }),
      ),
    readExposures: wanted => gammaAt(deps, { ...of, expiry: null, ...wanted }),
    readFlow: wanted => flowAt(deps, wanted),
  }
}

/** Returns the expected move of the index. */
export async function expectedMoveAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<z.infer<typeof ExpectedMove>> {
  const symbol = parseSymbol(question.symbols[0]!)
  const asOf = await findAsOf(deps, question)
  const { book } = question
  const { sources } = await readSources(deps, asOf, { symbol, book, strikes: 0 })
  const reading = createReading(symbol, sources)
  return {
    day: asOf.day!,
    time: sources.minute,
    ...sendLevels(MOVE_LEVELS, reading),
    ...reading.range,
    reason: reading.row.expected_move_reason,
    name: 'E|S-F|, forward straddle',
    simulated: asOf.found!.manifest.simulated,
  }
}

/** Returns every minute of a session up to its newest one. */
export async function historyAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<HistoryResponse> {
  const { book } = question
  const symbol = parseSymbol(question.symbols[0]!)
  const asOf = await findAsOf(deps, { day: question.day, time: null })
  const { sources } = await readSources(deps, asOf, { symbol, book, strikes: 0 })
  return buildHistory(symbol, sources, asOf.found!.manifest)
}

/** Returns all symbols, and whether the newest session has them. */
export async function symbolsNow(deps: LevelsDeps): Promise<z.infer<typeof Symbols>> {
  const asOf = await findAsOf(deps, { day: null, time: null })
  const futures = asOf.lack === null ? await readFutures(deps, asOf.found!) : null
  const minute = asOf.minute
  const dated = [...new Set((futures?.rows ?? []).flatMap(row => liveBy(row, minute)))].sort()
  const names = [...UNDATED, ...dated.flatMap(one => [one, toContract({ sym: 'MES' }, one)])]
  const symbols = names.map(name => {
    const symbol = parseSymbol(name)
    const isFuture = symbol.kind === 'future'
    const isMeasured = futures !== null && isMeasuredNow(symbol, futures, minute!)
    const reason = asOf.lack !== null ? 'no_data' : isFuture && !isMeasured ? 'no_basis' : null
    return {
      sym: symbol.sym,
      kind: symbol.kind,
      source: { index: 'book', mini_index: 'SPX / 10', future: 'SPX + basis' }[symbol.kind],
      books: [...BOOKS],
      available: reason === null,
      reason,
      first_day: firstDay(deps, isFuture ? 'basis' : 'levels'),
      tick: symbol.tick,
    }
  })
  return { symbols }
}

const liveBy = (
  { contract, minute_et, basis }: { contract: string; minute_et: MinuteEt; basis: number | null },
  minute: MinuteEt | null,
) => (minute !== null && minute_et <= minute && basis !== null ? [contract] : [])

function isMeasuredNow(symbol: LevelSymbol, futures: Futures, minute: MinuteEt): boolean {
  try {
    const contract = contractUntil(symbol, { futures, minute, wait: null })
    return (futures.rows ?? []).some(
      row => row.contract === contract && row.minute_et === minute && row.basis !== null,
    )
  } catch {
    return false
  }
}

/** Returns the first session with a dataset, including a running one if it is the only one. */
const firstDay = ({ catalog }: LevelsDeps, dataset: 'levels' | 'basis'): SessionDate | null =>
  catalog.sessions().find(day => hasDataset(catalog.find(day)?.manifest, dataset)) ?? null

const hasDataset = (manifest: PublishedManifest | undefined, dataset: 'levels' | 'basis') =>
  manifest !== undefined &&
  (manifest.datasets[dataset] ?? readLiveFacts(manifest)?.files[dataset]) !== undefined

type Needed = { readonly symbol: LevelSymbol; readonly book: Book; readonly strikes: number }

/**
 * Returns the data for a symbol's reading as of a minute. Fails with `no_data` if there are none.
 */
async function readSources(deps: LevelsDeps, asOf: StateAsOf, { symbol, book, strikes }: Needed) {
  const { found, minute, wait } = asOf
  if (asOf.lack !== null || found === null || minute === null) {
    throw symbol.kind === 'future' ? await futureLack(deps, asOf, symbol) : noData(asOf)
  }
  const levels = (await readDatasetOfSession(deps, found, 'levels'))!
  const none: Futures = { day: asOf.day!, rows: null, before: null }
  const futures = symbol.kind === 'future' ? await readFutures(deps, found) : none
  const ladders = strikes > 0 ? await readDatasetOfSession(deps, found, 'strikes') : null
  const sources: Sources = { minute, book, levels, futures, wait }
  const ladder = strikes > 0 ? ladderAt(ladders, { minute, book }) : { ladder: null, reason: null }
  return { sources, ladder }
}

/**
 * Returns the error of a future without a reading: first its contract, then its basis, then the
 * minute.
 */
async function futureLack(deps: LevelsDeps, asOf: StateAsOf, symbol: LevelSymbol) {
  const { found, newest, wait, lack } = asOf
  if (found === null || newest === null) {
    const message = `no basis of ${symbol.sym} is measured: ${lack}.`
    return liveError('no_basis', { message, extras: { next_update_s: wait } })
  }
  contractUntil(symbol, { futures: await readFutures(deps, found), minute: newest, wait })
  return noData(asOf)
}

async function readFutures(deps: LevelsDeps, found: Found): Promise<Futures> {
  const { session_date: day } = found.manifest
  const earlier = deps.catalog.find(neighbourSession(day, -1).date)
  const rows = await readDatasetOfSession(deps, found, 'basis')
  const before = rows && earlier ? await readDatasetOfSession(deps, earlier, 'basis') : null
  return { day, rows, before }
}

function formatHead({ day, minute, isLive, found, nextUpdateAt }: StateAsOf, book: Book) {
  return {
    day,
    time: minute,
    live: isLive,
    book,
    simulated: found?.manifest.simulated ?? false,
    next_update_at: nextUpdateAt,
  }
}
