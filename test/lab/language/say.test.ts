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
