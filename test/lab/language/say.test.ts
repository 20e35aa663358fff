import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSpec } from '../../../src/lab/language/checkSpec.ts'
import { reply } from '../../../src/lab/language/dialog.ts'
import { sayRule } from '../../../src/lab/language/say.ts'
import { canonicalJson, canonicalSpec, ruleHash } from '../../../src/lab/language/spec.ts'
import { anyRule, anyTwoLegs } from '../../support/anyRule.ts'
import { runs } from '../../support/runs.ts'

/** Of random rules those that fit together, in their one form. */
const fitting = (rules: typeof anyRule) =>
  rules.map(rule => checkSpec(rule).spec).filter(spec => spec !== null)

test(`${runs(300)} random rules each come back the same when stated and read again`, () => {
  fc.assert(
    fc.property(fitting(anyRule), spec => {
      expect(reply(sayRule(spec), null)).toMatchObject({ kind: 'spec', spec })
    }),
    { numRuns: runs(300) },
  )
})

test(`so is each of ${runs(100)} random rules of two legs`, () => {
  fc.assert(
    fc.property(fitting(anyTwoLegs), spec => {
      expect(reply(sayRule(spec), null)).toMatchObject({ kind: 'spec', spec })
    }),
    { numRuns: runs(100) },
  )
})

test('a rule with two exits of one kind is refused, wherever it comes from', () => {
  const response = reply('sell the 16 delta strangle at 10, exit at 12:00', null)
  if (response.kind !== 'spec') throw new Error(response.say)
  const { core } = response.spec
  const twice = (exit: typeof core.exit) => ({ ...response.spec, core: { ...core, exit } })
  expect(checkSpec(twice([{ at: '12:00' }, { at: '13:00' }])).errors).toEqual([
    'two exits of the kind at; give one',
  ])
  expect(checkSpec(twice([{ profit_pct: 50 }, { profit_pct: 60 }])).errors).toEqual([
    'two exits of the kind profit_pct; give one',
  ])
  expect(checkSpec(twice([{ at: '12:00' }, { profit_pct: 60 }])).errors).toBeNull()
})

test('a rule has one hash, whatever the order of its keys, conditions and exits', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, inner]) => [key, shuffled(inner)] as const)
        .reverse(),
    )
  }
  fc.assert(
    fc.property(fitting(anyRule), spec => {
      const other = shuffled({
        ...spec,
        when: spec.when.toReversed(),
        core: { ...spec.core, exit: spec.core.exit.toReversed() },
      }) as typeof spec
      expect(ruleHash(other)).toBe(ruleHash(spec))
      expect(canonicalJson(canonicalSpec(other))).toBe(canonicalJson(spec))
    }),
    { numRuns: runs(300) },
  )
})
