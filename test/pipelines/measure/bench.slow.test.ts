import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measureBackfills } from '../../../pipelines/measure/bench/builds.ts'
import { type BenchReport, reportText } from '../../../pipelines/measure/bench/report.ts'
import { pageWith } from '../../../pipelines/measure/bench.ts'
import { listWork } from '../../support/chaos.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapefold-bench-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bench = (...args: string[]) =>
  spawnSync(process.execPath, ['src/cli/cli.ts', 'bench', '--data', folder, ...args], {
    encoding: 'utf8',
  })

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
  expect(report).toMatchObject({ format: 2, simulated: true, asked: { prints: 400 } })
  const { surface, iv, build, http, levels, archive } = report.measured
  expect(listNumbers(report.measured).every(value => Number.isFinite(value))).toBe(true)

  // both inversions solved every price
  for (const { solved, worst_error } of Object.values(iv!)) {
    expect(solved).toBe(2000)
    expect(worst_error).toBeLessThan(1e-9)
  }
  expect(surface!['yardstick: one gamma a contract and minute']!.gammas).toBeGreaterThan(405)
  expect(surface!.book!.grid_points).toBe(601)
  expect(Object.keys(build!)).toEqual([
    'load the tape',
    'fold the prints, price the surface',
    'estimate the dealer book',
    'find the levels',
    'rank the orders',
    'audit',
    'publish',
    'whole process',
  ])
  expect(build!['whole process']!.peak_mib).toBeGreaterThan(50)
  const bytes = (rows: typeof archive, row: string) => rows![row]!.body_bytes!
  expect(bytes(levels, 'history: the API')).toBeGreaterThan(bytes(levels, 'levels: the API'))
  expect(bytes(archive, 'a finished session: the API')).toBeLessThan(
    bytes(archive, 'a finished session, not compressed'),
  )
  expect(bytes(archive, 'a part of it: the API')).toBe(64 * 1024)
  for (const row of Object.values({ ...http, ...levels })) {
    expect(Math.min(row.requests_per_second!, row.p99_ms!)).toBeGreaterThan(0)
  }
  const units = [...new Array(14).fill('x'), 'KB', 'KB', 'KB']
  expect(report.bars.map(({ unit }) => unit)).toEqual(units)
  for (const { what } of report.bars) expect(stdout).toContain(what)
  expect(listWork(folder)).toEqual([])

  const again = bench('--from', file)
  expect(again.stdout).toBe(stdout)
})

test('a backfill is measured in its processes', async () => {
  const size = { folder, prints: 2_000, contracts: 2_000, say: () => {} }
  const rows = await measureBackfills(size, [[1, 1]])
  const { 'sessions 1, workers 1': row, ...others } = rows
  expect(others).toEqual({})
  expect(row).toMatchObject({ prints_each: 100, contracts: 200 })
  // the builder is a process of the backfill's: alone, the backfill stays well below this
  expect(row!.peak_mib).toBeGreaterThan(200)
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

test('where no demand is judged none is listed', () => {
  const report = JSON.parse(readFileSync('docs/bench.json', 'utf8')) as BenchReport
  const { sessions } = report.measured
  const text = reportText({ ...report, measured: { sessions: sessions! }, bars: [] })
  expect(text).toMatch(/^Backfills of/)
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
