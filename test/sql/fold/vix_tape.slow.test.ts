import { expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { openFoldDb } from '../../support/fold.ts'
import { readMarked } from '../../support/markedPrints.ts'
import { hasSharedData } from '../../support/shared.ts'
import { loadVixTape } from '../../support/vixTape.ts'

const openVixDb = async (isBlind: boolean) => {
  const db = await openFoldDb({ date: '2016-06-01', symbol: 'VIX' })
  await loadVixTape(db, isBlind)
  await db.fold()
  return db
}

test.skipIf(!hasSharedData)('the real VIX tape folds by its condition letters', async () => {
  const db = await openVixDb(false)
  expect(
    await db.rows(
      'select fate, count(*) as prints from fold.print_fates group by all order by all',
    ),
  ).toEqual([
    { fate: 'cancel', prints: 1 },
    { fate: 'cancelled', prints: 1 },
    { fate: 'kept', prints: 2293 },
  ])

  // 180 of the 18 puts were taken off at 14:22 and came again at 2.25: they count once, late
  expect(
    await db.rows(
      `select orders.condition, legs.contracts, legs.average_price, orders.side_reason
       from fold.legs join fold.parent_orders as orders using (order_id)
       where strike = 18 and option_type = 'P' and expiry = '2016-07-20' and legs.contracts = 180
         and printed_at > '2016-06-01 18:20:00'`,
    ),
  ).toEqual([{ condition: 'B', contracts: 180, average_price: 2.25, side_reason: 'late' }])

  // the slices of 09:30:55 are one order, those a minute later another
  expect(
    await db.rows(
      `select minute_et, size, print_count, round(net_premium_usd / size, 2) as net_usd
       from fold.parent_orders
       where leg_count = 2 and order_id in (
         select order_id from fold.legs where strike = 20 and ratio = 2 and expiry = '2016-06-15')
         and minute_et < '09:40'
       order by order_id`,
    ),
  ).toEqual(
    table(`
      minute_et  size  print_count  net_usd
      09:30      1000  6            10
      09:31      25    2            10        # another order at the same net, 35 s later
      09:31      1475  16           -9        # sold
    `),
  )
})

test.skipIf(!hasSharedData)(
  'every print coded as a spread leg is in a package or an orphan leg',
  async () => {
    const db = await openVixDb(false)
    const [row] = await db.rows(
      `select
       count(*) filter (where orders.leg_count > 1 or 'ml_orphan' in orders.flags) as legs,
       count(*) filter (where orders.leg_count > 1) as in_packages
     from vix join fold.order_prints using (sequence)
     join fold.parent_orders as orders using (order_id)
     where letter = 'L'`,
    )
    expect(row!.legs).toBe(718)
    expect(Number(row!.in_packages)).toBeGreaterThanOrEqual(690)
  },
)

test.skipIf(!hasSharedData)(
  'with all codes hidden the VIX tape still reveals which prints are legs',
  async () => {
    const db = await openVixDb(true)
    const [score] = await db.rows(
      `select
       avg((letter = 'L')::integer) filter (where is_leg) as precision,
       avg(is_leg::integer) filter (where letter = 'L') as recall
     from (
       select letter, leg_count > 1 as is_leg
       from vix join fold.order_prints using (sequence) join fold.parent_orders using (order_id))`,
    )
    expect(score!.precision).toBeGreaterThanOrEqual(0.95)
    expect(score!.recall).toBeGreaterThanOrEqual(0.9)
    const bases = await db.rows('select distinct fold_basis from fold.parent_orders')
    expect(bases).toEqual([{ fold_basis: 'prints' }])
  },
)

/** How many numbers a channel of Cboe has. */
const CHANNEL_NUMBERS = 2 ** 26

test.skipIf(!hasSharedData)(
  'the numbers of the VIX tape are no order of time, and change nothing that it folds to',
  async () => {
    const db = await openFoldDb({ date: '2016-06-01', symbol: 'VIX' })
    await loadVixTape(db)
    const [counts] = await db.rows(
      `select count(*) filter (where sequence >= ${CHANNEL_NUMBERS}) as above_channel_0,
         count(*) filter (where sequence < sequence_before) as backwards
       from (
         select sequence, lag(sequence) over (order by printed_at, sequence) as sequence_before
         from tape.prints
       )`,
    )
    expect(counts).toEqual({ above_channel_0: 1164, backwards: 315 })

    await db.run("update tape.prints set vendor_condition = 'p' || sequence")
    await db.fold()
    const vendors = await readMarked(db)
    expect(
      vendors.fates.filter(({ fate: disposition }) => disposition === 'cancelled'),
    ).toHaveLength(1)

    await db.run(
      `update tape.prints set sequence = rising.number
       from (
         select sequence, row_number() over (order by printed_at, sequence) as number
         from tape.prints
       ) as rising
       where rising.sequence = prints.sequence`,
    )
    await db.fold()
    expect(await readMarked(db)).toEqual(vendors)

    // and where the cancel came over channel 0, below the number of its print
    await db.run("update tape.prints set sequence = -1, vendor_sequence = -1 where condition = 'A'")
    await db.fold()
    expect(await readMarked(db)).toEqual(vendors)
  },
)
