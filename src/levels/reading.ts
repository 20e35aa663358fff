import type { MinuteEt } from '../core/market/calendar.ts'
import type { Book } from '../data/published/books.ts'
import { FIRST_MINUTE } from '../data/published/stateMinutes.ts'
import { type Basis, basisAt, type Futures } from './basis.ts'
import {
  type Curve,
  type Ladder,
  type LevelColumns,
  minuteKey,
  rowAt,
  type StoredColumns,
} from './columns.ts'
import type { MinuteLevels } from './levelFields.ts'
import { type LevelSymbol, toContract } from './symbols.ts'

/** The levels of one symbol at one minute, in its own points. */
export type LevelReading = {
  readonly symbol: LevelSymbol
  readonly book: Book
  /** Null when the symbol is not a future. */
  readonly future: { readonly contract: string; readonly basis: number } | null
  readonly row: MinuteLevels
  /** Converts a price of SPX to one of the symbol. */
  readonly toPrice: (points: number | null) => number | null
  /** Converts a distance in SPX to one in the symbol. */
  readonly toMove: (points: number | null) => number | null
  /** Index at 09:31 minus and plus the move expected then, as prices of the symbol. */
  readonly range: { readonly low: number | null; readonly high: number | null }
}

/** Reason why gamma is null: it is dealer gamma of SPX options, per point of SPX. */
export const GAMMA_OF_SPX = 'of_spx'

export type Sources = {
  readonly minute: MinuteEt
  readonly book: Book
  readonly levels: StoredColumns['levels']
  readonly futures: Futures
  readonly wait: number | null
}

/** Returns the reading of a symbol. Fails with `contract_not_live` or `no_basis`. */
export function createReading(symbol: LevelSymbol, sources: Sources): LevelReading {
  const { minute, book, levels } = sources
  const basis = symbol.kind === 'future' ? basisAt(symbol, sources) : null
  const columns = levels.get(book)!
  const row = rowAt(columns, columns.minute_et.indexOf(minute))
  const toPrice = priceRule(symbol, basis)
  return {
    symbol,
    book,
    row,
    toPrice,
    toMove: priceRule(symbol, null),
    future: basis && { contract: toContract(symbol, basis.contract), basis: cents(basis.basis) },
    range: findRange(columns, minute, toPrice),
  }
}

/**
 * Returns the conversion of prices: XSP is a tenth of SPX by definition; a future is above the
 * index by its basis.
 */
export function priceRule(symbol: LevelSymbol, basis: Pick<Basis, 'basis'> | null) {
  return (points: number | null): number | null => {
    if (points === null) return null
    if (symbol.kind === 'mini_index') return Math.round(cents(points) * 100) / 1000
    return cents(points + (basis?.basis ?? 0))
  }
}

/** Where the index of a minute comes from; of older files, from the tape. */
export const spotSource = ({
  spot,
  spot_source,
}: Pick<MinuteLevels, 'spot' | 'spot_source'>): 'index' | 'parity' | null =>
  spot === null ? null : (spot_source ?? 'index')

/** Rounds a price to the hundredth; minus zero is zero. */
export const cents = (value: number): number => Math.round(value * 100) / 100 + 0

export const centsOrNull = (value: number | null): number | null =>
  value === null ? null : cents(value)

/** Rounds a gamma in $M a point to a hundred dollars. */
export const roundGamma = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 10_000) / 10_000 + 0

function findRange(columns: LevelColumns, minute: MinuteEt, toPrice: LevelReading['toPrice']) {
  const position = columns.minute_et.indexOf(minute)
  const move = columns.session_expected_move_points[position] ?? null
  const open = columns.spot[columns.minute_et.indexOf(FIRST_MINUTE)] ?? null
  if (move === null || open === null) return { low: null, high: null }
  return { low: toPrice(open - move), high: toPrice(open + move) }
}

export type StrikeGamma = {
  readonly strike: number
  readonly call: number | null
  readonly put: number | null
}

/** Strikes of a ladder by net gamma, largest first; ties by the lower strike. */
export function rankedStrikes(ladder: Ladder): StrikeGamma[] {
  const size = (one: StrikeGamma) => Math.abs(sumNet(one))
  return listStrikes(ladder).sort((a, b) => size(b) - size(a) || a.strike - b.strike)
}

/** Gamma of a strike; where calls or puts have none, that of the other. */
export const sumNet = ({ call, put }: StrikeGamma): number => (call ?? 0) + (put ?? 0)

/** Strikes of a ladder, ascending. */
export const listStrikes = ({ strikes, calls, puts }: Ladder): StrikeGamma[] =>
  strikes.map((strike, at) => ({ strike, call: calls[at] ?? null, put: puts[at] ?? null }))

/** The curve of a minute, or the reason why there is none. */
export function curveAt(
  curves: StoredColumns['profiles'] | null,
  { minute, book }: Pick<Sources, 'minute' | 'book'>,
): { readonly curve: Curve | null; readonly curveReason: string | null } {
  if (curves === null) return { curve: null, curveReason: 'not_published' }
  const curve = curves.get(minuteKey(minute, book)) ?? null
  return { curve, curveReason: curve ? null : 'empty_book' }
}

/** The ladder of a minute, or the reason why there is none. */
export function ladderAt(
  strikes: StoredColumns['strikes'] | null,
  { minute, book }: { minute: MinuteEt; book: Book },
): { readonly ladder: Ladder | null; readonly reason: string | null } {
  if (strikes === null) return { ladder: null, reason: 'not_published' }
  const ladder = strikes.get(minuteKey(minute, book)) ?? null
  return { ladder, reason: ladder ? null : 'empty_book' }
}
