// Compares chances and the luck of many trials with a second form, over their whole domain.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalCdf, normalQuantile } from '../../../src/core/market/normal.ts'
import { studentP } from '../../../src/core/market/student.ts'
import {
  computeShape,
  deflatedSharpe,
  luckySharpe,
} from '../../../src/lab/optimize/deflatedSharpe.ts'
import { runs } from '../../support/runs.ts'
import { expectAlike } from './alike.ts'
import { luckySharpe as otherLucky, findShape as otherShape, sharpeChance } from './deflated.ts'
import { normalShare, normalQuantile as otherQuantile } from './normal.ts'
import { twoSided } from './studentT.ts'

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true })

test('p of Student is that of its finite sums, for 1 to 1,000 degrees of freedom', () => {
  fc.assert(
    fc.property(
      fc.oneof(real(-12, 12), real(-1e-5, 1e-5)),
      fc.integer({ min: 1, max: 1_000 }),
      (t, dof) => {
        expect(Math.abs(studentP(t, dof) - twoSided(t, dof))).toBeLessThan(1e-10)
      },
    ),
    { numRuns: runs(2_000) },
  )
})

test('the normal distribution and its quantiles are those of series and fractions', () => {
  fc.assert(
    fc.property(real(-9, 9), real(1e-7, 1 - 1e-7), (z, share) => {
      expect(Math.abs(normalCdf(z) - normalShare(z))).toBeLessThan(1e-14)
      expect(Math.abs(normalQuantile(share) - otherQuantile(share))).toBeLessThan(1e-8)
    }),
    { numRuns: runs(500) },
  )
})

test('the luck of a million trials, and what it leaves of a ratio, are those of the paper', () => {
  const result = fc.integer({ min: -100, max: 60 }).map(value => value / 100)
  fc.assert(
    fc.property(
      fc.array(result, { minLength: 3, maxLength: 60 }).filter(r => new Set(r).size > 1),
      fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 1e6 })),
      real(1e-4, 0.2),
      real(30, 500),
      (r, trials, variance, count) => {
        const [shape, other] = [computeShape(r)!, otherShape(r)]
        expectAlike(shape, other)
        const [lucky, due] = [luckySharpe(trials, variance), otherLucky(variance, trials)]
        expectAlike(lucky, due)
        const found = deflatedSharpe(shape, count, lucky)
        if (found !== null) expectAlike(found, sharpeChance(other, count, due))
      },
    ),
    { numRuns: runs(400) },
  )
})
