/** `tapefold bench`: speed, memory and growth, compared with yardsticks run at the same time. */

import { existsSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { refuseUnwritable, writeAtomically } from '../../src/core/disk/files.ts'
import { formatJsonRows } from '../../src/core/disk/json.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { type BenchReport, judgeTargets, reportMarkdown, reportText } from './bench/report.ts'
import type { Bench, Rows, Section } from './bench/section.ts'
import { SECTIONS } from './bench/sections.ts'
import type { BENCH } from './rows.ts'

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

/** Runs `tapefold bench`. */
export async function benchCommand(input: Input<typeof BENCH>): Promise<void> {
  if (input.prototype) readText(input.prototype)
  // --readme was the name while README had the figures
  const page = input.docs ?? input.readme
  if (page) refuseUnmarked(readText(page))
  const measured = input.from === undefined ? null : readReport(input.from)
  const options: BenchOptions = {
    dataFolder: input.data,
    sections: parseSections(input.words),
    prints: wholeNumber('--prints', input.prints, 400, 2_000_000),
    contracts: wholeNumber('--contracts', input.contracts, 200, 40_000),
    inversions: wholeNumber('--inversions', input.inversions, 1, 100_000_000),
    rounds: wholeNumber('--rounds', input.rounds, 1, 100),
    roundSeconds: parseSeconds('--round-seconds', input['round-seconds']),
    fairSeconds: parseSeconds('--fair-seconds', input['fair-seconds']),
    labSessions: wholeNumber('--lab-sessions', input['lab-sessions'], 130, 2_500),
    ...(input.prototype === undefined ? {} : { prototypeFile: input.prototype }),
    say: line => void process.stderr.write(`  ${line}\n`),
  }
  for (const file of [input.json, page]) if (file) refuseUnwritable(file)
  const report = measured ?? (await runBench(options))
  process.stdout.write(reportText(report))
  if (input.json) writeAtomically(input.json, formatJsonRows(report))
  if (page) writeAtomically(page, pageWith(readText(page), report))
}

function parseSections(names: readonly string[]): readonly Section[] {
  if (names.includes('all')) return SECTIONS
  const sections = SECTIONS.map(({ name }) => name)
  const unknown = names.find(name => !sections.includes(name))
  if (unknown !== undefined) {
    const listed = [...sections, 'all'].join(', ')
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
