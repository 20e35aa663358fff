/** Types of Parquet columns that can be read as types of ours. */

import { Refusal } from '../disk/refusal.ts'
import type { RowLayout, SourceColumn } from './header.ts'

const NUMBERS = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)|VARCHAR)$/
const TIMES = /^(TIMESTAMP(_S|_MS|_NS)?|TIMESTAMP WITH TIME ZONE|VARCHAR)$/

type Fit = { readonly fits: RegExp; readonly wanted: string }

const NUMBER: Fit = { fits: NUMBERS, wanted: 'numbers, such as DOUBLE or BIGINT' }
const FITS: Readonly<Record<string, Fit>> = {
  integer: NUMBER,
  bigint: NUMBER,
  double: NUMBER,
  date: { fits: /^(DATE|TIMESTAMP.*|VARCHAR)$/, wanted: 'dates, such as DATE' },
  timestamp: { fits: TIMES, wanted: 'times of day with their date, such as TIMESTAMP' },
  varchar: {
    fits: /^(VARCHAR|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER)$/,
    wanted: 'text, such as VARCHAR',
  },
}

/** Says of a file without values in a column that it has none. */
const NEVER = 'NULL'

/**
 * The columns of a Parquet file that hold values. Fails with a Refusal where a type of one that the
 * layout reads does not fit.
 */
export function fittingColumns(
  label: string,
  { required, optional = [], types = {} }: RowLayout,
  columns: readonly SourceColumn[],
): string[] {
  for (const name of [...required, ...optional]) {
    const type = columns.find(column => column.name === name)?.type
    const fit = FITS[types[name] ?? 'varchar']!
    if (type === undefined || type === NEVER || fit.fits.test(type)) continue
    const shown = type.length > 60 ? `${type.slice(0, 60)}…` : type
    throw new Refusal(
      `${label} has the column ${name} as ${shown}; it must hold ${fit.wanted}. ` +
        'Write the file again with that type.',
    )
  }
  return columns.filter(({ type }) => type !== NEVER).map(({ name }) => name)
}
