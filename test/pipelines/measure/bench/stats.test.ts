import { expect, test } from 'vitest'
import { median, percentile } from '../../../../pipelines/measure/bench/stats.ts'

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
  // by value, not by text
  [[10, 9, 100], 10],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle)
})

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

test('one slow response of 600 is not the 99th percentile, seven are', () => {
  const responses = (slow: number) => [
    ...new Array(600 - slow).fill(1),
    ...new Array(slow).fill(50),
  ]
  expect(percentile(responses(6), 0.99)).toBe(1)
  expect(percentile(responses(7), 0.99)).toBe(50)
})

test('of nothing there is no median and no percentile', () => {
  expect([median([]), percentile([], 0.99)]).toEqual([Number.NaN, Number.NaN])
})
