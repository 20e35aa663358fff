import type { MinuteEt } from '../core/market/calendar.ts'
import { pick } from '../core/text/values.ts'
import { BOOKS, type Book } from '../data/published/books.ts'
import type { ReadDataset } from './datasets.ts'
import { EXPOSURES, type ExpiryBucket, type Exposure } from './expiries.ts'
import { FLOW_COLUMNS, type FlowColumns, type FlowPart, type FlowSpan } from './flowFields.ts'
import { columnOf, LEVEL_NAMES, type MinuteLevels } from './levelFields.ts'
import type { ReadColumns } from './readDataset.ts'

/** A session's levels, ladders, curves and bases as stored in memory. */

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

/** Columns of the levels that the levels of some expiries have too. */
export const SHARED_COLUMNS = [
  'net_gamma_musd_per_point',
  'net_gamma_deviation_musd',
  'p_positive',
  'regime',
  'flip',
  'flip_lo',
  'flip_hi',
  'call_wall',
  'put_wall',
  'measured_share',
  'reason',
] as const satisfies readonly (keyof MinuteLevels)[]

/** The levels of some expiries of a book at a minute, as published. */
export type ExpiryLevels = Pick<MinuteLevels, (typeof SHARED_COLUMNS)[number]> & {
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

/** Stored form of each dataset. */
export type StoredColumns = {
  /** Columns of each book, minutes ascending. */
  readonly levels: ReadonlyMap<string, LevelColumns>
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

type Lists<Row> = { readonly [Name in keyof Row]: readonly Row[Name][] }
export type LevelColumns = Lists<MinuteLevels>

const LEVEL_COLUMNS = ['minute_et', ...LEVEL_NAMES.map(columnOf)] as const

export const minuteKey = (minute: MinuteEt, book: Book): string => `${minute} ${book}`
export const flowKey = (part: FlowPart, span: FlowSpan): string => `${part} ${span}`
export const bucketKey = (minute: MinuteEt, book: Book, bucket: ExpiryBucket): string =>
  `${minuteKey(minute, book)} ${bucket}`

/** How a dataset is stored. */
export type DatasetStore<Stored> = {
  /** Converts the columns read to their stored form. */
  readonly from: (read: ReadColumns) => Stored
  /** Appends the later minutes of a running session. */
  readonly join: (stored: Stored, added: Stored) => Stored
  /** Estimates the size of it in memory. */
  readonly bytes: (stored: Stored) => number
}

type ReadRow = Readonly<Record<string, unknown>>

const minuteAndBook = (row: ReadRow) => `${row.minute_et} ${row.book_basis}`

export const STORES: { readonly [Name in ReadDataset]: DatasetStore<StoredColumns[Name]> } = {
  levels: columnsBy<LevelColumns>({
    keys: BOOKS,
    toKey: row => row.book_basis as string,
    names: LEVEL_COLUMNS,
    rowBytes: 300,
  }),
  profiles: valuesBy<Curve>({
    toValue: row => ({
      from: row.first_point as number,
      step: row.step as number,
      net: row.gammas as number[],
    }),
    bytes: ({ net }) => 160 + 8 * net.length,
  }),
  strikes: valuesBy<Ladder>({
    toValue: row => pick(row, ['strikes', 'calls', 'puts']) as Ladder,
    bytes: ({ strikes }) => 160 + 24 * strikes.length,
  }),
  basis: {
    from: read =>
      listRows(read).map(
        row => pick(row, ['contract', 'minute_et', 'basis', 'reason', 'volume']) as BasisRow,
      ),
    join: (stored, added) => [...stored, ...added],
    bytes: stored => stored.length * 100,
  },
  expiry_levels: valuesBy<ExpiryLevels>({
    toKey: row => `${minuteAndBook(row)} ${row.bucket}`,
    toValue: row =>
      pick(row, [
        'expiry',
        'gross_share',
        'monthly_expiry',
        'monthly_share',
        ...SHARED_COLUMNS,
      ]) as ExpiryLevels,
    bytes: () => 400,
  }),
  exposures: valuesBy<ExposureCells>({
    toValue: row => pick(row, ['roots', 'expiries', 'strikes', ...EXPOSURES]) as ExposureCells,
    bytes: ({ strikes }) => 160 + 320 * strikes.length,
  }),
  flow: columnsBy<FlowColumns>({
    keys: [],
    toKey: row => `${row.part} ${row.span}`,
    names: FLOW_COLUMNS,
    rowBytes: 88,
  }),
}

function listRows(read: ReadColumns): ReadRow[] {
  const names = Object.keys(read)
  return read.minute_et!.map((_, at) =>
    Object.fromEntries(names.map(name => [name, read[name]![at]])),
  )
}

/** Stores a value a row, by minute and book unless there is another key. */
function valuesBy<Value>(of: {
  readonly toKey?: (row: ReadRow) => string
  readonly toValue: (row: ReadRow) => Value
  readonly bytes: (value: Value) => number
}): DatasetStore<ReadonlyMap<string, Value>> {
  const { toKey = minuteAndBook, toValue, bytes } = of
  return {
    from: read => new Map(listRows(read).map(row => [toKey(row), toValue(row)])),
    join: (stored, added) => new Map([...stored, ...added]),
    bytes: stored => stored.values().reduce((sum, value) => sum + bytes(value), 0),
  }
}

/** Stores columns of the rows with each key; those of `keys` are there without a row, too. */
function columnsBy<Columns extends { readonly minute_et: readonly MinuteEt[] }>(of: {
  readonly keys: readonly string[]
  readonly toKey: (row: ReadRow) => string
  readonly names: readonly (keyof Columns & string)[]
  readonly rowBytes: number
}): DatasetStore<ReadonlyMap<string, Columns>> {
  const { keys, toKey, names, rowBytes } = of
  const toColumns = (list: (name: keyof Columns & string) => readonly unknown[]) =>
    Object.fromEntries(names.map(name => [name, list(name)])) as unknown as Columns
  return {
    from: read => {
      const groups = Map.groupBy(listRows(read), toKey)
      return new Map(
        [...new Set([...keys, ...groups.keys()])].map(key => [
          key,
          toColumns(name => (groups.get(key) ?? []).map(row => row[name])),
        ]),
      )
    },
    join: (stored, added) =>
      new Map(
        [...added].map(([key, later]) => [
          key,
          toColumns(name => [
            ...((stored.get(key)?.[name] ?? []) as unknown[]),
            ...(later[name] as unknown[]),
          ]),
        ]),
      ),
    bytes: stored =>
      stored.values().reduce((sum, { minute_et }) => sum + 160 + rowBytes * minute_et.length, 0),
  }
}

/** Returns the row at a position in the columns of a book. */
export const rowAt = (columns: LevelColumns, position: number): MinuteLevels =>
  Object.fromEntries(
    LEVEL_COLUMNS.map(name => [name, columns[name][position]]),
  ) as unknown as MinuteLevels
