import { alignColumns } from '../../../src/data/published/analyst.ts'
import { count, type Rows, type Target } from './section.ts'
import { SECTIONS } from './sections.ts'

export type BenchReport = {
  readonly format: 2
  readonly simulated: true
  readonly machine: {
    readonly cores: number
    readonly processor: string
    readonly memory_gib: number
    readonly node: string
  }
  readonly asked: { readonly prints: number; readonly contracts: number }
  /** Measurements by section; one that was not requested is absent. */
  readonly measured: Readonly<Record<string, Rows>>
  readonly bars: readonly Target[]
}

/** Judges every requirement that the measurements cover. */
export const judgeTargets = (measured: BenchReport['measured']): Target[] =>
  SECTIONS.flatMap(({ name, targets }) => {
    const rows = measured[name]
    return rows && targets ? targets(rows, measured) : []
  })

type Table = { readonly title: string; readonly cells: readonly (readonly string[])[] }

/** The report for a terminal. */
export function reportText(report: BenchReport): string {
  const tables = listTables(report).map(({ title, cells }) => `${title}\n${alignColumns(cells)}`)
  const { length } = report.bars
  const met = report.bars.filter(target => target.is_met).length
  const verdict =
    length === 0
      ? 'No demand is judged by what was measured.'
      : `${met} of ${length} demands are met.`
  return `${[...tables, verdict].join('\n\n')}\n`
}

/** The report for docs/speed.md, between its markers. */
export function reportMarkdown(report: BenchReport): string {
  const tables = listTables(report).map(({ title, cells }) => {
    const [head, ...lines] = cells.map(line => `| ${line.join(' | ')} |`)
    return [`${title}:`, '', head, `|${'---|'.repeat(cells[0]!.length)}`, ...lines].join('\n')
  })
  return `${tables.join('\n\n')}\n`
}

function listTables({ machine, asked: requested, measured, bars }: BenchReport): Table[] {
  const { cores, processor, memory_gib, node } = machine
  const size = `${count(requested.prints)} prints, ${count(requested.contracts)} contracts, simulated`
  const on = `${cores} cores of ${processor}, ${memory_gib} GiB, Node ${node}`
  const targets = [['what', 'measured', 'target', 'met'], ...bars.map(listTarget)]
  return [
    ...(bars.length > 0 ? [{ title: `Targets (${size}; ${on})`, cells: targets }] : []),
    ...SECTIONS.flatMap(({ name, about }) => {
      const rows = measured[name]
      const title = about[0]!.toUpperCase() + about.slice(1)
      return rows ? [{ title, cells: listCells(rows) }] : []
    }),
  ]
}

const listTarget = ({ what, measured, demand, limit, unit, is_met }: Target): string[] => [
  what,
  unit === 'MiB' || unit === 'KB'
    ? `${count(measured)} ${unit}`
    : `${measured.toFixed(unit === 's' ? 1 : 2)} ${unit}`,
  `${demand} ${unit === 'MiB' ? count(limit) : limit} ${unit}`,
  is_met ? 'yes' : 'NO',
]

/** A line a row, with a column for each figure that one of them has. */
function listCells(rows: Rows): string[][] {
  const names = [...new Set(Object.values(rows).flatMap(Object.keys))]
  return [
    ['work', ...names.map(formatHead)],
    ...Object.entries(rows).map(([work, row]) => [
      work,
      ...names.map(name => formatFigure(row[name])),
    ]),
  ]
}

const formatHead = (name: string): string =>
  name.replaceAll('_', ' ').replace('cpu', 'CPU').replace('mib', 'MiB')

/** Three digits at least, and all of a whole number; a dash where there is none. */
function formatFigure(value: number | undefined): string {
  if (value === undefined) return '-'
  if (Number.isInteger(value) || value >= 100) return count(value)
  return value < 1e-4 ? value.toExponential(1) : value.toPrecision(3)
}
