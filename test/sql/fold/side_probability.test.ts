import { expect, test } from 'vitest'
import type { Row } from '../../../src/core/engine/database.ts'
import { after, reuseFoldDb } from '../../support/fold.ts'

const SECOND = 1_000_000
/** Bid 4.80, offer 5.00. */
const quote = { best_bid: 4.8, best_ask: 5, bid_size: 40, ask_size: 30, condition: 'I' }

/** Sign, reason and probability of each order of a tape, in its order. */
async function listSides(prints: readonly Row[]) {
  const db = await reuseFoldDb()
  await db.addPrints(prints)
  await db.fold()
  const orders = await db.all('fold.parent_orders', 'first_sequence')
  return orders.map(({ sign, side_reason, side_probability }) => ({
    sign,
    reason: side_reason,
    p: side_probability as number | null,
  }))
}

/** One single order a second, each in a contract of its own. */
const orders = (rows: readonly Row[]): Row[] =>
  rows.map((row, index) => ({
    printed_at: after(index * SECOND),
    strike: 5_000 + 5 * index,
    ...quote,
    ...row,
  }))

test('a single order is read by its position and by the size that was shown there', async () => {
  const [offer, bid, resting, middle, cross] = await listSides(
    orders([
      { price: 5, size: 7 },
      { price: 4.8, size: 7 },
      { price: 5, size: 30 },
      { price: 4.9, size: 7 },
      { price: 5, size: 7, condition: 'c' },
    ]),
  )
  expect(offer).toMatchObject({ sign: 1, reason: null })
  expect(bid).toMatchObject({ sign: -1, reason: null })
  expect(bid!.p! + offer!.p!).toBeCloseTo(1, 9)
  // a print as large as the offer took a customer's resting order: that customer sold
  expect(resting!.sign).toBe(-1)
  expect(resting!.p).toBeLessThan(0.45)
  expect(middle).toMatchObject({ sign: 0, reason: 'middle' })
  expect(Math.abs(middle!.p! - 0.5)).toBeLessThan(0.05)
  expect(cross).toEqual({ sign: 0, reason: 'cross', p: null })
})

test('500 in one print at the offer of 39 were bought, at the bid of 120 sold', async () => {
  const shown = { best_bid: 8.2, best_ask: 8.4, bid_size: 120, ask_size: 39 }
  const [bought, sold, resting] = await listSides(
    orders([
      { ...shown, price: 8.4, size: 500 },
      { ...shown, price: 8.2, size: 500 },
      { ...shown, price: 8.4, size: 39 },
    ]),
  )
  expect(bought!.sign).toBe(1)
  expect(bought!.p).toBeGreaterThan(0.6)
  expect(bought!.p).toBeLessThan(0.9)
  expect(sold).toMatchObject({ sign: -1, p: expect.closeTo(1 - bought!.p!, 4) })
  expect(resting!.sign).toBe(-1)
})

test('a sweep through the offer was bought, although its mean price is outside', async () => {
  const sweep = [5, 5, 5.2, 5.3].map((price, index) => ({
    ...quote,
    price,
    size: 20,
    printed_at: after(index * 100),
  }))
  const [order] = await listSides(sweep)
  expect(order).toEqual({ sign: 1, reason: null, p: 0.85 })
})

test('the higher the net of a package in its quote, the likelier it was bought', async () => {
  const nets = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
  const sides = await listSides(
    nets.flatMap((net, index) =>
      [0, 1].map(leg => ({
        condition: 'f',
        strike: 5_000 + 50 * index + 5 * leg,
        price: leg === 0 ? 5 + net : 5,
        size: 60,
        best_bid: leg === 0 ? 5.1 : 4.9,
        best_ask: leg === 0 ? 5.5 : 5.1,
        printed_at: after(index * SECOND),
      })),
    ),
  )
  // the quote of the vertical is 0.00 at 0.60, so its middle is 0.30
  const p = sides.map(side => side.p!)
  expect(p).toHaveLength(nets.length)
  expect([...p].sort((a, b) => a - b)).toEqual(p)
  expect(sides.map(side => side.sign)).toEqual([-1, -1, -1, -1, 0, 1, 1, 1, 1])
})

const outside: Row = { price: 5.6, size: 3 }
const inside: Row = { price: 5, size: 7 }

test('quotes that single orders missed repeatedly are not believed until they agree again', async () => {
  const sides = await listSides(
    orders([...Array<Row>(3).fill(outside), ...Array<Row>(25).fill(inside)]),
  )
  expect(sides.slice(0, 2).map(side => side.reason)).toEqual(['outside', 'outside'])
  // three outside of twenty are 15 %, which is believed again
  const reasons = sides.slice(2).map(side => side.reason)
  expect(reasons).toEqual([...Array(18).fill('stale_quotes'), ...Array(8).fill(null)])
  expect(sides[2]).toEqual({ sign: 0, reason: 'stale_quotes', p: null })
})

test('a print that became known later does not speak for or against the quotes', async () => {
  const late = { ...outside, known_at: '2026-10-13 15:00:00' }
  const sides = await listSides(orders([...Array<Row>(4).fill(late), inside]))
  expect(sides.at(-1)).toMatchObject({ sign: 1, reason: null })
})

test('what became known later is judged as a running session judges it', async () => {
  const at = (second: number, knownSecond = second) => ({
    ...quote,
    printed_at: after(second * SECOND),
    known_at: after(knownSecond * SECOND),
  })
  const strikes = [5_000, 5_005, 5_010]
  const sides = await listSides([
    ...strikes.map(strike => ({ ...at(20), ...inside, strike })),
    // printed before them in the same contracts, and known long after
    ...strikes.map((strike, index) => ({ ...at(1 + index, 100), ...outside, strike })),
    { ...at(200), ...inside, strike: 5_100 },
  ])
  expect(sides.at(-1)).toEqual({ sign: 0, reason: 'stale_quotes', p: null })
})

test('at most twelve rates, each with a deviation and a source, of which only that of a size equal to the shown leans against its price', async () => {
  const db = await reuseFoldDb()
  await db.fold()
  const rates = await db.rows('from fold.side_rates')
  expect(rates.length).toBeLessThanOrEqual(12)
  for (const { size_class, rate, deviation, source } of rates) {
    expect(Number(rate) > 0.5).toBe(size_class !== 'equal')
    expect(Number(deviation)).toBeGreaterThanOrEqual(0.3)
    expect(Number(deviation)).toBeLessThanOrEqual(0.6)
    expect(String(source).length).toBeGreaterThan(20)
  }
})

test('however a single order lies in its quote, it is the surer the farther it leans, and never surer than its rate', async () => {
  const db = await reuseFoldDb()
  const places = Array.from({ length: 41 }, (_, at) => at / 20 - 1)
  const [none, below, equal, above] = await Promise.all(
    ['not shown', 'below', 'equal', 'above'].map(size =>
      db.rows(
        `select p from (
           select z, case when z < 0 then 1 - right_share(rate, z) else right_share(rate, z) end as p
           from fold.side_rates, (select unnest($places::double[]) as z)
           where kind = 'single' and size_class = $size) order by z`,
        { size, places: JSON.stringify(places) },
      ),
    ),
  )
  const list = (rows: readonly Row[] | undefined) => rows!.map(({ p }) => Number(p))
  for (const p of [list(none), list(below), list(above)]) {
    expect(p).toEqual(p.toSorted((a, b) => a - b))
    expect(p.at(-1)! + p[0]!).toBeCloseTo(1, 9)
  }
  expect(list(equal)).toEqual(list(equal).toSorted((a, b) => b - a))
  expect(list(above).at(-1)).toBeCloseTo(0.85, 9)
})
