import type { SessionCounts } from './judge.ts'

export type ImportRow = SessionCounts & {
  readonly file: string
  readonly dataset: string
}

export type ImportReport = {
  readonly format: string
  readonly rows: readonly ImportRow[]
  /** Files of excluded rows, relative to the data folder. */
  readonly rejectFiles: readonly string[]
  readonly quarantineFiles: readonly string[]
  /** Notes for a reader of the rows, a sentence each. */
  readonly notes?: readonly string[]
}

const HEADER = ['dataset', 'read', 'imported', 'already there', 'rejected', 'skipped']

type Words = {
  /** Unit of a row of the report. */
  readonly span: string
  /** Unknown property of a quarantined row. */
  readonly unknown: string
}

const SESSION_WORDS: Words = { span: 'session', unknown: 'conditions' }
export const WEEK_WORDS: Words = { span: 'week', unknown: 'codes' }

/** The report as a table for a terminal: one line a file, session (or week) and dataset. */
export function reportText(report: ImportReport, words: Words = SESSION_WORDS): string {
  const hasManyFiles = new Set(report.rows.map(row => row.file)).size > 1
  const cells = report.rows.map(row => [
    ...(hasManyFiles ? [row.file] : []),
    row.sessionDate ?? '-',
    row.dataset,
    ...[row.read, row.imported, row.already_there, row.rejected, row.skipped].map(String),
    quarantineText(row.quarantined),
  ])
  const header = [...(hasManyFiles ? ['file'] : []), words.span, ...HEADER, 'quarantined']
  const widths = header.map((name, at) =>
    Math.max(name.length, ...cells.map(row => row[at]!.length)),
  )
  const lines = [header, ...cells].map(row =>
    row
      .map((cell, at) =>
        /^\d+$/.test(cell) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!),
      )
      .join('  ')
      .trimEnd(),
  )
  return [...lines, ...listNotes(report, words)].join('\n')
}

/** Lists the files of excluded rows, a line each, and further notes. */
export const listNotes = (
  { rejectFiles, quarantineFiles, notes = [] }: ImportReport,
  { unknown }: Words = SESSION_WORDS,
): string[] => [
  ...rejectFiles.map(file => `rejected rows, with reasons: ${file}`),
  ...quarantineFiles.map(file => `rows of unknown ${unknown}: ${file}`),
  ...notes,
]

/** Unknown condition ids with their counts, such as '3 (7: 2, 999: 1)'. */
function quarantineText(counts: Readonly<Record<string, number>>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return '0'
  const ids = Object.entries(counts).map(([id, count]) => `${id === '' ? 'none' : id}: ${count}`)
  return `${total} (${ids.join(', ')})`
}
