import { type DuckDBResultReader, DuckDBTypeId } from '@duckdb/node-api'

export type Row = Record<string, unknown>

/**
 * Rows of a finished read as plain objects: integers as numbers, dates and timestamps as text.
 * `numberOf` reads those numbers that the binding hands over as text.
 */
export function toObjects(
  reader: DuckDBResultReader,
  parseNumber: (text: string) => unknown = Number,
): Row[] {
  const numeric = reader
    .columnTypes()
    .map((type, index) => (WIDE_NUMBERS.has(type.typeId) ? reader.columnName(index) : null))
    .filter(name => name !== null)
  const result = reader.getRowObjectsJson() as Row[]
  for (const row of result) {
    for (const name of numeric) if (row[name] !== null) row[name] = parseNumber(row[name] as string)
  }
  return result
}

/** Digits of a decimal number that a double always preserves (C, DBL_DIG). */
const DOUBLE_DIGITS = 15

/** A number where a double is exactly what was written; else the text, with all its digits. */
export function exactNumber(text: string): number | string {
  const isExact = text.includes('.')
    ? text.replace(/\D/g, '').length <= DOUBLE_DIGITS
    : Number.isSafeInteger(Number(text))
  return isExact ? Number(text) : text
}

/** Types the binding hands over as text in JSON form. */
const WIDE_NUMBERS = new Set([
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.DECIMAL,
])
