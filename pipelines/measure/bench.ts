/** `tapefold bench`: speed, memory and growth, compared with yardsticks run at the same time. */

import { existsSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { refuseUnwritable, writeAtomically } from '../../src/core/disk/files.ts'
import { formatJsonRows } from '../../src/core/disk/json.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { runCommand } from '../command/command.ts'
import { type BenchReport, judgeTargets, reportMarkdown, reportText } from './bench/report.ts'
import type { Bench, Rows, Section } from './bench/section.ts'
import { SECTIONS } from './bench/sections.ts'

/** Sections of a bench without arguments: all but those that take many minutes. */
const DEFAULT_SECTIONS = SECTIONS.filter(({ isLong }) => !isLong)

type BenchOptions = Omit<Bench, 'folder'> & {
  /** Parent of the private work folder. */
  readonly dataFolder: string
  readonly sections: readonly Section[]
}

/** Measures the requested sections and judges them. */
function runBench({ dataFolder, sections, ...options }: BenchOptions): Promise<BenchReport> {
  if (!existsSync('/proc/self/status')) {
    throw new Refusal('bench reads memory and CPU time from /proc, which only Linux has.')
  }
  return withWorkFolder(dataFolder, 'bench', async folder => {
    const { prints, contracts } = options
    const measured: Record<string, Rows> = {}
    for (const { name, measure } of sections) {
      measured[name] = await measure({ ...options, folder })
    }
    const { length, 0: first } = cpus()
    return {
      format: 2,
      simulated: true,
      machine: {
        cores: length,
        processor: first?.model.trim() || 'unknown',
        memory_gib: Math.round(totalmem() / 1024 ** 3),
        node: process.version,
      },
      asked: { prints, contracts },
      measured,
      bars: judgeTargets(measured),
    }
  })
}

/** Text between the markers of docs/speed.md; the markers stay. */
const MARKED = /(<!-- bench: .*-->\n)[\s\S]*(<!-- end of bench -->)/

function refuseUnmarked(page: string): void {
  if (!MARKED.test(page)) throw new Refusal('there are no bench markers in that file.')
}

/** A page with the figures of a report. Fails when it has no markers. */
export function pageWith(page: string, report: BenchReport): string {
  refuseUnmarked(page)
  return page.replace(MARKED, (_, first, last) => `${first}\n${reportMarkdown(report)}\n${last}`)
}

const USAGE = `usage: tapefold bench [section ...] [all] [--prints N] [--json FILE] ...

Measures speed, memory and growth on simulated sessions and says which targets are met. Times are
compared with those of simple jobs in the same run. Without a section it measures:
${DEFAULT_SECTIONS.map(({ name }) => name).join(', ')}.

${SECTIONS.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n')}

  --prints N         about how many prints the session has (1000000)
  --contracts N      about how many contracts are listed (20000)
  --inversions N     prices to invert (4000000)
  --rounds N         rounds of each load on each server (5)
  --round-seconds S  how long a round is (3)
  --fair-seconds S   how long careful accounts ask next to each load (20)
  --lab-sessions N   sessions that an idea is tested on (1000)
  --prototype FILE   other macros to compare the inversion with
  --json FILE        writes the report as JSON
  --from FILE        measures nothing: reads the report that --json wrote
  --docs FILE        writes the figures between the markers of a page (formerly --readme)
`

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        prints: { type: 'string', default: '1000000' },
        contracts: { type: 'string', default: '20000' },
        inversions: { type: 'string', default: '4000000' },
        rounds: { type: 'string', default: '5' },
        'round-seconds': { type: 'string', default: '3' },
        'fair-seconds': { type: 'string', default: '20' },
        'lab-sessions': { type: 'string', default: '1000' },
        prototype: { type: 'string' },
        docs: { type: 'string' },
        json: { type: 'string' },
        from: { type: 'string' },
        readme: { type: 'string' },
      },
    })
    if (values.prototype) readText(values.prototype)
    // --readme was the name while README had the figures
    const page = values.docs ?? values.readme
    if (page) refuseUnmarked(readText(page))
    const measured = values.from === undefined ? null : readReport(values.from)
    const options: BenchOptions = {
      dataFolder: values.data,
      sections: parseSections(positionals),
      prints: wholeNumber('--prints', values.prints, 400, 2_000_000),
      contracts: wholeNumber('--contracts', values.contracts, 200, 40_000),
      inversions: wholeNumber('--inversions', values.inversions, 1, 100_000_000),
      rounds: wholeNumber('--rounds', values.rounds, 1, 100),
      roundSeconds: parseSeconds('--round-seconds', values['round-seconds']),
      fairSeconds: parseSeconds('--fair-seconds', values['fair-seconds']),
      labSessions: wholeNumber('--lab-sessions', values['lab-sessions'], 130, 2_500),
      ...(values.prototype === undefined ? {} : { prototypeFile: values.prototype }),
      say: line => void process.stderr.write(`  ${line}\n`),
    }
    for (const file of [values.json, page]) if (file) refuseUnwritable(file)
    const report = measured ?? (await runBench(options))
    process.stdout.write(reportText(report))
    if (values.json) writeAtomically(values.json, formatJsonRows(report))
    if (page) writeAtomically(page, pageWith(readText(page), report))
  })
}

function parseSections(names: readonly string[]): readonly Section[] {
  if (names.includes('all')) return SECTIONS
  const known = SECTIONS.map(({ name }) => name)
  const unknown = names.find(name => !known.includes(name))
  if (unknown !== undefined) {
    const listed = [...known, 'all'].join(', ')
    throw new UsageError(`${unknown} is not a section of the bench; the sections are ${listed}.`)
  }
  return names.length === 0 ? DEFAULT_SECTIONS : SECTIONS.filter(({ name }) => names.includes(name))
}

function wholeNumber(name: string, text: string, low: number, high: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= low && value <= high) return value
  throw new UsageError(`${name} is ${text}; give a whole number from ${low} to ${high}.`)
}

function parseSeconds(name: string, text: string): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value >= 0.1 && value <= 600) return value
  throw new UsageError(`${name} is ${text}; give seconds from 0.1 to 600, such as 3.`)
}

function readReport(file: string): BenchReport {
  try {
    const report = JSON.parse(readText(file))
    if (report.format === 2 && Array.isArray(report.bars)) return report
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Refusal(`${file} is not a report that bench --json wrote.`)
}

function readText(file: string): string {
  if (!existsSync(file)) throw new Refusal(`${file} does not exist.`)
  return readFileSync(file, 'utf8')
}
