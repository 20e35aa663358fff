import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Params,
  type Row,
} from '../../src/core/engine/database.ts'
import { readSql } from '../../src/core/engine/sql.ts'
import { TAPE_DATASETS } from '../../src/data/dictionary/datasets.ts'
import { tapeColumns } from '../../src/data/tape/manifest.ts'
import { loadConditions } from '../../src/data/tape/session.ts'

export type TestDb = Database & {
  /** Adds rows given as an aligned text table; `-` is null, `# …` a remark. */
  readonly fill: (table: string, text: string) => Promise<void>
  /** All rows of a table, or of a query on it. */
  readonly all: (table: string, orderBy?: string) => Promise<Row[]>
  /** Rows of `sql/audit/<name>.sql`: none when the data are valid. */
  readonly audit: (name: string, params?: Params) => Promise<Row[]>
}

/** A database with macros, schemas and empty tape tables, for one test. */
export async function openTestDb(options: DatabaseOptions = {}): Promise<TestDb> {
  // one thread: the tapes are small, and a second one costs more than it does
  const db = await openDatabase({ threads: 1, ...options })
  for (const dataset of TAPE_DATASETS) {
    const columns = tapeColumns(dataset.name)
      .map(column => `${column.name} ${column.type}`)
      .join(', ')
    await db.run(`create table tape.${dataset.name} (${columns})`)
  }
  await loadConditions(db)
  return {
    ...db,
    fill: async (table, text) => {
      const rows = parseTable(text)
      const names = Object.keys(rows[0] ?? {})
      const [schema, name] = table.split('.')
      const known = await db.rows(
        `select column_name, data_type from duckdb_columns()
         where schema_name = $schema and table_name = $name`,
        { schema: schema!, name: name! },
      )
      if (known.length === 0) throw new Error(`${table} does not exist: create it first`)
      const typed = names.map(column => {
        const type = known.find(entry => entry.column_name === column)?.data_type
        if (!type) throw new Error(`${table} has no column ${column}`)
        return { column, type }
      })
      const params: Record<string, string | null> = {}
      const values = rows.map((row, index) => {
        const cells = typed.map(({ column, type }) => {
          params[`${column}_${index}`] = row[column] ?? null
          return `$${column}_${index}::varchar::${type}`
        })
        return `(${cells.join(', ')})`
      })
      if (values.length === 0) return
      await db.run(`insert into ${table} (${names.join(', ')}) values ${values.join(', ')}`, params)
    },
    all: (table, orderBy = 'all') => db.rows(`select * from ${table} order by ${orderBy}`),
    audit: (name, params) => db.query(`audit/${name}`, params),
  }
}

/** Statements after which a database is not the one that was opened, but for the rows of its tape. */
const CHANGES_MORE_THAN_ROWS = /\b(?:create|drop|alter|attach)\b|^\s*set\b/i

/**
 * Returns a function that gives one database of this worker to one test after another, with cached
 * plans: a build costs a quarter from the fourth time on. Each call empties the tape and ends what
 * the call before gave, so a test that needs two at once opens its own. Tables of a stage hold the
 * rows of earlier tests until they are built. A test that makes tables of its own leaves the
 * database unused from then on.
 */
export function reuseDb<T extends TestDb>(
  open: (options: DatabaseOptions) => Promise<T>,
  empty: (db: T) => Promise<void>,
): () => Promise<T> {
  let current: { readonly db: T; readonly close: () => void; isChanged: boolean } | null = null
  return async () => {
    if (current && !current.isChanged) {
      await empty(current.db)
      return current.db
    }
    current?.close()
    const db = await open({ cachesPlans: true })
    const opened = { db, close: db.close, isChanged: false }
    opened.db = {
      ...db,
      run: (sql, params) => {
        if (CHANGES_MORE_THAN_ROWS.test(sql)) opened.isChanged = true
        return db.run(sql, params)
      },
      close: () => {},
    }
    current = opened
    return opened.db
  }
}

/** An aligned text table as rows: the first line names the columns; numbers become numbers. */
export function table(text: string): Row[] {
  return parseTable(text).map(row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value !== null && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
      ]),
    ),
  )
}

function parseTable(text: string): Record<string, string | null>[] {
  const lines = text
    .split('\n')
    .map(line => line.replace(/\s+#.*$/, '').trim())
    .filter(line => line !== '')
  const cells = (line: string) => line.split(/\s{2,}/)
  const names = cells(lines[0] ?? '')
  return lines.slice(1).map(line => {
    const values = cells(line)
    if (values.length !== names.length) throw new Error(`${names.length} columns wanted: ${line}`)
    return Object.fromEntries(names.map((name, i) => [name, values[i] === '-' ? null : values[i]!]))
  })
}

export { readSql }
