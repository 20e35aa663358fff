import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTestDb, type TestDb } from '../../support/db.ts'
import { readVectors } from '../../support/shared.ts'
import { makeTable, worstError } from '../../support/surface.ts'

/** Index, carry and rate a year, seconds left, volatility a year, moneyness in deviations. */
const option = fc.record({
  spot: fc.double({ min: 500, max: 8000, noNaN: true }),
  rate: fc.double({ min: 0, max: 0.06, noNaN: true }),
  carry: fc.double({ min: -0.02, max: 0.05, noNaN: true }),
  seconds: fc.integer({ min: 120, max: 31_536_000 }),
  vol: fc.double({ min: 0.05, max: 1.2, noNaN: true }),
  moneyness: fc.double({ min: -4, max: 4, noNaN: true }),
})

/** Differences of a value over a step and over twice that, of order four together. */
const slope = (at: (steps: string) => string, step: string) =>
  `(8 * (${at('1')} - ${at('-1')}) - (${at('2')} - ${at('-2')})) / (12 * ${step})`

const price = (steps: string) =>
  `black76_price(forward * (spot + ${steps} * point) / spot, strike, discount, vol, years, kind)`
const deltaOfVol = (steps: string) =>
  `black76_delta(spot, forward, strike, discount, vol + ${steps} * bump, years, kind)`
const deltaAhead = (steps: string) =>
  `black76_delta(spot, spot * exp(carry * (years - ${steps} * ahead)), strike,
    exp(-rate * (years - ${steps} * ahead)), vol, years - ${steps} * ahead, kind)`

async function openOptions(): Promise<TestDb> {
  const db = await openTestDb()
  const rows = fc.sample(option, { numRuns: 400, seed: 49 })
  const types = { spot: 'double', rate: 'double', carry: 'double', vol: 'double' } as const
  const others = { seconds: 'integer', moneyness: 'double' } as const
  await makeTable(db, 'main.samples', { ...types, ...others }, rows)
  await db.run(`
    create view main.options as
    select
      *,
      spot * exp(carry * years) as forward,
      exp(-rate * years) as discount,
      forward * exp(-moneyness * vol * sqrt(years)) as strike,
      2e-3 * spot * vol * sqrt(years) as point,
      1e-3 * vol as bump,
      1e-3 * years as ahead,
      unnest(['C', 'P']) as kind
    from (select *, years_of_seconds(seconds) as years from main.samples)`)
  return db
}

test('delta, vanna and charm are differences of the pricing, to 1e-6', async () => {
  const db = await openOptions()
  const rows = await db.rows(`
    select
      moneyness, kind, seconds,
      black76_delta(spot, forward, strike, discount, vol, years, kind) as delta,
      ${slope(price, 'point')} as delta_wanted,
      black76_vanna(spot, forward, strike, discount, vol, years) as vanna,
      ${slope(deltaOfVol, 'bump')} as vanna_wanted,
      black76_charm(spot, forward, strike, discount, vol, years, kind) as charm,
      ${slope(deltaAhead, 'ahead')} as charm_wanted,
      normal_density(black76_d1(forward, strike, vol, years)) as density,
      vol, years
    from main.options`)
  expect(rows).toHaveLength(800)
  const worst = { delta: 0, vanna: 0, charm: 0 }
  for (const row of rows) {
    const [vol, years, density] = [Number(row.vol), Number(row.years), Number(row.density)]
    // where a greek crosses zero, relative to what it is near there
    const floors = { delta: 1e-5, vanna: (0.01 * density) / vol, charm: (0.01 * density) / years }
    for (const greek of ['delta', 'vanna', 'charm'] as const) {
      const wanted = Number(row[`${greek}_wanted`])
      const off = Math.abs(Number(row[greek]) - wanted)
      const error = off / Math.max(Math.abs(wanted), floors[greek])
      worst[greek] = Math.max(worst[greek], error)
    }
  }
  for (const [greek, error] of Object.entries(worst)) expect(error, greek).toBeLessThan(1e-6)
})

test('delta, vanna and charm are those of a published library', async () => {
  const db = await openTestDb()
  const { cases } = readVectors('greeks_blackscholes')
  expect(cases).toHaveLength(40)
  await makeTable(
    db,
    'main.options',
    { S: 'double', K: 'double', seconds: 'integer', r: 'double', q: 'double', sigma: 'double' },
    cases,
  )
  const rows = await db.rows(`
    select
      kind,
      black76_delta(S, S * exp((r - q) * years), K, exp(-r * years), sigma, years, kind) as delta,
      black76_vanna(S, S * exp((r - q) * years), K, exp(-r * years), sigma, years) as vanna,
      black76_charm(S, S * exp((r - q) * years), K, exp(-r * years), sigma, years, kind)
        as charm_year,
      S, K
    from (select *, years_of_seconds(seconds) as years from main.options)
    cross join (select unnest(['C', 'P']) as kind)`)
  type Case = Readonly<Record<string, number>> & { readonly option_type: string }
  for (const greek of ['delta', 'vanna', 'charm_year'] as const) {
    const pairs = (cases as Case[])
      .filter(one => one[greek] !== undefined)
      .map(one => {
        const row = rows.find(
          ({ kind, S, K }) => kind === one.option_type && S === one.S && K === one.K,
        )
        return { got: row![greek], wanted: one[greek]!, name: JSON.stringify(one) }
      })
    expect(pairs.length).toBeGreaterThanOrEqual(20)
    const worst = worstError(pairs)
    expect(worst.error, `${greek}, worst ${worst.error} at ${worst.name}`).toBeLessThan(1e-9)
  }
})
