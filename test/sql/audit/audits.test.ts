import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { AUDITS, LEDGER_MODELS } from '../../../pipelines/build/dag.ts'
import { buildModel } from '../../../pipelines/build/steps.ts'
import { columnTypes } from '../../../src/data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import { loadExpiries } from '../../../src/data/tape/session.ts'
import type { TestDb } from '../../support/db.ts'
import { openStagesDb } from '../../support/stages.ts'

/** One valid order of two prints, and one print that was cancelled. */
async function openValidDb(): Promise<TestDb> {
  const db = await openStagesDb()
  await db.fill(
    'tape.prints',
    `
    session_date  sequence  printed_at           root  expiry      strike  option_type  size  price  known_at
    2026-10-14    1         2026-10-14 14:00:01  SPXW  2026-10-14  5950    P            100   10     2026-10-14 14:00:01
    2026-10-14    2         2026-10-14 14:00:01  SPXW  2026-10-14  5970    P            100   15     2026-10-14 14:00:01
    2026-10-14    3         2026-10-14 14:00:09  SPXW  2026-10-14  5970    P            7     15     2026-10-14 14:00:09
  `,
  )
  await db.fill(
    'fold.print_fates',
    `
    sequence  fate       size
    1         kept       100
    2         kept       100
    3         cancelled  7
  `,
  )
  await db.fill(
    'fold.order_prints',
    `
    order_id  sequence  leg_number
    o1        1         1
    o1        2         2
  `,
  )
  await db.fill(
    'fold.legs',
    `
    order_id  first_sequence  leg_number  root  expiry      strike  option_type  ratio  contracts  premium_usd  package_sign  customer_sign
    o1        1               1           SPXW  2026-10-14  5950    P            1      100        100000       1             1
    o1        1               2           SPXW  2026-10-14  5970    P            1      100        150000       -1            -1
  `,
  )
  await db.fill(
    'fold.parent_orders',
    `
    order_id  first_sequence  minute_et  printed_at           last_printed_at      known_at             visible_at           structure  leg_count  print_count  size  contracts  gross_premium_usd  sign
    o1        1               10:00      2026-10-14 14:00:01  2026-10-14 14:00:01  2026-10-14 14:00:01  2026-10-14 14:00:01  vertical   2          2            100   200        250000             1
  `,
  )
  await db.fill(
    'book.leg_gammas',
    `
    edition_id  leg_number  spot  gamma  delta  delta_error  gamma_error
    1           1           6000  0.01   -0.2   0            0
    1           2           6000  0.02   -0.3   0            0
  `,
  )
  await db.run(`insert into levels.levels by name
    select minute_et, unnest(['measured', 'vol', 'oi']) as book_basis, 6000 as spot,
      'index' as spot_source, 5990 as flip,
      6050 as call_wall, 5950 as put_wall,
      case when minute_et = '12:00' then -1.5 end as net_gamma_musd_per_point
    from tape.minutes`)
  await loadExpiries(db)
  await db.run(`create table surface.spots as
    select minute_et, minute_at, 6000.0::double as spot, minute_at as spotted_at,
      'index' as spot_source, null::double as spot_error
    from tape.minutes`)
  await db.run(`create table surface.session_smiles as
    select minute_et, 6000.0::double as forward, 1.0::double as discount,
      20.0::double as expected_move_points,
      5000.0::double as quoted_strike_low, 7000.0::double as quoted_strike_high,
      [5990.0::double, 6010] as smile_strikes, [1e-5::double, 1e-5] as smile_total_variances,
      null::varchar as reason
    from tape.minutes`)
  await db.run(`create table tape.previous_close as
    select 5990.0::double as previous_close, null::varchar as reason`)
  // the last one lies too far from the index to be known
  await db.run(`create table levels.strikes as
    select minutes.minute_at, 'vol' as book_basis, 'all' as bucket, strikes.*
    from tape.minutes as minutes
    cross join (values
      (5950.0::double, 0.0::double, -2.0::double), (6050.0, 1.25, 0.0), (6305.0, 0.0, -0.75)
    ) as strikes (strike, call_musd, put_musd)
    where minutes.minute_et = '12:00'`)
  await db.run(`update levels.levels set net_gamma_musd_per_point = null, reason = 'no_test'
    where book_basis <> 'vol'`)
  await db.run(`create table book.exposures as
    select minute_at, 'vol' as book_basis, 'SPXW' as root, cells.expiry, cells.strike,
      0.0::double as delta_musd, cells.gamma_musd, 0.0::double as vanna_musd,
      0.0::double as charm_musd, 0::float as delta_deviation_musd, 0::float as gamma_deviation_musd,
      0::float as vanna_deviation_musd, 0::float as charm_deviation_musd
    from tape.minutes
    cross join (values
      (date '2026-10-14', 5950.0::double, -2.0::double), (date '2026-10-14', 6050.0, 1.0),
      (date '2026-10-16', 6050.0, 0.25), (date '2026-10-16', null, -0.75)
    ) as cells (expiry, strike, gamma_musd)
    where minute_et = '12:00'`)
  const own = PUBLISHED_DATASETS.find(({ name }) => name === 'expiry_levels')!.columns
  await db.run(`create table levels.expiry_levels (${columnTypes(own)})`)
  await db.run(`insert into levels.expiry_levels by name
    select minute_et, 'vol' as book_basis, buckets.*
    from tape.minutes
    cross join (values
      ('all', null, -1.5::double), ('0dte', date '2026-10-14', -1.0),
      ('next', date '2026-10-16', -0.5)
    ) as buckets (bucket, expiry, net_gamma_musd_per_point)
    where minute_et = '12:00'`)
  await db.run(`create table surface.bases as
    select minute_et, minute_at, 'ESZ6' as contract, 15.25::double as basis,
      null::varchar as reason, 3::integer as price_count, 40.0::double as volume
    from tape.minutes where minute_et <> '12:01'`)
  await db.run(`create table surface.near_terms as
    select minute_et, date '2026-10-14' as expiry, 0 as dte, 'SPXW' as root
    from tape.minutes where minute_et in ('11:59', '12:00')`)
  await db.run(`create table surface.near_smiles as
    select *, 14400 as seconds_left, 6001.0::double as forward, 1.0::double as discount,
      [5990.0::double, 6010] as strikes, [1e-5::double, 1e-5] as total_variances,
      null::varchar as reason
    from surface.near_terms`)
  await db.run(`create table surface.near_quotes as
    select *, 6000.0::double as strike, 1.0::double as call_bid, 1.1::double as call_ask,
      60 as call_age_s, 1.0::double as put_bid, 1.1::double as put_ask, 300 as put_age_s
    from surface.near_terms`)
  for (const name of ['leg_sides', 'flows', 'balances']) await db.build(`book/${name}`)
  for (const name of ['edition_flows', 'flow_changes', 'minute_flows']) {
    await db.build(`book/${name}`)
  }
  const withoutBook = LEDGER_MODELS.filter(
    model => !/profiles|forwards|inventory|position|tape_/.test(model),
  )
  for (const model of withoutBook) {
    await buildModel(db, model)
  }
  return db
}

/** A defect that each audit must find. */
const DEFECTS: Record<(typeof AUDITS)[number], string[]> = {
  prints_are_conserved: [
    'delete from fold.print_fates where sequence = 3',
    'delete from fold.order_prints where sequence = 2',
    "insert into fold.order_prints values ('o1', 2, 2)",
    "insert into fold.order_prints values ('o1', 3, 2)",
    "insert into fold.order_prints values ('o1', 4, 2)",
    'insert into fold.print_fates from fold.print_fates where sequence = 2',
    'delete from tape.prints where sequence = 3',
  ],
  legs_equal_their_prints: [
    'update fold.legs set contracts = 99 where leg_number = 1',
    'delete from fold.legs where leg_number = 1',
    'update fold.legs set strike = 5955 where leg_number = 1',
  ],
  orders_are_unique: ['insert into ledger.orders from ledger.orders'],
  orders_have_legs_and_sizes: [
    'delete from ledger.legs',
    'update ledger.orders set size = 0',
    'update ledger.legs set ratio = 2 where leg_number = 1',
    'update ledger.orders set contracts = 201',
  ],
  orders_lie_in_the_session: [
    "update ledger.orders set printed_at = timestamp '2026-10-14 13:29:59.999999'",
    "update ledger.orders set printed_at = timestamp '2026-10-14 20:15:00'",
    "update ledger.orders set known_at = timestamp '2026-10-15 20:15:00'",
  ],
  signs_are_whole: [
    'update ledger.legs set customer_sign = 0 where leg_number = 1',
    'update ledger.legs set customer_sign = 2 where leg_number = 1',
    'update ledger.orders set sign = 0',
  ],
  nulls_have_reasons: [
    'update ledger.orders set dealer_gamma_musd_per_point = null',
    "update ledger.orders set gamma_null_reason = 'no_spot'",
    'update ledger.orders set sign = 0',
    'update ledger.orders set flip_distance_points = null',
    "update ledger.orders set dealer_gamma_musd_per_point = 'nan'",
  ],
  levels_cover_every_minute: [
    "delete from levels.levels where minute_et = '12:00' and book_basis = 'vol'",
    "update levels.levels set flip = null where minute_et = '12:00'",
    "update levels.levels set spot = null where minute_et = '12:00'",
  ],
  strikes_add_up: [
    'delete from ledger.strikes where strike = 5950',
    'insert into ledger.strikes from ledger.strikes where strike = 6050',
    "update ledger.strikes set book_basis = 'oi' where strike = 6050",
    'update ledger.strikes set put_musd = put_musd + 1e-10 where strike = 5950',
    'update levels.levels set net_gamma_musd_per_point = null',
    'update levels.strikes set put_musd = -0.5 where strike = 6305',
    "update ledger.strikes set minute_et = '08:00'",
  ],
  exposures_add_up: [
    'delete from ledger.exposures where strike = 5950',
    'delete from ledger.exposures where strike is null',
    'insert into ledger.exposures from ledger.exposures where strike = 6050',
    "update ledger.exposures set expiry = date '2026-10-16' where strike = 5950",
    'update ledger.exposures set gamma_musd = gamma_musd + 1e-10 where strike = 5950',
    "update ledger.exposures set minute_et = '12:05'",
    "update ledger.expiry_levels set net_gamma_musd_per_point = 1 where bucket = 'next'",
    'delete from ledger.strikes where strike = 6050',
  ],
  flow_adds_up: [
    "delete from ledger.flow where minute_et = '12:00' and part = 'puts' and span = '5m'",
    "update ledger.flow set delta_reason = null where part = 'calls'",
    "update ledger.flow set delta_lo_musd = null where minute_et = '12:00' and part = 'all'",
    'update ledger.flow set gamma_hi_musd_per_point = gamma_musd_per_point - 1e-9',
    "update book.minute_flows set delta_musd = delta_musd + 1e-10 where part = 'puts'",
    "update book.minute_flows set gamma_musd = 1 where part = 'all' and minute_et = '12:00'",
    "update book.minute_flows set contracts = 7 where part = 'calls'",
  ],
  bases_have_reasons: [
    'update ledger.basis set basis = null',
    "update ledger.basis set reason = null where minute_et = '12:01'",
    "update ledger.basis set reason = 'no_index' where minute_et = '12:00'",
    "update ledger.basis set price_count = 0 where minute_et = '12:00'",
    "update ledger.basis set basis = 'nan' where minute_et = '12:00'",
    "update ledger.basis set volume = -1 where minute_et = '12:00'",
  ],
  market_minutes_have_reasons: [
    "delete from ledger.market_minutes where minute_et = '12:00'",
    'update ledger.market_minutes set forward = null',
    'update ledger.market_minutes set call_wall = null, level_reason = null',
    'update ledger.market_minutes set previous_close = null',
    'update ledger.market_minutes set flip_lo = 5990, flip_hi = null',
    'update ledger.market_minutes set net_gamma_musd_per_point = null, level_reason = null',
    "update ledger.market_minutes set previous_close_reason = 'no_previous_close'",
    'update ledger.market_minutes set smile_total_variances = []',
    'update ledger.market_minutes set smile_strikes = list_reverse(smile_strikes)',
  ],
  option_minutes_are_of_their_time: [
    "update surface.near_quotes set call_age_s = null where minute_et = '12:00'",
    'update surface.near_quotes set put_age_s = null, put_bid = null',
    'update surface.near_quotes set put_age_s = 0',
    'update surface.near_quotes set call_age_s = 301',
    `update surface.near_quotes set call_age_s = null, put_age_s = null, call_bid = null,
      call_ask = null, put_bid = null, put_ask = null`,
  ],
  smiles_have_reasons: [
    "delete from surface.near_smiles where minute_et = '12:00'",
    'update surface.near_smiles set forward = null',
    "update surface.near_smiles set forward = null, reason = 'no_forward'",
    'update surface.near_smiles set strikes = [], total_variances = []',
    "update surface.near_smiles set reason = 'no_smile'",
    'update surface.near_smiles set total_variances = [1e-5]',
    'update surface.near_smiles set strikes = list_reverse(strikes)',
    'update surface.near_smiles set discount = null',
    'update surface.near_smiles set seconds_left = -1',
  ],
  settlements_have_reasons: [
    'delete from ledger.settlements',
    'insert into ledger.settlements from ledger.settlements',
    'update ledger.settlements set settlement = null',
    "update ledger.settlements set settlement = null, source = null, reason = 'no_index'",
    'update ledger.settlements set source = null',
    'update ledger.settlements set spotted_at = null',
    "update ledger.settlements set source = 'official'",
    "update ledger.settlements set reason = 'no_index'",
  ],
  grades_have_reasons: [
    'update ledger.level_grades set outcome = null, reason = null',
    "update ledger.level_grades set outcome = 'held', reason = null, touched_at = null",
    "delete from ledger.level_grades where kind = 'put_wall'",
    'insert into ledger.level_grades from ledger.level_grades',
    'update ledger.regime_grades set reason = null, p_positive = null',
    'insert into ledger.regime_grades from ledger.regime_grades',
  ],
  stats_equal_the_ledger: [
    'update ledger.stats set order_count = 2',
    'update ledger.stats set no_side_count = 1',
    'update ledger.stats set gamma_up_count = gamma_up_count + 1',
  ],
}

test('every audit file is in the list of audits and the other way round', () => {
  const files = globSync('sql/audit/*.sql').map(file => basename(file, '.sql'))
  expect([...AUDITS].sort()).toEqual(files.sort())
})

test('a print known only after the session is no lost print, one without a disposition is', async () => {
  const db = await openValidDb()
  const known = (at: string) =>
    db.run(
      `insert into tape.prints by name select
       * replace (9 as sequence, timestamp '${at}' as known_at)
     from tape.prints where sequence = 3`,
    )
  await known('2026-10-19 14:00:00')
  expect(await db.audit('prints_are_conserved')).toEqual([])
  await known('2026-10-14 20:14:00')
  expect(await db.audit('prints_are_conserved')).toHaveLength(1)
})

test('the audit of the prints names each that was lost and says how', async () => {
  const db = await openValidDb()
  await db.run('delete from fold.order_prints where sequence = 2')
  await db.run('delete from fold.print_fates where sequence = 3')
  expect(await db.audit('prints_are_conserved')).toMatchObject([
    { sequence: 2, problem: 'is in no order' },
    { sequence: 3, problem: 'has no fate' },
  ])
})

test.each(AUDITS)('%s is silent on valid data and finds each defect', async name => {
  const db = await openValidDb()
  expect(await db.audit(name)).toEqual([])
  for (const defect of DEFECTS[name]) {
    await db.run('begin')
    await db.run(defect)
    expect(await db.audit(name), defect).not.toEqual([])
    await db.run('rollback')
  }
})
