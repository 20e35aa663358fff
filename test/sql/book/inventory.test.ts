import { expect, test } from 'vitest'
import { table } from '../../support/db.ts'
import { keepMinutes, loadExpiries, openSessionDb } from '../../support/surface.ts'

async function openInventory() {
  const db = await openSessionDb('2026-10-16')
  await db.fill(
    'tape.open_interest',
    `
    session_date  root  expiry      strike  option_type  open_interest
    2026-10-16    SPXW  2026-10-16  6000    C            100
    2026-10-16    SPXW  2026-10-16  6000    P            200
    2026-10-16    SPXW  2026-10-16  6010    C            300
    2026-10-16    SPXW  2026-10-16  6020    C            400
    2026-10-16    SPX   2026-10-16  6000    C            500   # settled at the open of this day
    2026-10-16    SPXW  2026-10-15  6000    C            600   # expired yesterday
  `,
  )
  await db.fill(
    'tape.carried_positions',
    `
    root  expiry      strike  option_type  quantity
    SPXW  2026-10-16  6010    C            -30
    SPXW  2026-10-16  6020    C            -40
  `,
  )
  return db
}

test('measured goes before carried, carried before calls long and puts short', async () => {
  const db = await openInventory()
  await db.fill(
    'tape.dealer_positions',
    `
    session_date  root  expiry      strike  option_type  quantity
    2026-10-16    SPXW  2026-10-16  6020    C            -7
    2026-10-16    SPXW  2026-10-16  6030    P            9
  `,
  )
  await loadExpiries(db)
  for (const model of ['opening_positions', 'inventory']) await db.build(`book/${model}`)
  expect(await db.all('book.inventory', 'strike, option_type')).toEqual(
    table(`
    root  expiry      strike  option_type  open_quantity  source         oi_quantity  oi_source
    SPXW  2026-10-16  6000    C            100            open_interest  100          open_interest
    SPXW  2026-10-16  6000    P            -200           open_interest  -200         open_interest
    SPXW  2026-10-16  6010    C            -30            carried        -30          carried
    SPXW  2026-10-16  6020    C            -7             measured       -7           measured
    SPXW  2026-10-16  6030    P            9              measured       9            measured
  `),
  )
  await db.build('book/inventory_shares')
  expect(await db.all('book.inventory_shares', 'source')).toMatchObject([
    { source: 'carried', contract_count: 1, open_contracts: 30, share: 30 / 346 },
    { source: 'measured', contract_count: 2, open_contracts: 16, share: 16 / 346 },
    { source: 'open_interest', contract_count: 2, open_contracts: 300, share: 300 / 346 },
  ])
})

test('without measured positions the oi book stays naive where flow was carried', async () => {
  const db = await openInventory()
  await loadExpiries(db)
  for (const model of ['opening_positions', 'inventory']) await db.build(`book/${model}`)
  expect(
    await db.rows(
      `select strike, open_quantity, source, oi_quantity, oi_source from book.inventory
       where strike > 6000 order by strike`,
    ),
  ).toEqual(
    table(`
    strike  open_quantity  source   oi_quantity  oi_source
    6010    -30            carried  300          open_interest
    6020    -40            carried  400          open_interest
  `),
  )
})

test('an order enters the book in the first minute after it is complete and known', async () => {
  const db = await openInventory()
  await loadExpiries(db)
  await keepMinutes(db, '10:00', '10:01', '10:02')
  await db.fill(
    'fold.parent_orders',
    `
    order_id  first_sequence  minute_et  visible_at                  known_at
    before    1               09:59      2026-10-16 13:59:59.999999  2026-10-16 13:59:59
    at        2               09:59      2026-10-16 14:00:00         2026-10-16 13:59:59
    late      3               09:59      2026-10-16 14:01:30         2026-10-16 14:01:30
    never     4               10:02      2026-10-16 14:02:00         2026-10-16 14:02:00
    unsigned  5               09:59      2026-10-16 13:59:00         2026-10-16 13:59:00
  `,
  )
  await db.fill(
    'fold.legs',
    `
    order_id  first_sequence  leg_number  root  expiry      strike  option_type  contracts  customer_sign
    before    1               1           SPXW  2026-10-16  6000    C            10         1
    before    1               2           SPXW  2026-10-16  6000    P            10         -1
    at        2               1           SPXW  2026-10-16  6000    C            20         1
    late      3               1           SPXW  2026-10-16  6000    C            40         -1
    never     4               1           SPXW  2026-10-16  6000    C            80         1
    unsigned  5               1           SPXW  2026-10-16  6000    C            99         0
  `,
  )
  const known = ['opening_positions', 'inventory', 'late_inventory']
  for (const model of [...known, 'flows', 'deviations', 'traded', 'pairs', 'pair_flows'])
    await db.build(`book/${model}`)
  expect(
    await db.rows(
      `select option_type, dealer_quantity, minute_at from book.flows
       order by minute_at nulls last, option_type`,
    ),
  ).toEqual(
    table(`
    option_type  dealer_quantity  minute_at
    C            -10              2026-10-16 14:00:00
    P            10               2026-10-16 14:00:00
    C            -20              2026-10-16 14:01:00
    C            40               2026-10-16 14:02:00
    C            -80              -
  `),
  )
  expect(
    await db.rows('select minute_at, call_flow, put_flow from book.pair_flows order by minute_at'),
  ).toEqual(
    table(`
    minute_at            call_flow  put_flow
    2026-10-16 14:00:00  -10        10
    2026-10-16 14:01:00  -30        10
    2026-10-16 14:02:00  10         10
  `),
  )
})

test('open interest that comes after the open enters the book in the next minute', async () => {
  const db = await openInventory()
  await db.fill(
    'tape.open_interest',
    `
    session_date  root  expiry      strike  option_type  open_interest  known_at
    2026-10-16    SPXW  2026-10-16  5990    C            50             2026-10-16 13:29:59
    2026-10-16    SPXW  2026-10-16  6000    C            7              -  # beside a put
    2026-10-16    SPXW  2026-10-16  6005    P            11             2026-10-16 13:30:00
    2026-10-16    SPXW  2026-10-16  6015    C            13             2026-10-16 14:00:00
    2026-10-16    SPXW  2026-10-16  6025    C            17             2026-10-16 14:00:00.001
  `,
  )
  await db.run(`
    delete from tape.open_interest where open_interest = 100;
    update tape.open_interest set known_at = '2026-10-16 13:45:00' where strike = 6010`)
  await loadExpiries(db)
  const known = ['opening_positions', 'inventory', 'late_inventory']
  const models = [...known, 'flows', 'deviations', 'traded', 'pairs', 'holdings']
  for (const model of models) await db.build(`book/${model}`)
  expect(
    await db.rows(
      `select strike, call_inventory, put_inventory, call_oi, put_oi, known_inventory, known_oi,
         strftime(nullif(enters_at, '-infinity'), '%H:%M') as from_utc,
         strftime(nullif(leaves_at, 'infinity'), '%H:%M') as to_utc
       from book.holdings join book.pairs using (pair_number)
       where root = 'SPXW' and enters_at >= held_from order by pair_number, enters_at`,
    ),
  ).toEqual(
    table(`
    strike  call_inventory  put_inventory  call_oi  put_oi  known_inventory  known_oi  from_utc  to_utc
    5990    50              0              50       0       0                0         -         -
    6000    7               -200           7        -200    0                0         -         -
    6005    0               -11            0        -11     0                0         13:31     -
    6010    -30             0              0        0       30               0         -         13:46
    6010    -30             0              300      0       30               0         13:46     -  # carried
    6015    13              0              13       0       0                0         14:01     -
    6020    -40             0              400      0       40               0         -         -
    6025    17              0              17       0       0                0         14:01     -
  `),
  )
})

test('measured positions that come after the open replace what was known before', async () => {
  const db = await openInventory()
  await db.fill(
    'tape.dealer_positions',
    `
    session_date  root  expiry      strike  option_type  quantity  known_at
    2026-10-16    SPXW  2026-10-16  6000    C            -7        2026-10-16 14:00:00
    2026-10-16    SPXW  2026-10-16  6030    P            9         2026-10-16 14:00:00
    2026-10-16    SPXW  2026-10-16  6020    C            -40       2026-10-16 15:00:10
  `,
  )
  await db.run("update tape.open_interest set known_at = '2026-10-16 13:45:00' where strike = 6020")
  await loadExpiries(db)
  for (const model of ['opening_positions', 'inventory', 'late_inventory']) {
    await db.build(`book/${model}`)
  }
  expect(
    await db.rows(
      `select strike, option_type, strftime(enters_at, '%H:%M') as from_utc, source, open_quantity,
         oi_quantity
       from book.late_inventory order by enters_at, strike, option_type`,
    ),
  ).toEqual(
    table(`
    strike  option_type  from_utc  source         open_quantity  oi_quantity
    6020    C            13:46     carried        -40            400
    6000    C            14:01     measured       -7             -7
    6000    P            14:01     open_interest  -200           -200
    6010    C            14:01     carried        -30            -30  # the measured book from here on
    6020    C            14:01     carried        -40            -40
    6030    P            14:01     measured       9              9
    6020    C            15:01     measured       -40            -40
  `),
  )
  // together it is what it would be had all of it been known at the open
  const last = `select strike, option_type,
      arg_max(source, coalesce(enters_at, '-infinity')) as source,
      arg_max(open_quantity, coalesce(enters_at, '-infinity')) as open,
      arg_max(oi_quantity, coalesce(enters_at, '-infinity')) as oi
    from (from book.inventory union all by name from book.late_inventory)
    group by all order by all`
  const late = await db.rows(last)
  await db.run('update tape.dealer_positions set known_at = null')
  await db.run('update tape.open_interest set known_at = null')
  for (const model of ['opening_positions', 'inventory', 'late_inventory']) {
    await db.build(`book/${model}`)
  }
  expect(await db.rows('from book.late_inventory')).toEqual([])
  expect(await db.rows(last)).toEqual(late)
})
