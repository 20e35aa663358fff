import type { DuckDBConnection, DuckDBResultReader } from '@duckdb/node-api'
import { allowLargeRangeJoins, plansOn } from './plans.ts'
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
    isEmpty: async table => hasNone(await connection.runAndReadAll(firstRowOf(table))),
    // never stream: the binding ends a failed stream quietly
    read: (sql, params) => connection.runAndReadAll(sql, params as never),
    planAhead: async () => {},
    emptyAhead: async () => {},
    close: () => {},
  }
}

/** A table or view of an engine. */
type Kept = {
  /** How often it was filled. */
  readonly fills: number
  /** How many rows it holds; null where that is not known. */
  readonly rows: number | null
  /** Whether far more rows were taken out of it than it holds. */
  readonly isHollow: boolean
}

const NOT_MADE: Kept = { fills: 0, rows: null, isHollow: false }

/** What was made in an engine. */
export type Made = {
  /** Tables and views by `database.schema.name`. */
  readonly tables: Map<string, Kept>
  /** How often one was made in each database. */
  readonly counts: Map<string, number>
  /** The databases that views of each one read. */
  readonly reads: Map<string, Set<string>>
  /** Databases that many rows were taken out of, and that keep their space. */
  readonly hollow: Set<string>
}

export const nothingMade = (): Made => ({
  ...{ tables: new Map(), counts: new Map(), reads: new Map(), hollow: new Set() },
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
const FIRST_KEPT = 3

/** Tables are filled anew where they stand, so that the plans which read and write them hold. */
export function fillingAnew(
  connection: DuckDBConnection,
  database: string,
  { tables, counts, reads, hollow }: Made,
): Filling {
  const plans = plansOn(connection, () =>
    [...reachedFrom(database, reads)].map(name => counts.get(name)).join(' '),
  )
  const full = (name: string) => (name.split('.').length > 2 ? name : `${database}.${name}`)
  const note = (table: string, kept: Kept, isMade: boolean) => {
    const name = full(table)
    const [owner] = name.split('.') as [string]
    if (isMade) counts.set(owner, (counts.get(owner) ?? 0) + 1)
    tables.set(name, kept)
  }
  const noteMore = (table: string, kept: Kept, added: number) =>
    note(table, { ...kept, rows: kept.rows === null ? null : kept.rows + added }, false)
  const noteTaken = (table: string, rows: number) => {
    if (rows > MANY_ROWS) hollow.add(full(table).split('.')[0]!)
  }
  const runOnce = async (sql: string, params: Params = {}) => {
    await allowLargeRangeJoins(connection, true)
    try {
      return (await connection.run(sql, params as never)).rowsChanged
    } finally {
      await allowLargeRangeJoins(connection, false)
    }
  }

  const fillOne = async (table: string, sql: string, params: Params = {}) => {
    const { fills, rows, isHollow } = tables.get(full(table)) ?? NOT_MADE
    const run = fills + 1 < FIRST_KEPT || isHollow ? runOnce : plans.run
    if (fills < FILLS_ANEW || isHollow) {
      await run(`create or replace table ${table} as\n${sql}`, params)
      note(table, { fills: fills + 1, rows: null, isHollow: false }, true)
      return
    }
    if (rows !== 0) noteTaken(table, await run(`truncate ${table}`))
    const filled = await run(`insert into ${table} by name\n${sql}`, params)
    const isLeft = rows !== null && rows > MANY_ROWS && filled < rows / 10
    note(table, { fills: fills + 1, rows: filled, isHollow: isLeft }, false)
  }

  // asked anew at every filling, and nearly always of the same query
  const asked = new Map<string, { readonly sql: string; readonly isRead: boolean }>()
  const readsItself = (table: string, sql: string): boolean => {
    const last = asked.get(table)
    if (last?.sql === sql) return last.isRead
    const isRead = readsTable(sql, table)
    asked.set(table, { sql, isRead })
    return isRead
  }

  return {
    refill: async (table, sql, params) => {
      if (!tables.has(full(table)) || !readsItself(table, sql)) return fillOne(table, sql, params)
      await fillOne(`${table}_anew`, sql, params)
      await fillOne(table, `from ${table}_anew`)
    },
    make: async (table, sql, params) => {
      if (!tables.has(full(table))) await fillOne(table, sql, params)
    },
    append: async (table, sql) => {
      const kept = tables.get(full(table)) ?? NOT_MADE
      if (kept.fills === 0) return fillOne(table, sql)
      noteMore(table, kept, await plans.run(`insert into ${table} by name ${sql}`))
    },
    add: async (table, sql, params) => {
      const kept = tables.get(full(table))!
      noteMore(table, kept, await plans.run(`insert into ${table} by name\n${sql}`, params))
    },
    view: async (view, sql) => {
      if (tables.has(full(view))) return
      await runOnce(`create view ${view} as\n${sql}`)
      note(view, { ...NOT_MADE, fills: 1 }, true)
    },
    repeat: async sql => {
      const removed = await plans.run(sql)
      const [, table] = /^(?:truncate|delete from) (\S+)/.exec(sql) ?? []
      const kept = table && tables.get(full(table))
      if (kept) {
        noteMore(table, kept, -removed)
        noteTaken(table, removed)
      }
    },
    isEmpty: async table => {
      const { rows } = tables.get(full(table)) ?? NOT_MADE
      return rows === null ? hasNone(await plans.read(firstRowOf(table))) : rows === 0
    },
    read: plans.read,
    planAhead: plans.planAhead,
    emptyAhead: async () => {
      for (const [name, kept] of tables) {
        const { fills, rows } = kept
        // of many rows the next filling tells whether they leave the table hollow
        const isDue = fills > FILLS_ANEW && rows !== null && rows > 0 && rows <= MANY_ROWS
        if (!isDue || !name.startsWith(`${database}.`)) continue
        await plans.run(`truncate ${name.slice(database.length + 1)}`)
        note(name, { ...kept, rows: 0 }, false)
      }
    },
    close: plans.close,
  }
}

const firstRowOf = (table: string) => `from ${table} limit 1`
const hasNone = (reader: DuckDBResultReader) => reader.currentRowCount === 0

const readsTable = (sql: string, table: string): boolean =>
  new RegExp(`\\b${table.replaceAll('.', '\\.')}\\b`).test(sql.replace(/--.*$/gm, ''))
