import { expect, test } from 'vitest'
import { loadExpiries } from '../../../src/data/tape/session.ts'
import { openStagesDb } from '../../support/stages.ts'

const SMILE_COLUMNS = `minute_et varchar, forward double, discount double,
  expected_move_points double, quoted_strike_low double,
  quoted_strike_high double, smile_strikes double[], smile_total_variances double[],
  reason varchar`

/** Market minutes where the index of each state minute is given; '-' is a gap. */
async function buildMinutes(spots: string, date = '2026-10-14') {
  const db = await openStagesDb(100_000, date)
  await db.run(`create table surface.spots
    (minute_et varchar, spot double, minute_at timestamp, spotted_at timestamp,
    spot_source varchar, spot_error double)`)
  await db.fill('surface.spots', spots)
  await db.run(`update surface.spots set minute_at =
    (select minute_at from tape.minutes m where m.minute_et = spots.minute_et)`)
  await db.run(`update surface.spots set spotted_at = minute_at - interval 1 second
    where spot is not null`)
  await db.run(`create table surface.session_smiles (${SMILE_COLUMNS})`)
  await db.run(`insert into surface.session_smiles by name
    select minute_et, 10 + row_number() over (order by minute_et) as expected_move_points
    from surface.spots`)
  await db.run(`create table tape.previous_close as
    select 5990.0::double as previous_close, null::varchar as reason`)
  await db.build('ledger/market_minutes')
  return db.rows(
    `select minute_et, seconds_left, session_seconds, spot, open, previous_close,
       session_expected_move_points as move
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
  // and the session's move is that of 09:31
  expect(rows.map(row => row.move)).toEqual([null, 12, 12, 12, 12])
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

test('a large order has every version that was known, at its strikes of today alone', async () => {
  const db = await openStagesDb()
  await db.run(`create table ledger.revisions (session_date date, order_id varchar,
    revision_number integer, minute_et varchar, printed_at timestamp, visible_at timestamp,
    superseded_at timestamp, structure varchar, gross_premium_usd double,
    dealer_gamma_musd_per_point double, gamma_null_reason varchar, is_in_ledger boolean)`)
  await db.run(
    'create table ledger.orders as select * exclude (superseded_at) from ledger.revisions',
  )
  await db.fill(
    'ledger.orders',
    `
    order_id  revision_number  visible_at           gross_premium_usd  is_in_ledger
    o1        2                2026-10-14 15:30:00  200000             true
    o2        1                2026-10-14 14:00:06  250000             true
    o3        1                2026-10-14 14:00:07  99000              false
  `,
  )
  await db.fill(
    'ledger.revisions',
    `
    order_id  revision_number  visible_at           superseded_at        gross_premium_usd  is_in_ledger
    o1        1                2026-10-14 14:00:06  2026-10-14 15:30:00  250000             true
  `,
  )
  await db.run(`create table ledger.legs
    (order_id varchar, revision_number integer, root varchar, expiry date, strike double)`)
  await db.run('create table ledger.revision_legs as from ledger.legs')
  await db.fill(
    'ledger.legs',
    `
    order_id  revision_number  root  expiry      strike
    o1        2                SPXW  2026-10-14  5950
    o2        1                SPX   2026-11-20  5950
    o3        1                SPXW  2026-10-14  5950
  `,
  )
  await db.fill(
    'ledger.revision_legs',
    `
    order_id  revision_number  root  expiry      strike
    o1        1                SPXW  2026-10-14  5970
    o1        1                SPXW  2026-10-14  5950
    o1        1                SPXW  2026-10-15  5900
  `,
  )
  await db.run(`insert into tape.quotes by name select distinct root, expiry from
    (from ledger.legs union all from ledger.revision_legs)`)
  await loadExpiries(db)
  await db.build('ledger/large_orders')
  expect(
    await db.rows(`select order_id, revision_number, superseded_at::varchar as until, strikes
      from ledger.large_orders`),
  ).toEqual([
    { order_id: 'o1', revision_number: 1, until: '2026-10-14 15:30:00', strikes: [5950, 5970] },
    { order_id: 'o2', revision_number: 1, until: null, strikes: [] },
    { order_id: 'o1', revision_number: 2, until: null, strikes: [5950] },
  ])
})
