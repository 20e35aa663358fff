// Which variants a rule has: its own numbers in steps, every one a rule of the language.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSpec } from '../../../src/lab/language/checkSpec.ts'
import { reply } from '../../../src/lab/language/dialog.ts'
import { canonicalJson, type RuleSpec, ruleHash } from '../../../src/lab/language/spec.ts'
import { listAxes } from '../../../src/lab/optimize/axes.ts'
import { listSteps, timesAround } from '../../../src/lab/optimize/steps.ts'
import { buildVariants, VARIANTS_MAX } from '../../../src/lab/optimize/variants.ts'
import { runs } from '../../support/runs.ts'

const rule = (text: string): RuleSpec => {
  const response = reply(text, null)
  if (response.kind !== 'spec') throw new Error(JSON.stringify(response))
  return response.spec
}

/** Every rule of the corpus, once. */
const RULES = [
  ...new Set(
    readFileSync(join(import.meta.dirname, '../corpus/rules.txt'), 'utf8')
      .split('\n')
      .filter(line => line.startsWith('  {'))
      .map(line => line.trim()),
  ),
].map(line => JSON.parse(line) as RuleSpec)

test.each([
  // own, grid, least, most: steps
  [30, 5, -500, 500, [15, 25, 30, 40, 45]],
  [-30, 5, -500, 500, [-45, -40, -30, -25, -15]],
  [0, 5, -500, 500, [0]],
  [10, 5, 5, 200, [5, 10, 15]],
  [5, 5, 5, 200, [5, 10]],
  [200, 5, 5, 200, [100, 150, 200]],
  [0.16, 0.01, 0.01, 0.95, [0.08, 0.12, 0.16, 0.2, 0.24]],
  [0.163, 0.01, 0.01, 0.95, [0.08, 0.12, 0.163, 0.2, 0.24]],
  [2, 0.1, 1.1, 20, [1.5, 2, 2.5, 3]],
  [1, 1, 0, 5, [1, 2]],
])('of %d on a grid of %d from %d to %d the steps are %j', (own, grid, min, max, steps) => {
  expect(listSteps(own, { grid, min, max })).toEqual(steps)
})

test('times go half an hour and an hour to either side, within the session', () => {
  expect(timesAround('12:00', '09:31', '15:59')).toEqual([
    '11:00',
    '11:30',
    '12:00',
    '12:30',
    '13:00',
  ])
  expect(timesAround('10:31', '09:31', '15:59')[0]).toBe('09:31')
  expect(timesAround('10:30', '09:31', '15:59')[0]).toBe('10:00')
  expect(timesAround('15:29', '09:31', '15:59').at(-1)).toBe('15:59')
  expect(timesAround('15:30', '09:31', '15:59').at(-1)).toBe('15:30')
})

test('exits and thresholds can be off, and what is off has no further number', () => {
  const axes = listAxes(
    rule(
      'Sell the 10-wide put spread 30 below at 11:00 if there was no order over $25M premium in ' +
        'the last 30 minutes and net gamma is above $400M, take profit at 50%, exit at 15:00',
    ),
  )
  expect(axes.map(({ field, values }) => [field, values.length, values.includes('off')])).toEqual([
    ['core.width', 3, false],
    ['core.strike.offset', 5, false],
    ['core.entry.at', 5, false],
    ['core.exit.0.at', 5, true],
    ['core.exit.1.profit_pct', 6, true],
    ['when.0.premium_musd_min', 6, true],
    ['when.0.since_min', 5, false],
    ['when.1.v', 6, true],
  ])
})

test('a second trade brings its axes, and contracts are none', () => {
  const spec = rule(
    'At 10:30 buy the straddle when net gamma is below -$200M and sell it when positive',
  )
  expect(listAxes(spec).map(({ field }) => field)).toEqual([
    'core.entry.at',
    'when.0.v',
    'more.0.core.entry.at',
    'more.0.when.0.v',
  ])
  const many = rule('Sell 10 contracts of the straddle at 10:30')
  expect(listAxes(many).map(({ field }) => field)).toEqual(['core.entry.at'])
  expect(buildVariants(many).variants.map(({ spec: { core } }) => core.entry)).toEqual([
    ...['10:00', '10:30', '11:00', '11:30'].map(at => ({ at })),
  ])
})

test('a small rule has its whole grid, a large one its lines and planes, the last axes cut', () => {
  const small = buildVariants(rule('Sell the 10-wide put spread 30 below at 11:00'))
  expect([small.isFullGrid, small.variants.length, small.impossible]).toEqual([true, 75, 0])
  const large = buildVariants(
    rule(
      'Sell the 20-wide put spread 30 below at 12:00 if net gamma is above $400M, exit at 15:00',
    ),
  )
  expect(large.isFullGrid).toBe(false)
  expect(large.axes.map(({ values }) => values.length)).toEqual([5, 5, 5, 5, 6])
  // one, lines of 4, 4, 4, 4 and 5, planes of 16 and 20
  expect(large.variants.length).toBe(1 + 21 + 6 * 16 + 4 * 20)
})

test('what does not fit together is no variant, and is counted', () => {
  const { variants, impossible, axes } = buildVariants(
    rule('Sell the straddle at 11:00, exit at 12:00'),
  )
  const times = variants.map(({ valueIndexes }) =>
    valueIndexes.map((at, axis) => axes[axis]!.values[at]!),
  )
  expect(times.every(([entry, exit]) => exit! > entry!)).toBe(true)
  // entries 10:00 to 12:00, exits 11:00 to 12:30 and off
  expect(impossible).toBe(5 * axes[1]!.values.length - times.length)
  expect(impossible).toBeGreaterThan(0)
  expect(times).toContainEqual(['11:30', 'off'])
})

const EVERY = 10 / runs(10, 1)

describe(`of every rule of the corpus, one in ${EVERY}`, () => {
  const all = RULES.filter((_, index) => index % EVERY === 0).map(spec => ({
    spec,
    ...buildVariants(spec),
  }))

  test('the variants are at most 500, in order, each a rule, the own one once', () => {
    expect(RULES.length).toBeGreaterThan(60)
    for (const { spec, variants, axes } of all) {
      expect(variants.length).toBeGreaterThan(0)
      expect(variants.length).toBeLessThanOrEqual(VARIANTS_MAX)
      const own = variants.filter(({ valueIndexes }) =>
        valueIndexes.every((at, i) => at === axes[i]!.own),
      )
      expect(own.map(one => canonicalJson(one.spec))).toEqual([canonicalJson(spec)])
      const keys = variants.map(({ valueIndexes }) =>
        valueIndexes.map(at => String(at).padStart(2)).join(),
      )
      expect(keys).toEqual([...new Set(keys)].sort())
      expect(variants.every(one => checkSpec(one.spec).errors === null)).toBe(true)
    }
  })

  test('no two variants are the same rule', () => {
    const doubled = all.filter(({ variants }) => {
      const hashes = variants.map(({ spec }) => ruleHash(spec))
      return new Set(hashes).size !== hashes.length
    })
    expect(doubled).toEqual([])
  })

  test('changes of one number are all there, unless they are no rule', () => {
    for (const { variants, axes, impossible } of all) {
      const own = axes.map(axis => axis.own)
      const known = new Set(variants.map(({ valueIndexes }) => valueIndexes.join()))
      const lines = axes.flatMap(({ values }, axis) =>
        [...values.keys()].map(at => own.with(axis, at).join()),
      )
      const missing = new Set(lines.filter(indexes => !known.has(indexes)))
      expect(missing.size).toBeLessThanOrEqual(impossible)
    }
  })
})
