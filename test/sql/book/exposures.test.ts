import { expect, test } from 'vitest'
import { type BookContract, buildToyBooks } from '../../support/books.ts'
import { openSessionDb } from '../../support/surface.ts'

const AT = {
  minute_et: '10:00',
  root: 'SPXW',
  vol: 0.2,
  seconds_left: 108_000,
  forward: 6000,
  discount: 1,
}

/** Signs of delta, gamma, vanna and charm of one contract, bought (1) or sold (-1). */
const SIGNS = [
  ['a call out of the money', 'C', 6060, 1, [1, 1, 1, -1]],
  ['a call in the money', 'C', 5940, 1, [1, 1, -1, 1]],
  ['a put out of the money', 'P', 5940, 1, [-1, 1, -1, 1]],
  ['a put in the money', 'P', 6060, 1, [-1, 1, 1, -1]],
  ['a call sold out of the money', 'C', 6060, -1, [-1, -1, -1, 1]],
  ['a call sold in the money', 'C', 5940, -1, [-1, -1, 1, -1]],
  ['a put sold out of the money', 'P', 5940, -1, [1, -1, 1, -1]],
  ['a put sold in the money', 'P', 6060, -1, [1, -1, -1, 1]],
  ['a call far out of the money', 'C', 6150, 1, [1, 1, 1, -1]],
  ['a put sold far out of the money', 'P', 5850, -1, [1, -1, 1, -1]],
] as const

/** A strike more than 300 points off, two expiries, a carried position and one that is a guess. */
const MIXED: readonly BookContract[] = [
  {
    ...AT,
    expiry: '2026-10-14',
    seconds_left: 21_600,
    option_type: 'C',
    strike: 6000,
    quantity: 10,
  },
  { ...AT, expiry: '2026-10-16', option_type: 'P', strike: 6000, quantity: -20, deviation: 5 },
  { ...AT, expiry: '2026-10-16', option_type: 'P', strike: 5600, quantity: 7 },
  { ...AT, expiry: '2026-10-16', option_type: 'C', strike: 6100, quantity: 0, guess: 100 },
]

async function openBook(contracts: readonly BookContract[], minutes = ['10:00']) {
  const db = await openSessionDb('2026-10-14')
  const spots = minutes.map(minute_et => ({ minute_et, spot: 6000 }))
  await buildToyBooks(db, spots, contracts)
  return db
}

test('ten books of one contract have the signs of their dealers', async () => {
  const contracts = SIGNS.map(([, option_type, strike, quantity], number) => ({
    ...AT,
    expiry: `2026-11-${10 + number}`,
    option_type,
    strike,
    quantity,
  }))
  const db = await openBook(contracts)
  const rows = await db.rows(`
    select [sign(delta_musd), sign(gamma_musd), sign(vanna_musd), sign(charm_musd)]::integer[]
      as signs
    from book.exposures where book_basis = 'measured' order by expiry`)
  expect(rows).toHaveLength(10)
  for (const [number, [name, , , , signs]] of SIGNS.entries()) {
    expect(rows[number]!.signs, name).toEqual(signs)
  }
})

test('units: $M of index, per point, per vol point and per day, of contracts of 100', async () => {
  const contract = { ...AT, expiry: '2026-11-10', option_type: 'C', strike: 6060, quantity: 1000 }
  const db = await openBook([contract])
  await db.run(`create table main.one as
    select 6000::double as spot, 6060::double as strike, 1::double as discount,
      0.2::double as vol, years_of_seconds(108000) as years`)
  const [row] = await db.rows(`
    select
      delta_musd * 1e4 / spot
        / black76_delta(spot, spot, one.strike, discount, vol, years, 'C') as delta,
      gamma_musd * 1e4 / spot
        / black76_gamma(spot, spot, one.strike, discount, vol, years) as gamma,
      vanna_musd * 1e6 / spot
        / black76_vanna(spot, spot, one.strike, discount, vol, years) as vanna,
      charm_musd * 365e4 / spot
        / black76_charm(spot, spot, one.strike, discount, vol, years, 'C') as charm
    from book.exposures cross join main.one where book_basis = 'measured'`)
  for (const contracts of Object.values(row!)) expect(Number(contracts)).toBeCloseTo(1000, 5)
})

test('cells add up to buckets and the whole; what is far has a row without a strike', async () => {
  const db = await openBook(MIXED)
  const cells = await db.rows(`select strike, gamma_musd from book.exposures
    where book_basis = 'measured' order by expiry, strike nulls last`)
  expect(cells.map(({ strike }) => strike)).toEqual([6000, 6000, 6100, null])
  const units = (value: unknown) => Math.round(Number(value) * 1e10)
  const sum = (rows: typeof cells) => rows.reduce((all, row) => all + units(row.gamma_musd), 0)
  const buckets = await db.rows(`
    select bucket, expiry::varchar as expiry, gross_share, monthly_share,
      monthly_expiry::varchar as monthly, net_gamma_musd_per_point as net
    from levels.expiry_levels where book_basis = 'measured' and minute_et = '10:00'
    order by bucket`)
  expect(buckets.map(({ bucket, expiry }) => [bucket, expiry])).toEqual([
    ['0dte', '2026-10-14'],
    ['all', null],
    ['next', '2026-10-16'],
  ])
  const [today, all, next] = buckets
  expect(units(all!.net)).toBe(sum(cells))
  expect(units(today!.net)).toBe(sum(cells.slice(0, 1)))
  expect(units(next!.net)).toBe(sum(cells.slice(1)))
  expect(Number(today!.gross_share) + Number(next!.gross_share)).toBeCloseTo(1, 9)
  // 16 October 2026 is the third Friday
  expect([all!.monthly, all!.monthly_share]).toEqual(['2026-10-16', next!.gross_share])
})

test('a deviation is of what is carried and guessed: none of an imported position', async () => {
  const db = await openBook(MIXED)
  const rows = await db.rows(`
    select gamma_musd as gamma, gamma_deviation_musd as deviation,
      delta_deviation_musd / abs(delta_musd) as delta_share,
      vanna_deviation_musd / abs(vanna_musd) as vanna_share
    from book.exposures where book_basis = 'measured' order by expiry, strike nulls last`)
  const [imported, carried, guessed, far] = rows
  expect([imported!.deviation, far!.deviation]).toEqual([0, 0])
  expect(Number(carried!.delta_share)).toBeCloseTo(5 / 20, 6)
  expect(Number(carried!.vanna_share)).toBeCloseTo(5 / 20, 6)
  // nobody knows whose the 100 contracts are: nothing on average, give or take two shares of them
  const [unit] = await db.rows(`select gamma_musd / 100 as unit from book.exposures
    where book_basis = 'oi' and strike = 6100`)
  expect(guessed!.gamma).toBe(0)
  const deviation = Math.hypot(0.2, 0.25) * 100 * Number(unit!.unit)
  expect(Number(guessed!.deviation) / deviation).toBeCloseTo(1, 5)
  const [convention] = await db.rows(`select count(delta_deviation_musd)::integer as n
    from book.exposures where book_basis = 'oi'`)
  expect(convention!.n).toBe(0)
})

test('exposures have a state at the first minute and every fifth', async () => {
  const minutes = ['09:31', '09:32', '09:35', '10:01', '10:05']
  const db = await openBook(
    minutes.map(minute_et => ({ ...MIXED[0]!, minute_et })),
    minutes,
  )
  const rows = await db.rows(`select distinct minute_et from book.exposures
    join tape.minutes using (minute_at) order by all`)
  expect(rows.map(row => row.minute_et)).toEqual(['09:31', '09:35', '10:05'])
})

test('a session without a next expiry says so', async () => {
  const db = await openBook(MIXED.slice(0, 1))
  const rows = await db.rows(`select bucket, reason from levels.expiry_levels
    where book_basis = 'oi' and minute_et = '10:00' order by bucket`)
  expect(rows).toEqual([
    { bucket: '0dte', reason: 'no_root' },
    { bucket: 'all', reason: 'no_root' },
    { bucket: 'next', reason: 'no_expiry' },
  ])
})
