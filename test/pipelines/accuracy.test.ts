import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measureReal } from '../../pipelines/accuracyReal.ts'
import { hasSharedData, SHARED_DATA } from '../support/shared.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapefold-accuracy-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const accuracy = (...args: string[]) =>
  execFileSync(process.execPath, ['pipelines/accuracy.ts', ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  })

test('the printed measures are those of the JSON file and of the page', () => {
  const out = join(folder, 'out')
  const size = ['--prints', '4000', '--seed', '3']
  const text = accuracy(...size, '--tape', 'calm, ms stamps', '--out', out)
  const measured = JSON.parse(readFileSync(join(out, 'accuracy.json'), 'utf8'))
  expect(measured).toMatchObject({ format: 2, simulated: true, prints: 4000, seed: 3 })
  expect(measured.tapes.map((tape: { tape: string }) => tape.tape)).toEqual(['calm, ms stamps'])
  const page = readFileSync(join(out, 'accuracy.html'), 'utf8')
  const [{ fold, names, quality, sides }] = measured.tapes
  for (const value of [
    fold.all.adjusted_rand_index,
    fold.electronic.adjusted_rand_index,
    fold.floor.parent_exact_recall,
    names.right_share,
    names.attainable_share,
    quality.off_step_share,
    sides.rates[0].hit_share,
    sides.deciles[0].observed_share,
  ]) {
    expect(text).toContain(value.toFixed(4))
    expect(page).toContain(value.toFixed(4))
  }
  const { right_share, side_unknown_share, side_wrong_share, ambiguous_share, wrong_share } = names
  const known = right_share + side_unknown_share + side_wrong_share + ambiguous_share
  expect(known + wrong_share).toBeCloseTo(1, 5)
  expect(names.attainable_share).toBeGreaterThanOrEqual(right_share)
  expect(quality.package_count).toBeGreaterThan(names.package_count)
  // the page stands alone, and nothing is left beside the two files
  expect(page).not.toMatch(/(?:src|href)=|url\(|@import/)
  expect(readdirSync(out).sort()).toEqual(['accuracy.html', 'accuracy.json'])
}, 120_000)

test('a tape that is not known writes nothing, and the record takes no other size', () => {
  const json = join(folder, 'never.json')
  expect(() => accuracy('--tape', 'quiet', '--json', json)).toThrow(
    /--tape is quiet; it can be "calm", .*"noisy, ms stamps"/,
  )
  expect(existsSync(json)).toBe(false)
  expect(() => accuracy('--record', '--prints', '4000')).toThrow(/give it only --real/)
})

test('a real tape whose file is absent is named, with nulls for figures', async () => {
  const measured = await measureReal(folder)
  expect(measured).toHaveLength(3)
  for (const row of measured) {
    expect(row).toMatchObject({ is_present: false, print_count: null, recall: null })
  }
})

test.skipIf(!hasSharedData)('with codes hidden the real VIX tape tells its legs', async () => {
  const [coded, hidden, excerpt] = await measureReal(SHARED_DATA)
  expect(coded).toMatchObject({ is_present: true, print_count: 2293, marked_count: 718 })
  expect(hidden!.precision).toBeGreaterThanOrEqual(0.95)
  expect(hidden!.recall).toBeGreaterThanOrEqual(0.9)
  expect(excerpt).toMatchObject({ marked_count: 0, precision: null, recall: null })
  expect(excerpt!.package_count).toBeGreaterThan(30)
})
