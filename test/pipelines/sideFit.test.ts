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
    sample('package', 20, 10_000_000, 8_000_000),
    sample('package floor', 20, 30, 30),
  ])
  expect(probability(rows, 'package', 20)).toBeCloseTo(0.8, 3)
  expect(probability(rows, 'package floor', 20)).toBeCloseTo(0.9, 2)
  expect(probability(rows, 'package against singles', 20)).toBeCloseTo(0.8, 3)
})

test('along the quote probabilities never fall', () => {
  const rows = fitSides([
    sample('package', 6, 1_000_000, 800_000),
    sample('package', 8, 1_000_000, 700_000),
  ])
  expect(probability(rows, 'package', 6)).toBeCloseTo(0.75, 3)
  expect(probability(rows, 'package', 8)).toBeCloseTo(0.75, 3)
})

test('where no size is shown, orders of all sizes shown are what is known', () => {
  const rows = fitSides([
    sample('single: wider: size as shown: one print: small', 20, 100_000, 0),
    sample('single: wider: size below shown: one print: small', 20, 900_000, 800_000),
  ])
  const as = (shown: string) => probability(rows, `single: wider: ${shown}: one print: small`, 20)
  expect(as('size as shown')).toBeLessThan(0.01)
  expect(as('size not shown')).toBeCloseTo(0.8, 3)
})

test('an order of a size never seen is like those of other sizes, then of other kinds', () => {
  const rows = fitSides([
    sample('single: wider: size above shown: one print: small', 20, 1_000_000, 10_000),
    sample('single auction: wider: size above shown: one print: small', 20, 1_000, 900),
  ])
  const of = (kind: string) =>
    probability(rows, `single${kind}: wider: size above shown: one print: large`, 20)
  expect(of('')).toBeCloseTo(0.01, 3)
  expect(of(' auction')).toBeCloseTo(0.87, 2)
  expect(of(' floor')).toBeCloseTo(0.011, 3)
})

test('evidence that the calibration does not know is refused by name', () => {
  expect(() => fitSides([sample('package by post', 5, 1, 1)])).toThrow('package by post')
})
