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
    sample('single: wider: size below shown: one print: small', 20, 1_000_000, 10_000),
    sample('single auction: wider: size below shown: one print: small', 20, 1_000, 900),
  ])
  const of = (kind: string) =>
    probability(rows, `single${kind}: wider: size below shown: one print: large`, 20)
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

test('an order larger than the size shown reads as one below it, whatever went the other way', () => {
  const at = (shown: string) => `single: wider: ${shown}: one print: large`
  const rows = fitSides([
    sample(at('size below shown'), 20, 100_000, 90_000),
    sample(at('size above shown'), 20, 100_000, 100),
  ])
  expect(probability(rows, at('size below shown'), 20)).toBeCloseTo(0.9, 2)
  expect(probability(rows, at('size above shown'), 20)).toBeCloseTo(0.9, 2)
})

test('inside the quote no side is called surer than 0.85', () => {
  const rows = fitSides([
    sample('package', 18, 1_000_000, 990_000),
    sample('single: one tick', 9, 1_000_000, 10_000),
  ])
  expect(probability(rows, 'package', 18)).toBe(0.85)
  expect(probability(rows, 'single: one tick', 9)).toBe(0.15)
})

test('the calibration in use keeps to the same bounds', () => {
  const file = new URL('../../../data/reference/side_calibration.csv', import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
  const rows = lines.map(line => {
    const [evidence, place, stated] = line.split(',')
    return { evidence: evidence!, place: Number(place), stated: Number(stated) }
  })
  const range = (isInside: boolean) => {
    const stated = rows.filter(({ place }) => place < 20 === isInside).map(row => row.stated)
    return [Math.min(...stated), Math.max(...stated)]
  }
  expect(range(false)).toEqual([0.01, 0.99])
  expect(range(true)[1]).toBe(0.85)
  const byEvidence = new Map(rows.map(row => [row.evidence, row.stated]))
  const above = rows.filter(({ evidence }) => evidence.includes('above shown'))
  expect(above).toHaveLength(96)
  for (const { evidence, stated } of above) {
    expect(byEvidence.get(evidence.replace('above', 'below'))).toBe(stated)
  }
})
