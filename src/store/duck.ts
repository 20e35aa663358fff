import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBResultReader,
  DuckDBTypeId,
} from '@duckdb/node-api'

/** Folder of the SQL files, beside `src`. */
const SQL_FOLDER = join(import.meta.dirname, '../../sql')

/** The order in which the stages of a session are built; each is a schema of the database. */
export const STAGES = ['tape', 'fold', 'surface', 'book', 'levels', 'ledger', 'positions'] as const

export type Value = string | number | boolean | null | readonly Value[]
export type Params = Readonly<Record<string, Value>>
export type Row = Record<string, unknown>

/** One private in-memory database with the macros loaded and one schema a stage. */
export type Database = {
  /** Runs a statement for its effect. */
  readonly run: (sql: string, params?: Params) => Promise<void>
  /** Rows as plain objects: integers as numbers, dates and timestamps as text. */
  readonly rows: (sql: string, params?: Params) => Promise<Row[]>
  /** Runs `sql/<path>.sql`, a query that stands in a file, and returns its rows. */
  readonly query: (path: string, params?: Params) => Promise<Row[]>
  /**
   * Makes the table `<stage>.<model>` from `sql/<stage>/<model>.sql`, or another table: a model
   * that extends its own table starts from one of another name.
   */
  readonly build: (model: string, params?: Params, table?: string) => Promise<void>
  /**
   * Prepares `sql/<path>.sql`, a query without parameters: planned once, run many times. One with
   * parameters would be planned anew at every run. From then on the database plans nothing by what
   * its tables hold: a plan outlives their rows, and would go on to believe what it saw of them.
   */
  readonly prepare: (path: string) => Promise<() => Promise<Row[]>>
  /** Makes the view `<stage>.<model>` instead of a table: for rows that are read once. */
  readonly view: (model: string) => Promise<void>
  readonly connection: DuckDBConnection
  /** Another connection to the same tables, for what may run beside; close it before the first. */
  readonly beside: () => Promise<Database>
  /** Another database with tables of its own; close it before this one. */
  readonly aside: (name: string) => Promise<DatabaseAside>
  readonly close: () => void
}

/** A second set of stages in the same engine, for work on part of the rows of the first. */
export type DatabaseAside = Omit<Database, 'close'> & {
  /** Makes a table here of one of the first database; by the same name unless another is given. */
  readonly copyFrom: (table: string, as?: string) => Promise<void>
  /** Makes a table of the first database readable here by its name. */
  readonly viewFrom: (table: string) => Promise<void>
  /** Makes a table of the first database of one here. */
  readonly copyTo: (table: string, as: string) => Promise<void>
  /** Forgets all tables. */
  readonly close: () => Promise<void>
}

export type DatabaseOptions = {
  readonly threads?: number
  /** Such as '2GB'. */
  readonly memoryLimit?: string
  /** Where large sorts spill; a folder no reader globs. */
  readonly temporaryFolder?: string
}

/** Opens a database. Close it only when no query runs: a close under a query never settles. */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const config: Record<string, string> = { preserve_insertion_order: 'true' }
  if (options.threads) config.threads = String(options.threads)
  if (options.memoryLimit) {
    config.memory_limit = options.memoryLimit
    // blocks from one region, not page by page from the system: a fifth of a build's time
    config.block_allocator_memory = options.memoryLimit
  }
  if (options.temporaryFolder) config.temp_directory = options.temporaryFolder
  const instance = await DuckDBInstance.create(':memory:', config)
  const connection = await instance.connect()
  await prepare(connection)
  return databaseOn(instance, connection, () => instance.closeSync())
}

/** Makes the schemas and the macros in the current database. */
async function prepare(connection: DuckDBConnection): Promise<void> {
  for (const stage of STAGES) await connection.run(`create schema ${stage}`)
  for (const file of globSync(join(SQL_FOLDER, 'macros/*.sql')).sort()) {
    await connection.run(readFileSync(file, 'utf8'))
  }
}

/** The name under which the engine knows the first database of an instance in memory. */
const FIRST = 'memory'

async function databaseAside(
  instance: DuckDBInstance,
  first: string,
  name: string,
): Promise<DatabaseAside> {
  const connection = await instance.connect()
  await connection.run(`attach ':memory:' as "${name}"`)
  await connection.run(`use "${name}"`)
  await prepare(connection)
  const db = await databaseOn(instance, connection, () => {}, name)
  // a view is not replaced by a table, nor a table by a view
  const forget = async (table: string) => {
    const [found] = await db.rows(
      `select table_type from information_schema.tables
       where table_catalog = $name and table_schema || '.' || table_name = $table`,
      { name, table },
    )
    if (found) await db.run(`drop ${found.table_type === 'VIEW' ? 'view' : 'table'} ${table}`)
  }
  return {
    ...db,
    copyFrom: async (table, as = table) => {
      await forget(as)
      await db.run(`create table ${as} as from ${first}.${table}`)
    },
    viewFrom: async table => {
      await forget(table)
      await db.run(`create view ${table} as from ${first}.${table}`)
    },
    copyTo: (table, as) => db.run(`create or replace table ${first}.${as} as from ${table}`),
    close: async () => {
      await connection.run(`use ${FIRST}`)
      await connection.run(`detach "${name}"`)
      connection.closeSync()
    },
  }
}

async function databaseOn(
  instance: DuckDBInstance,
  connection: DuckDBConnection,
  closeInstance: () => void,
  name = FIRST,
): Promise<Database> {
  await connection.run("set timezone = 'UTC'")
  const rows = async (sql: string, params: Params = {}) =>
    // never stream: the binding ends a failed stream quietly
    objectsOf(await connection.runAndReadAll(sql, params as never))
  const run = async (sql: string, params: Params = {}) => {
    await connection.run(sql, params as never)
  }

  return {
    run,
    rows,
    query: (path, params) => {
      const text = readSql(path)
      return rows(text, declaredParams(text, params))
    },
    build: (model, params, table = model.replace('/', '.')) => {
      const text = readSql(model)
      return run(`create or replace table ${table} as\n${text}`, declaredParams(text, params))
    },
    prepare: async path => {
      await connection.run(
        "set disabled_optimizers = 'statistics_propagation,compressed_materialization'",
      )
      const statement = await connection.prepare(readSql(path))
      return async () => objectsOf(await statement.runAndReadAll())
    },
    view: model => run(`create or replace view ${model.replace('/', '.')} as\n${readSql(model)}`),
    connection,
    beside: async () => {
      const other = await instance.connect()
      if (name !== FIRST) await other.run(`use "${name}"`)
      return databaseOn(instance, other, () => {}, name)
    },
    aside: other => databaseAside(instance, name, other),
    close: () => {
      connection.closeSync()
      closeInstance()
    },
  }
}

/**
 * Runs works at the same time: the first on the database's own connection, each other one on its
 * own, which has no variables. Ends when all have ended; fails as the first of them that failed.
 */
export async function runBeside(
  db: Database,
  works: readonly ((connection: Database) => Promise<unknown>)[],
): Promise<void> {
  const others = await Promise.all(works.slice(1).map(() => db.beside()))
  const ends = await Promise.allSettled(works.map((work, index) => work(others[index - 1] ?? db)))
  // a connection is closed only when no query runs on it
  for (const other of others) other.close()
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Rows of a finished read as plain objects: integers as numbers, dates and timestamps as text. */
export function objectsOf(reader: DuckDBResultReader): Row[] {
  const numeric = reader
    .columnTypes()
    .map((type, index) => (WIDE_NUMBERS.has(type.typeId) ? reader.columnName(index) : null))
    .filter(name => name !== null)
  const result = reader.getRowObjectsJson() as Row[]
  for (const row of result) {
    for (const name of numeric) if (row[name] !== null) row[name] = Number(row[name])
  }
  return result
}

/** The text of `sql/<path>.sql`. */
export const readSql = (path: string): string =>
  readFileSync(join(SQL_FOLDER, `${path}.sql`), 'utf8')

/** Only the parameters that a file's header declares: DuckDB refuses the others. */
function declaredParams(text: string, params: Params = {}): Params {
  const declared = /^-- param: (.+)$/m.exec(text)?.[1]?.split(', ') ?? []
  return Object.fromEntries(
    declared.map(name => {
      if (!(name in params)) throw new Error(`sql parameter $${name} was not given`)
      return [name, params[name]!]
    }),
  )
}

/** Types the binding hands over as text in JSON form. */
const WIDE_NUMBERS = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
])
