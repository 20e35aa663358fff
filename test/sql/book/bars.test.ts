import { expect, test } from 'vitest'
import { openTestDb } from '../../support/db.ts'

const YEAR = 31_536_000

test('uncertainties are repriced before a fifth of the time to the next expiry is gone', async () => {
  const db = await openTestDb()
  // the expiry of 16:00, and one of another day that goes on
  await db.run(
    `create table tape.minutes as
     select unnest(range(timestamp '2026-10-14 13:31', timestamp '2026-10-14 20:16',
       interval 1 minute)) as minute_at;
     create table surface.forwards as
     select minute_at, strftime(minute_at - interval 4 hours, '%H:%M') as minute_et,
       6000::double as spot, 6000::double as forward, seconds_left / ${YEAR} as years
     from tape.minutes, unnest([
       date_diff('second', minute_at, timestamp '2026-10-14 20:00'), 86400]) as t(seconds_left)`,
  )
  await db.build('book/bar_states')
  const states = await db.rows('select distinct state_et from book.bar_states order by all')
  const times = states.map(row => String(row.state_et))
  expect(times.slice(0, 4)).toEqual(['09:31', '09:40', '09:50', '10:00'])
  const late = times.filter(time => time >= '15:00')
  expect(late.slice(0, 7)).toEqual(['15:00', '15:10', '15:15', '15:20', '15:25', '15:30', '15:36'])
  expect(late.slice(7, 15).join(' ')).toBe('15:38 15:40 15:42 15:44 15:46 15:48 15:50 15:51')
  expect(late.slice(-4)).toEqual(['15:58', '15:59', '16:00', '16:10'])
  const served = await db.rows('select minute_at from book.bar_states where state_at > minute_at')
  expect(served).toEqual([])
})

test.each([
  ['before it', [4, 1], (4 + 1 + 2 * 1) / 4],
  ['on both sides of it', [4, -1], (4 + 1) / 4],
  ['together', [4, 4], 4],
])('quotes %s: the index moves in the time that they share once', async (_, ages, seconds) => {
  const db = await openTestDb()
  await db.run(
    `create table surface.spots as
     select timestamp '2026-10-14 14:00' as minute_at, '10:00' as minute_et,
       timestamp '2026-10-14 13:59:30' as spotted_at, 6000::double as spot,
       'index' as spot_source, null::double as spot_error;
     create table surface.expected_moves as
     select '10:00' as minute_et, 'SPXW' as root, date '2026-10-14' as expiry,
       0.2::double as implied_vol;
     create table surface.forwards as
     select '10:00' as minute_et, 'SPXW' as root, date '2026-10-14' as expiry, 1 as term_number;
     create table surface.quotes as
     select 1 as term_number, 5990 + number as strike,
       if(number = 1, quoted_at, null) as call_quoted_at,
       if(number = 2, quoted_at, null) as put_quoted_at
     from (values
       (1, timestamp '2026-10-14 13:59:30' - to_seconds(${ages[0]})),
       (2, timestamp '2026-10-14 13:59:30' - to_seconds(${ages[1]}))) as t(number, quoted_at)`,
  )
  await db.build('book/bar_shifts')
  const [row] = await db.rows('select shift_points from book.bar_shifts')
  expect(row!.shift_points).toBeCloseTo(6000 * 0.2 * Math.sqrt(seconds / YEAR), 7)
})

/**
 * Relative errors of the volatilities of 41 strikes that stand off a line by a share,
 * alternating.
 */
async function listErrors(share: number, strikes = 41): Promise<number[]> {
  const db = await openTestDb()
  const at = "timestamp '2026-10-14 14:00'"
  // half a spread of 0.10, and what that is in deviations
  await db.run(
    `create table book.bar_states as
     select ${at} as minute_at, ${at} as state_at, '10:00' as state_et, 6000::double as state_spot;
     create table book.pairs as
     select number::integer as pair_number, 'SPXW' as root, date '2026-10-14' as expiry,
       6000 + 5.0 * (number - ${(strikes - 1) / 2}) as strike
     from range(${strikes}) as t(number);
     create table book.expiry_buckets as
     select ${at} as minute_at, date '2026-10-14' as expiry, '0dte' as bucket, false as is_monthly;
     create table surface.forwards as
     select 1 as term_number, '10:00' as minute_et, 'SPXW' as root, date '2026-10-14' as expiry,
       6000::double as spot, 6000::double as forward, 1::double as discount, 0.01::double as years;
     create table surface.smiles as
     with points as (
       select pair_number, strike, ln(strike / 6000) as log_moneyness, 0.02 as base,
         0.05 / (6000 * normal_density(-log_moneyness / base + base / 2)) as half_error,
         square(base + if(pair_number % 2 = 0, 1, -1) * ${share} * half_error) as total_variance
       from book.pairs)
     select 1 as term_number, strike, strike as from_strike, log_moneyness, total_variance,
       lead(log_moneyness, 1, log_moneyness) over by_strike as next_log_moneyness,
       lead(total_variance, 1, total_variance) over by_strike as next_total_variance
     from points window by_strike as (order by strike);
     create table surface.quotes as
     select 1 as term_number, strike, 1.0 as put_bid, 1.1 as put_ask, 1.0 as call_bid,
       1.1 as call_ask from surface.smiles`,
  )
  for (const model of ['points', 'shares', 'strikes']) await db.build(`book/bar_${model}`)
  const rows = await db.rows(
    `select volatility_error * deviation
       / (0.05 / (6000 * normal_density(d1))) as share
     from book.bar_strikes order by pair_number`,
  )
  return rows.map(row => Number(row.share))
}

test('the error of a quote is estimated from its distance to its neighbours', async () => {
  // off the line by twice the share; a line between two errs by the square root of 1.5
  for (const share of [0, 0.05, 0.2]) {
    const expected = (2 * share) / Math.sqrt(1.5) / 0.6745
    const errors = await listErrors(share)
    expect(errors).toHaveLength(41)
    for (const error of errors) expect(Math.abs(error - expected)).toBeLessThan(0.01)
  }
  // never further than anywhere between bid and ask; nor nearer where few strikes count
  for (const errors of [await listErrors(0.9), await listErrors(0, 9)]) {
    for (const error of errors) expect(error).toBeCloseTo(1 / Math.sqrt(3), 9)
  }
})
