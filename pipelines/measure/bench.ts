/** `tapefold bench`: speed, memory and growth, compared with yardsticks run at the same time. */

import { existsSync, readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { refuseUnwritable, writeAtomically } from '../../src/core/disk/files.ts'
import { formatJsonRows } from '../../src/core/disk/json.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { runCommand } from '../command/command.ts'
import { measureAlerts } from './bench/alerts.ts'
import { measureArchive } from './bench/archive.ts'
import { type BuildSpeed, measureBackfills } from './bench/builds.ts'
import { measureFair } from './bench/fair.ts'
import { measureInversions } from './bench/inversions.ts'
import { measureLab } from './bench/lab.ts'
import { type BenchReport, judgeTargets, type Measured } from './bench/report.ts'
import { measureLedgers, measureLevels, sessionsIn } from './bench/served.ts'
import { measureSite } from './bench/site.ts'
import { measureStages } from './bench/stages.ts'
import { reportMarkdown, reportText } from './bench/text.ts'

const SECTIONS = [
  'fold',
  'surface',
  'iv',
  'build',
  'growth',
  'sessions',
  'http',
  'levels',
  'fair',
  'archive',
  'site',
  'alerts',
  'lab',
] as const
type Section = (typeof SECTIONS)[number]

/** Sections of a bench without arguments: all but those that take many minutes. */
const DEFAULT_SECTIONS: readonly Section[] = ['fold', 'surface', 'iv', 'build', 'http', 'levels']

type BenchOptions = {
  /** Parent of the private work folder. */
  readonly dataFolder: string
  readonly sections: readonly Section[]
  readonly prints: number
  readonly contracts: number
  readonly inversions: number
  /** Rounds of each load on each server, and how long one is. */
  readonly rounds: number
  readonly roundSeconds: number
  /** Duration of each load, with careful accounts calling at the same time. */
  readonly fairSeconds: number
  /** Sessions that an idea is tested on. */
  readonly labSessions: number
  readonly prototypeFile?: string
  readonly say: (line: string) => void
}

/** Prints of the growth table, as fractions of the requested count. */
const GROWTH = [0.25, 0.5, 1, 2, 4] as const

/** Measures the requested sections and judges them. */
function runBench(options: BenchOptions): Promise<BenchReport> {
  if (!existsSync('/proc/self/status')) {
    throw new Refusal('bench reads memory and CPU time from /proc, which only Linux has.')
  }
  return withWorkFolder(options.dataFolder, 'bench', async folder => {
    const { prints, contracts } = options
    const measured = await measureSections(options, folder)
    const requested = { prints, contracts }
    const { length, 0: first } = cpus()
    return {
      format: 1,
      simulated: true,
      machine: {
        cores: length,
        processor: first?.model.trim() || 'unknown',
        memory_gib: Math.round(totalmem() / 1024 ** 3),
        node: process.version,
      },
      asked: requested,
      measured,
      bars: judgeTargets(measured, requested),
    }
  })
}

async function measureSections(options: BenchOptions, folder: string): Promise<Measured> {
  const { say, prints, contracts, inversions, prototypeFile } = options
  const has = (...sections: Section[]) => sections.some(name => options.sections.includes(name))
  const session = sessionsIn(folder, contracts, say)
  const measured: { -readonly [Key in keyof Measured]: Measured[Key] } = {}

  if (has('iv')) {
    say(`inverting ${inversions} prices`)
    measured.iv = await measureInversions(inversions, prototypeFile)
  }
  if (has('fold', 'surface')) {
    const { tape } = await session.lay(prints)
    say('folding and pricing beside the yardsticks')
    const { fold, levels } = await measureStages(tape, has('surface'))
    if (has('fold')) measured.fold = fold
    if (levels) measured.levels = levels
  }
  if (has('growth')) {
    const rows: BuildSpeed[] = []
    for (const part of GROWTH) rows.push(await session.build(Math.round(prints * part)))
    measured.growth = rows
  }
  if (has('build')) measured.build = await session.build(prints)
  if (has('sessions')) {
    measured.sessions = await measureBackfills({ folder, prints, contracts, say })
  }
  if (has('http')) measured.http = await measureLedgers(options, session, folder)
  if (has('archive')) {
    const { tape } = await session.lay(prints)
    const build = await session.build(prints)
    say('loading the archive and its yardsticks')
    const { rounds, roundSeconds } = options
    const manifest = readManifest(tape.dataFolder, tape.date)!
    const load = { rounds, seconds: roundSeconds, nowMs: systemClock.nowMs }
    measured.archive = await measureArchive({
      dataFolder: tape.dataFolder,
      manifest,
      build,
      ...load,
    })
  }
  if (has('site')) {
    const { tape } = await session.lay(prints)
    await session.build(prints)
    say('loading pages in a browser')
    const { dataFolder, date } = tape
    measured.site = await measureSite({ dataFolder, date, rounds: options.rounds })
  }
  if (has('levels')) measured.levels_http = await measureLevels(options, folder)
  if (has('fair')) {
    const { tape } = await session.lay(prints)
    await session.build(prints)
    const { dataFolder, date } = tape
    measured.fair = await measureFair({ dataFolder, date, seconds: options.fairSeconds, say })
  }
  if (has('alerts')) {
    say('finding alerts of 10,000 accounts')
    measured.alerts = await measureAlerts({ dataFolder: folder, nowMs: systemClock.nowMs })
  }
  if (has('lab')) {
    say(`testing an idea on ${options.labSessions} sessions`)
    measured.lab = measureLab(options.labSessions)
  }
  return measured
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
${DEFAULT_SECTIONS.join(', ')}.

  fold       the fold, compared with reading and sorting the prints
  surface    surface, book and levels, compared with one gamma a contract and minute
  iv         implied volatilities, compared with the project's first macros for them
  build      the whole build, step by step, and its peak memory
  growth     whole builds of a quarter, half, one, two and four times the prints
  sessions   backfills of 1, 5 and 20 smaller sessions
  http       the ledger over HTTP, compared with a bare Express handler that sends the same bytes
  levels     the levels API over HTTP, compared in the same way
  fair       how long careful accounts wait next to greedy ones, compared with waiting alone
  archive    finished sessions compared with a bare handler, dataset files with express.static
  site       pages of a session in a browser: bytes, requests, paint times, answers to keys
  alerts     a minute of alerts, compared with a plain scan and with bare inserts; sending,
             compared with bare calls of the same client
  lab        a test of an idea and its variants, beside one read of its quotes

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
  const unknown = names.find(name => !(SECTIONS as readonly string[]).includes(name))
  if (unknown !== undefined) {
    const known = [...SECTIONS, 'all'].join(', ')
    throw new UsageError(`${unknown} is not a section of the bench; the sections are ${known}.`)
  }
  return names.length === 0 ? DEFAULT_SECTIONS : (names as Section[])
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
    if (report.format === 1 && Array.isArray(report.bars)) return report
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new Refusal(`${file} is not a report that bench --json wrote.`)
}

function readText(file: string): string {
  if (!existsSync(file)) throw new Refusal(`${file} does not exist.`)
  return readFileSync(file, 'utf8')
}
