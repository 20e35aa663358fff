import { expect, test } from 'vitest'
import { CONDITIONS } from '../../../src/positions/catalogue.ts'
import {
  conditionsAt,
  EARLIER_MINUTE,
  KNOWN_MINUTE,
  KNOWN_ORDER,
  openMarket,
} from '../../support/positionMarket.ts'
import { readVectors } from '../../support/shared.ts'

const { market, results } = readVectors('position_conditions')
const YEARS = (market.min_left * 60) / 31_536_000

/** The reference minute: its deltas and volatilities as a smile that has them. */
function openVectorMarket() {
  const points = new Map<number, number>()
  for (const [strike, delta] of Object.entries<number>(market.delta)) {
    points.set(Number(strike), findDeviation(Number(strike), delta) ** 2)
  }
  points.set(market.spot - market.em_left, market.iv_minus_em ** 2 * YEARS)
  points.set(market.spot + market.em_left, market.iv_plus_em ** 2 * YEARS)
  const smile = [...points].sort(([a], [b]) => a - b)
  const minute = {
    ...KNOWN_MINUTE,
    smile_strikes: smile.map(([strike]) => strike),
    smile_total_variances: smile.map(([, variance]) => variance),
  }
  const orders = market.orders.map(
    (order: { k: number; premium: number; g: number | null; age_min: number }, index: number) => ({
      ...KNOWN_ORDER,
      order_id: `o${index}`,
      printed_at: new Date(Date.parse('2026-10-14T17:00:00Z') - order.age_min * 60_000)
        .toISOString()
        .slice(0, 19),
      visible_at: '2026-10-14T16:59:00',
      strikes: [order.k],
      gross_premium_usd: order.premium * 1e6,
      dealer_gamma_musd_per_point: order.g,
    }),
  )
  return openMarket([EARLIER_MINUTE, minute], orders)
}

/** sigma x sqrt(T) at which an out-of-the-money option has a delta, by halving. */
function findDeviation(strike: number, delta: number): number {
  const moneyness = Math.log(market.spot / strike)
  let [low, high] = [1e-5, 0.05]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    const d1 = moneyness / middle + middle / 2
    if (normalCdf(strike < market.spot ? -d1 : d1) < Math.abs(delta)) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** By its series, which converges everywhere: another form than the product's polynomial. */
function normalCdf(x: number): number {
  let [term, sum] = [x, x]
  for (let odd = 3; Math.abs(term) > 1e-18 && odd < 2000; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + (sum * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI)
}

test('every value of the reference minute comes out to 1e-9', async () => {
  const db = await openVectorMarket()
  for (const { position, conditions } of results) {
    const { values } = await conditionsAt(db, position.legs)
    for (const { id, value } of conditions) {
      expect(Math.abs(Number(values[id]) - value), `${position.id} ${id}`).toBeLessThan(1e-9)
    }
  }
  db.close()
})

test('the conditions that are computed are those of the catalogue', async () => {
  const db = await openMarket([KNOWN_MINUTE])
  const { values } = await conditionsAt(db, { sp: 5950, sc: 6060 })
  expect(Object.keys(values).sort()).toEqual(CONDITIONS.map(({ id }) => id).sort())
  db.close()
})
