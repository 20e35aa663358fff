import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import { LEG_NAMES, LEGS_OF_KIND, POSITION_KINDS } from '../../src/positions/kinds.ts'
import { complete, findRefusal } from '../support/position.ts'
import { runs } from '../support/runs.ts'

/** A kind and its legs, mostly rising; sometimes one too few or too many. */
const strikesOfKind = fc
  .tuple(
    fc.constantFrom(...POSITION_KINDS),
    fc.array(fc.integer({ min: 1150, max: 1250 }), { minLength: 4, maxLength: 4 }),
    fc.option(fc.constantFrom(...LEG_NAMES), { freq: 3 }),
  )
  .map(([kind, steps, other]) => {
    const rising = steps.sort((a, b) => a - b).map(step => step * 5)
    const names = LEG_NAMES.filter(name => LEGS_OF_KIND[kind].includes(name) !== (name === other))
    return { kind, legs: Object.fromEntries(names.map((name, index) => [name, rising[index]])) }
  })

test('any position input is completed or refused in one sentence', () => {
  const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
  const input = fc.record({
    entry: fc.constantFrom('09:30', '09:31', '12:59', '13:00', '15:59', 'x'),
    conditions: maybe(
      fc.array(
        fc.record({
          id: fc.constantFrom(...CONDITIONS.map(({ id }) => id)),
          on: fc.option(fc.boolean()),
          threshold: fc.option(fc.integer({ min: 0, max: 60 })),
        }),
        { maxLength: 6 },
      ),
    ),
    label: maybe(fc.record({ caution: fc.nat(9), skip: fc.nat(16) })),
    session: maybe(fc.constantFrom('2026-10-14', '2026-11-27', '2026-11-28')),
  })
  let taken = 0
  fc.assert(
    fc.property(strikesOfKind, input, (strikes, position) => {
      const sent = JSON.parse(JSON.stringify({ ...strikes, ...position }))
      const refusal = findRefusal(sent)
      if (refusal !== 'taken') {
        expect(refusal).toMatch(/^invalid: position\.[^\n]+\.$/)
        return
      }
      taken++
      const made = complete(sent)
      const { id: _, ...copy } = made
      expect(complete(copy)).toEqual(made)
      const on = made.conditions.filter(condition => condition.on).length
      expect(1 <= made.label.caution && made.label.caution <= made.label.skip).toBe(true)
      expect(made.label.skip).toBeLessThanOrEqual(on)
      const rising = Object.values(made.legs) as number[]
      expect(rising).toEqual([...new Set(rising)].sort((a, b) => a - b))
    }),
    { numRuns: runs(3000), seed: 20261014 },
  )
  expect(taken).toBeGreaterThan(runs(50))
})
