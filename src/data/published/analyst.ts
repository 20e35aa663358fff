import { statSync } from 'node:fs'
import { csvText } from '../../core/disk/csv.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { printable } from '../../core/disk/text.ts'
import { type Database, openDatabase, type Row } from '../../core/engine/database.ts'
import { exactNumber, toObjects } from '../../core/engine/results.ts'
import { makeViews } from './views.ts'

/** Output formats of `tapefold sql`. */
export const FORMATS = ['table', 'csv', 'json'] as const
export type Format = (typeof FORMATS)[number]

export type QueryResult = { readonly names: readonly string[]; readonly rows: readonly Row[] }

/** Runs an analyst's query over the published datasets, each a view by its name. */
export async function runQuery(dataFolder: string, query: string): Promise<QueryResult> {
  if (!statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Refusal(`there is no data folder ${dataFolder}; give one, such as --data data.`)
  }
  const db = await openDatabase()
  try {
    await refuseOtherThanOne(db, query)
    await makeViews(db, dataFolder)
    const reader = await db.connection.runAndReadAll(query)
    return { names: reader.deduplicatedColumnNames(), rows: toObjects(reader, exactNumber) }
  } finally {
    db.close()
  }
}

/**
 * Refuses anything but one statement: of several, only the last would return rows; of none, none.
 */
async function refuseOtherThanOne(db: Database, query: string): Promise<void> {
  let count = 0
  try {
    count = (await db.connection.extractStatements(query)).count
  } catch (error) {
    // the binding has no message for a text without any statement
    if (!/native callback/.test((error as Error).message)) throw error
  }
  if (count !== 1) throw new Refusal(`sql takes one query, not ${count}.`)
}

/** Rows as text: an aligned table for people, CSV or JSON for programs. */
export function formatRows({ names, rows }: QueryResult, format: Format): string {
  if (format === 'json') return `${JSON.stringify(rows, null, 1)}\n`
  const values = rows.map(row => names.map(name => row[name]))
  if (format === 'csv') return csvText([names, ...values], '\n')
  const cells = [names, ...values.map(row => row.map(text))]
  return `${alignColumns(cells)}\n(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})\n`
}

/** Formats cells as printable lines with aligned columns; numbers to the right. */
export function alignColumns(cells: readonly (readonly string[])[]): string {
  // not spread into Math.max: a call takes no more arguments than the stack holds
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((widest, line) => Math.max(widest, (line[column] ?? '').length), 0),
  )
  const isNumeric = widths.map((_, column) =>
    cells.slice(1).every(line => /^([-+]?[\d.,]+(e[+-]?\d+)?)?$/.test(line[column] ?? '')),
  )
  return cells
    .map(line =>
      line
        .map(printable)
        .map((cell, column) =>
          isNumeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function text(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
