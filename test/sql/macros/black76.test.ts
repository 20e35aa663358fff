import { expect, test } from 'vitest'
import { openTestDb, type TestDb } from '../../support/db.ts'
import { readVectors } from '../../support/shared.ts'
import { makeTable, worstError } from '../../support/surface.ts'

const GREEKS = {
  price: ['call', 'put'],
  delta: ['delta_call_S', 'delta_put_S'],
  theta: ['theta_call_year', 'theta_put_year'],
  gamma: ['gamma_S', 'gamma_S'],
  vega: ['vega', 'vega'],
} as const

async function listGreeks(db: TestDb): Promise<Record<string, unknown>[]> {
  const { cases } = readVectors('greeks_black76')
  await makeTable(
    db,
    'main.options',
    {
      label: 'varchar',
      seconds: 'integer',
      S: 'double',
      F: 'double',
      K: 'double',
      sigma: 'double',
      DF: 'double',
    },
    cases.map((row: object, number: number) => ({ ...row, label: number })),
  )
  return db.rows(`
    select
      label, option_type,
      black76_price(F, K, DF, sigma, years, option_type) as price,
      black76_delta(S, F, K, DF, sigma, years, option_type) as delta,
      black76_gamma(S, F, K, DF, sigma, years) as gamma,
      black76_vega(F, K, DF, sigma, years) as vega,
      black76_theta(F, K, DF, sigma, years, option_type) as theta
    from (select *, years_of_seconds(seconds) as years from main.options)
    cross join (select unnest(['C', 'P']) as option_type)
    order by label::integer, option_type`)
}

test('price and greeks agree with the reference options, calls and puts, to 1e-9', async () => {
  const db = await openTestDb()
  const { cases } = readVectors('greeks_black76')
  const rows = await listGreeks(db)
  expect(rows).toHaveLength(2 * cases.length)
  for (const [greek, names] of Object.entries(GREEKS)) {
    const pairs = rows.map(row => {
      const reference = cases[Number(row.label)]
      const wanted = reference[names[row.option_type === 'C' ? 0 : 1]]
      return { got: row[greek], wanted: Number(wanted), name: JSON.stringify(reference) }
    })
    const given = pairs.filter(pair => Number.isFinite(pair.wanted))
    expect(given.length).toBeGreaterThan(300)
    const worst = worstError(given)
    expect(worst.error, `${greek}, worst ${worst.error} at ${worst.name}`).toBeLessThan(1e-9)
  }
})

/** Black-76 call price written a second time: numeric integration of the payoff. */
function callByIntegration(forward: number, strike: number, deviation: number): number {
  const from = (Math.log(strike / forward) + (deviation * deviation) / 2) / deviation
  const to = Math.max(from, 0) + 12
  const steps = 20_000
  const width = (to - from) / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const z = from + i * width
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2
    const payoff = forward * Math.exp(deviation * z - (deviation * deviation) / 2) - strike
    sum += weight * payoff * Math.exp((-z * z) / 2)
  }
  return (sum * width) / 3 / Math.sqrt(2 * Math.PI)
}

test('gamma is the second difference of a price written a second way', async () => {
  const db = await openTestDb()
  const spot = 6000
  const forward = 6004
  let worst = { error: 0, name: '' }
  for (const deviation of [0.004, 0.02, 0.15]) {
    for (const moneyness of [-2, -0.5, 0, 1, 2.5]) {
      const strike = forward * Math.exp(moneyness * deviation)
      const bump = 0.02 * deviation * spot
      // the forward moves in proportion to the spot
      const at = (s: number) => callByIntegration((forward * s) / spot, strike, deviation)
      const difference = (a: number) => (at(spot + a) - 2 * at(spot) + at(spot - a)) / (a * a)
      const wanted = 0.99 * ((4 * difference(bump) - difference(2 * bump)) / 3)
      const [row] = await db.rows(
        `select black76_gamma($spot::double, $forward::double, $strike::double, 0.99::double,
           $deviation::double, 1::double) as gamma`,
        { spot, forward, strike, deviation },
      )
      const error = Math.abs(Number(row!.gamma) / wanted - 1)
      if (error > worst.error) worst = { error, name: `${deviation} ${moneyness}` }
    }
  }
  expect(worst.error, `worst at deviation and moneyness ${worst.name}`).toBeLessThan(2e-6)
})

test('null, no time and no volatility give null, not zero', async () => {
  const db = await openTestDb()
  const rows = await db.rows(`
    select
      black76_gamma(6000::double, forward, 6000::double, 1::double, vol, years) as gamma,
      black76_price(forward, 6000::double, 1::double, vol, years, 'C') as price,
      expected_move_points(forward, vol, years) as move,
      log_moneyness(forward, null::double) as log_strike
    from (values
      (null::double, 0.2::double, 0.1::double), (6000, null, 0.1), (6000, 0.2, null),
      (6000, 0.2, 0), (6000, 0.2, -0.1), (6000, 0, 0.1)
    ) as inputs(forward, vol, years)`)
  const nothing = { gamma: null, price: null, move: null, log_strike: null }
  expect(rows).toEqual(Array(6).fill(nothing))
})

test('the worked example: 1000 put spreads sold add 3.241 $M per point', async () => {
  const db = await openTestDb()
  const { S, F, T, DF, legs, g, atm_check } = readVectors('gamma_units')
  const findGamma = async (strike: string, vol: string) => {
    const [row] = await db.rows(
      `select black76_gamma($S::double, $F::double, $strike::double, $DF::double, $vol::double,
         $T::double) as gamma`,
      { S, F, strike, DF, vol, T },
    )
    return Number(row!.gamma)
  }
  let sum = 0
  for (const leg of legs) {
    const gamma = await findGamma(leg.K, leg.iv)
    expect(Math.abs(gamma / Number(leg.gamma) - 1)).toBeLessThan(1e-12)
    const [row] = await db.rows(
      'select gamma_musd_per_point($q::bigint, $gamma::double, $S::double) as musd',
      { q: -leg.customer_sign * leg.contracts, gamma, S },
    )
    sum += Number(row!.musd)
  }
  expect(Math.abs(sum / Number(g) - 1)).toBeLessThan(1e-12)
  const atm = await findGamma(atm_check.K, atm_check.iv)
  expect(Math.abs(atm / Number(atm_check.gamma) - 1)).toBeLessThan(1e-12)
})

test('the expected move is the undiscounted straddle at the forward', async () => {
  const db = await openTestDb()
  const { cases } = readVectors('expected_move')
  for (const { F, iv, seconds, straddle_undiscounted: wanted } of cases) {
    const [row] = await db.rows(
      `select expected_move_points($F::double, $iv::double, years_of_seconds($seconds::int))
         as move`,
      { F, iv, seconds },
    )
    const error = Math.abs(Number(row!.move) / Number(wanted) - 1)
    expect(error, `${iv} ${seconds}: ${row!.move} for ${wanted}`).toBeLessThan(1e-9)
  }
})

test('the bell over the index is the gamma macro at every level', async () => {
  const db = await openTestDb()
  const [row] = await db.rows(`
    with
    inputs as (
      select 6000.25::double as spot, 6003::double as forward, 0.99::double as discount,
        strike::double as strike, (0.1 + d * 0.1)::double as vol,
        (0.0001 + d * 0.01)::double as years,
        level::double as level
      from (select unnest(range(5700, 6301, 50)) as strike)
      cross join (select unnest(range(5)) as d)
      cross join (select unnest(range(5700, 6301, 60)) as level)
    ),
    both_ways as (
      select
        gamma_musd_per_point(1, black76_gamma(
          level, forward * level / spot, strike, discount, vol, years), level) as direct,
        gamma_peak_musd(spot, forward, discount, vol * sqrt(years)) * gamma_shape(
          black76_d1(forward, strike, vol, years), 1 / (vol * sqrt(years)), ln(level / spot)
        ) as bell
      from inputs
    )
    select max(abs(direct / bell - 1)) as worst, count(*) as n from both_ways
    where direct > 1e-30`)
  expect(Number(row!.n)).toBeGreaterThan(500)
  expect(Number(row!.worst), `worst relative difference ${row!.worst}`).toBeLessThan(1e-9)
})
