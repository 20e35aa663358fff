import { afterAll, expect, test } from 'vitest'
import { buildFold } from '../../../pipelines/build/fold.ts'
import { measureSides } from '../../../pipelines/measure/accuracyTapes.ts'
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
  return { db, rates: await measureSides(db) }
}

test('on an honest tape most sides are reported, and most of those are right', async () => {
  const { rates } = await listSides('none')
  for (const rate of rates.filter(({ bucket }) => bucket === 'all')) {
    expect(rate.decided_share).toBeGreaterThan(0.6)
    expect(rate.hit_share).toBeGreaterThan(0.75)
  }
})

test('quotes of 15 minutes ago tell no side, whether they say their age or hide it', async () => {
  const stated = await listSides('stated')
  expect(stated.rates.map(rate => rate.decided_share)).toEqual([0, 0, 0, 0])
  expect(stated.rates.map(rate => rate.hit_share)).toEqual([null, null, null, null])
  const { db } = await listSides('unstated')
  // the first orders of the day are read before three of them have missed their quotes
  const [reported] = await db.rows(
    'select count(*) as orders from measure.side_orders where sign <> 0',
  )
  expect(reported!.orders).toBeLessThanOrEqual(3)
})
