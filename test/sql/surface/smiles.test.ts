import { expect, test } from 'vitest'
import { readVectors } from '../../support/shared.ts'
import { keepMinutes, makeQuotes, makeTable, openSessionDb } from '../../support/surface.ts'

const CHAIN = { minute_et: 'varchar', root: 'varchar', expiry: 'date' }
const KEY = { minute_et: '13:00', root: 'SPXW', expiry: '2026-10-14' }

type Market = { spot: number; forward: number | null; discount: number; seconds: number }

async function openForward({ spot, forward, discount, seconds }: Market) {
  const db = await openSessionDb('2026-10-14')
  await keepMinutes(db, '13:00')
  await makeTable(
    db,
    'surface.forwards',
    {
      ...CHAIN,
      term_number: 'integer',
      spot: 'double',
      forward: 'double',
      discount: 'double',
      years: 'double',
      seconds_left: 'integer',
      reason: 'varchar',
    },
    [
      {
        ...KEY,
        term_number: 1,
        spot,
        forward,
        discount,
        years: seconds / 31_536_000,
        seconds_left: seconds,
      },
    ],
  )
  return db
}

type Leg = { strike: number; option_type: string; contracts?: number; customer_sign?: number }

async function addLegs(db: Awaited<ReturnType<typeof openForward>>, legs: readonly Leg[]) {
  await db.run(
    `insert into fold.parent_orders (order_id, first_sequence, minute_et, visible_at, known_at)
     values ('order', 1, '13:00', '2026-10-14 17:00:00', '2026-10-14 17:00:00')`,
  )
  for (const [i, leg] of legs.entries()) {
    await db.run(
      `insert into fold.legs (order_id, first_sequence, leg_number, root, expiry, strike,
         option_type, contracts, customer_sign) values
       ('order', 1, $number, 'SPXW', '2026-10-14', $strike, $type, $contracts, $sign)`,
      {
        number: i + 1,
        strike: leg.strike,
        type: leg.option_type,
        contracts: leg.contracts ?? 1,
        sign: leg.customer_sign ?? 0,
      },
    )
  }
  await db.build('book/leg_gammas')
  return db.all('book.leg_gammas', 'leg_number')
}

async function addVols(
  db: Awaited<ReturnType<typeof openForward>>,
  points: readonly { strike: number; implied_vol: number | null; reason?: string }[],
) {
  await makeTable(
    db,
    'surface.implied_vols',
    { term_number: 'integer', strike: 'double', implied_vol: 'double', reason: 'varchar' },
    points.map(point => ({ term_number: 1, ...point })),
  )
  await db.build('surface/smiles')
}

test('between strikes total variance is linear, outside the volatility is flat', async () => {
  const { F, seconds, quoted, interpolated } = readVectors('smile_interp')
  const db = await openForward({ spot: 6000, forward: Number(F), discount: 1, seconds })
  await addVols(
    db,
    quoted.map((point: { K: string; iv: string }) => ({
      strike: Number(point.K),
      implied_vol: Number(point.iv),
    })),
  )
  const rows = await addLegs(
    db,
    interpolated.map((point: { K: string }) => ({ strike: Number(point.K), option_type: 'C' })),
  )
  expect(rows).toHaveLength(interpolated.length)
  for (const [i, { K, iv }] of interpolated.entries()) {
    const error = Math.abs(Number(rows[i]!.implied_vol) / Number(iv) - 1)
    expect(error, `${K}: ${rows[i]!.implied_vol} for ${iv}`).toBeLessThan(1e-9)
  }
})

test('the example order: quotes of two puts give volatility, gamma and $M per point', async () => {
  const { legs, g } = readVectors('order_example')
  const market = { spot: 6000.25, forward: 6000.3, discount: 0.99998528, seconds: 10_800 }
  const db = await openForward(market)
  await makeQuotes(db, [
    { strike: 5950, option_type: 'P', best_bid: 5.4, best_ask: 5.55 },
    { strike: 5970, option_type: 'P', best_bid: 7.0, best_ask: 7.15 },
  ])
  await db.build('surface/implied_vols')
  await db.build('surface/smiles')
  const rows = await addLegs(
    db,
    legs.map((leg: { k: number; customer_sign: number }) => ({
      strike: leg.k,
      option_type: 'P',
      contracts: 1000,
      customer_sign: leg.customer_sign,
    })),
  )
  let sum = 0
  for (const [i, leg] of legs.entries()) {
    const row = rows[i]!
    expect(row.reason).toBeNull()
    expect(Math.abs(Number(row.implied_vol) / Number(leg.iv) - 1)).toBeLessThan(1e-9)
    expect(Math.abs(Number(row.gamma) / Number(leg.gamma) - 1)).toBeLessThan(1e-9)
    sum += (-leg.customer_sign * 1000 * 100 * Number(row.gamma) * Number(row.spot)) / 1e6
  }
  expect(Math.abs(sum / Number(g) - 1)).toBeLessThan(1e-9)
})

test('only out-of-the-money quotes with a bid have a volatility; the others say why', async () => {
  const db = await openForward({ spot: 6000, forward: 6000, discount: 1, seconds: 10_800 })
  const quote = (
    strike: number,
    option_type: string,
    best_bid: number | null,
    best_ask: number | null,
  ) => ({ strike, option_type, best_bid, best_ask })
  await makeQuotes(db, [
    quote(5995, 'P', 8, 8.2),
    quote(5995, 'C', 13, 13.2), // in the money
    quote(6000, 'C', 10, 10.2), // at the forward: the call
    quote(6000, 'P', 10, 10.2),
    quote(6100, 'C', 0, 0.1),
    quote(6105, 'C', null, 0.1),
    quote(6110, 'C', 1, 0.5), // crossed
    quote(6115, 'C', 6001, 6003), // above the cap
    quote(6120, 'P', 125, 126), // in the money, and no call
  ])
  await db.build('surface/implied_vols')
  const rows = await db.all('surface.implied_vols', 'strike, option_type')
  expect(rows.map(row => [row.strike, row.option_type, row.reason])).toEqual([
    [5995, 'P', null],
    [6000, 'C', null],
    [6100, 'C', 'no_bid'],
    [6105, 'C', 'no_bid'],
    [6110, 'C', 'crossed'],
    [6115, 'C', 'at_or_above_cap'],
  ])
  for (const row of rows) {
    expect(row.implied_vol === null).toBe(row.reason !== null)
  }
})

const SMILE = [
  { strike: 5950, implied_vol: 0.2 },
  { strike: 6050, implied_vol: 0.2 },
]

// one deviation: 0.2 * sqrt(10800 / 31536000) * 6000 = 22.2 points
test.each([
  ['inside the quotes', {}, 6000, null],
  ['thirty minutes left', { seconds: 1800 }, 6000, 'last_half_hour'],
  ['thirty minutes and a second', { seconds: 1801 }, 6000, null],
  ['at expiry', { seconds: 0 }, 6000, 'expired'],
  ['no forward', { forward: null }, 6000, 'no_forward'],
  ['a little beyond the quotes', {}, 6094, null],
  ['two deviations beyond the quotes', {}, 6095, 'no_quote'],
  ['so far that gamma is nil', {}, 6150, null],
  ['a price that no volatility explains', {}, 6040, 'arbitrage'],
])('a leg %s', async (_, change, strike, reason) => {
  const market = { spot: 6000, forward: 6000, discount: 1, seconds: 10_800, ...change }
  const db = await openForward(market)
  await addVols(db, [...SMILE, { strike: 6040, implied_vol: null, reason: 'at_or_above_cap' }])
  const [row] = await addLegs(db, [{ strike, option_type: 'C' }])
  expect(row!.reason).toBe(reason)
  expect(row!.gamma === null).toBe(reason !== null)
  expect(row!.implied_vol === null).toBe(reason !== null)
})

test('a leg beyond the quotes is worthless or in the money, give or take the last strike quoted', async () => {
  const db = await openForward({ spot: 6000, forward: 6000, discount: 1, seconds: 10_800 })
  await addVols(db, SMILE)
  const strikes = [6050, 5950, 6095, 6095, 5905, 5905]
  const legs = strikes.map((strike, at) => ({ strike, option_type: at % 2 === 0 ? 'C' : 'P' }))
  const [call, put, ...beyond] = await addLegs(db, legs)
  expect([call!.delta_error, call!.gamma_error]).toEqual([0, 0])
  expect(beyond.map(({ delta }) => delta)).toEqual([0, -1, 1, 0])
  const [callDelta, putDelta] = [Number(call!.delta), -Number(put!.delta)]
  for (const [at, limit] of [callDelta, callDelta, putDelta, putDelta].entries()) {
    expect(beyond[at]!.delta_error).toBeCloseTo(limit, 12)
    expect(beyond[at]!.gamma_error).toBeCloseTo(Number((at < 2 ? call : put)!.gamma), 12)
  }
})

test('without any quote there is no smile, and no gamma', async () => {
  const db = await openForward({ spot: 6000, forward: 6000, discount: 1, seconds: 10_800 })
  await addVols(db, [])
  expect(await addLegs(db, [{ strike: 6000, option_type: 'C' }])).toMatchObject([
    { reason: 'no_quote', gamma: null, seconds_left: 10_800 },
  ])
})

test('a minute without a spot or without the expiry has a reason too', async () => {
  const db = await openForward({ spot: 6000, forward: 6000, discount: 1, seconds: 10_800 })
  await db.run(`update surface.forwards set spot = null, forward = null, reason = 'no_spot'`)
  await addVols(db, SMILE)
  expect(await addLegs(db, [{ strike: 6000, option_type: 'C' }])).toMatchObject([
    { reason: 'no_spot', gamma: null },
  ])
  await db.run('delete from surface.forwards')
  await db.build('book/leg_gammas')
  expect(await db.all('book.leg_gammas')).toMatchObject([{ reason: 'no_spot', gamma: null }])
})

test('the nearest PM expiry gives the expected move, that of 09:31 is held', async () => {
  const db = await openSessionDb('2026-10-14')
  await keepMinutes(db, '09:30', '09:31', '13:00')
  await db.run(`
    create or replace table tape.expiries as
    select * from (values
      ('SPX', date '2026-10-14', 'AM', timestamp '2026-10-14 13:30:00', timestamp '-infinity'),
      ('SPXW', date '2026-10-14', 'PM', timestamp '2026-10-14 20:00:00', '2026-10-14 13:30:30'),
      ('SPXW', date '2026-10-15', 'PM', timestamp '2026-10-15 20:00:00', timestamp '-infinity')
    ) as expiries(root, expiry, settlement, expires_at, known_at)`)
  await db.run(`
    create table surface.forwards as
    select row_number() over (order by minute_et, root, expiry) as term_number,
      minute_et, root, expiry, 6000.30::double as forward,
      years_of_seconds(epoch(expires_at) - epoch(minute_at)) as years, null::varchar as reason
    from tape.minutes cross join tape.expiries;
    create table surface.implied_vols as
    select term_number, 6000::double as strike,
      case when expiry = '2026-10-14' then 0.185::double else 0.3::double end as implied_vol
    from surface.forwards where years > 0`)
  await db.build('surface/smiles')
  await db.build('surface/expected_moves')
  const rows = await db.all('surface.expected_moves', 'minute_et')
  const wanted = Number(readVectors('expected_move').cases[0].straddle_undiscounted)
  expect(rows.map(row => [row.minute_et, row.expiry, row.reason])).toEqual([
    // the nearest one was not known yet
    ['09:30', '2026-10-15', null],
    ['09:31', '2026-10-14', null],
    ['13:00', '2026-10-14', null],
  ])
  expect(rows[2]!.expected_move_points).toBeCloseTo(wanted, 9)
  expect(rows.map(row => row.session_expected_move_points)).toEqual([
    null,
    rows[1]!.expected_move_points,
    rows[1]!.expected_move_points,
  ])
})

test('the expected move is that of the volatility at the forward between strikes', async () => {
  const db = await openSessionDb('2026-10-14')
  await keepMinutes(db, '13:00')
  await db.run(`
    create or replace table tape.expiries as
    select 'SPXW' as root, date '2026-10-14' as expiry, 'PM' as settlement,
      timestamp '2026-10-14 20:00:00' as expires_at, timestamp '-infinity' as known_at;
    create table surface.forwards as
    select 1 as term_number, minute_et, root, expiry, 6000::double as forward,
      years_of_seconds(10800) as years, null::varchar as reason
    from tape.minutes cross join tape.expiries;
    create table surface.implied_vols as
    select 1 as term_number, unnest([5990::double, 6010]) as strike,
      unnest([0.3::double, 0.1]) as implied_vol`)
  await db.build('surface/smiles')
  await db.build('surface/expected_moves')
  const [row] = await db.all('surface.expected_moves')
  // half way between the variances of the two: not the volatility of the strike below
  const vol = Number(row!.implied_vol)
  expect(vol).toBeCloseTo(Math.sqrt((0.09 + 0.01) / 2), 3)
  const [wanted] = await db.rows(
    'select expected_move_points(6000, $vol::double, years_of_seconds(10800)) as points',
    { vol },
  )
  expect(row!.expected_move_points).toBe(wanted!.points)
})
