import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fitSides } from '../../../pipelines/measure/sideFit.ts'

const sample = (evidence: string, index: number, orders: number, right_orders: number) => ({
  evidence,
  place: index,
  orders,
  right_orders,
})

const probability = (rows: ReturnType<typeof fitSides>, evidence: string, index: number) =>
  rows.find(row => row.evidence === evidence && row.place === index)!.probability

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
  expect(as('size as shown')).toBe(0.01)
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

test('no side is called surer than 0.99, however many orders went one way', () => {
  const never = 'single: wider: size as shown: one print: small'
  const always = 'single: wider: size below shown: one print: small'
  const rows = fitSides([
    sample(never, 20, 10_000_000, 0),
    sample(always, 20, 10_000_000, 10_000_000),
  ])
  expect(probability(rows, never, 20)).toBe(0.01)
  expect(probability(rows, always, 20)).toBe(0.99)
})

test('the calibration in use keeps to the same bounds', () => {
  const file = new URL('../../../data/reference/side_calibration.csv', import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
  const stated = lines.map(line => Number(line.split(',').at(-2)))
  expect(Math.min(...stated)).toBe(0.01)
  expect(Math.max(...stated)).toBe(0.99)
})
