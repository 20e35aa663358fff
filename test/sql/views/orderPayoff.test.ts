import { expect, test } from 'vitest'
import { openTestDb } from '../../support/db.ts'
import { makeTable } from '../../support/surface.ts'

const SPOT = 6000
const DAY_S = 86_400

/** Standard normal distribution function by Simpson's rule over its density. */
function normalCdf(x: number): number {
  const steps = 2000
  const [from, h] = [-12, (x + 12) / steps]
  const density = (z: number) => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI)
  let sum = density(from) + density(x)
  for (let step = 1; step < steps; step++)
    sum += (step % 2 === 1 ? 4 : 2) * density(from + step * h)
  return (sum * h) / 3
}

type Leg = {
  readonly option_type: 'C' | 'P'
  readonly strike: number
  readonly contracts: number
  readonly customer_sign: number
  readonly package_sign: number | null
  readonly implied_vol: number | null
  readonly days: number
}

/** Black's formula as the textbook has it, in points. */
function price(leg: Leg, point: number, left_s: number): number {
  const isCall = leg.option_type === 'C'
  if (left_s <= 0) return Math.max(0, isCall ? point - leg.strike : leg.strike - point)
  const share = left_s / (leg.days * DAY_S)
  const forward = point * (computeForward(leg) / SPOT) ** share
  const discount = computeDiscount(leg) ** share
  const total = leg.implied_vol! * Math.sqrt(left_s / (365 * DAY_S))
  const d1 = Math.log(forward / leg.strike) / total + total / 2
  const call = forward * normalCdf(d1) - leg.strike * normalCdf(d1 - total)
  return discount * (isCall ? call : call - forward + leg.strike)
}
const computeForward = ({ days }: Leg) => SPOT * (1 + 0.0001 * days)
const computeDiscount = ({ days }: Leg) => 1 - 0.00012 * days

async function readPayoff(legs: readonly Leg[]) {
  const db = await openTestDb()
  await makeTable(db, 'ledger.orders', { revision_number: 'integer', spot: 'double' }, [
    { revision_number: 1, spot: SPOT },
  ])
  await db.run('create table ledger.revisions as from ledger.orders limit 0')
  const expiry = ({ days }: Leg) => `2026-11-${10 + days}`
  const rows = legs.map((leg, at) => ({
    ...leg,
    revision_number: 1,
    leg_number: at + 1,
    root: 'SPXW',
    expiry: expiry(leg),
  }))
  const contract = { root: 'varchar', expiry: 'date', strike: 'double', option_type: 'varchar' }
  await makeTable(
    db,
    'ledger.legs',
    {
      revision_number: 'integer',
      leg_number: 'integer',
      ...contract,
      contracts: 'integer',
      customer_sign: 'integer',
      package_sign: 'integer',
      implied_vol: 'double',
    },
    rows,
  )
  await db.run('create table ledger.revision_legs as from ledger.legs limit 0')
  const days = [...new Map(legs.map(leg => [leg.days, leg])).values()]
  await makeTable(
    db,
    'ledger.forwards',
    {
      root: 'varchar',
      expiry: 'date',
      forward: 'double',
      discount: 'double',
      seconds_left: 'bigint',
    },
    days.map(leg => ({
      root: 'SPXW',
      expiry: expiry(leg),
      forward: computeForward(leg),
      discount: computeDiscount(leg),
      seconds_left: leg.days * DAY_S,
    })),
  )
  const lines = await db.query('views/order_payoff', { revision_number: 1 })
  db.close()
  return lines as unknown as {
    elapsed_share: number
    spot: number
    points: number[]
    values_musd: (number | null)[]
  }[]
}

const LEG: Leg = {
  option_type: 'C',
  strike: 6000,
  contracts: 100,
  customer_sign: 1,
  package_sign: 1,
  implied_vol: 0.18,
  days: 5,
}
const ORDERS: Readonly<Record<string, readonly Leg[]>> = {
  'a call bought': [LEG],
  'a put sold': [{ ...LEG, option_type: 'P', strike: 5900, customer_sign: -1 }],
  'a butterfly': [
    { ...LEG, strike: 5950, implied_vol: 0.19 },
    { ...LEG, contracts: 200, customer_sign: -1 },
    { ...LEG, strike: 6050, implied_vol: 0.17 },
  ],
  'a calendar, alive after its first expiration': [
    { ...LEG, customer_sign: -1 },
    { ...LEG, days: 12, implied_vol: 0.16 },
  ],
  'a spread of which the side is not known': [
    { ...LEG, customer_sign: 0 },
    { ...LEG, strike: 6050, customer_sign: 0, package_sign: -1 },
  ],
}

test.each(Object.entries(ORDERS))('%s has the value of the textbook', async (_, legs) => {
  const lines = await readPayoff(legs)
  expect(lines.map(line => line.elapsed_share)).toEqual([0, 0.5, 1])
  const first = Math.min(...legs.map(leg => leg.days)) * DAY_S
  for (const { elapsed_share, points, values_musd, spot } of lines) {
    expect(spot).toBe(SPOT)
    for (const leg of legs) expect(points).toContain(leg.strike)
    expect(points).toEqual(points.toSorted((a, b) => a - b))
    expect(points[0]).toBeLessThan(SPOT)
    for (const [at, point] of points.entries()) {
      const value = legs.reduce((sum, leg) => {
        const sign = leg.customer_sign === 0 ? leg.package_sign! : leg.customer_sign
        const left = leg.days * DAY_S - elapsed_share * first
        return sum + (sign * leg.contracts * 100 * price(leg, point, left)) / 1e6
      }, 0)
      expect(values_musd[at]).toBeCloseTo(value, 7)
    }
  }
})

test('a leg without a volatility, or of no known sign, leaves no value', async () => {
  for (const leg of [
    { ...LEG, implied_vol: null },
    { ...LEG, customer_sign: 0, package_sign: null },
  ]) {
    const lines = await readPayoff([LEG, { ...leg, strike: 6050 }])
    expect(lines.flatMap(line => line.values_musd).every(value => value === null)).toBe(true)
  }
})
