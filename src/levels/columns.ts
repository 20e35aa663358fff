import type { MinuteEt } from '../core/market/calendar.ts'
import { BOOKS, type Book } from '../data/published/books.ts'
import { EXPOSURES, type ExpiryBucket, type Exposure } from './expiries.ts'
import type { FlowPart, FlowSpan } from './flowParts.ts'
import type { ReadColumns } from './readDataset.ts'

/** A session's levels, ladders, curves and bases as stored in memory. */

/** The levels of a book at a minute, as published. */
export type MinuteLevels = {
  readonly minute_et: MinuteEt
  readonly book_basis: Book
  readonly spot: number | null
  readonly net_gamma_musd_per_point: number | null
  readonly regime: 'positive' | 'negative' | null
  readonly flip: number | null
  readonly flip_lo: number | null
  readonly flip_hi: number | null
  readonly flip_roots: readonly number[]
  readonly call_wall: number | null
  readonly put_wall: number | null
  readonly expected_move_points: number | null
  readonly session_expected_move_points: number | null
  readonly expected_move_reason: string | null
  readonly measured_share: number | null
  readonly reason: string | null
  /** Probability that net gamma is positive, and its deviation; null of book 'oi', old files. */
  readonly p_positive: number | null
  readonly net_gamma_deviation_musd: number | null
  readonly sessions_carried: number | null
  /** Null without an index, and of old files, which have no other than that of the tape. */
  readonly spot_source: 'index' | 'parity' | null
  /** One standard deviation of an index by put-call parity, points. */
  readonly spot_error: number | null
}

/** Net dealer gamma at equal steps from a first index point. */
export type Curve = {
  readonly from: number
  readonly step: number
  readonly net: readonly number[]
}
/** Dealer gamma by strike, ascending. */
export type Ladder = {
  readonly strikes: readonly number[]
  readonly calls: readonly (number | null)[]
  readonly puts: readonly (number | null)[]
}
export type BasisRow = {
  readonly contract: string
  readonly minute_et: MinuteEt
  readonly basis: number | null
  readonly reason: string | null
  readonly volume: number | null
}

/** The levels of some expiries of a book at a minute, as published. */
export type ExpiryLevels = {
  readonly [Name in
    | 'net_gamma_musd_per_point'
    | 'net_gamma_deviation_musd'
    | 'p_positive'
    | 'regime'
    | 'flip'
    | 'flip_lo'
    | 'flip_hi'
    | 'call_wall'
    | 'put_wall'
    | 'measured_share'
    | 'reason']: MinuteLevels[Name]
} & {
  /** Expiration date; null of all, and where there is none. */
  readonly expiry: string | null
  /** Share of the gamma that the book may hold which leaves with these expiries. */
  readonly gross_share: number | null
  readonly monthly_expiry: string | null
  readonly monthly_share: number | null
}

/** Dealers' exposures of a book at a minute: a cell a strike and expiry, each of one length. */
export type ExposureCells = {
  readonly roots: readonly string[]
  readonly expiries: readonly string[]
  /** Null: all strikes further off. */
  readonly strikes: readonly (number | null)[]
} & {
  /** The value of each cell, and its deviation. */
  readonly [Name in Exposure]: readonly (readonly [number, number | null])[]
}

/** The customers' flow of a part over a span, by minute; all of one length. */
export type FlowColumns = {
  readonly minute_et: readonly MinuteEt[]
  readonly order_count: readonly number[]
  readonly contracts: readonly number[]
  readonly delta_reason: readonly (string | null)[]
  readonly gamma_reason: readonly (string | null)[]
} & {
  readonly [Name in
    | 'delta_musd'
    | 'delta_lo_musd'
    | 'delta_hi_musd'
    | 'gamma_musd_per_point'
    | 'gamma_lo_musd_per_point'
    | 'gamma_hi_musd_per_point']: readonly (number | null)[]
}

/** Stored form of each dataset. */
export type StoredColumns = {
  /** Columns of each book, minutes ascending. */
  readonly levels: Readonly<Record<Book, LevelColumns>>
  /** By minute and book. */
  readonly profiles: ReadonlyMap<string, Curve>
  readonly strikes: ReadonlyMap<string, Ladder>
  readonly basis: readonly BasisRow[]
  /** By minute, book and bucket. */
  readonly expiry_levels: ReadonlyMap<string, ExpiryLevels>
  /** By minute and book. */
  readonly exposures: ReadonlyMap<string, ExposureCells>
  /** By part and span. */
  readonly flow: ReadonlyMap<string, FlowColumns>
}

export type LevelColumns = {
  readonly [Name in Exclude<keyof MinuteLevels, 'book_basis'>]: readonly MinuteLevels[Name][]
}

const LEVEL_COLUMNS = [
  'minute_et',
  'spot',
  'net_gamma_musd_per_point',
  'regime',
  'flip',
  'flip_lo',
  'flip_hi',
  'flip_roots',
  'call_wall',
  'put_wall',
  'expected_move_points',
  'session_expected_move_points',
  'expected_move_reason',
  'measured_share',
  'reason',
  'p_positive',
  'net_gamma_deviation_musd',
  'sessions_carried',
  'spot_source',
  'spot_error',
] as const

export const minuteKey = (minute: MinuteEt, book: Book): string => `${minute} ${book}`

/** Converts the columns read to their stored form. */
export const STORE_COLUMNS: {
  readonly [Name in keyof StoredColumns]: (read: ReadColumns) => StoredColumns[Name]
} = {
  levels: read => {
    const books = read.book_basis as readonly Book[]
    const ofBook = (book: Book) => {
      const positions = books.flatMap((one, index) => (one === book ? [index] : []))
      const columns = LEVEL_COLUMNS.map(name => [
        name,
        positions.map(position => read[name]![position]),
      ])
      return Object.fromEntries(columns) as LevelColumns
    }
    return { measured: ofBook('measured'), vol: ofBook('vol'), oi: ofBook('oi') }
  },
  profiles: read =>
    byMinute(read, position => ({
      from: read.first_point![position] as number,
      step: read.step![position] as number,
      net: read.gammas![position] as number[],
    })),
  strikes: read =>
    byMinute(read, position => ({
      strikes: read.strikes![position] as number[],
      calls: read.calls![position] as number[],
      puts: read.puts![position] as number[],
    })),
  basis: read =>
    (read.contract as string[]).map((contract, position) => ({
      contract,
      minute_et: read.minute_et![position] as MinuteEt,
      basis: read.basis![position] as number | null,
      reason: read.reason![position] as string | null,
      volume: read.volume![position] as number | null,
    })),
  expiry_levels: read => {
    const buckets = read.bucket as readonly ExpiryBucket[]
    const minutes = read.minute_et as readonly MinuteEt[]
    const books = read.book_basis as readonly Book[]
    return new Map(
      minutes.map((minute, at) => [
        bucketKey(minute, books[at]!, buckets[at]!),
        Object.fromEntries(EXPIRY_COLUMNS.map(name => [name, read[name]![at]])) as ExpiryLevels,
      ]),
    )
  },
  exposures: read =>
    byMinute(
      read,
      position =>
        Object.fromEntries(
          EXPOSURE_COLUMNS.map(name => [name, read[name]![position]]),
        ) as ExposureCells,
    ),
  flow: read => {
    const parts = read.part as readonly FlowPart[]
    const spans = read.span as readonly FlowSpan[]
    const positions = Map.groupBy(parts.keys(), at => flowKey(parts[at]!, spans[at]!))
    return new Map([...positions].map(([key, own]) => [key, flowColumns(own, read)]))
  },
}

const FLOW_COLUMNS: readonly (keyof FlowColumns)[] = [
  'minute_et',
  'order_count',
  'contracts',
  'delta_reason',
  'gamma_reason',
  'delta_musd',
  'delta_lo_musd',
  'delta_hi_musd',
  'gamma_musd_per_point',
  'gamma_lo_musd_per_point',
  'gamma_hi_musd_per_point',
]

const flowColumns = (positions: readonly number[], read: ReadColumns): FlowColumns =>
  Object.fromEntries(
    FLOW_COLUMNS.map(name => [name, positions.map(position => read[name]![position])]),
  ) as unknown as FlowColumns

export const flowKey = (part: FlowPart, span: FlowSpan): string => `${part} ${span}`

const EXPIRY_COLUMNS: readonly (keyof ExpiryLevels)[] = [
  'expiry',
  'gross_share',
  'monthly_expiry',
  'monthly_share',
  'p_positive',
  'net_gamma_musd_per_point',
  'net_gamma_deviation_musd',
  'regime',
  'flip',
  'flip_lo',
  'flip_hi',
  'call_wall',
  'put_wall',
  'measured_share',
  'reason',
]
const EXPOSURE_COLUMNS: readonly (keyof ExposureCells)[] = [
  'roots',
  'expiries',
  'strikes',
  ...EXPOSURES,
]

export const bucketKey = (minute: MinuteEt, book: Book, bucket: ExpiryBucket): string =>
  `${minuteKey(minute, book)} ${bucket}`

function byMinute<Value>(read: ReadColumns, readAt: (position: number) => Value) {
  const minutes = read.minute_et as readonly MinuteEt[]
  const books = read.book_basis as readonly Book[]
  return new Map(minutes.map((minute, at) => [minuteKey(minute, books[at]!), readAt(at)]))
}

/** Appends the later minutes of a running session to its stored columns. */
export const JOIN: {
  readonly [Name in keyof StoredColumns]: (
    stored: StoredColumns[Name],
    added: StoredColumns[Name],
  ) => StoredColumns[Name]
} = {
  levels: (stored, added) => {
    const joined = (book: Book) => {
      const columns = LEVEL_COLUMNS.map(name => [
        name,
        [...stored[book][name], ...added[book][name]],
      ])
      return Object.fromEntries(columns) as LevelColumns
    }
    return { measured: joined('measured'), vol: joined('vol'), oi: joined('oi') }
  },
  profiles: (stored, added) => new Map([...stored, ...added]),
  strikes: (stored, added) => new Map([...stored, ...added]),
  basis: (stored, added) => [...stored, ...added],
  expiry_levels: (stored, added) => new Map([...stored, ...added]),
  exposures: (stored, added) => new Map([...stored, ...added]),
  flow: (stored, added) =>
    new Map(
      [...added].map(([key, later]) => {
        const earlier = stored.get(key)
        const columns = FLOW_COLUMNS.map(name => [
          name,
          [...(earlier?.[name] ?? []), ...later[name]],
        ])
        return [key, Object.fromEntries(columns) as FlowColumns]
      }),
    ),
}

/** Estimates the size of the stored columns in memory. */
export const BYTES: {
  readonly [Name in keyof StoredColumns]: (stored: StoredColumns[Name]) => number
} = {
  levels: stored => BOOKS.length * stored.measured.minute_et.length * 300,
  profiles: stored => weigh(stored.values(), ({ net }) => net.length),
  strikes: stored => weigh(stored.values(), ({ strikes }) => 3 * strikes.length),
  basis: stored => stored.length * 100,
  expiry_levels: stored => stored.size * 400,
  exposures: stored => weigh(stored.values(), ({ strikes }) => 40 * strikes.length),
  flow: stored => weigh(stored.values(), ({ minute_et }) => 11 * minute_et.length),
}

const weigh = <Value>(values: Iterable<Value>, listNumbers: (value: Value) => number) =>
  Iterator.from(values).reduce((sum, value) => sum + 160 + 8 * listNumbers(value), 0)

/** Returns the row at a position in the columns of a book. */
export function rowAt(columns: LevelColumns, position: number): Omit<MinuteLevels, 'book_basis'> {
  const row = LEVEL_COLUMNS.map(name => [name, columns[name][position]])
  return Object.fromEntries(row) as Omit<MinuteLevels, 'book_basis'>
}
