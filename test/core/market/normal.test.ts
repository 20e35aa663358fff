import { expect, test } from 'vitest'
import { normalCdf, normalQuantile } from '../../../src/core/market/normal.ts'

test.each([
  // of scipy.stats.norm
  [0, 0.5],
  [1, 0.8413447460685429],
  [-1.959963984540054, 0.025],
  [3, 0.9986501019683699],
  [-6, 9.865876450376946e-10],
])('below %f lies %f, and back', (x, p) => {
  expect(Math.abs(normalCdf(x) - p)).toBeLessThan(1e-15)
  expect(Math.abs(normalQuantile(p) - x)).toBeLessThan(1e-9)
})

test('a quantile of the far tail keeps its digits', () => {
  expect(normalQuantile(1e-20)).toBeCloseTo(-9.262340089798, 8)
  expect(normalQuantile(1 - 1e-9)).toBeCloseTo(5.9978070196, 7)
})
