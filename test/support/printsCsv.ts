import { writeFileSync } from 'node:fs'
import type { Row } from '../../src/core/engine/database.ts'

/** Rows as CSV under a header of their names; null is empty. */
export function findCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map(row => names.map(name => row[name] ?? '').join(','))
  return `${[names.join(','), ...lines].join('\n')}\n`
}

/** Writes rows of prints as a file that `tapefold import prints` reads, and returns its path. */
export function writePrintsCsv(path: string, rows: readonly Row[]): string {
  writeFileSync(path, findCsv(rows))
  return path
}
