import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'tapefold-accuracy-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const accuracy = (...args: string[]) =>
  execFileSync(process.execPath, ['pipelines/accuracy.ts', '--prints', '4000', ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  })

test('the printed measures are those of the JSON file', () => {
  const json = join(folder, 'measures.json')
  const text = accuracy('--tape', 'calm, ms stamps', '--seed', '3', '--json', json)
  const measured = JSON.parse(readFileSync(json, 'utf8'))
  expect(measured).toMatchObject({ format: 1, simulated: true, prints: 4000, seed: 3 })
  expect(measured.tapes.map((tape: { tape: string }) => tape.tape)).toEqual(['calm, ms stamps'])
  const [{ fold, readings, quality }] = measured.tapes
  for (const value of [
    fold.adjusted_rand_index,
    fold.pair_recall,
    readings.right_name_share,
    readings.told_name_share,
    quality.off_step_share,
    quality.orphan_share,
  ]) {
    expect(text).toContain(value.toFixed(4))
  }
  expect(readings.told_name_share).toBeGreaterThanOrEqual(readings.right_name_share)
  expect(quality.package_count).toBeGreaterThan(readings.package_count)
  // written aside and renamed: nothing else is left
  expect(readdirSync(folder)).toEqual(['measures.json'])
}, 120_000)

test('a tape that is not known writes nothing', () => {
  const json = join(folder, 'never.json')
  expect(() => accuracy('--tape', 'quiet', '--json', json)).toThrow(
    /--tape is quiet; it can be "calm", .*"noisy, ms stamps"/,
  )
  expect(existsSync(json)).toBe(false)
})
