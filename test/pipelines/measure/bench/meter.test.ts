import { expect, test } from 'vitest'
import { median, percentile } from '../../../../pipelines/measure/bench/meter.ts'

test.each([
  [0.5, 50],
  [0.99, 99],
  [0.991, 100],
  [1, 100],
  [0.001, 1],
  // 0.07 * 100 is a hair above 7
  [0.07, 7],
])('the percentile %d of 1 to 100 is the value %d', (share, value) => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(values, share)).toBe(value)
})

test('the median is by value, not by text; of nothing there is none', () => {
  expect(median([10, 9, 100])).toBe(10)
  expect(median([])).toBeNaN()
})
