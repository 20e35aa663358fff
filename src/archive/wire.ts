import { toDecimals, toDigits } from '../core/text/values.ts'
import { type Book, byBook } from '../data/published/books.ts'
import type { WireLedger } from '../orders/schema.ts'
import type { LevelRow, ProfileRows, SessionRows, StrikeRows } from './rows.ts'

/** Converts a session to the format of the archive; its numbers are rounded only here. */

/** Orders included with a session; the whole ledger is in the Orders API. */
const ORDERS_MAX = 500
/** Minutes from one curve of a session to the next. */
const CURVE_EVERY = 5
/** Decimals of index points. */
const POINT_DECIMALS = 2
/** Decimals of a probability. */
const SHARE_DECIMALS = 3
/** Significant digits of a gamma, $M per index point: a tiny one never becomes zero. */
const GAMMA_DIGITS = 6
/** Significant digits of a gamma on a curve, for drawing. */
const CURVE_DIGITS = 3
/** The largest gamma of a minute's strikes is at least that many steps of their rounding. */
const LADDER_STEPS = 100

/** Fields that the archive takes from a published ledger. */
export type LedgerPart = Pick<
  WireLedger,
  'day' | 'sym' | 'min_premium' | 'asof' | 'simulated' | 'tape' | 'note' | 'orders' | 'stats'
>

export type ArchiveInput = SessionRows & {
  readonly ledger: LedgerPart
  readonly revision: string
}

/** Response of `/api/session/{day}`. */
export function sessionWire({ ledger, revision, levels, profiles }: ArchiveInput) {
  const { day, sym, asof, min_premium, simulated, tape, note, orders, stats } = ledger
  const minutes = listMinutes(levels)
  return {
    day,
    ...(sym === undefined ? {} : { sym }),
    revision,
    simulated: simulated ?? false,
    asof,
    min_premium,
    tape,
    ...(note === undefined ? {} : { note }),
    sessions_carried: levels[0]?.sessions_carried ?? null,
    minutes,
    books: byBook(book => bookWire(levels, book, minutes)),
    curve: {
      every: CURVE_EVERY,
      ...curveWire(
        profiles,
        'measured',
        minutes.filter((_, index) => index % CURVE_EVERY === 0),
      ),
    },
    orders: orders.slice(0, ORDERS_MAX),
    stats,
  }
}

/** Response of `/api/session/{day}/gamma`: the curve of every minute. */
export function gammaWire({ ledger, revision, levels, profiles }: ArchiveInput, book: Book) {
  const minutes = listMinutes(levels)
  return {
    day: ledger.day,
    revision,
    simulated: ledger.simulated ?? false,
    book,
    minutes,
    ...curveWire(profiles, book, minutes),
  }
}

/** Response of `/api/session/{day}/strikes`: the ladder of every minute. */
export function strikesWire({ ledger, revision, levels, strikes }: ArchiveInput, book: Book) {
  const minutes = listMinutes(levels)
  const ladders = strikes ? laddersWire(strikes, book, minutes) : null
  return {
    day: ledger.day,
    revision,
    simulated: ledger.simulated ?? false,
    book,
    minutes,
    strikes: ladders?.strikes ?? null,
    calls: ladders?.calls ?? [],
    puts: ladders?.puts ?? [],
    reason: strikes ? (ladders ? null : ('empty_book' as const)) : ('not_published' as const),
  }
}

export type StrikesWire = ReturnType<typeof strikesWire>

/** 'HH:00' or 'HH:30'. */
export type HalfHour = string

export const toHalfHour = (minute: string): HalfHour =>
  `${minute.slice(0, 3)}${minute.slice(3) < '30' ? '00' : '30'}`

type ByMinute = {
  readonly minutes: readonly string[]
  readonly calls: readonly unknown[]
  readonly puts: readonly unknown[]
}

/** Selects the ladders of one half hour. */
export function selectHalf<Ladders extends ByMinute>(ladders: Ladders, half: HalfHour): Ladders {
  const { minutes, calls, puts } = ladders
  const isIn = (minute: string | undefined) => minute !== undefined && toHalfHour(minute) === half
  const own = <Value>(list: readonly Value[]) => list.filter((_, at) => isIn(minutes[at]))
  return { ...ladders, minutes: own(minutes), calls: own(calls), puts: own(puts) }
}

/** One list per minute, in the order of the day's strikes; null when the book lacks a strike. */
function laddersWire(rows: StrikeRows, book: Book, minutes: readonly string[]) {
  const { book_basis, minute_et, strike, call_musd, put_musd } = rows
  const wanted = new Map(minutes.map((minute, index) => [minute, index]))
  const own = book_basis.flatMap((basis, row) =>
    basis === book && wanted.has(minute_et[row]!) ? [row] : [],
  )
  if (own.length === 0) return null
  const strikes = [...new Set(own.map(row => strike[row]!))].sort((a, b) => a - b)
  const strikeIndexes = new Map(strikes.map((one, index) => [one, index]))
  const lists = () => minutes.map(() => new Array<number | null>(strikes.length).fill(null))
  const [calls, puts] = [lists(), lists()]
  for (const row of own) {
    const [at, place] = [wanted.get(minute_et[row]!)!, strikeIndexes.get(strike[row]!)!]
    calls[at]![place] = call_musd[row] ?? null
    puts[at]![place] = put_musd[row] ?? null
  }
  const ladders = minutes.map((_, at) => roundLadder(calls[at]!, puts[at]!))
  return {
    strikes,
    calls: ladders.map(ladder => ladder.calls),
    puts: ladders.map(ladder => ladder.puts),
  }
}

type Gammas = readonly (number | null)[]

/**
 * Rounds the gammas of a minute to the largest of 1, 2 and 5 times a power of ten that is at most a
 * hundredth of the largest. One that is smaller has one digit: it does not become zero.
 */
function roundLadder(calls: Gammas, puts: Gammas) {
  const sizes = [...calls, ...puts].map(gamma => Math.abs(gamma ?? 0))
  const step = findStep(finite(Math.max(...sizes)) / LADDER_STEPS)
  const round = (gamma: number | null) => {
    if (gamma === null || Math.abs(gamma) < step) return significant(gamma, 1)
    return toDigits(Math.round(gamma / step) * step, GAMMA_DIGITS)
  }
  return { calls: calls.map(round), puts: puts.map(round) }
}

/** Returns the largest of 1, 2 and 5 times a power of ten up to a number; 0 for 0. */
function findStep(most: number): number {
  if (most === 0) return 0
  const [digit, exponent] = most.toExponential().split('e')
  const first = [5, 2].find(one => Number(digit) >= one) ?? 1
  return Number(`${first}e${exponent}`)
}

const listMinutes = (levels: readonly LevelRow[]): string[] =>
  [...new Set(levels.map(({ minute_et }) => minute_et))].sort()

/** One column per level, one entry per minute. */
function bookWire(levels: readonly LevelRow[], book: Book, minutes: readonly string[]) {
  const rows = new Map(levels.filter(row => row.book_basis === book).map(r => [r.minute_et, r]))
  const list = <Value>(read: (row: LevelRow | undefined) => Value) =>
    minutes.map(minute => read(rows.get(minute)))
  const points = (name: 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall') =>
    list(row => rounded(row?.[name], POINT_DECIMALS))
  return {
    spot: points('spot'),
    flip: points('flip'),
    flip_lo: points('flip_lo'),
    flip_hi: points('flip_hi'),
    call_wall: points('call_wall'),
    put_wall: points('put_wall'),
    net_gamma: list(row => significant(row?.net_gamma_musd_per_point, GAMMA_DIGITS)),
    reason: list(row => row?.reason ?? null),
    p_positive: list(row => rounded(row?.p_positive, SHARE_DECIMALS)),
    spot_source: list(spotSource),
    spot_error: list(row => rounded(row?.spot_error, POINT_DECIMALS)),
  }
}

/** Where the index is from; older code stored none but that of the tape. */
const spotSource = (row: LevelRow | undefined) =>
  row === undefined || row.spot === null ? null : (row.spot_source ?? 'index')

/**
 * Curves on one grid of index points: `from`, `from` + `step` and so on; `net` has one list per
 * minute, null outside of its scan range, which moves with the index.
 */
function curveWire(profiles: ProfileRows, book: Book, minutes: readonly string[]) {
  const { book_basis, minute_et, index_point, dealer_gamma_musd_per_point: gammas } = profiles
  const wanted = new Map(minutes.map((minute, index) => [minute, index]))
  const strikeIndexes: number[] = []
  for (let row = 0; row < book_basis.length; row++) {
    if (book_basis[row] === book && wanted.has(minute_et[row]!)) strikeIndexes.push(row)
  }
  const points = [...new Set(strikeIndexes.map(row => index_point[row]!))].sort((a, b) => a - b)
  const [from = null] = points
  if (from === null) return { from, step: null, net: minutes.map(() => []) }
  const steps = points.slice(1).map((point, index) => point - points[index]!)
  const step = steps.length === 0 ? 1 : tidy(Math.min(...steps))
  const size = Math.round((points.at(-1)! - from) / step) + 1
  const net = minutes.map(() => new Array<number | null>(size).fill(null))
  for (const row of strikeIndexes) {
    const at = Math.round((index_point[row]! - from) / step)
    net[wanted.get(minute_et[row]!)!]![at] = significant(gammas[row], CURVE_DIGITS)
  }
  return { from: tidy(from), step, net }
}

/** Removes the rounding errors of a sum of steps. */
const tidy = (value: number): number => toDecimals(value, 6)

function rounded(value: number | null | undefined, decimals: number): number | null {
  return value === null || value === undefined ? null : toDecimals(finite(value), decimals)
}

function significant(value: number | null | undefined, digits: number): number | null {
  return value === null || value === undefined ? null : toDigits(finite(value), digits)
}

// JSON.stringify would write NaN as null, which has a meaning here
function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Error(`a number of the archive is ${value}`)
  return value
}
