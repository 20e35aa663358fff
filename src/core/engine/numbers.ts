import type { Database, Params } from './database.ts'
import { readSql } from './sql.ts'

/** Columns of numbers by their names; NaN where there is none. */
export type NumberColumns = Readonly<Record<string, Float64Array>>

/**
 * The rows of `sql/<path>.sql`, whose columns all hold numbers, as columns: a tenth of the time
 * and memory of rows as objects.
 */
export async function readNumbers(
  { connection }: Database,
  path: string,
  params: Params,
): Promise<NumberColumns> {
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value]))
  const result = await connection.run(readSql(path), values as Record<string, string | number>)
  const chunks = await result.fetchAllChunks()
  const rowCount = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0)
  const names = result.columnNames()
  const columns = names.map(() => new Float64Array(rowCount))
  let start = 0
  for (const chunk of chunks) {
    // read once: each access is a call to the engine
    const { rowCount: rows } = chunk
    for (const [index, column] of columns.entries()) {
      const vector = chunk.getColumnVector(index)
      for (let row = 0; row < rows; row++) {
        const value = vector.getItem(row)
        column[start + row] = value === null ? Number.NaN : Number(value)
      }
    }
    start += rows
  }
  return Object.fromEntries(names.map((name, index) => [name, columns[index]!]))
}

/** Columns without a row. */
export const noNumbers = (names: readonly string[]): NumberColumns =>
  Object.fromEntries(names.map(name => [name, new Float64Array()]))
