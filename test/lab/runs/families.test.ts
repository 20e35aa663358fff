// Rules whose looks at the holdout count together: their trades overlap by half.

import { expect, test } from 'vitest'
import type { RuleSpec, RuleStructure } from '../../../src/lab/language/spec.ts'
import { areRelated } from '../../../src/lab/runs/queryRuns.ts'
import { MADE_RULE } from '../../support/labLedger.ts'

const rule = (structure: RuleStructure, more: Partial<RuleSpec> = {}, core: object = {}) => {
  const { width, ...others } = MADE_RULE.core
  const isWide = structure !== 'straddle' && structure !== 'strangle'
  const own = { ...others, structure, ...(isWide ? { width: width! } : {}), ...core }
  return JSON.stringify({ ...MADE_RULE, core: own, ...more })
}

test.each([
  ['put_spread', 'put_spread', true],
  ['put_spread', 'iron_condor', true],
  ['call_spread', 'iron_butterfly', true],
  ['strangle', 'iron_condor', true],
  ['straddle', 'put_spread', true],
  ['put_spread', 'call_spread', false],
] as const)('%s and %s are of one family: %s', (one, other, isOne) => {
  expect(areRelated(rule(one), rule(other))).toBe(isOne)
  expect(areRelated(rule(other), rule(one))).toBe(isOne)
})

test('the other side of a trade, another expiry and other days are another family', () => {
  const condor = rule('iron_condor', { days: ['mon', 'tue'] })
  expect(areRelated(condor, rule('put_spread', {}, { action: 'buy' }))).toBe(false)
  expect(areRelated(condor, rule('put_spread', {}, { dte: 1 }))).toBe(false)
  expect(areRelated(condor, rule('put_spread', { days: ['wed', 'fri'] }))).toBe(false)
  // half of the days of the rule with fewer
  expect(areRelated(condor, rule('put_spread', { days: ['tue', 'wed'] }))).toBe(true)
  expect(areRelated(condor, rule('put_spread'))).toBe(true)
  // the same structure on other days is of one family in any case
  expect(areRelated(condor, rule('iron_condor', { days: ['fri'] }))).toBe(true)
})

test('each trade of a rule with two counts', () => {
  const { core } = JSON.parse(rule('call_spread')) as RuleSpec
  const two = rule('straddle', { more: [{ core, when: [] }] }, { action: 'buy' })
  expect(areRelated(two, rule('call_spread'))).toBe(true)
  expect(areRelated(two, rule('put_spread'))).toBe(false)
})
