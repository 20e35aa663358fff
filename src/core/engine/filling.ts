import type { DuckDBConnection, DuckDBResultReader } from '@duckdb/node-api'
import { allowLargeRangeJoins, type Plans, plansOn } from './plans.ts'
import type { Params } from './sql.ts'

/** The name under which the engine knows the first database of an instance in memory. */
export const FIRST = 'memory'

/** Makes and fills the tables and views of one connection. */
export type Filling = {
  /** Makes a table of the rows of a query, which may read the table as it was. */
  readonly refill: (table: string, sql: string, params?: Params) => Promise<void>
  /** Makes a table of rows that are always the same. */
  readonly make: (table: string, sql: string, params?: Params) => Promise<void>
  /** Adds the rows of a query to a table, which is made when it is not there yet. */
  readonly append: (table: string, sql: string) => Promise<void>
  /** Adds the rows of a query to a table that is there. */
  readonly add: (table: string, sql: string, params?: Params) => Promise<void>
  readonly view: (view: string, sql: string) => Promise<void>
  /** Runs a statement for its effect: `truncate` or `delete from` a table, if it changes one. */
  readonly repeat: (sql: string) => Promise<void>
  /** True when a table has no row, where all changes went through this interface. */
  readonly isEmpty: (table: string) => Promise<boolean>
  /** Reads all rows of a query, by a cached plan where plans are cached. */
  readonly read: (sql: string, params?: Params) => Promise<DuckDBResultReader>
  /** Makes the plans of the next round, where plans are cached: while idle. */
  readonly planAhead: () => Promise<void>
  /** Empties the refilled tables of the database, where plans are cached: while idle. */
  readonly emptyAhead: () => Promise<void>
  readonly close: () => void
}

/** Creates every table again at each filling. */
export function recreateTables(connection: DuckDBConnection): Filling {
  const run = async (sql: string, params?: Params) => {
    await connection.run(sql, params as never)
  }
  const refill = (table: string, sql: string, params?: Params) =>
    run(`create or replace table ${table} as\n${sql}`, params)
  return {
    refill,
    make: refill,
    append: async (table, sql) => {
      await run(`create table if not exists ${table} as from (${sql}) limit 0`)
      await run(`insert into ${table} by name ${sql}`)
    },
    add: (table, sql, params) => run(`insert into ${table} by name\n${sql}`, params),
    view: (view, sql) => run(`create or replace view ${view} as\n${sql}`),
    repeat: run,
    isEmpty: async table => hasNone(await connection.runAndReadAll(selectFirstRow(table))),
    // never stream: the binding ends a failed stream quietly
    read: (sql, params) => connection.runAndReadAll(sql, params as never),
    planAhead: async () => {},
    emptyAhead: async () => {},
    close: () => {},
  }
}

/** A table or view of an engine. */
type FilledTable = {
  /** Number of fillings. */
  readonly fills: number
  /** Number of rows; null where unknown. */
  readonly rows: number | null
  /** True when far more rows were removed from it than it holds. */
  readonly isHollow: boolean
}

const NOT_MADE: FilledTable = { fills: 0, rows: null, isHollow: false }

/** Objects made in an engine. */
export type Made = {
  /** Tables and views by `database.schema.name`. */
  readonly tables: Map<string, FilledTable>
  /** Number of objects made in each database. */
  readonly counts: Map<string, number>
  /** The databases that views of each one read. */
  readonly reads: Map<string, Set<string>>
  /** Databases that lost many rows and still occupy their space. */
  readonly hollow: Set<string>
}

export const nothingMade = (): Made => ({
  tables: new Map(),
  counts: new Map(),
  reads: new Map(),
  hollow: new Set(),
})

/** Returns a database, the first one, and all that views of these read. */
function reachedFrom(database: string, reads: Made['reads']): Set<string> {
  const reached = new Set([database, FIRST])
  for (const name of reached) for (const other of reads.get(name) ?? []) reached.add(other)
  return reached
}

/**
 * Number of first fillings that create a table again; so does a filling of a table that shrank from
 * many rows to few. Catching up with hours fills it once, and the engine counts removed rows, and
 * plans by their number, until their space is freed.
 */
const RECREATED_FILLS = 2
const MANY_ROWS = 50_000

/** Plans are cached from this filling on: those of tables without rows are poor ones. */
const FILLS_BEFORE_CACHED = 3

/** Refills tables in place, so that the plans which read and write them stay valid. */
export function refillTables(connection: DuckDBConnection, database: string, made: Made): Filling {
  const { counts, reads } = made
  const plans = plansOn(connection, () =>
    [...reachedFrom(database, reads)].map(name => counts.get(name)).join(' '),
  )
  const notes = notesOn(database, made)
  const { runOnce, fill } = fillerOn(connection, plans, notes)
  const readsItself = selfReaders()

  return {
    refill: async (table, sql, params) => {
      if (!notes.isThere(table) || !readsItself(table, sql)) return fill(table, sql, params)
      await fill(`${table}_next`, sql, params)
      await fill(table, `from ${table}_next`)
    },
    make: async (table, sql, params) => {
      if (!notes.isThere(table)) await fill(table, sql, params)
    },
    append: async (table, sql) => {
      if (notes.of(table).fills === 0) return fill(table, sql)
      notes.addRows(table, await plans.run(`insert into ${table} by name ${sql}`))
    },
    add: async (table, sql, params) => {
      notes.addRows(table, await plans.run(`insert into ${table} by name\n${sql}`, params))
    },
    view: async (view, sql) => {
      if (notes.isThere(view)) return
      await runOnce(`create view ${view} as\n${sql}`)
      notes.put(view, { ...NOT_MADE, fills: 1 }, true)
    },
    repeat: async sql => {
      const removed = await plans.run(sql)
      const [, table] = /^(?:truncate|delete from) (\S+)/.exec(sql) ?? []
      if (table === undefined || !notes.isThere(table)) return
      notes.addRows(table, -removed)
      notes.reportRows(table, removed)
    },
    isEmpty: async table => {
      const { rows } = notes.of(table)
      return rows === null ? hasNone(await plans.read(selectFirstRow(table))) : rows === 0
    },
    read: plans.read,
    planAhead: plans.planAhead,
    emptyAhead: async () => {
      for (const table of notes.dueToEmpty()) {
        await plans.run(`truncate ${table}`)
        notes.put(table, { ...notes.of(table), rows: 0 }, false)
      }
    },
    close: plans.close,
  }
}

/** Records about the tables that one connection fills, by their names in its database. */
type Notes = {
  readonly of: (table: string) => FilledTable
  readonly isThere: (table: string) => boolean
  /** Records a table; with `isMade`, plans that read the database are made again. */
  readonly put: (table: string, filled: FilledTable, isMade: boolean) => void
  readonly addRows: (table: string, added: number) => void
  /** Records the number of rows removed from a table. */
  readonly reportRows: (table: string, rows: number) => void
  /** Lists refilled tables of the database that hold rows, but not many. */
  readonly dueToEmpty: () => readonly string[]
}

function notesOn(database: string, { tables, counts, hollow }: Made): Notes {
  const full = (name: string) => (name.split('.').length > 2 ? name : `${database}.${name}`)
  const readSchema = (table: string) => full(table).split('.')[0]!
  const of = (table: string) => tables.get(full(table)) ?? NOT_MADE
  return {
    of,
    isThere: table => tables.has(full(table)),
    put: (table, filled, isMade) => {
      const owner = readSchema(table)
      if (isMade) counts.set(owner, (counts.get(owner) ?? 0) + 1)
      tables.set(full(table), filled)
    },
    addRows: (table, added) => {
      const filled = of(table)
      tables.set(full(table), {
        ...filled,
        rows: filled.rows === null ? null : filled.rows + added,
      })
    },
    reportRows: (table, rows) => {
      if (rows > MANY_ROWS) hollow.add(readSchema(table))
    },
    dueToEmpty: () =>
      [...tables]
        // for many rows, the next filling decides whether they leave the table hollow
        .filter(([, { fills, rows }]) => fills > RECREATED_FILLS && rows && rows <= MANY_ROWS)
        .filter(([name]) => name.startsWith(`${database}.`))
        .map(([name]) => name.slice(database.length + 1)),
  }
}

/** Refills tables: the first times by creating them, then in place. */
function fillerOn(connection: DuckDBConnection, plans: Plans, notes: Notes) {
  const runOnce = async (sql: string, params: Params = {}) => {
    await allowLargeRangeJoins(connection, true)
    try {
      return (await connection.run(sql, params as never)).rowsChanged
    } finally {
      await allowLargeRangeJoins(connection, false)
    }
  }

  const fill = async (table: string, sql: string, params: Params = {}) => {
    const { fills, rows, isHollow } = notes.of(table)
    const run = fills + 1 < FILLS_BEFORE_CACHED || isHollow ? runOnce : plans.run
    if (fills < RECREATED_FILLS || isHollow) {
      await run(`create or replace table ${table} as\n${sql}`, params)
      notes.put(table, { fills: fills + 1, rows: null, isHollow: false }, true)
      return
    }
    if (rows !== 0) notes.reportRows(table, await run(`truncate ${table}`))
    const filled = await run(`insert into ${table} by name\n${sql}`, params)
    const isLeft = rows !== null && rows > MANY_ROWS && filled < rows / 10
    notes.put(table, { fills: fills + 1, rows: filled, isHollow: isLeft }, false)
  }

  return { runOnce, fill }
}

/** Tests whether a query reads the table it fills; cached, as fillings repeat. */
function selfReaders(): (table: string, sql: string) => boolean {
  const readerCache = new Map<string, { readonly sql: string; readonly isRead: boolean }>()
  return (table, sql) => {
    const last = readerCache.get(table)
    if (last?.sql === sql) return last.isRead
    const isRead = readsTable(sql, table)
    readerCache.set(table, { sql, isRead })
    return isRead
  }
}

const selectFirstRow = (table: string) => `from ${table} limit 1`
const hasNone = (reader: DuckDBResultReader) => reader.currentRowCount === 0

const readsTable = (sql: string, table: string): boolean =>
  new RegExp(`\\b${table.replaceAll('.', '\\.')}\\b`).test(sql.replace(/--.*$/gm, ''))
