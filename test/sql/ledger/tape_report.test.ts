import { expect, test } from 'vitest'
import { findReport, openValidTape } from '../../support/tapeReport.ts'

test('a valid tape is good, without a reason', async () => {
  const db = await openValidTape()
  expect(await findReport(db)).toEqual({
    session_date: '2026-10-14',
    minutes_expected: 405,
    minutes_present: 405,
    minutes_missing: 0,
    minutes_missing_share: 0,
    longest_gap_minutes: 0,
    minutes_silent_at_open: 0,
    minutes_silent_at_close: 0,
    first_printed_at: '2026-10-14 13:30:30',
    last_printed_at: '2026-10-14 20:14:30',
    print_count: 405,
    conditions_missing_share: 0,
    silent_condition_share: 0,
    single_condition_share: null,
    quotes_missing_share: 0,
    quote_age_median_s: 0.1,
    quote_age_p99_s: 0.1,
    quote_age_null_reason: null,
    outside_quotes_share: 0,
    quotes_apart_share: null,
    unlisted_share: null,
    after_expiry_share: 0,
    one_type_share: null,
    twin_share: 0,
    unknown_condition_count: 0,
    unknown_condition_share: 0,
    rejected_row_count: 0,
    rejected_row_share: 0,
    cancel_count: 0,
    cancels_without_target: 0,
    cancels_without_target_share: null,
    late_share: 0,
    known_late_share: 0,
    package_count: 0,
    off_step_share: null,
    leg_print_count: 0,
    orphan_share: null,
    leftover_count: 0,
    leftover_share: 0,
    set_apart_count: 0,
    set_apart_share: 0,
    spot_minutes_missing: 0,
    spot_minutes_missing_share: 0,
    spot_minutes_parity: 0,
    expiry_count: 1,
    expiries_without_forward: 0,
    expiries_without_forward_share: 0,
    forward_minutes_missing_share: 0,
    forward_gap_p90: Math.abs((6001 * 0.9999) / 6000 - 1),
    has_curve: true,
    has_open_interest: true,
    volume_without_open_interest_share: 0,
    grade: 'good',
    grade_reasons: [],
    other_symbol_count: 0,
    dealers: null,
  })
})

test('an empty tape is refused: its shares are null, not zero', async () => {
  const db = await openValidTape()
  await db.run('delete from tape.prints')
  expect(await findReport(db)).toMatchObject({
    minutes_present: 0,
    minutes_missing_share: 1,
    longest_gap_minutes: 405,
    minutes_silent_at_open: 405,
    minutes_silent_at_close: 405,
    first_printed_at: null,
    print_count: 0,
    conditions_missing_share: null,
    quotes_missing_share: null,
    quote_age_null_reason: 'no_quote',
    outside_quotes_share: null,
    after_expiry_share: null,
    twin_share: null,
    late_share: null,
    known_late_share: null,
    expiries_without_forward_share: null,
    forward_minutes_missing_share: null,
    volume_without_open_interest_share: null,
    grade: 'bad',
  })
})

test('all conditions missing: doubtful, and no share of late reports', async () => {
  const db = await openValidTape()
  await db.run('update tape.prints set condition = null')
  expect(await findReport(db)).toMatchObject({
    conditions_missing_share: 1,
    late_share: null,
    grade: 'doubtful',
    grade_reasons: [expect.stringMatching(/^conditions_missing_share is 1, doubtful from 0.05: /)],
  })
})

test('quotes 15 minutes behind are bad, where they say so', async () => {
  const db = await openValidTape()
  await db.run('update tape.prints set quoted_at = printed_at - interval 15 minute')
  expect(await findReport(db)).toMatchObject({
    quote_age_median_s: 900,
    quote_age_p99_s: 900,
    grade: 'bad',
  })
})

test('the age is that of the middle print, and of the 99th of 100', async () => {
  const db = await openValidTape()
  // 405 prints: 203 at 0.1 s are the lower half, 5 of the others are slow
  await db.run(`update tape.prints set quoted_at = printed_at - interval 2 second
    where sequence > 203`)
  await db.run(`update tape.prints set quoted_at = printed_at - interval 90 second
    where sequence > 400`)
  expect(await findReport(db)).toMatchObject({
    quote_age_median_s: 0.1,
    quote_age_p99_s: 90,
    grade_reasons: [expect.stringContaining('quote_age_p99_s is 90, doubtful from 60')],
  })
})

test('no quotes, or quotes without their instant: the age is null and says why', async () => {
  const db = await openValidTape()
  await db.run('update tape.prints set quoted_at = null')
  expect(await findReport(db)).toMatchObject({
    quote_age_median_s: null,
    quote_age_null_reason: 'undated',
    quotes_missing_share: 0,
    grade: 'good',
  })
  await db.run('update tape.prints set best_bid = null, best_ask = null')
  expect(await findReport(db)).toMatchObject({
    quote_age_null_reason: 'no_quote',
    quotes_missing_share: 1,
    outside_quotes_share: null,
    grade: 'bad',
  })
})

test('trades outside their quotes are counted against two-sided quotes alone', async () => {
  const db = await openValidTape()
  await db.run('delete from tape.prints')
  await db.fill(
    'tape.prints',
    `
    session_date  sequence  printed_at           root  expiry      strike  option_type  size  price  condition  best_bid  best_ask  known_at
    2026-10-14    1         2026-10-14 14:00:01  SPXW  2026-10-14  6000    C            1     5.00   I          5.00      5.10      2026-10-14 14:00:01  # at the bid: inside
    2026-10-14    2         2026-10-14 14:00:02  SPXW  2026-10-14  6000    C            1     5.10   I          5.00      5.10      2026-10-14 14:00:02  # at the offer
    2026-10-14    3         2026-10-14 14:00:03  SPXW  2026-10-14  6000    C            1     4.95   I          5.00      5.10      2026-10-14 14:00:03  # below
    2026-10-14    4         2026-10-14 14:00:04  SPXW  2026-10-14  6000    C            1     5.15   I          5.00      5.10      2026-10-14 14:00:04  # above
    2026-10-14    5         2026-10-14 14:00:05  SPXW  2026-10-14  6000    C            1     9.00   I          5.00      5.00      2026-10-14 14:00:05  # locked: no verdict
    2026-10-14    6         2026-10-14 14:00:06  SPXW  2026-10-14  6000    C            1     9.00   I          -         5.00      2026-10-14 14:00:06  # one-sided
    2026-10-14    7         2026-10-14 14:00:07  SPXW  2026-10-14  6000    C            1     9.00   I          -         -         2026-10-14 14:00:07  # none
  `,
  )
  expect(await findReport(db)).toMatchObject({
    outside_quotes_share: 0.5,
    quotes_missing_share: 3 / 7,
  })
})

test('late reports are a share of the prints with a condition', async () => {
  const db = await openValidTape()
  await db.run("update tape.prints set condition = 'B' where sequence <= 81") // LATE
  await db.run('update tape.prints set condition = null where sequence > 401')
  expect(await findReport(db)).toMatchObject({ late_share: 81 / 401, grade: 'doubtful' })
})

test('cancelled prints do not count; a cancel without its print does', async () => {
  const db = await openValidTape()
  await db.fill(
    'fold.print_fates',
    `
    sequence  fate                   size
    7         cancelled              10
    8         cancel                 10
    9         cancel_without_target  10
    10        outside_hours          10
  `,
  )
  expect(await findReport(db)).toMatchObject({
    print_count: 401,
    cancel_count: 2,
    cancels_without_target: 1,
    cancels_without_target_share: 0.5,
    minutes_missing: 0, // the feed was alive
    grade: 'doubtful',
  })
})

test('rows left out by the imports are reported, by the dataset that lost most', async () => {
  const db = await openValidTape()
  await db.run('delete from tape.batches')
  await db.fill(
    'tape.batches',
    `
    dataset  read_count  rejected_count  quarantined_count
    prints   600         3               25
    prints   400         1               25
    quotes   400000      40              0
  `,
  )
  expect(await findReport(db)).toMatchObject({
    unknown_condition_count: 50,
    unknown_condition_share: 0.05,
    rejected_row_count: 44,
    rejected_row_share: 0.004,
    grade: 'bad',
  })
})

test('files that their vendor calls degraded make the tape doubtful, with the reason', async () => {
  const db = await openValidTape()
  await db.run("update tape.batches set is_degraded = true where dataset = 'prints'")
  const { grade, grade_reasons: reasons } = await findReport(db)
  expect([grade, reasons]).toEqual([
    'doubtful',
    ['degraded_file_count is 1, doubtful from 1: the vendor itself calls these data degraded'],
  ])
})

test('packages off the grid and legs without a package: the fold reports on itself', async () => {
  const db = await openValidTape()
  await db.run("update tape.prints set condition = 'f' where sequence <= 8") // MLET: a leg
  await db.run(`insert into fold.parent_orders by name
    select * from (values
      ('p1', 2, ['off_grid', 'ambiguous']), ('p2', 2, []::varchar[]), ('p3', 4, ['legs_disagree']),
      ('q1', 1, ['ml_orphan'])) as orders(order_id, leg_count, flags)`)
  await db.fill(
    'fold.order_prints',
    `
    order_id  sequence  leg_number
    p1        1         1
    p1        2         2
    p2        3         1
    p2        4         2
    p3        5         1
    p3        6         2
    q1        7         1
    q1        8         1
  `,
  )
  expect(await findReport(db)).toMatchObject({
    package_count: 3,
    off_step_share: 1 / 3,
    leg_print_count: 8,
    orphan_share: 0.25,
    grade: 'bad',
  })
})

test('minutes without index, expiries without forward, no curve, no open interest', async () => {
  const db = await openValidTape()
  await db.run("update surface.spots set spot = null where minute_et >= '15:45'")
  await db.run("update tape.prints set expiry = '2026-10-16' where sequence <= 10")
  await db.run("update tape.prints set expiry = '2026-10-15', root = 'SPX' where sequence = 11")
  await db.run(`insert into surface.forwards
    by name select minute_et, 'SPXW' as root, date '2026-10-16' as expiry, 'no_forward' as reason
    from tape.minutes
    union all -- nobody traded it
    select minute_et, 'SPXW', date '2026-10-19', 'no_forward' from tape.minutes
    union all -- over before the session began
    select minute_et, 'SPX', date '2026-10-15', 'expired' from tape.minutes`)
  await db.run('delete from tape.rates')
  await db.run('delete from tape.open_interest')
  expect(await findReport(db)).toMatchObject({
    spot_minutes_missing: 30,
    spot_minutes_missing_share: 30 / 405,
    expiry_count: 2,
    expiries_without_forward: 1,
    expiries_without_forward_share: 0.5,
    has_curve: false,
    has_open_interest: false,
    grade: 'bad',
    grade_reasons: [
      expect.stringMatching(/^spot_minutes_missing_share .+ doubtful from 0.05: /),
      expect.stringMatching(/^expiries_without_forward_share is 0.5, bad from 0.5: /),
      expect.stringMatching(/^curve_missing is 1, doubtful from 1: /),
      expect.stringMatching(/^open_interest_missing is 1, doubtful from 1: /),
    ],
  })
})
