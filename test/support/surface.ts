import { sessionOf } from '../../src/market/calendar.ts'
import type { Row } from '../../src/store/duck.ts'
import { loadExpiries, loadSession } from '../../src/store/session.ts'
import { openTestDb, type TestDb } from './db.ts'

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
}

/** The tables that the book reads besides the tape: all empty. */
export async function makeFoldTables(db: TestDb): Promise<void> {
  await db.run(`
    create or replace table tape.carried_positions (
      root varchar, expiry date, strike double, option_type varchar, quantity bigint);
    create or replace table fold.parent_orders (
      order_id varchar, minute_et varchar, visible_at timestamp, known_at timestamp,
      side_reason varchar, sign integer, side_probability double);
    create or replace table fold.legs (
      order_id varchar, leg_number integer, root varchar, expiry date, strike double,
      option_type varchar, contracts integer, customer_sign integer, package_sign integer)`)
}

/** A database with one session's calendar; tape tables are empty until a test fills them. */
export async function openSessionDb(date: string): Promise<TestDb> {
  const db = await openTestDb()
  const session = sessionOf(date)!
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
