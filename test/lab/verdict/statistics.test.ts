// Statistics against a second form of each, on ledgers that nobody chose.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effectiveCount, testDifference, testMean } from '../../../src/lab/verdict/clustered.ts'
import { createDraws, hashSeed } from '../../../src/lab/verdict/draws.ts'
import { probLoss20, runsZ } from '../../../src/lab/verdict/era.ts'
import { computeEdges, countBins } from '../../../src/lab/verdict/histogram.ts'
import { computePlacebo } from '../../../src/lab/verdict/placebo.ts'
import { isResolved } from '../../../src/lab/verdict/sample.ts'
import { ledgerTrade } from '../../support/labLedger.ts'
import { randomNumbers, shuffled } from '../../support/random.ts'
import { clusteredT } from '../statistics/clusteredT.ts'
import { differenceT } from '../statistics/differenceT.ts'
import { effectiveCount as dueCount } from '../statistics/effectiveCount.ts'
import type { Result as Row } from '../statistics/plain.ts'
import { Splitmix } from '../statistics/splitmix.ts'

const near = (seen: number | null, due: number) =>
  expect(Math.abs(seen! - due)).toBeLessThan(1e-9 * Math.max(1, Math.abs(due)))
const result = fc.integer({ min: -100, max: 80 }).map(value => value / 100)
const row = fc.record({
  session: fc.integer({ min: 0, max: 11 }),
  r: result,
  isInRule: fc.boolean(),
})
const rows = fc.array(row, { minLength: 4, maxLength: 60 })
const isVaried = (some: readonly Row[]) =>
  new Set(some.map(one => one.session)).size > 2 && new Set(some.map(one => one.r)).size > 2

const findMean = (some: readonly Row[]) =>
  testMean(
    some.map(({ r }) => r),
    some.map(({ session }) => session),
  )
const findDifference = (some: readonly Row[]) =>
  testDifference(
    some.map(({ r }) => r),
    some.map(({ session }) => session),
    some.map(({ isInRule }) => isInRule),
  )

test('a mean, a difference and a count are those of their formulas, in any order', () => {
  let tested = 0
  fc.assert(
    fc.property(rows, fc.integer(), (some, seed) => {
      const rule = some.filter(({ isInRule }) => isInRule)
      if (!isVaried(some) || !isVaried(rule) || rule.length === some.length) return
      tested += 1
      const { t, value } = findMean(some)
      if (t !== null) near(t, clusteredT(some)!.t)
      const found = findDifference(some)
      const due = differenceT(some)!
      near(found.value, due.difference)
      if (found.t !== null) near(found.t, due.t)
      near(
        effectiveCount(
          some.map(({ r }) => r),
          some.map(({ session }) => session),
        ),
        dueCount(some)!,
      )
      // neither the order of trades nor the names of sessions, nor the unit of a result matter
      const other = shuffled(some, randomNumbers(seed)).map(one => ({
        ...one,
        session: 100 - one.session,
        r: 7 * one.r,
      }))
      near(findMean(other).value, 7 * value!)
      if (t !== null) near(findMean(other).t, t)
      if (found.t !== null) near(findDifference(other).t, found.t)
    }),
  )
  expect(tested).toBeGreaterThan(40)
})

test('results that do not differ, and one session, have no t', () => {
  const same = [0, 1, 2, 3].map(session => ({ session, r: 0.1, isInRule: session < 2 }))
  expect(findMean(same)).toMatchObject({ value: 0.1, error: 0, t: null, dof: 3, p: null })
  expect(findDifference(same).t).toBeNull()
  expect(findMean([{ session: 3, r: 1, isInRule: true }])).toMatchObject({ error: null, t: null })
  expect(findMean([])).toMatchObject({ value: null, t: null })
  const all = [0.1, 0.7, -0.3].map((r, session) => ({ session, r, isInRule: true }))
  expect(findDifference(all)).toMatchObject({ value: 0, t: null })
  expect(effectiveCount([1, 1, 1, 1], [0, 0, 1, 1])).toBe(2)
  expect(effectiveCount([1, 2], [5, 5])).toBeNull()
})

/** Every order of so many wins and losses, each once. */
function orders(wins: number, losses: number): boolean[][] {
  if (wins === 0 || losses === 0) return [Array(wins + losses).fill(wins > 0)]
  return [
    ...orders(wins - 1, losses).map(later => [true, ...later]),
    ...orders(wins, losses - 1).map(later => [false, ...later]),
  ]
}

test('runs have the mean and the deviation that all orders of the same results have', () => {
  for (const [wins, losses] of [
    ...([[1, 1], [2, 1], [3, 3], [5, 2], [4, 6]] as const), // biome-ignore format: pairs
  ]) {
    const all = orders(wins, losses)
    const counts = all.map(one => one.filter((win, at) => at === 0 || win !== one[at - 1]).length)
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    const spread = Math.sqrt(
      counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length,
    )
    all.forEach((one, at) => {
      const z = runsZ(one.map(win => (win ? 0.4 : -1)))
      if (spread === 0) expect(z).toBeNull()
      else near(z, (counts[at]! - mean) / spread)
    })
  }
})

test('a series of 20 loses as often as the binomial distribution says', () => {
  // wins of 1 and losses of 1 in 3 of 5 sessions: below zero with 9 wins or fewer of 20
  const choose = (k: number): number => (k === 0 ? 1 : (choose(k - 1) * (21 - k)) / k)
  const due = Array.from({ length: 10 }, (_, k) => choose(k) * 0.4 ** k * 0.6 ** (20 - k))
  const p = due.reduce((sum, one) => sum + one)
  const seen = probLoss20([[1], [-1], [-1], [1], [-1]], hashSeed('i_1'))
  expect(Math.abs(seen - p)).toBeLessThan(4 * Math.sqrt((p * (1 - p)) / 10_000))
  expect(probLoss20([[0.1, -0.1]], hashSeed('i_1'))).toBe(0)
  expect(probLoss20([[-1]], 1n)).toBe(1)
  // of a long session only the first 20 count
  expect(probLoss20([[...Array(20).fill(1), ...Array(500).fill(-1)]], 1n)).toBe(0)
})

test('draws are those of splitmix64 in numbers of 64 bits', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
      fc.integer({ min: 1, max: 2 ** 21 - 1 }),
      (seed, count) => {
        const [draws, due] = [createDraws(seed), new Splitmix(seed)]
        for (let index = 0; index < 8; index++) {
          expect(draws.unit()).toBe(due.share())
          expect(draws.index(count)).toBe(due.index(count))
        }
      },
    ),
  )
})

test('a bar finer than the arrangements has weeks shuffled, the same on every run', () => {
  const random = randomNumbers(5)
  const core = Array.from({ length: 60 }, (_, session) =>
    ledgerTrade({ session, r: random() - 0.5, isInRule: random() < 0.5 }),
  ).filter(isResolved)
  const sessions = core.map(({ session }) => session)
  const query = (threshold: number, seed = 3n) =>
    computePlacebo({ core, sessions, ownT: 1, threshold, seed })
  // 120 arrangements: 1 / 120 is fine enough for a bar of 1 / 120
  expect(query(1 / 120).shuffles).toBe(0)
  expect(query(1 / 121).shuffles).toBe(20 * 121)
  expect(query(1e-9).shuffles).toBe(20_000)
  expect(query(1 / 500)).toEqual(query(1 / 500))
  expect(query(1 / 500).p).not.toBe(query(1 / 500, 4n).p)
  expect(Math.abs(query(1 / 500).p! - query(1 / 120).p!)).toBeLessThan(0.1)
  expect(computePlacebo({ core, sessions, ownT: null, threshold: 1, seed: 1n })).toMatchObject({
    arrangements: 0,
    shuffles: 0,
    p: null,
    t: null,
    quantiles: [],
  })
})

test('bins hold every value once, between round edges', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -3, max: 40, noNaN: true }), { minLength: 1 }), some => {
      const edges = computeEdges(some)
      const counts = countBins(some, edges)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(some.length)
      expect(counts.length).toBeLessThanOrEqual(32)
      expect(edges.every((edge, at) => at === 0 || edge > edges[at - 1]!)).toBe(true)
      expect(edges[0]! <= Math.min(...some) + 1e-9).toBe(true)
      expect(edges.at(-1)! >= Math.max(...some) - 1e-9).toBe(true)
    }),
  )
  expect(computeEdges([])).toEqual([])
  expect([computeEdges([-1, 0.95]), countBins([-1, 0, 0.3, 0.3, 0.95], [-1, 0, 0.3, 1])]).toEqual([
    Array.from({ length: 21 }, (_, index) => Number((-1 + index / 10).toFixed(1))),
    [1, 1, 3],
  ])
})
