/** Rows of files in Tapefold's own columns, as the dictionary has them. */

import type { Column } from '../../src/data/dictionary/datasets.ts'
import { tapeDataset } from '../../src/data/tape/manifest.ts'

/** Columns that candidates call otherwise: a vendor may give a time of a wall clock instead. */
const CANDIDATE_NAMES: Readonly<Record<string, string>> = {
  printed_at: 'instant_at',
  minute_at: 'instant_at',
  spotted_at: 'instant_at',
  priced_at: 'instant_at',
  sequence: 'vendor_sequence',
  condition: 'condition_id',
}

/** Columns that candidates have in every dataset, and files of few or none. */
const NOT_THERE = ['instant_at', 'wall_at', 'quoted_wall_at']

/**
 * Returns the query of `import.candidates` for a file of a dataset's own columns, from
 * `import.rows`: each cell is read by the type of its column. A cell without a readable value
 * becomes null; `cell_reason` says so of an optional whole number, which may be missing.
 */
export function canonicalQuery(dataset: string, optional: readonly string[]): string {
  const columns = tapeDataset(dataset).columns.map(column => ({
    ...column,
    isNullable: column.isNullable || optional.includes(column.name),
    alias: CANDIDATE_NAMES[column.name] ?? column.name,
  }))
  const faults = columns
    .filter(isOptionalWhole)
    .map(({ name }) => `whole_fault('${name}', ${name})`)
  const aliases = columns.map(({ alias }) => alias)
  const cells = [
    'line_number',
    'row_reason',
    `coalesce(${[...faults, 'null::varchar'].join(', ')}) as cell_reason`,
    'null::varchar as skip_reason',
    ...NOT_THERE.filter(name => !aliases.includes(name)).map(name => `null::timestamp as ${name}`),
    ...columns.map(column => `${cellValue(column)} as ${column.alias}`),
  ]
  return `select ${cells.join(', ')} from import.rows`
}

/** True for a number that loses digits as a double, and that a file need not have. */
const isOptionalWhole = ({ type, isNullable }: Column) => type === 'bigint' && isNullable

/** Returns the expression of a cell as a value of its column. */
function cellValue(column: Column): string {
  const { name, type, isNullable } = column
  if (type === 'varchar') return name
  if (type === 'date') return `try_cast(${name} as date)`
  if (type === 'timestamp') return `utc_instant(${name})`
  if (isOptionalWhole(column)) return `whole_number(${name})`
  // a size of a print such as 1.2E+10 has lost digits
  if (name === 'size') return 'whole_number(size)::double'
  return isNullable ? `stated_number(${name})` : `try_cast(${name} as double)`
}
