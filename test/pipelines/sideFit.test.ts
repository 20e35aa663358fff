import { expect, test } from 'vitest'
import { fitSides } from '../../pipelines/sideFit.ts'

const sample = (evidence: string, place: number, orders: number, right_orders: number) => ({
  evidence,
  place,
  orders,
  right_orders,
})

const probability = (rows: ReturnType<typeof fitSides>, evidence: string, place: number) =>
  rows.find(row => row.evidence === evidence && row.place === place)!.probability

test('without a sample every side is even', () => {
  const rows = fitSides([])
  expect(rows.length).toBeGreaterThan(150)
  expect(new Set(rows.map(row => row.probability))).toEqual(new Set([0.5]))
  expect(new Set(rows.map(row => `${row.evidence} ${row.place}`)).size).toBe(rows.length)
})

test('many orders speak for themselves, few lean on their family', () => {
  const rows = fitSides([
    sample('package', 10, 10_000_000, 8_000_000),
    sample('package floor', 10, 100, 100),
  ])
  expect(probability(rows, 'package', 10)).toBeCloseTo(0.8, 3)
  expect(probability(rows, 'package floor', 10)).toBeCloseTo(0.9, 2)
  expect(probability(rows, 'package against singles', 10)).toBeCloseTo(0.8, 3)
})

test('along the quote probabilities never fall', () => {
  const rows = fitSides([
    sample('package', 3, 1_000_000, 800_000),
    sample('package', 4, 1_000_000, 700_000),
  ])
  expect(probability(rows, 'package', 3)).toBeCloseTo(0.75, 3)
  expect(probability(rows, 'package', 4)).toBeCloseTo(0.75, 3)
})

test('where no size is shown, orders of all sizes shown are what is known', () => {
  const rows = fitSides([
    sample('single: wider: size as shown: one print', 10, 100_000, 0),
    sample('single: wider: size below shown: one print', 10, 900_000, 800_000),
  ])
  expect(probability(rows, 'single: wider: size as shown: one print', 10)).toBeLessThan(0.01)
  expect(probability(rows, 'single: wider: size not shown: one print', 10)).toBeCloseTo(0.8, 3)
})

test('evidence that the calibration does not know is refused by name', () => {
  expect(() => fitSides([sample('package by post', 5, 1, 1)])).toThrow('package by post')
})
