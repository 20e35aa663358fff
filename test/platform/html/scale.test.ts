// Where things stand in pictures.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gammaText, numberText, pointsText } from '../../../src/platform/html/figures.ts'
import {
  bandPath,
  computeRange,
  computeTicks,
  createScale,
  findRuns,
  linePath,
  percent,
  stepPath,
} from '../../../src/platform/html/scale.ts'

const MINUTES = ['09:31', '09:32', '09:33', '09:34', '09:35']
const scale = createScale(MINUTES, 0, 100)
const cents = (min: number, max: number) =>
  fc.integer({ min: 100 * min, max: 100 * max }).map(value => value / 100)

test('a line breaks where a value is not known, and begins again behind it', () => {
  expect(linePath([100, 50, null, 0, null], scale)).toBe('M0 0L250 500M750 1000')
  expect(linePath([null, null], scale)).toBe('')
})

test('a step stays until it changes', () => {
  expect(stepPath([50, 50, 100, 100, 100], scale)).toBe('M0 500H500V0H1000V0')
  expect(stepPath([50, 50, null, 100, null], scale)).toBe('M0 500H250M750 0H750')
})

test('a band stands where both of its lines are known', () => {
  expect(bandPath([0, 0, null, 50, 0], [100, 100, 100, 100, null], scale)).toBe(
    'M0 0L250 0L250 1000L0 1000ZM750 0L750 500Z',
  )
})

test('a range holds all that is known, with air, and is none of nothing', () => {
  expect(computeRange([[null], []])).toBeNull()
  expect(computeRange([[5900, null], [6000]])).toEqual({ low: 5896, high: 6004 })
  expect(computeRange([[5900]])).toEqual({ low: 5898, high: 5902 })
})

test('ticks are round, rise, lie inside, and are at most nine', () => {
  const bounds = fc.tuple(cents(0, 9000), cents(1, 5000))
  fc.assert(
    fc.property(bounds, ([low, span]) => {
      const ticks = computeTicks(low, low + span)
      expect(ticks.length).toBeLessThanOrEqual(9)
      expect(ticks.every(tick => tick >= low && tick <= low + span)).toBe(true)
      const steps = new Set(ticks.slice(1).map((tick, index) => tick - ticks[index]!))
      expect(steps.size).toBeLessThanOrEqual(1)
    }),
  )
})

test('runs are what a second way finds', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), list => {
      const text = list.map(isOn => (isOn ? '1' : '0')).join('')
      const found = [...text.matchAll(/1+/g)].map(({ index, 0: run }) => {
        return { from: index, to: index + run.length - 1 }
      })
      expect(findRuns(list)).toEqual(found)
    }),
  )
})

test('numbers have commas, a real minus, and a dash where they are not known', () => {
  expect([pointsText(5995.93), pointsText(null), pointsText(-0.5)]).toEqual([
    '5,995.93',
    '–',
    '−0.50',
  ])
  expect([gammaText(-0.00012), gammaText(0), gammaText(-857.412)]).toEqual([
    '−0.00012',
    '0.00',
    '−857.41',
  ])
  expect([numberText(1234567, 0), percent(125)]).toEqual(['1,234,567', '12.5%'])
})
