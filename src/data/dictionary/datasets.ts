/**
 * The dataset dictionary as data: grain, columns, units and nullability of everything on disk.
 * `data/README.md` is checked against it, tests make empty tables from it, and the publisher
 * refuses a model whose columns differ. Columns are added, never renamed or retyped.
 */

export type Column = {
  readonly name: string
  /** DuckDB type. */
  readonly type: string
  readonly isNullable: boolean
  readonly meaning: string
  /**
   * The column of the model whose instant this one is, with a time zone: no model has it, the publisher
   * writes it.
   */
  readonly instantOf?: string
}

export type Dataset = {
  readonly name: string
  readonly grain: string
  readonly meaning: string
  readonly columns: readonly Column[]
  /** Columns by which the rows of a file are sorted, nulls last; by the grain where absent. */
  readonly sort?: string
  /**
   * False: excluded from files for others, unless the operator of the server may share a vendor's
   * tape (TAPEFOLD_SHARE_PRINTS). Shared by default.
   */
  readonly shared?: false
}

/** `name type meaning`; a type that ends in `?` may be null. */
export function columns(text: string): Column[] {
  return text
    .trim()
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [, name, type, meaning] = /^\s*(\S+)\s+(\S+)\s+(.+)$/.exec(line)!
      return {
        name: name!,
        type: type!.replace('?', ''),
        isNullable: type!.endsWith('?'),
        meaning: meaning!,
      }
    })
}

/**
 * A dataset with a column of type `timestamptz` for each instant of its models: `printed_utc` of
 * `printed_at`, which has no time zone, and `minute_utc` of `minute_et`, which is text.
 */
export function addInstants(dataset: Dataset): Dataset {
  const { columns } = dataset
  const hasMinute = columns.some(({ name }) => name === 'minute_at')
  const instants = columns.flatMap(({ name, type }): Column[] => {
    const isMinute = name === 'minute_et' && !hasMinute
    if (!isMinute && type !== 'timestamp') return []
    return [
      {
        name: name.replace(/_(at|et)$/, '_utc'),
        type: 'timestamptz',
        isNullable: true,
        meaning: isMinute ? 'instant of minute_et, with zone UTC' : `${name} with zone UTC`,
        instantOf: name,
      },
    ]
  })
  return { ...dataset, columns: [...columns, ...instants] }
}

/** The columns that models make: all but those that the publisher adds. */
export const modelColumns = (columns: readonly Column[]): readonly Column[] =>
  columns.filter(({ instantOf }) => instantOf === undefined)

/** Columns of a file as a query of the model's rows lists them. */
export const fileColumns = (columns: readonly Column[]): string =>
  columns
    .map(({ name, instantOf }) => {
      if (instantOf === undefined) return name
      const isMinute = instantOf === 'minute_et'
      return `${isMinute ? `minute_instant(session_date, ${instantOf})` : `zoned_instant(${instantOf})`} as ${name}`
    })
    .join(', ')

/** Columns as a table is made of them. */
export const columnTypes = (columns: readonly Column[]): string =>
  columns.map(({ name, type }) => `${name} ${type}`).join(', ')

/** Casts columns to their types, from the expressions of `select`. */
export const columnCasts = (
  columns: readonly Column[],
  select: (name: string) => string = name => name,
): string => columns.map(({ name, type }) => `${select(name)}::${type} as ${name}`).join(', ')

/**
 * Options of `read_parquet` for files of any age: a column that a file lacks is null there. The types
 * are those of the dictionary, so no footer is opened for them, as `union_by_name` opens each.
 */
export function parquetOptions(columns: readonly Column[]): string {
  const fields = columns.map(
    ({ name, type }) => `'${name}': {name: '${name}', type: '${type}', default_value: null}`,
  )
  return `hive_partitioning = false, schema = map {${fields.join(', ')}}`
}

/** The columns that name a contract. */
export const CONTRACT = `
  root          varchar     SPX (AM settled), SPXW (PM settled), or the root the vendor names
  expiry        date        expiration date of the contract
  strike        double      index points
  option_type   varchar     'C' or 'P'`

/**
 * Flows of Open-Close files, which only an import reads: the dealers' positions of the next session
 * are summed from them.
 */
export const OPEN_CLOSE_DATASET: Dataset = {
  name: 'open_close',
  grain: 'session_date, exchange, root, expiry, strike, option_type',
  meaning: 'What dealers bought and sold of a contract in a session, from open-close files.',
  columns: columns(`
  session_date  date        ET trading day
  exchange      varchar     C1, C2, BZX or EDGX
  ${CONTRACT}
  dealers       varchar     classes counted as dealers, such as mm,bd
  dealer_bought bigint?     contracts they bought; null, as the next six, with a fault
  dealer_sold   bigint?     contracts they sold
  traded        bigint?     contracts that all classes bought
  opened        bigint?     contracts that all but market makers bought to open
  closed        bigint?     contracts that all but market makers sold to close
  maker_bought  bigint?     contracts that market makers bought
  maker_sold    bigint?     contracts that market makers sold
  open_interest bigint?     contracts in the morning; null where the file does not give it
  snapshot_at   timestamp?  UTC instant up to which the sums go; null: the whole day
  fault         varchar?    'volumes', 'classes', 'trades' or 'repeated': what the row fails; null: nothing
  known_at      timestamp?  UTC instant from which it was known; null: before the next session`),
}

/** Datasets that an import writes and a build reads: one folder a session under `tape/`. */
export const TAPE_DATASETS: readonly Dataset[] = [
  {
    name: 'prints',
    grain: 'session_date, sequence',
    meaning: 'Every print of the tape, cancels and late reports included.',
    columns: columns(`
  session_date  date        ET trading day the print belongs to
  sequence      bigint      unique within the session; the vendor's own where it gives one
  printed_at    timestamp   UTC, microseconds
  ${CONTRACT}
  exchange      varchar?    exchange as the vendor names it
  size          integer     contracts, always positive
  price         double      index points per contract, as printed
  condition     varchar?    OPRA message type letter; null where the vendor gives no conditions
  vendor_condition varchar? condition as the vendor writes it
  trade_id      varchar?    trade identifier, where the vendor passes it on
  best_bid      double?     NBBO bid at the print; null when there is none
  best_ask      double?     NBBO ask at the print; null when there is none
  bid_size      integer?    contracts at the bid
  ask_size      integer?    contracts at the ask
  quoted_at     timestamp?  UTC instant of that NBBO; null when the vendor does not say
  underlying_price double?  middle of the underlying at the print, index points
  known_at      timestamp   UTC instant from which it was known; printed_at for a stored file`),
  },
  {
    name: 'quotes',
    grain: 'session_date, minute_at, root, expiry, strike, option_type',
    meaning: 'NBBO of a contract at the end of each minute.',
    columns: columns(`
  session_date  date        ET trading day
  minute_at     timestamp   UTC instant of the state minute: the quote stood strictly before it
  ${CONTRACT}
  best_bid      double?     index points; null when there is no bid
  best_ask      double?     index points; null when there is no ask
  bid_size      integer?    contracts
  ask_size      integer?    contracts
  quoted_at     timestamp   UTC instant of the quote, before minute_at
  known_at      timestamp   UTC instant from which it was known; quoted_at for a stored file`),
  },
  {
    name: 'spots',
    grain: 'session_date, spotted_at, symbol',
    meaning: 'The index, as often as the vendor gives it.',
    columns: columns(`
  session_date  date        ET trading day
  spotted_at    timestamp   UTC instant of the value
  spot          double      index points
  known_at      timestamp   UTC instant from which it was known; spotted_at for a stored file
  symbol        varchar?    whose value it is, such as SPX; null: of the session's own`),
  },
  {
    name: 'futures',
    grain: 'session_date, contract, priced_at',
    meaning: 'Prices of futures on the index.',
    columns: columns(`
  session_date  date        ET trading day
  contract      varchar     root, letter of the month, last digit of the year: ESZ6
  priced_at     timestamp   UTC instant of the price; of a bar, its end
  price         double      index points
  volume        bigint?     contracts traded at that price, or in that bar
  known_at      timestamp   UTC instant from which it was known; priced_at for a stored file`),
  },
  {
    name: 'settlements',
    grain: 'session_date, symbol',
    meaning: 'Official values at which contracts settled that expired at the PM close.',
    columns: columns(`
  session_date  date        ET trading day
  settlement    double      index points
  symbol        varchar?    whose value it is, such as SPX; null: of the session's own
  known_at      timestamp?  UTC instant from which it was known; null: the source does not say`),
  },
  {
    name: 'open_interest',
    grain: 'session_date, root, expiry, strike, option_type',
    meaning: "Open interest of the morning: the previous session's close.",
    columns: columns(`
  session_date  date        session in whose morning it was known
  ${CONTRACT}
  open_interest bigint      contracts
  known_at      timestamp?  UTC instant from which it was known; null: before the session`),
  },
  {
    name: 'dealer_positions',
    grain: 'session_date, root, expiry, strike, option_type',
    meaning: "Dealers' measured inventory at the open, from open-close data.",
    columns: columns(`
  session_date  date        session at whose open it was held
  ${CONTRACT}
  quantity      bigint      contracts, dealers long above zero
  known_at      timestamp?  UTC instant from which it was known; null: before the session
  guessed_quantity bigint?  contracts held before the first file, of which nobody knows whose they are; null: 0
  dealers       varchar?    classes counted as dealers, such as mm,bd; null: the source does not say`),
  },
  {
    name: 'rates',
    grain: 'session_date, tenor_days',
    meaning: 'The daily yield curve; known on the evening of its date, used from the next session.',
    columns: columns(`
  session_date  date        day of the curve
  tenor_days    integer     calendar days
  rate          double      per year, continuously compounded, ACT/365
  known_at      timestamp?  UTC instant from which it was known; null: before the next session`),
  },
]
