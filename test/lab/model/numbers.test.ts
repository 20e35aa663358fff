// Numbers of a rule that the text lacks, however the text names its own.

import { expect, test } from 'vitest'
import type { RuleSpec } from '../../../src/lab/language/spec.ts'
import { findForeignNumbers } from '../../../src/lab/model/proposal.ts'
import { MADE_RULE } from '../../support/labLedger.ts'

const rule = (core: object, more: Partial<RuleSpec> = {}): RuleSpec => ({
  ...MADE_RULE,
  when: [],
  ...more,
  core: { ...MADE_RULE.core, ...core } as RuleSpec['core'],
})
const TEXT = 'flog a 10 wide put spread 30 under the price at ten'

test.each([
  [TEXT, rule({}), []],
  ['flog a ten wide put spread thirty under at 10am', rule({}), []],
  [TEXT, rule({ width: 15 }), ['15']],
  [TEXT, rule({ entry: { at: '10:30' } }), ['10:30']],
  [`${TEXT} 2 lots`, rule({ qty: 2 }), []],
  [TEXT, rule({ qty: 2 }), ['2']],
  [TEXT, rule({ exit: [{ profit_pct: 50 }] }), ['50']],
  [`${TEXT}, half off`, rule({ exit: [{ profit_pct: 50 }] }), []],
  [`${TEXT}, out at quarter to four`, rule({ exit: [{ at: '15:45' }] }), []],
  [`${TEXT}, out 2pm`, rule({ exit: [{ at: '14:00' }] }), []],
  [`${TEXT}, out at noon`, rule({ exit: [{ at: '12:00' }] }), []],
  [`${TEXT}, stop when I lose 2x credit`, rule({ exit: [{ stop_x_credit: 3 }] }), []],
  ['16 delta, 10 wide, 10:00', rule({ strike: { ref: 'delta', value: 0.16 } }), []],
  ['20 delta, 10 wide, 10:00', rule({ strike: { ref: 'delta', value: 0.16 } }), ['0.16']],
] as const)('%s', (text, spec, foreign) => {
  expect(findForeignNumbers(spec, text, null)).toEqual(foreign)
})

test('numbers of the rule that is changed are known; a premium may be in millions', () => {
  expect(findForeignNumbers(rule({ width: 15 }), 'make it 15', rule({}))).toEqual([])
  expect(findForeignNumbers(rule({ width: 20 }), 'make it 15', rule({}))).toEqual(['20'])
  const order = (premium_musd_min: number) =>
    rule(
      { entry: { window: ['09:31', '15:30'], on: 'order' } },
      { when: [{ f: 'order', premium_musd_min }] },
    )
  const text = `${TEXT} after an order of $25,000,000`
  expect(findForeignNumbers(order(25), text, null)).toEqual([])
  expect(findForeignNumbers(order(20), text, null)).toEqual(['20'])
})
