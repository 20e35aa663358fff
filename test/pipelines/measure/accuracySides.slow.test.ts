import { afterAll, expect, test } from 'vitest'
import { buildFold } from '../../../pipelines/build/fold.ts'
import {
  errorsOff,
  farthestDecile,
  measureSides,
  poolSides,
  type SideAccuracy,
} from '../../../pipelines/measure/accuracySides.ts'
import { loadTruth } from '../../../pipelines/measure/loadTruth.ts'
import type { QuoteDelay } from '../../../pipelines/simulate/options.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { simulateSmall } from '../../support/simulated.ts'

const removals: (() => void)[] = []
afterAll(() => {
  for (const remove of removals) remove()
})

/** The sides of a small simulated tape, and how many orders gave which reason. */
async function listSides(quoteDelay: QuoteDelay) {
  const { folder, remove } = await simulateSmall({ quoteDelay, seed: 21 })
  const db = await openDatabase({ threads: 2 })
  removals.push(remove, db.close)
  await loadTruth(db, folder, DEFAULT_OPTIONS.date)
  await buildFold(db)
  await db.build('measure/exact_legs')
  return { db, sides: await measureSides(db) }
}

test('on an honest tape most sides are reported, and most of those are right', async () => {
  const { sides } = await listSides('none')
  expect(sides.largest_gap).toBeLessThan(0.08)
  for (const rate of sides.rates.filter(({ bucket }) => bucket === 'all')) {
    expect(rate.decided_share).toBeGreaterThan(0.6)
    expect(rate.hit_share).toBeGreaterThan(0.75)
  }
})

test('quotes of 15 minutes ago tell no side, whether they say their age or hide it', async () => {
  const stated = await listSides('stated')
  expect(stated.sides.rates.map(rate => rate.decided_share)).toEqual([0, 0, 0, 0])
  expect(stated.sides.rates.map(rate => rate.hit_share)).toEqual([null, null, null, null])
  const { db } = await listSides('unstated')
  // the first orders of the day are read before three of them have missed their quotes
  const [reported] = await db.rows(
    'select count(*) as orders from measure.side_orders where sign <> 0',
  )
  expect(reported!.orders).toBeLessThanOrEqual(3)
})

const decile = (orders: number, stated: number, observed: number, number = 3) => ({
  is_package: true,
  bucket: '50+' as const,
  decile: number,
  orders,
  stated_share: stated,
  observed_share: observed,
})
const rate = (orders: number, decided: number, hit: number | null) => ({
  is_package: true,
  bucket: 'all' as const,
  orders,
  decided_share: decided,
  hit_share: hit,
})

test('sides of several tapes are pooled by their orders', () => {
  const one: SideAccuracy = {
    deciles: [decile(100, 0.34, 0.44), decile(400, 0.55, 0.5, 5)],
    rates: [rate(100, 0.5, 0.9), rate(100, 0, null)],
    largest_gap: null,
    leg_deciles: [decile(100, 0.2, 0.3)],
  }
  const other: SideAccuracy = {
    deciles: [decile(450, 0.25, 0.3, 2), decile(500, 0.34, 0.32)],
    rates: [rate(300, 0.9, 0.8)],
    largest_gap: 0.02,
    leg_deciles: [decile(300, 0.2, 0.1)],
  }
  const { deciles, rates, largest_gap, leg_deciles } = poolSides([one, other])
  expect(deciles.map(row => [row.decile, row.orders])).toEqual([
    [2, 450],
    [3, 600],
    [5, 400],
  ])
  expect(deciles[1]!.stated_share).toBeCloseTo(0.34, 12)
  expect(deciles[1]!.observed_share).toBeCloseTo(0.34, 12)
  // a figure without a decile of 500 orders is null
  expect(largest_gap).toBeCloseTo(0, 12)
  expect(leg_deciles).toHaveLength(1)
  expect(leg_deciles[0]).toMatchObject({ orders: 400 })
  expect(leg_deciles[0]!.observed_share).toBeCloseTo(0.15, 12)
  expect(rates).toHaveLength(1)
  expect(rates[0]!.orders).toBe(500)
  expect(rates[0]!.decided_share).toBeCloseTo(320 / 500, 12)
  expect(rates[0]!.hit_share).toBeCloseTo((50 * 0.9 + 270 * 0.8) / 320, 12)
  const none = { deciles: [], rates: [rate(9, 0, null)], largest_gap: null, leg_deciles: [] }
  expect(poolSides([none])).toEqual(none)
})

test('the farthest decile is one of enough orders, and given in standard errors', () => {
  const deciles = [decile(499, 0.5, 0.9), decile(900, 0.5, 0.48), decile(900, 0.5, 0.55)]
  const farthest = farthestDecile(deciles)!
  expect(farthest).toBe(deciles[2])
  // one standard error of 900 orders of one half is a sixtieth
  expect(errorsOff(farthest)).toBeCloseTo(3, 12)
  expect(farthestDecile(deciles.slice(0, 1))).toBeNull()
})
