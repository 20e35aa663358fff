import { beforeAll, describe, expect, test } from 'vitest'
import { anyIdea } from '../../../pipelines/measure/labIdeas.ts'
import {
  type LabFinding,
  runNullTrials,
  runPowerTrials,
} from '../../../pipelines/measure/labTrials.ts'
import { nullText, powerText, uniformity } from '../../../pipelines/measure/labTruth.ts'
import { createRandom } from '../../../pipelines/simulate/random.ts'
import { reply } from '../../../src/lab/language/dialog.ts'
import { canonicalSpec } from '../../../src/lab/language/spec.ts'

describe('ideas', () => {
  const random = createRandom(1, 'ideas')
  const ideas = Array.from({ length: 300 }, () => anyIdea(random, 1))

  test('each is a sentence that compiles to its rule, with a condition', () => {
    for (const { say, spec } of ideas) {
      expect(reply(say, null)).toMatchObject({ kind: 'spec', spec })
      expect(canonicalSpec(spec)).toEqual(spec)
      expect(spec.when.length).toBeGreaterThan(0)
      expect(spec.core.dte).toBeLessThanOrEqual(1)
    }
  })

  test('they have every action, structure, kind of entry and condition', () => {
    const kinds = new Set(
      ideas.flatMap(({ spec: { core, when } }) => [
        core.action,
        core.structure,
        core.strike.ref,
        `dte ${core.dte}`,
        ...('at' in core.entry ? ['at'] : 'every_min' in core.entry ? ['every'] : []),
        ...('on' in core.entry ? [core.entry.on] : 'window' in core.entry ? ['window'] : []),
        ...when.map(({ f }) => f),
      ]),
    )
    expect([...kinds].sort()).toEqual(
      [
        'sell',
        'buy',
        'dte 0',
        'dte 1',
        'at',
        'every',
        'order',
        'cross',
        'window',
        'put_spread',
        'call_spread',
        'iron_condor',
        'iron_butterfly',
        'strangle',
        'straddle',
        'spot',
        'em',
        'delta',
        'put_wall',
        'call_wall',
        'cross_flip',
        'net_gamma',
        'abs_gap',
        'spot_minus_flip',
        'spot_minus_put_wall',
        'call_wall_minus_spot',
        'move_from_open',
        'abs_move_from_open',
        'atm_iv_change',
      ].sort(),
    )
  })
})

describe('where no rule earns anything', () => {
  const options = { seed: 11, ideas: 24, ideasAMarket: 12, holdouts: [60, 120], furthestDte: 0 }
  let findings: LabFinding[]
  beforeAll(() => {
    findings = runNullTrials(options)
  })

  test('of 24 ideas one at most is interesting', () => {
    expect(findings.length).toBe(24)
    expect(findings.filter(({ isInteresting }) => isInteresting).length).toBeLessThanOrEqual(1)
  })

  test('their placebo p is as uniform as luck is', () => {
    const known = findings.flatMap(({ p }) => p ?? [])
    expect(known.length).toBeGreaterThan(15)
    expect(uniformity(known).distance).toBeLessThan(uniformity(known).limit)
  })

  test('the lines count what was found', () => {
    const [first, interesting] = nullText(findings).split('\n')
    expect(first).toBe('24 ideas, made of the grammar, where no rule earns anything but by luck:')
    const count = findings.filter(({ isInteresting }) => isInteresting).length
    expect(interesting).toMatch(new RegExp(` ${count} \\(.*, at most 2.5 %: (met|NOT MET)$`))
  })
})

describe('where half a deviation is planted', () => {
  test('a rule that knows it is interesting on four of five histories', () => {
    const findings = runPowerTrials({ seed: 21, histories: 5, plantedSd: 0.5, holdout: 200 })
    expect(findings.map(({ holdout }) => holdout)).toEqual([200, 200, 200, 200, 200])
    const seen = findings.filter(({ isInteresting }) => isInteresting).length
    expect(seen).toBeGreaterThanOrEqual(4)
    expect(powerText(findings, 0.5)).toContain(`at least 80.0 %: met`)
  })
})

test('uniform values are near, values at one end are far', () => {
  const even = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100)
  expect(uniformity(even).distance).toBeCloseTo(0.005, 9)
  expect(uniformity(even.map(p => p ** 2)).distance).toBeCloseTo(0.255, 2)
  expect(uniformity(even).limit).toBeCloseTo(0.1358, 9)
})
