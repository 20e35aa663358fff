import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { spillFolder } from '../disk/work.ts'
import {
  FIRST,
  type Filling,
  type Made,
  nothingMade,
  recreateTables,
  refillTables,
} from './filling.ts'
import { type Lists, openLists } from './lists.ts'
import { type Macros, openMacros } from './macros.ts'
import { planForAnyRows, prepareForPlans } from './plans.ts'
import { type Row, toObjects } from './results.ts'
import { freeRows, isFull } from './space.ts'
import { declaredParams, type Params, readSql } from './sql.ts'
import { makeStages } from './stages.ts'

/** The order in which the stages of a session are built; each is a schema of the database. */
export const STAGES = ['tape', 'fold', 'surface', 'book', 'levels', 'ledger', 'positions'] as const

export type { Row } from './results.ts'
export type { Params, Value } from './sql.ts'

/** One private in-memory database with the macros and one schema a stage. */
export type Database = {
  /** Runs a statement for its effect. */
  readonly run: (sql: string, params?: Params) => Promise<void>
  /** Rows as plain objects: integers as numbers, dates and timestamps as text. */
  readonly rows: (sql: string, params?: Params) => Promise<Row[]>
  /**
   * Runs the query of `sql/<path>.sql` and returns its rows. Where plans are cached, so is its
   * plan: its tables were made by `build` and the like.
   */
  readonly query: (path: string, params?: Params) => Promise<Row[]>
  /** Makes a table of the rows of a query, which may read the table as it was. */
  readonly refill: Filling['refill']
  /** Makes a table of rows that are always the same. */
  readonly make: Filling['make']
  /** Adds the rows of a query to a table, which is made when it is not there yet. */
  readonly append: Filling['append']
  /** Runs a statement for its effect, by a cached plan where plans are cached. */
  readonly repeat: Filling['repeat']
  readonly isEmpty: Filling['isEmpty']
  /** Makes plans and frees space for the next round of the whole engine, while idle. */
  readonly makeReady: () => Promise<void>
  /** Adds the rows of a model to a table that is there. */
  readonly add: (model: string, params: Params, table: string) => Promise<void>
  /**
   * Makes the table `<stage>.<model>` from `sql/<stage>/<model>.sql`, or another table: a model
   * that extends its own table starts from one of another name.
   */
  readonly build: (model: string, params?: Params, table?: string) => Promise<void>
  /**
   * Prepares `sql/<path>.sql`, a query without parameters: planned once, run many times. One with
   * parameters would be planned again at every run. From then on the database ignores the contents
   * of its tables when it plans: a plan outlives their rows, so statistics about them go stale.
   */
  readonly prepare: (path: string) => Promise<() => Promise<Row[]>>
  /** Makes a view of a query; where plans are cached, an existing one stays unchanged. */
  readonly viewName: Filling['view']
  /** Makes the view `<stage>.<model>` instead of a table: for rows that are read once. */
  readonly view: (model: string) => Promise<void>
  /** Sets a variable to a list of texts: for views, here and on concurrent connections. */
  readonly setList: (name: string, items: readonly string[]) => Promise<void>
  readonly connection: DuckDBConnection
  /** True when it was opened to cache plans. */
  readonly cachesPlans: boolean
  /** Opens a connection to the same tables for concurrent work; close it before the first. */
  readonly openConnection: () => Promise<Database>
  /** Opens a database with tables of its own, not named like a stage; close it first. */
  readonly openSeparate: (name: string, options?: SeparateOptions) => Promise<SeparateDatabase>
  readonly close: () => void
}

/** A second set of stages in the same engine, for work on part of the rows of the first. */
export type SeparateDatabase = Omit<Database, 'close'> & {
  /** Makes a table of the first database readable here; by its name unless another is given. */
  readonly viewFrom: (table: string, as?: string) => Promise<void>
  /** Makes a table of the first database of one here. */
  readonly copyTo: (table: string, as: string) => Promise<void>
  /** Adds the rows of a table here to one of the first database. */
  readonly addTo: (table: string, to: string) => Promise<void>
  /** Makes a table here readable in the first database by another name. */
  readonly viewTo: (table: string, as: string) => Promise<void>
  /** Drops all tables. */
  readonly close: () => Promise<void>
}

export type SeparateOptions = {
  /** True when its rows are of one round: where plans are cached, `makeReady` empties them. */
  readonly isOfOneRound?: boolean
  /** Schemas it has besides those of the stages. */
  readonly schemas?: readonly string[]
}

export type DatabaseOptions = {
  readonly threads?: number
  /** Such as '2GB'. */
  readonly memoryLimit?: string
  /** Folder for spilled sorts, which no reader globs; by default one of the system's. */
  readonly temporaryFolder?: string
  /** Blocks from one region, not page by page: a fifth of a build's time. One a process, of those
   * that start no other: it reserves 4/5 of the memory, and a process may copy no more than all. */
  readonly hasRegion?: boolean
  /**
   * For repeated work: tables are refilled, by cached plans; each has the columns of its first
   * filling. Separate databases and concurrent connections stay open to the end.
   */
  readonly cachesPlans?: boolean
}

/** Opens a database. Close it only when no query runs: a close under a query never settles. */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const config: Record<string, string> = { preserve_insertion_order: 'true' }
  config.checkpoint_threshold = SELDOM
  config.temp_directory = options.temporaryFolder ?? spillFolder()
  if (options.threads) config.threads = String(options.threads)
  if (options.memoryLimit) config.memory_limit = options.memoryLimit
  if (options.hasRegion) config.block_allocator_memory = options.memoryLimit ?? '1GB'
  const instance = await DuckDBInstance.create(':memory:', config)
  const macros = openMacros(await instance.connect())
  await makeStages(macros.connection, STAGES)
  const cached = options.cachesPlans ? createCachedParts() : null
  // a plan is made again when a macro is
  if (cached) await macros.makeAll()
  const engine = { instance, cached, lists: openLists() }
  const db = await databaseOn(engine, macros, FIRST)
  return {
    ...db,
    makeReady: async () => {
      if (!engine.cached) return
      const { made, separates, opened, ofOneRound } = engine.cached
      for (const part of [db, ...opened]) await part.makeReady()
      // after the plans, which depend on the number of rows
      for (const [name, part] of ofOneRound) {
        await part.emptyAhead()
        await freeRows(db, name)
      }
      const due = (await isFull(db)) ? [FIRST, ...separates.keys()] : [...made.hollow]
      for (const name of due) await freeRows(db, name)
      made.hollow.clear()
    },
    close: () => {
      for (const part of engine.cached?.opened ?? []) part.close()
      db.close()
      instance.closeSync()
    },
  }
}

/** One engine, and the parts it caches from one work to the next, if any. */
type OpenedEngine = {
  readonly instance: DuckDBInstance
  readonly cached: CachedParts | null
  readonly lists: Lists
}

type CachedParts = {
  readonly made: Made
  readonly separates: Map<string, SeparateDatabase>
  /** Idle connections, by their database. */
  readonly idle: Map<string, Database[]>
  readonly opened: Pick<Database, 'makeReady' | 'close'>[]
  readonly ofOneRound: Map<string, Pick<Filling, 'emptyAhead'>>
}

const createCachedParts = (): CachedParts => ({
  made: nothingMade(),
  separates: new Map(),
  idle: new Map(),
  opened: [],
  ofOneRound: new Map(),
})

/** Bytes written before the engine frees the space of removed rows, not 16 MB each time. */
const SELDOM = '1GB'

async function openSeparateDatabase(
  engine: OpenedEngine,
  first: string,
  name: string,
  { isOfOneRound = false, schemas = [] }: SeparateOptions = {},
): Promise<SeparateDatabase> {
  const { instance, cached } = engine
  const open = cached?.separates.get(name)
  if (open) return open
  const connection = await instance.connect()
  await connection.run(`attach ':memory:' as "${name}"`)
  await connection.run(`use "${name}"`)
  await makeStages(connection, STAGES)
  // of its own: it reads tables of the first database, and no macro of it
  const macros = openMacros(connection)
  if (cached) await macros.makeAll()
  for (const schema of schemas) await connection.run(`create schema ${schema}`)
  const db = await databaseOn(engine, macros, name)
  const noteRead = (reader: string, other: string) => {
    if (cached)
      cached.made.reads.set(reader, (cached.made.reads.get(reader) ?? new Set()).add(other))
  }
  // a view is not replaced by a table, nor a table by a view
  const forget = async (table: string) => {
    if (cached) return
    const [found] = await db.rows(
      `select table_type from information_schema.tables
       where table_catalog = $name and table_schema || '.' || table_name = $table`,
      { name, table },
    )
    if (found) await db.run(`drop ${found.table_type === 'VIEW' ? 'view' : 'table'} ${table}`)
  }
  const openSeparate: SeparateDatabase = {
    ...db,
    viewFrom: async (table, as = table) => {
      noteRead(name, first)
      await forget(as)
      await db.viewName(as, `from "${first}".${table}`)
    },
    viewTo: async (table, as) => {
      noteRead(first, name)
      await db.viewName(`${first}.${as}`, `from "${name}".${table}`)
    },
    addTo: (table, to) => db.append(`${first}.${to}`, `from ${table}`),
    copyTo: (table, as) => db.refill(`${first}.${as}`, `from ${table}`),
    close: async () => {
      if (cached) return
      await connection.run(`use ${FIRST}`)
      await connection.run(`detach "${name}"`)
      db.close()
    },
  }
  cached?.separates.set(name, openSeparate)
  cached?.opened.push(db)
  if (isOfOneRound) cached?.ofOneRound.set(name, db)
  return openSeparate
}

async function openConcurrentDatabase(
  engine: OpenedEngine,
  macros: Macros,
  name: string,
): Promise<Database> {
  const db = await openConcurrentConnection(engine, macros, name)
  await engine.lists.copyTo({ connection: db.connection, database: name })
  return db
}

async function openConcurrentConnection(
  engine: OpenedEngine,
  macros: Macros,
  name: string,
): Promise<Database> {
  const { instance, cached } = engine
  const idle = cached?.idle.get(name)?.pop()
  if (idle) return idle
  await macros.makeAll()
  const connection = await instance.connect()
  if (name !== FIRST) await connection.run(`use "${name}"`)
  const db = await databaseOn(engine, { ...macros, connection }, name)
  if (!cached) return db
  cached.opened.push(db)
  const openConnection: Database = {
    ...db,
    close: () => cached.idle.set(name, [...(cached.idle.get(name) ?? []), openConnection]),
  }
  return openConnection
}

async function databaseOn(
  engine: OpenedEngine,
  macros: Macros,
  name: string,
): Promise<Database & Pick<Filling, 'emptyAhead'>> {
  const { connection } = macros
  await connection.run("set timezone = 'UTC'")
  if (engine.cached) await prepareForPlans(connection)
  const filling = engine.cached
    ? refillTables(connection, name, engine.cached.made)
    : recreateTables(connection)
  const rows = async (sql: string, params: Params = {}) =>
    // never stream: the binding ends a failed stream quietly
    toObjects(await connection.runAndReadAll(sql, params as never))

  return {
    run: async (sql, params = {}) => {
      await connection.run(sql, params as never)
    },
    rows,
    query: async (path, params) => {
      const text = readSql(path)
      return toObjects(await filling.read(text, declaredParams(text, params)))
    },
    refill: filling.refill,
    make: filling.make,
    append: filling.append,
    repeat: filling.repeat,
    isEmpty: filling.isEmpty,
    makeReady: filling.planAhead,
    emptyAhead: filling.emptyAhead,
    build: (model, params, table = model.replace('/', '.')) => {
      const text = readSql(model)
      return filling.refill(table, text, declaredParams(text, params))
    },
    add: (model, params, table) => {
      const text = readSql(model)
      return filling.add(table, text, declaredParams(text, params))
    },
    prepare: async path => {
      await planForAnyRows(connection)
      const statement = await connection.prepare(readSql(path))
      return async () => toObjects(await statement.runAndReadAll())
    },
    viewName: filling.view,
    view: model => filling.view(model.replace('/', '.'), readSql(model)),
    setList: (list, items) => engine.lists.set({ connection, database: name }, list, items),
    connection,
    cachesPlans: engine.cached !== null,
    openConnection: () => openConcurrentDatabase(engine, macros, name),
    openSeparate: (other, options) => openSeparateDatabase(engine, name, other, options),
    close: () => {
      filling.close()
      connection.closeSync()
    },
  }
}
