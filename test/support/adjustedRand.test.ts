import { expect, test } from 'vitest'
import { adjustedRand } from './adjustedRand.ts'
import { readVectors } from './shared.ts'

type Case = {
  readonly name: string
  readonly truth: readonly number[]
  readonly pred: readonly number[]
  readonly ari: number
}

test.each<Case>(readVectors('fold_metrics').cases)('$name has index $ari', one => {
  expect(adjustedRand(one.truth, one.pred)).toBeCloseTo(one.ari, 11)
})

test('partitions that both put nothing together agree', () => {
  expect(adjustedRand([1, 2, 3], ['a', 'b', 'c'])).toBe(1)
  expect(adjustedRand([], [])).toBe(1)
})
