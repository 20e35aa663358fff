import { expect, test } from 'vitest'
import { buildSurface } from '../../../pipelines/build/surface.ts'
import { type TestDb, table } from '../../support/db.ts'
import { impliedSpots, openLeanDb } from '../../support/lean.ts'
import { hasSharedData } from '../../support/shared.ts'
import { QUOTED_CONTRACTS } from '../../support/surface.ts'

/**
 * Six days of SPXW minute quotes, one or two strikes an expiry: three pairs never exist, so one is
 * let make a forward here. Four of the days have no index; their spot comes from parity.
 */
async function priceDay(date: string, hasIndex: boolean) {
  const db = await openLeanDb(date, quotes => (hasIndex ? null : impliedSpots(quotes)))
  await buildSurface(db, 1)
  await db.run(`
    create table main.priced as
    with
    quoted as (
      select quotes.*, term_number, spot, forward, discount, years, reason
      from (${QUOTED_CONTRACTS}) as quotes join surface.forwards using (minute_et, root, expiry)
    ),
    smiled as (
      select quoted.*, smiles.strike = quoted.strike as is_at_point,
        sqrt(smile_total_variance(log_moneyness(quoted.strike, forward), smiles.log_moneyness,
          total_variance, next_log_moneyness, next_total_variance) / quoted.years) as vol
      from quoted
      asof left join surface.smiles as smiles
        on quoted.term_number = smiles.term_number and quoted.strike >= smiles.from_strike
    )
    select *, best_bid > 0 and mid is not null as is_two_sided,
      black76_gamma(spot, forward, strike, discount, vol, years) as gamma,
      black76_price(forward, strike, discount, vol, years, option_type) as price
    from smiled`)
  return db
}

const COUNTS = table(`
    date        has_index  priced  no_forward  no_spot  expired
    2021-01-04  true       4322    232         0        3
    2021-01-05  false      3171    60          0        0
    2021-01-06  false      5964    327         0        2
    2021-01-07  false      1606    8           0        0
    2021-01-08  false      6033    260         0        2
    2023-06-26  true       1296    0           40       0
  `)

test.skipIf(!hasSharedData).each(COUNTS)(
  'LEAN minutes of $date: $priced contract-minutes have volatility and gamma, the rest a reason',
  async ({ date, has_index, ...counts }) => {
    const db = await priceDay(String(date), has_index === 'true')
    const [row] = await db.rows(`
      select count(*) filter (reason is null) as priced,
        count(*) filter (reason = 'no_forward') as no_forward,
        count(*) filter (reason = 'no_spot') as no_spot,
        count(*) filter (reason = 'expired') as expired,
        count(*) filter ((gamma is null) <> (reason is not null)) as unexplained
      from main.priced`)
    expect(row).toEqual({ ...counts, unexplained: 0 })
    await expectInsideMarkets(db, String(date))
  },
)

/** A strike with its own point of the smile: both of its contracts reprice inside their market. */
async function expectInsideMarkets(db: TestDb, date: string): Promise<void> {
  const outside = await db.rows(`
    select minute_et, expiry, strike, option_type, best_bid, best_ask, price
    from main.priced
    where is_at_point and is_two_sided
      and (price < best_bid - 1e-9 or price > best_ask + 1e-9)`)
  // at 10:52 of 4 January the two pairs of one expiry differ by half a point
  const known = date === '2021-01-04' ? [{ minute_et: '10:52', strike: 3700 }] : []
  expect(outside).toMatchObject(known)
  for (const row of outside) expect(Number(row.price) - Number(row.best_ask)).toBeLessThan(0.0501)
}
