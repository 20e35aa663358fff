import type { Row } from '../../src/core/engine/database.ts'
import { findTradingSession } from '../../src/core/market/calendar.ts'
import { createCarriedPositions } from '../../src/data/published/carried.ts'
import { loadExpiries, loadSession } from '../../src/data/tape/session.ts'
import { openTestDb, type TestDb } from './db.ts'
import { viewEditions } from './editions.ts'

/** Makes a table from plain rows; `types` gives the DuckDB type of each column. */
export async function makeTable(
  db: TestDb,
  name: string,
  types: Readonly<Record<string, string>>,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(types).map(column => `unnest.${column} as ${column}`)
  await db.run(
    `create or replace table ${name} as
     select ${columns.join(', ')}
     from unnest(from_json($rows, $types))`,
    { rows: JSON.stringify(rows), types: JSON.stringify([types]) },
  )
}

/** One contract of `surface.quotes`, which holds the call and the put of a strike in one row. */
export type Quote = {
  readonly strike: number
  readonly option_type: string
  readonly best_bid: number | null
  readonly best_ask: number | null
}

/** Makes `surface.quotes` from quotes of single contracts of one chain, which is term 1. */
export async function makeQuotes(db: TestDb, quotes: readonly Quote[]): Promise<void> {
  const rows = [...Map.groupBy(quotes, quote => quote.strike)].map(([strike, both]) => {
    const side = (type: string, name: string) => {
      const quote = both.find(({ option_type }) => option_type === type)
      const quotedAt = quote && '2026-10-14 13:59:59'
      return {
        [`${name}_bid`]: quote?.best_bid ?? null,
        [`${name}_ask`]: quote?.best_ask ?? null,
        [`${name}_quoted_at`]: quotedAt ?? null,
      }
    }
    return { term_number: 1, strike, ...side('C', 'call'), ...side('P', 'put') }
  })
  const number = 'double'
  const time = 'timestamp'
  const call = { call_bid: number, call_ask: number, call_quoted_at: time }
  const put = { put_bid: number, put_ask: number, put_quoted_at: time }
  const chain = { term_number: 'integer', strike: number }
  await makeTable(db, 'surface.quotes', { ...chain, ...call, ...put }, rows)
}

/** The quotes of `surface.quotes`, one row a contract. */
export const QUOTED_CONTRACTS = `
  select terms.minute_et, root, expiry, strike, side.*, quote_mid(best_bid, best_ask) as mid
  from surface.quotes
  join surface.terms as terms using (term_number)
  cross join lateral (values
    ('C', call_bid, call_ask, call_quoted_at), ('P', put_bid, put_ask, put_quoted_at)
  ) as side(option_type, best_bid, best_ask, quoted_at)
  where quoted_at is not null`

/** Adds rows to a tape table; columns that are not given are null. */
export async function addRows(db: TestDb, name: string, rows: readonly Row[]): Promise<void> {
  const [schema, table] = name.split('.')
  const known = await db.rows(
    `select column_name, data_type from duckdb_columns()
     where schema_name = $schema and table_name = $table`,
    { schema: schema!, table: table! },
  )
  const given = known.filter(column => String(column.column_name) in (rows[0] ?? {}))
  const types = Object.fromEntries(
    given.map(column => [String(column.column_name), String(column.data_type)]),
  )
  await makeTable(db, 'added', types, rows)
  await db.run(`insert into ${name} by name select * from added`)
  // a row that does not say when it was known was known at its own time
  const times = { quotes: 'quoted_at', spots: 'spotted_at', futures: 'priced_at' }
  const own = times[table as keyof typeof times]
  if (own) await db.run(`update ${name} set known_at = ${own} where known_at is null`)
}

/** The tables that the book reads besides the tape: all empty. */
export async function makeFoldTables(db: TestDb): Promise<void> {
  await createCarriedPositions(db)
  await db.run(`
    create or replace table fold.parent_orders (
      order_id varchar, first_sequence bigint, minute_et varchar, printed_at timestamp,
      visible_at timestamp,
      known_at timestamp,
      side_reason varchar, sign integer, side_probability double, side_deviation double);
    create or replace table fold.legs (
      order_id varchar, first_sequence bigint, leg_number integer, root varchar, expiry date,
      strike double, option_type varchar, ratio integer, contracts integer, premium_usd double,
      average_price double, package_sign integer, customer_sign integer,
      own_quote_sign integer)`)
  await viewEditions(db)
}

/** A database with one session's calendar; tape tables are empty until a test fills them. */
export async function openSessionDb(date: string): Promise<TestDb> {
  const db = await openTestDb()
  const session = findTradingSession(date)!
  const known = { symbol: 'SPX', knownUntilMs: session.closesAtMs, minPremiumUsd: 0 }
  await loadSession(db, { session, ...known })
  await makeFoldTables(db)
  return db
}

/** Keeps the tables small: only these state minutes are built. */
export async function keepMinutes(db: TestDb, ...minutes: string[]): Promise<void> {
  await db.run(
    `delete from tape.minutes
     where not list_contains(string_split($minutes::varchar, ','), minute_et)`,
    { minutes: minutes.join(',') },
  )
}

export { loadExpiries }

/** Largest relative error of two columns, and the row it is in: never the mean. */
export function worstError(pairs: readonly { got: unknown; wanted: number; name: string }[]): {
  error: number
  name: string
} {
  let worst = { error: 0, name: 'none' }
  for (const { got, wanted, name } of pairs) {
    const error =
      typeof got !== 'number'
        ? Number.POSITIVE_INFINITY
        : got === wanted
          ? 0
          : Math.abs(got / wanted - 1)
    if (!(error <= worst.error)) worst = { error, name: `${name}: ${got} for ${wanted}` }
  }
  return worst
}
