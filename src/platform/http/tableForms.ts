/** Formats of a table, by content type; the first one is the default. */

export const TABLE_TYPES = [
  'application/json',
  'text/csv',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.stream',
] as const
export type TableType = (typeof TABLE_TYPES)[number]

export const FORM_OF_TYPE = {
  'application/json': 'json',
  'text/csv': 'csv',
  'application/vnd.apache.parquet': 'parquet',
  'application/vnd.apache.arrow.stream': 'arrow',
} as const satisfies Readonly<Record<TableType, string>>
