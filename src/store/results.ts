import { type DuckDBResultReader, DuckDBTypeId } from '@duckdb/node-api'

export type Row = Record<string, unknown>

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

/** Types the binding hands over as text in JSON form. */
const WIDE_NUMBERS = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
])
