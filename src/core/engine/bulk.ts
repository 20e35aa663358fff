import { DOUBLE, type DuckDBConnection, DuckDBDataChunk, INTEGER, VARCHAR } from '@duckdb/node-api'
import type { Database, Params } from './database.ts'
import { readSql } from './sql.ts'

export type BulkType = 'integer' | 'double' | 'varchar'

/** Columns of one chunk: a value is written at the position the filler is given. */
export type BulkColumns<T extends Readonly<Record<string, BulkType>>> = {
  readonly [K in keyof T]: T[K] extends 'varchar' ? string[] : Float64Array
}

type BulkTable<T extends Readonly<Record<string, BulkType>>> = {
  /** Schema and table, such as 'simulate.prints'; the table is replaced. */
  readonly table: string
  readonly columns: T
  readonly rowCount: number
  /** Writes row `row` at `position` of each column. */
  readonly fill: (columns: BulkColumns<T>, position: number, row: number) => void
}

const CHUNK_ROWS = 2048
const TYPES = { integer: INTEGER, double: DOUBLE, varchar: VARCHAR } as const

/** Fills a new table chunk by chunk, in row order: about ten times faster than row by row. */
export async function fillTable<T extends Readonly<Record<string, BulkType>>>(
  connection: DuckDBConnection,
  { table, columns, rowCount, fill }: BulkTable<T>,
): Promise<void> {
  const names = Object.keys(columns)
  const types = names.map(name => columns[name]!)
  const declared = names.map((name, i) => `${name} ${types[i]}`).join(', ')
  await connection.run(`create or replace table ${table} (${declared})`)
  const [schema, name] = table.split('.') as [string, string]
  const appender = await connection.createAppender(name, schema)
  const buffers = types.map(type =>
    type === 'varchar' ? new Array<string>(CHUNK_ROWS).fill('') : new Float64Array(CHUNK_ROWS),
  )
  const columnsByName = Object.fromEntries(
    names.map((key, i) => [key, buffers[i]]),
  ) as BulkColumns<T>
  for (let start = 0; start < rowCount; start += CHUNK_ROWS) {
    const count = Math.min(CHUNK_ROWS, rowCount - start)
    for (let position = 0; position < count; position++)
      fill(columnsByName, position, start + position)
    const chunk = DuckDBDataChunk.create(
      types.map(type => TYPES[type]),
      count,
    )
    buffers.forEach((buffer, i) => {
      const values = count === CHUNK_ROWS ? buffer : buffer.slice(0, count)
      // typed arrays are read like arrays, value by value
      chunk.setColumnValues(i, values as unknown as readonly number[])
    })
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}

/**
 * Writes the rows of `sql/<path>.sql` to a new Parquet file, some of its columns or all, and
 * returns how many there are.
 */
export async function copyToParquet(db: Database, copy: Copy): Promise<number> {
  const { path, file, params, columns = ['*'] } = copy
  const query = readSql(path)
  const declared = /^-- param: (.+)$/m.exec(query)?.[1]?.split(', ') ?? []
  const given = Object.fromEntries(declared.map(name => [name, params[name] ?? null]))
  const [result] = await db.rows(
    `copy (select ${columns.join(', ')} from (${query})) to $file
     (format parquet, compression zstd)`,
    { ...given, file },
  )
  return Number(result?.Count)
}

type Copy = {
  readonly path: string
  readonly file: string
  readonly params: Params
  /** All columns by default. */
  readonly columns?: readonly string[]
}
