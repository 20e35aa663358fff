import type { DuckDBConnection, DuckDBResultReader } from '@duckdb/node-api'
import { allowLargeRangeJoins, type Plans, plansOn } from './plans.ts'
import type { Params } from './sql.ts'

/** The name under which the engine knows the first database of an instance in memory. */
export const FIRST = 'memory'

/** How the tables and views of one connection come to be. */
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
  /** Whether a table has no row, where all its rows came and went by this interface. */
  readonly isEmpty: (table: string) => Promise<boolean>
  /** Reads all rows of a query, by a plan that is kept where plans are. */
  readonly read: (sql: string, params?: Params) => Promise<DuckDBResultReader>
  /** Makes the plans that the next round needs, where plans are kept: while nobody waits for it. */
  readonly planAhead: () => Promise<void>
  /** Empties the tables of the database that are filled anew, where plans are kept: as that. */
  readonly emptyAhead: () => Promise<void>
  readonly close: () => void
}

/** Every table is made anew. */
export function makingAnew(connection: DuckDBConnection): Filling {
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
  /** How often it was filled. */
  readonly fills: number
  /** How many rows it holds; null where that is not known. */
  readonly rows: number | null
  /** Whether far more rows were taken out of it than it holds. */
  readonly isHollow: boolean
}

const NOT_MADE: FilledTable = { fills: 0, rows: null, isHollow: false }

/** What was made in an engine. */
export type Made = {
  /** Tables and views by `database.schema.name`. */
  readonly tables: Map<string, FilledTable>
  /** How often one was made in each database. */
  readonly counts: Map<string, number>
  /** The databases that views of each one read. */
  readonly reads: Map<string, Set<string>>
  /** Databases that many rows were taken out of, and that keep their space. */
  readonly hollow: Set<string>
}

export const nothingMade = (): Made => ({
  tables: new Map(),
  counts: new Map(),
  reads: new Map(),
  hollow: new Set(),
})

/** A database, the first one, and all that views of these read. */
function reachedFrom(database: string, reads: Made['reads']): Set<string> {
  const reached = new Set([database, FIRST])
  for (const name of reached) for (const other of reads.get(name) ?? []) reached.add(other)
  return reached
}

/**
 * So often a table is made anew, and whenever it held many rows and holds few: catching up with
 * hours fills it once, and the engine counts rows that were taken out, and plans by their number,
 * for as long as it keeps their space.
 */
const FILLS_ANEW = 2
const MANY_ROWS = 50_000

/** From this filling on plans are kept: those of tables that have no rows yet are poor ones. */
const FILLS_BEFORE_CACHED = 3

/** Tables are filled anew where they stand, so that the plans which read and write them hold. */
export function fillingAnew(connection: DuckDBConnection, database: string, made: Made): Filling {
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
      await fill(`${table}_anew`, sql, params)
      await fill(table, `from ${table}_anew`)
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

/** What is noted of the tables that one connection fills, by their names in its database. */
type Notes = {
  readonly of: (table: string) => FilledTable
  readonly isThere: (table: string) => boolean
  /** Notes what a table is; `isMade` tells that plans which read the database have to see it. */
  readonly put: (table: string, filled: FilledTable, isMade: boolean) => void
  readonly addRows: (table: string, added: number) => void
  /** Notes that so many rows were taken out of a table. */
  readonly reportRows: (table: string, rows: number) => void
  /** Tables of the database that are filled anew and hold rows, but not many. */
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
        // of many rows the next filling tells whether they leave the table hollow
        .filter(([, { fills, rows }]) => fills > FILLS_ANEW && rows && rows <= MANY_ROWS)
        .filter(([name]) => name.startsWith(`${database}.`))
        .map(([name]) => name.slice(database.length + 1)),
  }
}

/** Fills tables anew, the first times by making them, and then where they stand. */
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
    if (fills < FILLS_ANEW || isHollow) {
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

/** Tells whether a query reads the table it fills: asked at every filling, mostly of the same. */
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
