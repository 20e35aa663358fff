import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measureBackfills } from '../../../pipelines/measure/bench/builds.ts'
import type { BenchReport } from '../../../pipelines/measure/bench/report.ts'
import { reportText } from '../../../pipelines/measure/bench/text.ts'
import { pageWith } from '../../../pipelines/measure/bench.ts'
import { listWork } from '../../support/chaos.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapefold-bench-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bench = (...args: string[]) =>
  spawnSync(process.execPath, ['src/server/cli.ts', 'bench', '--data', folder, ...args], {
    encoding: 'utf8',
  })

/** True when the part of polars for this machine is installed. */
const hasPolars = () => globSync('node_modules/nodejs-polars-*').length > 0

const BACKFILL = {
  prints_per_session: 100,
  contracts: 200,
  seconds: 2,
  cpu_seconds: 3,
  peak_mib: 400,
} as const

/** Every number of a report, wherever it stands. */
const listNumbers = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  return value && typeof value === 'object' ? Object.values(value).flatMap(listNumbers) : []
}

test('a tiny bench measures every stage next to its yardstick and leaves nothing behind', () => {
  const file = join(folder, 'report.json')
  const { stdout, stderr, status } = bench(
    'fold',
    'surface',
    'iv',
    'build',
    'http',
    'levels',
    'archive',
    '--json',
    file,
    '--prints',
    '400',
    '--contracts',
    '200',
    '--inversions',
    '2000',
    '--rounds',
    '1',
    '--round-seconds',
    '0.2',
  )
  expect(status, stderr).toBe(0)
  const report = JSON.parse(readFileSync(file, 'utf8')) as BenchReport
  expect(report).toMatchObject({ format: 1, simulated: true, asked: { prints: 400 } })
  const { fold, levels, iv, build, http, levels_http, archive } = report.measured
  expect(listNumbers(report.measured).every(value => Number.isFinite(value))).toBe(true)

  // both groupings made the same orders, both inversions solved every price
  expect(fold!.instants.group_count).toBeGreaterThan(0)
  // npm leaves polars out where its own Node is older than polars requires
  expect(fold!.instants.polars === null).toBe(!hasPolars())
  expect([iv!.ours.solved_count, iv!.prototype.solved_count]).toEqual([2000, 2000])
  expect(Math.max(iv!.ours.worst_error, iv!.prototype.worst_error)).toBeLessThan(1e-9)
  expect(levels!.chain_gamma_count).toBeGreaterThan(405)
  expect(levels!.grid_points).toBe(601)
  expect(build!.steps.map(({ step }) => step)).toEqual([
    'load the tape',
    'fold the prints, price the surface',
    'estimate the dealer book',
    'find the levels',
    'rank the orders',
    'audit',
    'publish',
  ])
  expect(build!.peak_mib).toBeGreaterThan(50)
  for (const speed of [http!.session, http!.short]) {
    expect(speed.answered_calls).toBeGreaterThan(0)
    expect(speed.counted_calls).toBe(speed.answered_calls)
  }
  expect(levels_http!.history.body_bytes).toBeGreaterThan(levels_http!.levels.body_bytes)
  expect(archive!.session.body_bytes).toBeLessThan(archive!.raw_bytes)
  expect(archive!.ranges.body_bytes).toBe(64 * 1024)
  for (const { api_per_second, bare_per_second } of [archive!.session, archive!.whole]) {
    expect(Math.min(api_per_second, bare_per_second)).toBeGreaterThan(0)
  }
  const units = [...new Array(14).fill('x'), 'KB', 'KB', 'KB']
  expect(report.bars.map(({ unit }) => unit)).toEqual(units)
  for (const { what } of report.bars) expect(stdout).toContain(what)
  expect(listWork(folder)).toEqual([])

  const again = bench('--from', file)
  expect(again.stdout).toBe(stdout)
})

test('a backfill is measured in its processes', async () => {
  const [speed, ...others] = await measureBackfills({
    folder,
    prints: 2_000,
    contracts: 2_000,
    backfills: [1],
    workers: [],
    say: () => {},
  })
  expect(others).toEqual([])
  expect(speed).toMatchObject({ sessions: 1, prints_per_session: 100, contracts: 200 })
  // the builder is a process of the backfill's: alone, the backfill stays well below this
  expect(speed!.peak_mib).toBeGreaterThan(200)
})

test.each([
  [
    ['dust'],
    2,
    /^tapefold: dust is not a section of the bench; the sections are fold, surface, .*, all\.\n$/,
  ],
  [['--prints', 'few'], 2, /^tapefold: --prints is few; give a whole number from 400 to 2000000/],
  [['--prints', '399', '--json', 'never/report.json'], 2, /from 400/],
  [['--round-seconds', '0'], 2, /--round-seconds is 0; give seconds from 0.1 to 600/],
  [['--quick'], 2, /^tapefold: Unknown option '--quick'; see "tapefold bench --help"\.\n$/],
  [
    ['--from', 'package.json'],
    1,
    /^tapefold: package.json is not a report that bench --json wrote/,
  ],
  [['--from', 'nowhere.json'], 1, /^tapefold: nowhere.json does not exist\.\n$/],
  [['iv', '--docs', 'package.json'], 1, /^tapefold: there are no bench markers in that file\.\n$/],
  [['iv', '--json', 'test'], 1, /^tapefold: test cannot be used: it is a folder\.\n$/],
  [['iv', '--prototype', 'nowhere.sql'], 1, /^tapefold: nowhere.sql does not exist\.\n$/],
])('bench %j ends with %d and one sentence', (args, code, sentence) => {
  const { stderr, stdout, status } = bench(...args)
  expect([status, stdout]).toEqual([code, ''])
  expect(stderr).toMatch(sentence)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(existsSync('never')).toBe(false)
})

test('implied volatilities alone are headed by no session', () => {
  const { stdout } = bench('iv', '--inversions', '1')
  expect(stdout).toMatch(/^Targets \(\d+ cores of /)
  expect(stdout).not.toContain('1,000,000 prints')
  expect(stdout).toContain('1 of 1 demands are met.')
})

test('where no demand is judged none is listed', () => {
  const {
    format,
    simulated,
    machine,
    asked: requested,
  } = JSON.parse(readFileSync('docs/bench.json', 'utf8')) as BenchReport
  const sessions = [{ ...BACKFILL, sessions: 1 }]
  const text = reportText({
    format,
    simulated,
    machine,
    asked: requested,
    measured: { sessions },
    bars: [],
  })
  expect(text).toMatch(/^Growth with the sessions/)
  expect(text).toContain('No demand is judged by what was measured.')
})

test('a file without markers is left as it is', () => {
  const file = join(folder, 'notes.md')
  writeFileSync(file, 'mine')
  const { status, stderr } = bench('--from', 'docs/bench.json', '--readme', file)
  expect([status, readFileSync(file, 'utf8')]).toEqual([1, 'mine'])
  expect(stderr).toContain('no bench markers')
})

test('docs/speed.md says what the report says', () => {
  const page = readFileSync('docs/speed.md', 'utf8')
  const report = JSON.parse(readFileSync('docs/bench.json', 'utf8')) as BenchReport
  expect(pageWith(page, report)).toBe(page)
  const other = structuredClone(report) as { bars: { measured: number }[] } & BenchReport
  other.bars[0]!.measured += 1
  expect(pageWith(page, other)).not.toBe(page)
})
