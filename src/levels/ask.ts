import type { z } from 'zod'
import { liveError } from '../http/errors/live.ts'
import type { MinuteEt, SessionDate } from '../market/calendar.ts'
import { neighbourSession } from '../market/calendar.ts'
import { BOOKS, type Book } from '../published/books.ts'
import type { Found } from '../published/catalog.ts'
import { contractUntil, type Futures } from './basis.ts'
import { type HistoryAnswer, historyOf } from './history.ts'
import { type LevelsDeps, momentOf, noData, readOf, type StateMoment } from './moment.ts'
import { cents, curveAt, type LevelReading, ladderAt, readingOf, type Sources } from './reading.ts'
import type { ExpectedMove, Gamma, Levels, Symbols } from './schema.ts'
import { contractOf, type LevelSymbol, symbolOf, UNDATED } from './symbols.ts'
import { type WireLevels, wireError, wireGamma, wireLevels } from './wire.ts'

/**
 * The questions that levels answer, for the API, the command line and other programs: values in,
 * values out. Each fails with an error of the catalogue, such as `no_data` or `damaged`.
 */

export type LevelsQuestion = {
  readonly symbols: readonly string[]
  readonly book: Book
  /** How many strikes of the ladder are added. */
  readonly strikes: number
  /** Null: the newest session. */
  readonly day: SessionDate | null
  /** Null: its newest minute. */
  readonly time: MinuteEt | null
}

/** Levels of a symbol as they are answered, and the reading they were made of. */
export type LevelsTold =
  | { readonly wire: WireLevels; readonly reading: LevelReading }
  | { readonly failed: NonNullable<ReturnType<typeof wireError>> }

/** The readings of a moment: a symbol that fails alone fails the question. */
export async function tellSymbols(deps: LevelsDeps, question: LevelsQuestion) {
  const { symbols, book, strikes } = question
  // one that there is not is told before anything is read
  if (symbols.length === 1) symbolOf(symbols[0]!)
  const moment = await momentOf(deps, question)
  const told: LevelsTold[] = []
  for (const text of symbols) {
    try {
      const symbol = symbolOf(text)
      const { sources, ladder } = await sourcesOf(deps, moment, { symbol, book, strikes })
      const reading = readingOf(symbol, sources)
      told.push({ reading, wire: wireLevels(reading, ladder, strikes) })
    } catch (error) {
      const failed = symbols.length > 1 ? wireError(text, error) : null
      if (failed === null) throw error
      told.push({ failed })
    }
  }
  return { moment, told }
}

/** The levels of symbols at a moment. */
export async function levelsAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<z.infer<typeof Levels>> {
  const { moment, told } = await tellSymbols(deps, question)
  const symbols = told.map(one => ('wire' in one ? one.wire : one.failed))
  return { ...headOf(moment, question.book), symbols }
}

/** Gamma by strike and over the index. */
export async function gammaAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<z.infer<typeof Gamma>> {
  const { book, strikes } = question
  const symbol = symbolOf(question.symbols[0]!)
  const moment = await momentOf(deps, question)
  // none is asked for by 0 elsewhere, and the whole ladder here
  const wanted = { symbol, book, strikes: Number.POSITIVE_INFINITY }
  const { sources, ladder } = await sourcesOf(deps, moment, wanted)
  const reading = readingOf(symbol, sources)
  const curve = curveAt(await readOf(deps, moment.found!, 'profiles'), sources)
  return {
    ...headOf(moment, book),
    ...wireGamma(reading, ladder, { ...curve, strikeCount: strikes }),
  }
}

/** How far the index is expected to move. */
export async function expectedMoveAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<z.infer<typeof ExpectedMove>> {
  const symbol = symbolOf(question.symbols[0]!)
  const moment = await momentOf(deps, question)
  const { book } = question
  const { sources } = await sourcesOf(deps, moment, { symbol, book, strikes: 0 })
  const { row, range } = readingOf(symbol, sources)
  const pointsOf = (points: number | null) => (points === null ? null : cents(points))
  return {
    day: moment.day!,
    time: sources.minute,
    spot: pointsOf(row.spot),
    expected_move: pointsOf(row.expected_move_points),
    session_move: pointsOf(row.session_expected_move_points),
    ...range,
    reason: row.expected_move_reason,
    name: 'E|S-F|, forward straddle',
    simulated: moment.found!.manifest.simulated,
  }
}

/** Every minute of a session up to its newest one. */
export async function historyAt(
  deps: LevelsDeps,
  question: LevelsQuestion,
): Promise<HistoryAnswer> {
  const { book } = question
  const symbol = symbolOf(question.symbols[0]!)
  const moment = await momentOf(deps, { day: question.day, time: null })
  const { sources } = await sourcesOf(deps, moment, { symbol, book, strikes: 0 })
  return historyOf(symbol, sources, moment.found!.manifest)
}

/** The symbols there are, and whether the newest session has them. */
export async function symbolsNow(deps: LevelsDeps): Promise<z.infer<typeof Symbols>> {
  const moment = await momentOf(deps, { day: null, time: null })
  const futures = moment.lack === null ? await futuresOf(deps, moment.found!) : null
  const minute = moment.minute
  const dated = [...new Set((futures?.rows ?? []).flatMap(row => liveBy(row, minute)))].sort()
  const names = [...UNDATED, ...dated.flatMap(one => [one, contractOf({ sym: 'MES' }, one)])]
  const symbols = names.map(name => {
    const symbol = symbolOf(name)
    const isFuture = symbol.kind === 'future'
    const isMeasured = futures !== null && isMeasuredNow(symbol, futures, minute!)
    const reason = moment.lack !== null ? 'no_data' : isFuture && !isMeasured ? 'no_basis' : null
    return {
      sym: symbol.sym,
      kind: symbol.kind,
      source: { index: 'book', mini_index: 'SPX / 10', future: 'SPX + basis' }[symbol.kind],
      books: [...BOOKS],
      ...{ available: reason === null, reason },
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

/** The first session with a dataset: of a running one too, where it is the only one. */
function firstDay({ catalog }: LevelsDeps, dataset: 'levels' | 'basis'): SessionDate | null {
  const has = ({ manifest, knownBeforeMs }: Found) =>
    manifest.datasets[dataset] !== undefined ||
    (knownBeforeMs !== undefined &&
      (manifest as { live?: { files?: object } }).live?.files?.[dataset as never] !== undefined)
  return catalog.sessions().find(date => catalog.find(date) && has(catalog.find(date)!)) ?? null
}

type Needed = { readonly symbol: LevelSymbol; readonly book: Book; readonly strikes: number }

/** What a symbol is read from at a moment. Fails with `no_data` where that has no reading. */
async function sourcesOf(deps: LevelsDeps, moment: StateMoment, { symbol, book, strikes }: Needed) {
  const { found, minute, wait } = moment
  if (moment.lack !== null || found === null || minute === null) {
    throw symbol.kind === 'future' ? await futureLack(deps, moment, symbol) : noData(moment)
  }
  const levels = (await readOf(deps, found, 'levels'))!
  const none: Futures = { day: moment.day!, rows: null, before: null }
  const futures = symbol.kind === 'future' ? await futuresOf(deps, found) : none
  const ladders = strikes > 0 ? await readOf(deps, found, 'strikes') : null
  const sources: Sources = { minute, book, levels, futures, wait }
  const ladder = strikes > 0 ? ladderAt(ladders, { minute, book }) : { ladder: null, reason: null }
  return { sources, ladder }
}

/** Why a future has no reading: first its contract, then its basis, then the minute. */
async function futureLack(deps: LevelsDeps, moment: StateMoment, symbol: LevelSymbol) {
  const { found, newest, wait, lack } = moment
  if (found === null || newest === null) {
    const message = `no basis of ${symbol.sym} is measured: ${lack}.`
    return liveError('no_basis', { message, extras: { next_update_s: wait } })
  }
  contractUntil(symbol, { futures: await futuresOf(deps, found), minute: newest, wait })
  return noData(moment)
}

async function futuresOf(deps: LevelsDeps, found: Found): Promise<Futures> {
  const { session_date: day } = found.manifest
  const earlier = deps.catalog.find(neighbourSession(day, -1).date)
  const rows = await readOf(deps, found, 'basis')
  const before = rows && earlier ? await readOf(deps, earlier, 'basis') : null
  return { day, rows, before }
}

function headOf({ day, minute, isLive, found, nextUpdateAt }: StateMoment, book: Book) {
  return {
    day,
    time: minute,
    live: isLive,
    book,
    simulated: found?.manifest.simulated ?? false,
    next_update_at: nextUpdateAt,
  }
}
