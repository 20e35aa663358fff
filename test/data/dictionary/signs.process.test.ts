// The sign vectors are those of the models, and of plain formulas that know nothing of them.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Exposures,
  makeSignVectors,
  SIGNS_FILE,
  type SignVector,
  writeSignVectors,
} from '../../support/signVectors.ts'

const { vectors }: { vectors: SignVector[] } = JSON.parse(readFileSync(SIGNS_FILE, 'utf8'))

test('the file has ten vectors, those of the models (else: npm run contract)', async () => {
  expect(vectors).toHaveLength(10)
  expect(readFileSync(SIGNS_FILE, 'utf8')).toBe(writeSignVectors(await makeSignVectors()))
})

/** Share of a normal distribution below x, by Simpson's rule. */
function below(x: number): number {
  const [from, steps] = [-12, 4_000]
  const width = (x - from) / steps
  let sum = 0
  for (let step = 0; step <= steps; step++) {
    const weight = step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2
    sum += weight * Math.exp(-0.5 * (from + step * width) ** 2)
  }
  return (sum * width) / 3 / Math.sqrt(2 * Math.PI)
}

test('plain formulas give the same', () => {
  for (const { name, market, legs, expected } of vectors) {
    const { spot, forward, discount, years, vol } = market
    const dividend = -Math.log((discount * forward) / spot) / years
    const drift = Math.log(forward / spot) / years
    const deviation = vol * Math.sqrt(years)
    const found = { delta: 0, gamma: 0, vanna: 0, charm: 0 }
    for (const { option_type: type, strike, dealers } of legs) {
      const d1 = Math.log(forward / strike) / deviation + deviation / 2
      const density = Math.exp(-0.5 * d1 * d1) / Math.sqrt(2 * Math.PI)
      const carry = Math.exp(-dividend * years)
      const share = type === 'C' ? below(d1) : below(d1) - 1
      const dollars = (dealers * 100 * spot) / 1e6
      const d2 = d1 - deviation
      found.delta += dollars * carry * share
      found.gamma += (dollars * carry * density) / (spot * deviation)
      found.vanna += (-dollars * carry * density * d2) / vol / 100
      const slope = (2 * drift * years - d2 * deviation) / (2 * years * deviation)
      found.charm += (dollars * carry * (dividend * share - density * slope)) / 365
    }
    const pairs: [number, number][] = [
      [found.delta, expected.delta_musd],
      [found.gamma, expected.gamma_musd_per_point],
      [found.vanna, expected.vanna_musd_per_vol_point],
      [found.charm, expected.charm_musd_per_day],
    ]
    for (const [plain, model] of pairs) {
      expect(Math.abs(plain - model), `${name}: ${plain} ${model}`).toBeLessThan(
        1e-7 * Math.max(1, Math.abs(model)),
      )
    }
  }
})

test('the signs are those that docs/levels.md states', () => {
  const signs = (at: number) => Object.values(vectors[at]!.expected).map(Math.sign)
  // dealers short puts below the index: vanna above zero, charm below
  expect([vectors[2]!.name, signs(2)]).toEqual([
    'a customer buys puts below the index',
    [1, -1, 1, -1],
  ])
  expect([vectors[3]!.name, signs(3)]).toEqual([
    'a customer buys calls above the index',
    [-1, -1, -1, 1],
  ])
  const [bought, sold] = vectors as [SignVector, SignVector]
  const turned = Object.entries(sold.expected).map(([name, value]) => [name, -value])
  expect(bought.expected).toEqual(Object.fromEntries(turned) as Exposures)
})

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('the example in Python agrees, and finds a wrong sign', () => {
  const run = (file: string) => spawnSync('python3', ['examples/signs.py', file])
  const good = run(SIGNS_FILE)
  expect([good.status, String(good.stderr)]).toEqual([0, ''])
  expect(String(good.stdout).match(/^agrees/gm)).toHaveLength(10)
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-signs-'))
  try {
    const { gamma_musd_per_point: gamma } = vectors[0]!.expected
    const wrong = { ...vectors[0]!.expected, gamma_musd_per_point: -gamma }
    const file = join(folder, 'signs.json')
    writeFileSync(file, JSON.stringify({ vectors: [{ ...vectors[0], expected: wrong }] }))
    expect(run(file).status).toBe(1)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
