import { expect, test } from 'vitest'
import { readVectors } from './shared.ts'
import { structureName } from './structureNames.ts'

type Case = {
  readonly kind: string
  readonly flags: readonly string[]
  readonly canonical: readonly { exp: string; cp: string; k: number; ratio: number }[]
}

test('the independent names agree with every published leg set', () => {
  const cases = (readVectors('structures').cases as Case[]).filter(one => one.kind !== 'flat')
  const wrong = cases.filter(({ kind, flags, canonical }) => {
    const legs = canonical.map(({ exp, cp, k, ratio }) => ({
      expiry: exp,
      type: cp,
      strike: k,
      quantity: ratio,
    }))
    const { name, hasCombo } = structureName(legs)
    return name !== kind || hasCombo !== flags.includes('hedged_with_combo')
  })
  expect(wrong).toEqual([])
  expect(cases.length).toBeGreaterThan(30)
})
