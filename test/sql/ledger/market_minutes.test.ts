import { expect, test } from 'vitest'
import { loadExpiries } from '../../../src/store/session.ts'
import { openStagesDb } from '../../support/stages.ts'

const SMILE_COLUMNS = `minute_et varchar, forward double, discount double,
  expected_move_points double, session_expected_move_points double, quoted_strike_low double,
  quoted_strike_high double, smile_strikes double[], smile_total_variances double[],
  reason varchar`

/** Market minutes where the index of each state minute is given; '-' is a gap. */
async function buildMinutes(spots: string, date = '2026-10-14') {
  const db = await openStagesDb(100_000, date)
  await db.run(`create table surface.spots
    (minute_et varchar, spot double, minute_at timestamp, spotted_at timestamp)`)
  await db.fill('surface.spots', spots)
  await db.run(`update surface.spots set minute_at =
    (select minute_at from tape.minutes m where m.minute_et = spots.minute_et)`)
  await db.run(`update surface.spots set spotted_at = minute_at - interval 1 second
    where spot is not null`)
  await db.run(`create table surface.session_smiles (${SMILE_COLUMNS})`)
  await db.run(`insert into surface.session_smiles by name
    select minute_et, 'no_forward' as reason from surface.spots`)
  await db.run(`create table tape.previous_close as
    select 5990.0::double as previous_close, null::varchar as reason`)
  await db.build('ledger/market_minutes')
  return db.rows(
    `select minute_et, seconds_left, session_seconds, spot, open, previous_close, smile_reason
     from ledger.market_minutes`,
  )
}

test('the open is the first value after 09:30, known from its own minute on', async () => {
  const rows = await buildMinutes(`
    minute_et  spot
    09:30      5985
    09:31      -
    09:32      6001
    13:00      6002
    16:00      6003
  `)
  expect(rows.map(row => [row.minute_et, row.seconds_left, row.open])).toEqual([
    ['09:30', 23_400, null],
    ['09:31', 23_340, null],
    ['09:32', 23_280, 6001],
    ['13:00', 10_800, 6001],
    ['16:00', 0, 6001],
  ])
  expect(rows[0]).toMatchObject({ session_seconds: 23_340, previous_close: 5990, spot: 5985 })
})

test('an index that begins after 09:35 has no open', async () => {
  const opens = async (minute: string) => {
    const rows = await buildMinutes(`
      minute_et  spot
      ${minute}      6001
      11:00      6002
    `)
    return rows.map(row => row.open)
  }
  expect(await opens('09:35')).toEqual([6001, 6001])
  expect(await opens('09:36')).toEqual([null, null])
})

test('a half day ends at 13:00, also right after the clocks changed', async () => {
  const half = await buildMinutes('minute_et  spot\n12:59      6001', '2026-11-27')
  expect(half[0]).toMatchObject({ seconds_left: 60, session_seconds: 12_540 })
  const monday = await buildMinutes('minute_et  spot\n15:59      6001', '2026-11-02')
  expect(monday[0]).toMatchObject({ seconds_left: 60, session_seconds: 23_340 })
})

test('an order counts when it is whole and told, at its strikes of today alone', async () => {
  const db = await openStagesDb()
  await db.fill(
    'fold.parent_orders',
    `
    order_id  minute_et  printed_at           visible_at           known_at             gross_premium_usd
    o1        10:00      2026-10-14 14:00:01  2026-10-14 14:00:06  2026-10-14 14:00:01  250000
    o2        10:00      2026-10-14 14:00:02  2026-10-14 14:00:06  2026-10-14 15:30:00  250000
    o3        10:00      2026-10-14 14:00:03  2026-10-14 14:00:06  2026-10-14 14:00:01  99000
  `,
  )
  await db.fill(
    'fold.legs',
    `
    order_id  leg_number  root  expiry      strike  option_type
    o1        1           SPXW  2026-10-14  5970    P
    o1        2           SPXW  2026-10-14  5950    P
    o1        3           SPXW  2026-10-15  5900    P
    o2        1           SPX   2026-11-20  5950    P
    o3        1           SPXW  2026-10-14  5950    P
  `,
  )
  await db.run(`insert into tape.quotes by name select distinct root, expiry from fold.legs`)
  await loadExpiries(db)
  await db.run(`create table ledger.orders as
    select date '2026-10-14' as session_date, order_id, minute_et, printed_at, structure,
      gross_premium_usd, 1.5::double as dealer_gamma_musd_per_point,
      null::varchar as gamma_null_reason, gross_premium_usd >= 100000 as is_in_ledger
    from fold.parent_orders`)
  await db.build('ledger/large_orders')
  expect(
    await db.rows('select order_id, usable_at::varchar as at, strikes from ledger.large_orders'),
  ).toEqual([
    { order_id: 'o1', at: '2026-10-14 14:00:06', strikes: [5950, 5970] },
    { order_id: 'o2', at: '2026-10-14 15:30:00', strikes: [] },
  ])
})
