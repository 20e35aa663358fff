import { expect, test } from 'vitest'
import { reuseFoldDb } from '../../support/fold.ts'

const UNFOLD_SINGLES = `delete from fold.order_prints where order_id in
  (select order_id from fold.parent_orders where leg_count = 1)`

/**
 * Folds two prints of one instant into a package and one print that stands alone, and judges it
 * when their true orders are the given ones, one a print, each of so many legs.
 */
async function judge(
  parents: readonly [number, number, number],
  legCount: number,
  change = 'select 1',
) {
  const db = await reuseFoldDb()
  const prints = [
    { strike: 5_900, option_type: 'P' as const, price: 3.1 },
    { strike: 6_100, option_type: 'C' as const, price: 2.55 },
    { strike: 6_000, option_type: 'C' as const, price: 9, at: '15:00:00' },
  ]
  await db.addPrints(
    prints.map(({ at = '14:00:00', ...print }) => ({
      size: 70,
      condition: 'f',
      printed_at: `2026-10-13 ${at}`,
      ...print,
    })),
  )
  await db.fold()
  await db.run('create schema measure')
  await db.run(
    `create table measure.truth_prints as
     select sequence, list_extract($parents::integer[], row_number() over (order by sequence))
       as parent_id
     from tape.prints`,
    { parents: `[${parents.join(', ')}]` },
  )
  await db.run(
    `create table measure.truth_parents as
     select distinct parent_id, $legCount::integer as leg_count, 140 as contracts
     from measure.truth_prints`,
    { legCount },
  )
  await db.run(
    `create table measure.truth_legs as
     select distinct parent_id, root, expiry, strike, option_type, 1 as customer_sign
     from tape.prints join measure.truth_prints using (sequence)`,
  )
  await db.run(change)
  await db.build('measure/exact_legs')
  await db.build('measure/folded_packages')
  const [shares] = await db.query('measure/package_shares')
  return { shares, deciles: await db.query('measure/confidence_deciles') }
}

test('a package with every print of a true one, and no other, is exact', async () => {
  const { shares, deciles } = await judge([1, 1, 2], 2)
  expect(shares).toMatchObject({ package_count: 1, exact_share: 1, invented_share: 0 })
  // the other true one was not found
  expect(shares).toMatchObject({ found_share: 0.5 })
  expect(deciles).toMatchObject([{ packages: 1, exact_share: 1 }])
})

test('a package that lacks a print of the true one is not exact, and not invented', async () => {
  const { shares, deciles } = await judge([1, 1, 1], 3)
  expect(shares).toMatchObject({ exact_share: 0, invented_share: 0, found_share: 0 })
  expect(deciles).toMatchObject([{ packages: 1, exact_share: 0 }])
})

test('a package made of single orders is invented', async () => {
  const { shares } = await judge([1, 2, 3], 1)
  expect(shares).toMatchObject({ exact_share: 0, invented_share: 1, found_share: null })
})

test('a true package without a print in an order was not there to be found', async () => {
  const { shares } = await judge([1, 1, 2], 2, UNFOLD_SINGLES)
  expect(shares).toMatchObject({ package_count: 1, found_share: 1 })
})

test('fills of a single order that were taken for a package are invented, not exact', async () => {
  expect((await judge([1, 1, 2], 1)).shares).toMatchObject({ exact_share: 0, invented_share: 1 })
})
