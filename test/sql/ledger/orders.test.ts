import { expect, test } from 'vitest'
import { LEDGER_MODELS } from '../../../pipelines/build/dag.ts'
import { buildModel } from '../../../pipelines/build/steps.ts'
import { readVectors } from '../../support/shared.ts'
import { openStagesDb } from '../../support/stages.ts'

const UNTIL_STATS = LEDGER_MODELS.filter(model =>
  ['leg_texts', 'order_gammas', 'order_versions', 'orders', 'edition_legs', 'legs', 'stats'].some(
    name => model.endsWith(`/${name}`),
  ),
)

async function buildLedger(fill: (db: Awaited<ReturnType<typeof openStagesDb>>) => Promise<void>) {
  const db = await openStagesDb()
  await fill(db)
  for (const model of UNTIL_STATS) {
    await buildModel(db, model)
  }
  return db
}

test('the worked order comes out at its gamma, net and flip distance', async () => {
  const example = readVectors('order_example')
  const [bought, sold] = example.legs
  const db = await buildLedger(async db => {
    await db.fill(
      'fold.parent_orders',
      `
      order_id  first_sequence  minute_et  printed_at                  last_printed_at             known_at                    structure  leg_count  print_count  size  contracts  gross_premium_usd  sign  z             fold_basis  fold_rule  confidence
      o1        1               13:00      2026-10-14 17:00:12.345678  2026-10-14 17:00:12.345702  2026-10-14 17:00:12.345702  vertical   2          2            1000  2000       1256000            1     0.6666666667  conditions  island     0.99
    `,
    )
    await db.fill(
      'fold.legs',
      `
      order_id  first_sequence  leg_number  root  expiry      strike  option_type  ratio  contracts  premium_usd  average_price  package_sign  customer_sign
      o1        1               1           SPXW  2026-10-14  5950    P            1      1000       553000       5.53           1             1
      o1        1               2           SPXW  2026-10-14  5970    P            1      1000       703000       7.03           -1            -1
    `,
    )
    await db.fill(
      'book.leg_gammas',
      `
      edition_id  leg_number  spot     implied_vol  gamma  reason
      1         1           6000.25  ${bought.iv}  ${bought.gamma}  -
      1         2           6000.25  ${sold.iv}  ${sold.gamma}  -
    `,
    )
    await db.fill(
      'levels.levels',
      `
      minute_et  book_basis  spot     flip
      13:00      measured    6000.25  6005.4399416422
      13:00      vol         6000.25  5000
    `,
    )
  })
  const [order] = await db.all('ledger.orders')
  expect(order).toMatchObject({
    legs_text: example.order.legs,
    main_expiry: example.order.exp,
    size: example.order.size,
    net_premium_usd: 150_000,
    net_price: -1.5,
    flip_side: example.order.side,
    flip_null_reason: null,
    gamma_null_reason: null,
    is_in_ledger: true,
  })
  // sums are exact to 1e-10, so the worst difference from 18 digits is half of that
  expect(Math.abs(Number(order!.dealer_gamma_musd_per_point) - Number(example.g))).toBeLessThan(
    1e-9,
  )
  expect(Math.abs(Number(order!.flip_distance_points) - example.order.flip)).toBeLessThan(1e-7)
  expect(await db.all('ledger.stats')).toMatchObject([
    { order_count: 1, net_premium_usd: 150_000, gamma_up_count: 1, gamma_down_count: 0 },
  ])
})

test.each([
  [6000.01, 'over'],
  [6000, 'over'],
  [5999.99, 'under'],
])('an order at an index of %f and a flip of 6000 is %s it', async (spot, side) => {
  const db = await buildLedger(async db => {
    await db.fill(
      'fold.parent_orders',
      `
      order_id  first_sequence  minute_et  printed_at           last_printed_at      structure  leg_count  size  contracts  gross_premium_usd  sign
      one       1               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  single     1          10    10         200000             1
    `,
    )
    await db.fill(
      'fold.legs',
      `
      order_id  first_sequence  leg_number  root  expiry      strike  option_type  ratio  contracts  premium_usd  package_sign  customer_sign
      one       1               1           SPXW  2026-10-14  6000    C            1      10         200000       1             1
    `,
    )
    await db.fill(
      'book.leg_gammas',
      `
      edition_id  leg_number  spot  gamma
      1         1           6000  0.01
    `,
    )
    await db.run(
      `insert into levels.levels (minute_et, book_basis, spot, flip)
       values ('10:00', 'measured', $spot, 6000)`,
      { spot },
    )
  })
  expect(await db.all('ledger.orders')).toMatchObject([{ flip_side: side, flip_null_reason: null }])
})

test('largest effect first, then unpriced by premium; a null gamma says why', async () => {
  const db = await buildLedger(async db => {
    await db.fill(
      'fold.parent_orders',
      `
      order_id  first_sequence  minute_et  printed_at           last_printed_at      structure  leg_count  size  contracts  gross_premium_usd  sign  side_reason
      small     2               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  single     1          10    10         99999.99           1     -        # below the floor
      at_floor  3               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  single     1          10    10         100000             1     -
      sold      4               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  single     1          99    99         200000             -1    -
      no_side   5               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  single     1          10    10         900000             0     middle
      late_day  6               15:45      2026-10-14 19:45:01  2026-10-14 19:45:01  single     1          10    10         950000             1     -
      half      7               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  calendar   2          10    20         300000             1     -
    `,
    )
    await db.fill(
      'fold.legs',
      `
      order_id  first_sequence  leg_number  root  expiry      strike  option_type  ratio  contracts  premium_usd  package_sign  customer_sign
      small     2               1           SPXW  2026-10-14  6000    C            1      10         99999.99     1             1
      at_floor  3               1           SPXW  2026-10-14  6000    C            1      10         100000       1             1
      sold      4               1           SPXW  2026-10-14  6000    C            1      99         200000       1             -1
      no_side   5               1           SPXW  2026-10-14  6000    C            1      10         900000       1             0
      late_day  6               1           SPXW  2026-10-14  6000    C            1      10         950000       1             1
      half      7               1           SPXW  2026-10-14  6000    C            1      10         100000       1             1
      half      7               2           SPXW  2026-10-15  6000    C            1      10         200000       -1            -1
    `,
    )
    await db.fill(
      'book.leg_gammas',
      `
      edition_id  leg_number  spot  gamma  reason
      2         1           6000  0.01   -
      3         1           6000  0.01   -
      4         1           6000  0.01   -
      5         1           6000  0.01   -
      6         1           6000  -      last_half_hour
      7         1           6000  0.01   -
      7         2           6000  -      no_forward       # one unpriced leg leaves the order unpriced
    `,
    )
  })
  const orders = await db.rows('select * from ledger.orders order by ledger_rank')
  expect(orders.map(row => row.order_id)).toEqual([
    'sold',
    'at_floor',
    'late_day',
    'no_side',
    'half',
    'small',
  ])
  const byId = Object.fromEntries(orders.map(row => [row.order_id, row]))
  expect(byId.sold?.dealer_gamma_musd_per_point).toBeCloseTo(0.594, 9)
  expect(byId.at_floor?.dealer_gamma_musd_per_point).toBeCloseTo(-0.06, 9)
  expect(byId.no_side).toMatchObject({
    dealer_gamma_musd_per_point: null,
    gamma_null_reason: 'no_side',
  })
  expect(byId.late_day).toMatchObject({ gamma_null_reason: 'last_half_hour' })
  expect(byId.half).toMatchObject({ gamma_null_reason: 'no_forward', main_expiry: null })
  expect(byId.small).toMatchObject({ is_in_ledger: false })
  // no level of that minute: a null with a reason, never a zero
  expect(byId.sold).toMatchObject({ flip_distance_points: null, flip_null_reason: 'no_level' })
  expect(await db.all('ledger.stats')).toMatchObject([
    {
      order_count: 5,
      no_side_count: 1,
      no_gamma_count: 3,
      gamma_up_count: 1,
      gamma_down_count: 1,
      gamma_flat_count: 0,
    },
  ])
  expect(await db.audit('stats_equal_the_ledger')).toEqual([])
  expect(await db.audit('nulls_have_reasons')).toEqual([])
})

test('an order of billions is in the ledger with its premium', async () => {
  const db = await buildLedger(async db => {
    await db.fill(
      'fold.parent_orders',
      `
      order_id  first_sequence  minute_et  printed_at           last_printed_at      structure  leg_count  size   contracts  gross_premium_usd  sign
      box       2               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  single     1          12800  12800      3072000000         1
    `,
    )
    await db.fill(
      'fold.legs',
      `
      order_id  first_sequence  leg_number  root  expiry      strike  option_type  ratio  contracts  premium_usd  package_sign  customer_sign
      box       2               1           SPXW  2026-10-14  3600    C            1      12800      3072000000   1             1
    `,
    )
    await db.fill(
      'book.leg_gammas',
      `
      edition_id  leg_number  spot  gamma   reason
      2           1           6000  0.0001  -
    `,
    )
  })
  const [order] = await db.rows('from ledger.orders')
  expect(order).toMatchObject({ order_id: 'box', net_premium_usd: 3_072_000_000 })
  expect(await db.all('ledger.stats')).toMatchObject([{ net_premium_usd: 3_072_000_000 }])
})

test('a leg has the probability of its own side, none without that of the order', async () => {
  const db = await buildLedger(async db => {
    await db.fill(
      'fold.parent_orders',
      `
      order_id  first_sequence  minute_et  printed_at           known_at             structure  leg_count  print_count  size  contracts  gross_premium_usd  sign  side_probability  fold_basis  fold_rule  confidence
      o1        1               13:00      2026-10-14 17:00:12  2026-10-14 17:00:12  vertical   2          2            10    20         20000              1     0.7179            conditions  island     0.99
      o2        2               13:00      2026-10-14 17:00:13  2026-10-14 17:00:13  custom     1          1            10    10         10000              0     0.6               conditions  island     0.99
      o3        3               13:00      2026-10-14 17:00:14  2026-10-14 17:00:14  single     1          1            10    10         10000              0     -                 conditions  single     0.99
    `,
    )
    await db.fill(
      'fold.legs',
      `
      order_id  first_sequence  leg_number  root  expiry      strike  option_type  ratio  contracts  premium_usd  package_sign  customer_sign
      o1        1               1           SPXW  2026-10-14  5950    P            1      10         10000        1             1
      o1        1               2           SPXW  2026-10-14  5970    P            1      10         10000        -1            -1
      o2        2               1           SPXW  2026-10-14  5950    P            1      10         10000        -             0
      o3        3               1           SPXW  2026-10-14  5950    P            1      10         10000        1             0
    `,
    )
  })
  const legs = await db.all('ledger.legs')
  expect(legs.map(leg => leg.side_probability)).toEqual([0.7179, 0.2821, null, null])
})
