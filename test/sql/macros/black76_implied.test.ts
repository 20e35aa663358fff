import { expect, test } from 'vitest'
import { openTestDb } from '../../support/db.ts'
import { readVectors } from '../../support/shared.ts'
import { makeTable } from '../../support/surface.ts'

const TYPES = {
  number: 'integer',
  F: 'double',
  K: 'double',
  seconds: 'integer',
  price: 'double',
  DF: 'double',
  cp: 'varchar',
}

async function implied(rows: readonly object[]) {
  const db = await openTestDb()
  await makeTable(
    db,
    'main.cases',
    TYPES,
    rows.map((row, number) => ({ ...row, number })),
  )
  return db.rows(`
    with quotes as (
      select number, price, F as forward, K as strike, DF as discount,
        years_of_seconds(seconds) as years, cp as option_type
      from main.cases
    )
    select number, implied_vol, refusal from black76_implied(quotes) order by number`)
}

test('the reference prices give their volatility to 1e-9, or the reason why not', async () => {
  const { cases } = readVectors('iv_black76')
  const rows = await implied(cases)
  expect(rows).toHaveLength(cases.length)
  let worst = { excess: 0, name: '' }
  let refused = 0
  for (const row of rows) {
    const wanted = cases[Number(row.number)]
    if (wanted.sigma === null) {
      expect(row, wanted.tag).toMatchObject({ implied_vol: null, refusal: wanted.refused })
      refused += 1
      continue
    }
    expect(row.refusal, wanted.tag).toBeNull()
    const error = Math.abs(Number(row.implied_vol) / Number(wanted.sigma) - 1)
    const excess = error / Math.max(1e-9, 8 * Number(wanted.double_floor_rel))
    if (!(excess <= worst.excess)) worst = { excess, name: `${error} at ${JSON.stringify(wanted)}` }
  }
  expect(refused).toBe(cases.filter((row: { sigma: unknown }) => row.sigma === null).length)
  expect(worst.excess, `worst relative error ${worst.name}`).toBeLessThan(1)
})

test('at the bounds a price is refused, a hair inside it is not', async () => {
  const at = { F: 6000, DF: 0.999, seconds: 86_400 }
  expect(
    await implied([
      { ...at, K: 5900, cp: 'C', price: 99.9 }, // the intrinsic value
      { ...at, K: 5900, cp: 'C', price: 99.9 + 1e-6 },
      { ...at, K: 5900, cp: 'C', price: 0.999 * 6000 }, // the discounted forward
      { ...at, K: 5900, cp: 'P', price: 0.999 * 5900 }, // the discounted strike
      { ...at, K: 5900, cp: 'P', price: 0 },
      { ...at, K: 5900, cp: 'P', price: 10, seconds: 0 },
      { ...at, K: 5900, cp: 'P', price: null },
      { ...at, F: null, K: 5900, cp: 'P', price: 10 },
    ]),
  ).toMatchObject([
    { implied_vol: null, refusal: 'at_or_below_intrinsic' },
    { implied_vol: expect.any(Number), refusal: null },
    { implied_vol: null, refusal: 'at_or_above_cap' },
    { implied_vol: null, refusal: 'at_or_above_cap' },
    { implied_vol: null, refusal: 'at_or_below_intrinsic' },
    { implied_vol: null, refusal: 'expired' },
    { implied_vol: null, refusal: null },
    { implied_vol: null, refusal: null },
  ])
})

test('prices of a minute to years give their volatility back', async () => {
  const db = await openTestDb()
  const [row] = await db.rows(`
    with options as (
      select
        5000::double as forward,
        years,
        vol,
        deviations,
        -- the out-of-the-money side of a strike so many deviations away
        5000::double * exp(deviations * vol * sqrt(years)) as strike,
        case when deviations < 0 then 'P' else 'C' end as option_type,
        0.97::double as discount,
        black76_price(forward, strike, discount, vol, years, option_type) as price
      from unnest([1.9e-6, 2.7e-3, 0.08, 0.5, 1, 5]) as terms(years)
      cross join unnest([0.02, 0.1, 0.3, 1, 3]) as vols(vol)
      cross join unnest([-9, -4, -1.5, -0.3, -0.001, 0, 0.001, 0.4, 1, 3, 8]) as d(deviations)
      where vol * sqrt(years) <= 3
    )
    select
      count(*) as options,
      count(implied_vol) as solved,
      -- what the last digit of the price is worth
      max(abs(implied_vol - vol) / (vol * greatest(1, 1e-7 * price
        / (vol * black76_vega(forward, strike, discount, vol, years))))) as error
    from black76_implied(options)`)
  expect(row).toMatchObject({ options: 319, solved: 319 })
  expect(Number(row!.error)).toBeLessThan(1e-9)
})
