import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measureReal } from '../../../pipelines/measure/accuracyReal.ts'
import type { AccuracyReport } from '../../../pipelines/measure/accuracyReport.ts'
import { TABLES } from '../../../pipelines/measure/accuracyTables.ts'
import { hasSharedData, SHARED_DATA } from '../../support/shared.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapefold-accuracy-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const accuracy = (...args: string[]) =>
  execFileSync(process.execPath, ['pipelines/measure/accuracy.ts', ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  })

const spawn = (...args: string[]) =>
  spawnSync(process.execPath, ['pipelines/measure/accuracy.ts', ...args], { encoding: 'utf8' })

test('the printed measures are those of the JSON file, and printed into a file too', () => {
  const out = join(folder, 'out')
  const size = ['--prints', '4000', '--seed', '3']
  const text = accuracy(...size, '--tape', 'calm, ms stamps', '--out', out)
  const measured = JSON.parse(readFileSync(join(out, 'accuracy.json'), 'utf8'))
  expect(measured).toMatchObject({ format: 6, simulated: true, prints: 4000, seed: 3 })
  expect(measured.tapes.map((tape: { tape: string }) => tape.tape)).toEqual(['calm, ms stamps'])
  expect(readFileSync(join(out, 'accuracy.txt'), 'utf8')).toBe(text)
  const [{ fold, packages, confidence, names, quality, sides }] = measured.tapes
  for (const value of [
    fold.all.adjusted_rand_index,
    fold.electronic.adjusted_rand_index,
    fold.electronic.pair_recall,
    fold.floor.pair_precision,
    fold.floor.parent_exact_recall,
    packages.exact_share,
    packages.found_share,
    confidence[0].exact_share,
    names.right_share,
    names.attainable_share,
    quality.off_step_share,
    sides.rates[0].hit_share,
  ]) {
    expect(text).toContain(value.toFixed(4))
  }
  const { right_share, side_unknown_share, side_wrong_share, ambiguous_share, wrong_share } = names
  const known = right_share + side_unknown_share + side_wrong_share + ambiguous_share
  expect(known + wrong_share).toBeCloseTo(1, 5)
  expect(names.attainable_share).toBeGreaterThanOrEqual(right_share)
  expect(quality.package_count).toBeGreaterThan(names.package_count)
  // nothing is left next to the two files
  expect(readdirSync(out).sort()).toEqual(['accuracy.json', 'accuracy.txt'])
})

test('a tape that is not known writes nothing, and the record takes no other size', () => {
  const json = join(folder, 'never.json')
  expect(() => accuracy('--tape', 'quiet', '--json', json)).toThrow(
    /--tape is quiet; it can be "calm", .*"noisy, ms stamps"/,
  )
  expect(existsSync(json)).toBe(false)
  for (const size of ['--prints', '--level-prints']) {
    expect(() => accuracy('--record', size, '4000')).toThrow(/give it only --real/)
  }
})

test.each([
  [['--tape', 'calm', '--levels'], '--tape, --levels, --index and --worlds each measure one part'],
  [['--levels', '--worlds'], '--tape, --levels, --index and --worlds each measure one part'],
  [['--docs', '--out', 'out'], '--docs measures nothing; give it alone.'],
  [['--docs', '--record'], '--docs measures nothing; give it alone.'],
  [['--seed', '99999999999999999999'], '--seed is 99999999999999999999; give a whole number from'],
  [['--prints', '0', '--out', 'never'], '--prints is 0; give a whole number from 1'],
])('%j is refused before anything is measured', (args, message) => {
  const { status, stderr } = spawn(...args)
  expect(stderr).toContain(`tapefold: ${message}`)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(status).toBe(2)
  expect(existsSync('never')).toBe(false)
})

test('a folder or file that cannot be used is reported before anything is measured', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const refused = (...args: string[]) => {
    const { status, stderr } = spawn('--prints', '4000', ...args)
    expect(status).toBe(1)
    return stderr
  }
  expect(refused('--json', folder)).toBe(`tapefold: ${folder} cannot be used: it is a folder.\n`)
  expect(refused('--out', file)).toBe(
    `tapefold: ${file} cannot be used: a file of that name is in the way.\n`,
  )
  const absent = join(folder, 'absent')
  expect(refused('--real', absent)).toBe(
    `tapefold: --real is ${absent}, which is not a folder; give the one that holds ` +
      'tape/UnderlyingOptionsTrades_2016-06-01.csv and ' +
      'tape/spx_otm_trades_2024-10-07_135411-135642.csv.\n',
  )
  expect(existsSync(absent)).toBe(false)
})

test('a real tape whose file is absent is named, with nulls for figures', async () => {
  const measured = await measureReal(folder)
  expect(measured).toHaveLength(3)
  for (const row of measured) {
    expect(row).toMatchObject({ is_present: false, print_count: null, recall: null })
  }
  const [line] = TABLES.real({ real: measured } as unknown as AccuracyReport).lines
  expect(line![0]).toBe(
    'VIX, 1 June 2016: skipped, tape/UnderlyingOptionsTrades_2016-06-01.csv is absent',
  )
})

test.skipIf(!hasSharedData)(
  'with codes hidden the real VIX tape distinguishes its legs',
  async () => {
    const [coded, hidden, excerpt] = await measureReal(SHARED_DATA)
    expect(coded).toMatchObject({ is_present: true, print_count: 2293, marked_count: 718 })
    expect(hidden!.precision).toBeGreaterThanOrEqual(0.95)
    expect(hidden!.recall).toBeGreaterThanOrEqual(0.9)
    expect(excerpt).toMatchObject({ marked_count: 0, precision: null, recall: null })
    expect(excerpt!.package_count).toBeGreaterThan(30)
  },
)
