import { afterAll, expect, test } from 'vitest'
import { measureSides } from '../../pipelines/accuracySides.ts'
import { buildFold } from '../../pipelines/fold.ts'
import type { QuoteDelay } from '../../pipelines/simulate/options.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { loadTruth } from '../../pipelines/truth.ts'
import { openDatabase } from '../../src/store/duck.ts'
import { simulateSmall } from '../support/simulated.ts'

const removals: (() => void)[] = []
afterAll(() => {
  for (const remove of removals) remove()
})

/** The sides of a small simulated tape, and how many orders gave which reason. */
async function sidesOf(quoteDelay: QuoteDelay) {
  const { folder, remove } = await simulateSmall({ quoteDelay, seed: 21 })
  const db = await openDatabase({ threads: 2 })
  removals.push(remove, db.close)
  await loadTruth(db, folder, DEFAULT_OPTIONS.date)
  await buildFold(db)
  await db.build('accuracy/exact_legs')
  return { db, sides: await measureSides(db) }
}

test('on an honest tape most sides are told, and most of those are right', async () => {
  const { sides } = await sidesOf('none')
  expect(sides.largest_gap).toBeLessThan(0.08)
  for (const rate of sides.rates.filter(({ bucket }) => bucket === 'all')) {
    expect(rate.decided_share).toBeGreaterThan(0.6)
    expect(rate.hit_share).toBeGreaterThan(0.75)
  }
})

test('quotes of 15 minutes ago tell no side, whether they say their age or hide it', async () => {
  const stated = await sidesOf('stated')
  expect(stated.sides.rates.map(rate => rate.decided_share)).toEqual([0, 0, 0, 0])
  expect(stated.sides.rates.map(rate => rate.hit_share)).toEqual([null, null, null, null])
  const { db } = await sidesOf('unstated')
  // the first orders of the day are read before three of them have missed their quotes
  const [told] = await db.rows(
    'select count(*) as orders from accuracy.side_orders where sign <> 0',
  )
  expect(told!.orders).toBeLessThanOrEqual(3)
})
