/**
 * The tables of docs/accuracy.md, and the headline figures of README: both are written from
 * recorded measurements, never by hand.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuseUnwritable, writeAtomically } from '../../src/core/disk/files.ts'
import { formatJsonRows } from '../../src/core/disk/json.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { headlines } from './accuracyHeadlines.ts'
import type { AccuracyRecord, AccuracyReport } from './accuracyReport.ts'
import { dealersVerdict, namesVerdict, TABLES, type Table } from './accuracyTables.ts'
import { PACES, type TapeAccuracy } from './accuracyTapes.ts'
import { describeWorld, LEAST_ORDERS, worldErrors } from './accuracyWorldSums.ts'
import type { BenchReport } from './bench/report.ts'

const ROOT = join(import.meta.dirname, '../..')
const RECORD = join(ROOT, 'data/reference/accuracy.json')
const BENCH = join(ROOT, 'docs/bench.json')
const TEMPLATE = join(import.meta.dirname, 'accuracyPage.md')
const PAGE = 'docs/accuracy.md'
const README = 'README.md'
const BEGIN = '<!-- accuracy: written by npm run accuracy -- --docs -->'
const END = '<!-- accuracy: end -->'

export const readRecord = (): AccuracyRecord => JSON.parse(readFileSync(RECORD, 'utf8'))

export const writeRecord = (record: AccuracyRecord): void =>
  writeAtomically(RECORD, formatJsonRows(record))

const readBench = (): BenchReport => JSON.parse(readFileSync(BENCH, 'utf8'))

/** Fails where the record or a page could not be written: before an hour of measuring. */
export function refuseUnrecordable(): void {
  for (const page of [PAGE, README]) between(page, readPage(page))
  for (const file of [RECORD, ...[PAGE, README].map(inRoot)]) refuseUnwritable(file)
}

/** Writes the tables of docs/accuracy.md and the headline figures of README. */
export function writeDocs(): void {
  const record = readRecord()
  const page = withAccuracy(readPage(PAGE), record)
  const readme = withHeadlines(readPage(README), record, readBench())
  writeAtomically(inRoot(PAGE), page)
  writeAtomically(inRoot(README), readme)
}

/** README with the headline figures of both records between its marks. */
export function withHeadlines(readme: string, { report }: AccuracyRecord, bench: BenchReport) {
  const [before, after] = between(README, readme)
  return `${before}${BEGIN}\n${headlines(report, bench)}\n${END}${after}`
}

/** The page with the tables of a record between its marks. */
export function withAccuracy(page: string, { report }: AccuracyRecord): string {
  const [before, after] = between(PAGE, page)
  const filled = fillTemplate(readFileSync(TEMPLATE, 'utf8'), listValues(report))
  return `${before}${BEGIN}\n${filled.trimEnd()}\n${END}${after}`
}

/** Values of a template by their name; null leaves a paragraph out. */
type Values = Readonly<Record<string, string | number | null>>

const CONDITION = /\{when (\w+)\}\n\n([\s\S]*?)\{end \1\}\n\n?/g
const PARAGRAPH = /^\{(\w+)\}\n\n/gm
const VALUE = /\{([\w.]+)\}/g

/** A page of its template: `{when x}` to `{end x}` stays where x has a value, `{x}` is its value. */
function fillTemplate(template: string, values: Values): string {
  const find = (name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the page names ${name}, which has no value`)
    return value
  }
  return template
    .replace(CONDITION, (_, name, text) => (find(name) === null ? '' : fillTemplate(text, values)))
    .replace(PARAGRAPH, (all, name) => (find(name) === null ? '' : all))
    .replace(VALUE, (_, name) => {
      const value = find(name)
      return typeof value === 'number' ? value.toLocaleString('en-US') : String(value)
    })
}

function listValues(report: AccuracyReport): Values {
  const { levels, worlds } = report
  const exact = { ...report, tapes: report.tapes.filter(isWithMicroseconds) }
  const [five, day, flip] = worlds ? worldErrors(worlds) : []
  const tables = Object.entries(TABLES).map(([name, describe]) => {
    const table = describe(name === 'confidence' ? exact : report)
    return [name, markdown(table)]
  })
  return {
    ...Object.fromEntries(tables),
    prints: report.prints,
    contracts: report.contracts,
    seed: String(report.seed),
    paces: Object.entries(PACES)
      .map(([tape, pace]) => `${pace} (${tape})`)
      .join(', '),
    namesVerdict: namesVerdict(report),
    ...(levels && {
      'levels.sessions': String(levels.sessions),
      'levels.seed': String(levels.first_seed),
      'levels.prints': levels.prints,
      'levels.contracts': levels.contracts,
      'levels.dealerSessions': String(levels.dealer_sessions),
    }),
    dealersVerdict: dealersVerdict(report),
    noWorlds: worlds ? null : '',
    ...(worlds && {
      'worlds.count': worlds.worlds.length,
      'worlds.sessions': String(worlds.sessions),
      'worlds.prints': worlds.prints,
      'worlds.contracts': worlds.contracts,
      'worlds.middle': describeWorld('middle'),
      'worlds.five': five!,
      'worlds.day': day!,
      'worlds.flip': flip!,
      'worlds.least': LEAST_ORDERS,
    }),
  }
}

const isWithMicroseconds = ({ tape }: TapeAccuracy) => !/ms stamps|quotes/.test(tape)

const inRoot = (file: string) => join(ROOT, file)
const readPage = (file: string) => readFileSync(inRoot(file), 'utf8')

/** Returns the text before and after the generated part of a page. */
function between(file: string, text: string): [string, string] {
  const [before, rest] = cutAt(file, text, BEGIN)
  return [before, cutAt(file, rest, END)[1]]
}

function cutAt(file: string, text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Refusal(`${file} has no line ${mark}; put it back.`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

/** Null where nothing was measured. */
const markdown = ({ head, lines }: Table): string | null =>
  lines.length === 0
    ? null
    : [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
