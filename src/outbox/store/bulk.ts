import { CompiledQuery, type Kysely, PostgresAdapter, sql } from 'kysely'
import type { AccountTables } from '../../accounts/schema.ts'

/** Rows of one statement, largest first: few texts, each compiled once. */
const CHUNKS = [500, 50, 5, 1] as const

const { raw: compiled } = CompiledQuery

type Value = string | number | null

/**
 * Inserts any number of rows by statements that are compiled once: Kysely takes longer to compile a
 * long list of values than the database to insert it. `done` adds the handling of conflicts.
 */
export function bulkInsert<Table extends keyof AccountTables>(
  table: Table,
  columns: readonly (keyof AccountTables[Table] & string)[],
  done: (insert: Inserting) => Inserting = insert => insert,
) {
  // one process may have both engines open, whose texts differ
  const texts = new WeakMap<object, Map<number, string>>()
  return async (db: Kysely<AccountTables>, rows: readonly Readonly<Record<string, Value>>[]) => {
    const known = texts.get(db.getExecutor().adapter) ?? new Map<number, string>()
    texts.set(db.getExecutor().adapter, known)
    let first = 0
    for (const size of CHUNKS) {
      for (; rows.length - first >= size; first += size) {
        const text = known.get(size) ?? compile(db, size)
        known.set(size, text)
        const some = rows.slice(first, first + size)
        const values = some.flatMap(row => columns.map(column => row[column]!))
        await db.executeQuery(compiled(text, values))
      }
    }
  }

  function compile(db: Kysely<AccountTables>, size: number): string {
    const row = Object.fromEntries(columns.map(column => [column, '']))
    const insert = db.insertInto(table).values(new Array(size).fill(row))
    return done(insert as unknown as Inserting).compile().sql
  }
}

type Inserting = ReturnType<typeof anInsert>
const anInsert = (db: Kysely<AccountTables>) => db.insertInto('events').values([])

/**
 * Rows as a derived table, from JSON that the database expands: thousands of rows are one
 * parameter. Its column `place` counts from 1, and `value ->> 0` is the first of a row.
 */
export function toRowTable(db: Kysely<AccountTables>, rows: readonly (readonly Value[])[]) {
  const text = JSON.stringify(rows)
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const each = isPostgres
    ? sql`(select value, place
        from jsonb_array_elements(cast(${text} as jsonb)) with ordinality as each (value, place))`
    : sql`(select value, key + 1 as place from json_each(${text}))`
  return each.as('own')
}
