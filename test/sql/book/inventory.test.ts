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
    root  expiry      strike  option_type  quantity  guessed_quantity  deviation_quantity  balance_quantity  rate_quantity  sessions_carried
    SPXW  2026-10-16  6010    C            -30       20                8                   5                 -2             3
    SPXW  2026-10-16  6020    C            -40       0                 0                   0                 0              3
  `,
  )
  return db
}

test('imported goes before carried, and that before open interest, whose side nobody knows', async () => {
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
  for (const model of ['known_positions', 'inventory']) await db.build(`book/${model}`)
  expect(await db.all('book.inventory', 'strike, option_type')).toEqual(
    table(`
    root  expiry      strike  option_type  source         open_quantity  guessed_quantity  deviation_quantity  oi_quantity  balance_quantity  rate_quantity
    SPXW  2026-10-16  6000    C            open_interest  0              100               0                   100          0                 0
    SPXW  2026-10-16  6000    P            open_interest  0              200               0                   -200         0                 0
    SPXW  2026-10-16  6010    C            carried        -30            20                8                   300          5                 -2
    SPXW  2026-10-16  6020    C            measured       -7             0                 0                   400          0                 0
    SPXW  2026-10-16  6030    P            measured       9              0                 0                   -            0                 0
  `),
  )
  await db.build('book/inventory_shares')
  expect(await db.all('book.inventory_shares', 'source')).toMatchObject([
    { source: 'carried', contract_count: 1, open_contracts: 300, share: 300 / 1009 },
    { source: 'measured', contract_count: 2, open_contracts: 409, share: 409 / 1009 },
    { source: 'open_interest', contract_count: 2, open_contracts: 300, share: 300 / 1009 },
  ])
})

test('no position, guess or deviation is larger than the open interest of today', async () => {
  const db = await openInventory()
  await db.run(`
    delete from tape.open_interest; delete from tape.carried_positions;
    insert into tape.open_interest
    select date '2026-10-16', 'SPXW', date '2026-10-16', strike, 'C', 10, null
    from (values (6000), (6010), (6020), (6025), (6028), (6030)) as rows(strike);
    insert into tape.dealer_positions
    values (date '2026-10-16', 'SPXW', date '2026-10-16', 6030, 'C', 77, null, 12, 'mm');
    insert into tape.carried_positions values
      ('SPXW', date '2026-10-16', 6000, 'C', -25.5, 30, null, 12, 0, 0, 4),
      ('SPXW', date '2026-10-16', 6010, 'C', 3.25, 2, null, 1.5, 0, 0, 4),
      ('SPXW', date '2026-10-16', 6020, 'C', 0, null, null, 2, 0, 0, 4),
      ('SPXW', date '2026-10-16', 6025, 'C', 4, 3, 7.5, 2, 0, 0, 4),
      ('SPXW', date '2026-10-16', 6028, 'C', 1, 3, 4, 2, 0, 0, 4),
      ('SPXW', date '2026-10-16', 6040, 'C', 25, 30, null, 12, 0, 0, 4),
      ('SPXW', date '2026-10-16', 6050, 'C', 25, null, null, 12, 0, 0, 4)`)
  await loadExpiries(db)
  for (const model of ['known_positions', 'inventory']) await db.build(`book/${model}`)
  expect(
    await db.rows(
      `select strike, open_quantity::double as q, guessed_quantity::double as g,
         deviation_quantity::double as d from book.inventory order by strike`,
    ),
  ).toEqual([
    { strike: 6000, q: -10, g: 10, d: 10 },
    { strike: 6010, q: 3.25, g: 2, d: 1.5 },
    // how much was guessed is not known: all of it
    { strike: 6020, q: 0, g: 10, d: 2 },
    // measured at most 7.5 of the 10: less than the guess leaves
    { strike: 6025, q: 4, g: 3, d: 2 },
    // at most 4 of the 10: six were never seen
    { strike: 6028, q: 1, g: 6, d: 2 },
    // imported, of which twelve contracts were held before the first Open-Close file
    { strike: 6030, q: 10, g: 10, d: 0 },
    // no open interest says otherwise
    { strike: 6040, q: 25, g: 30, d: 12 },
    { strike: 6050, q: 25, g: null, d: 12 },
  ])
})

test('an order enters the book in the first minute after it is complete and known', async () => {
  const db = await openInventory()
  await loadExpiries(db)
  await keepMinutes(db, '10:00', '10:01', '10:02')
  await db.fill(
    'fold.parent_orders',
    `
    order_id  first_sequence  minute_et  visible_at                  known_at             sign
    before    1               09:59      2026-10-16 13:59:59.999999  2026-10-16 13:59:59  1
    at        2               09:59      2026-10-16 14:00:00         2026-10-16 13:59:59  1
    late      3               09:59      2026-10-16 14:01:30         2026-10-16 14:01:30  -1
    never     4               10:02      2026-10-16 14:02:00         2026-10-16 14:02:00  1
    unsigned  5               09:59      2026-10-16 13:59:00         2026-10-16 13:59:00  0
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
  const known = ['known_positions', 'inventory', 'late_inventory']
  for (const model of [
    ...known,
    'leg_sides',
    'flows',
    'deviations',
    'traded',
    'pairs',
    'balances',
    'pair_flows',
  ])
    await db.build(`book/${model}`)
  expect(
    await db.rows(
      `select option_type, dealer_quantity, minute_at from book.flows
       order by minute_at nulls last, option_type`,
    ),
  ).toEqual(
    table(`
    option_type  dealer_quantity  minute_at
    C            -3.6             2026-10-16 14:00:00  # right in 68 of 100: 2 * 0.68 - 1 of 10
    P            3.6              2026-10-16 14:00:00
    C            -7.2             2026-10-16 14:01:00
    C            14.4             2026-10-16 14:02:00
    C            -28.8            -
  `),
  )
  expect(
    await db.rows('select minute_at, call_flow, put_flow from book.pair_flows order by minute_at'),
  ).toEqual(
    table(`
    minute_at            call_flow  put_flow
    2026-10-16 14:00:00  -3.6       3.6
    2026-10-16 14:01:00  -10.8      3.6
    2026-10-16 14:02:00  3.6        3.6
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
  const known = ['known_positions', 'inventory', 'late_inventory']
  const models = [...known, 'leg_sides', 'flows', 'deviations', 'traded', 'pairs', 'holdings']
  for (const model of models) await db.build(`book/${model}`)
  expect(
    await db.rows(
      `select strike, call_inventory, put_inventory, call_oi, put_oi, call_guess, put_guess, listed,
         strftime(nullif(enters_at, '-infinity'), '%H:%M') as from_utc,
         strftime(nullif(leaves_at, 'infinity'), '%H:%M') as to_utc
       from book.holdings join book.pairs using (pair_number)
       where root = 'SPXW' and enters_at >= held_from order by pair_number, enters_at`,
    ),
  ).toEqual(
    table(`
    strike  call_inventory  put_inventory  call_oi  put_oi  call_guess  put_guess  listed  from_utc  to_utc
    5990    0               0              50       0       50          0          50      -         -
    6000    0               0              7        -200    7           200        207     -         -
    6005    0               0              0        -11     0           11         11      13:31     -
    6010    -30             0              0        0       20          0          30      -         13:46
    6010    -30             0              300      0       20          0          300     13:46     -  # carried
    6015    0               0              13       0       13          0          13      14:01     -
    6020    -40             0              400      0       0           0          400     -         -
    6025    0               0              17       0       17          0          17      14:01     -
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
  for (const model of ['known_positions', 'inventory', 'late_inventory']) {
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
    strike  option_type  from_utc  source    open_quantity  oi_quantity
    6020    C            13:46     carried   -40            400
    6000    C            14:01     measured  -7             100
    6030    P            14:01     measured  9              -
    6020    C            15:01     measured  -40            400
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
  for (const model of ['known_positions', 'inventory', 'late_inventory']) {
    await db.build(`book/${model}`)
  }
  expect(await db.rows('from book.late_inventory')).toEqual([])
  expect(await db.rows(last)).toEqual(late)
})
