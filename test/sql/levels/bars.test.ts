import { expect, test } from 'vitest'
import { LEVELS_MODELS } from '../../../pipelines/build/dag.ts'
import { buildBook, buildLevels, buildSurface } from '../../../pipelines/build/surface.ts'
import { type BookContract, buildToyBooks } from '../../support/books.ts'
import type { TestDb } from '../../support/db.ts'
import { openMarket } from '../../support/market.ts'
import { openSessionDb } from '../../support/surface.ts'

const MINUTE = '10:00'
const CONTRACT: Omit<BookContract, 'strike' | 'option_type' | 'quantity'> = {
  minute_et: MINUTE,
  root: 'SPXW',
  expiry: '2026-10-14',
  vol: 0.15,
  seconds_left: 21_600,
  forward: 6000,
  discount: 1,
}

/** Dealers short below and long above: one root near 5990. */
const BOOK: BookContract[] = [
  { ...CONTRACT, strike: 5960, option_type: 'P', quantity: -4000 },
  { ...CONTRACT, strike: 6020, option_type: 'C', quantity: 4000 },
]

type Order = {
  readonly legs: readonly (readonly [strike: number, sign: number, contracts: number])[]
  readonly isDecided?: boolean
  readonly reason?: string
  readonly visibleAt?: string
}

/** The toy book with orders that were visible before 10:00 ET unless they say otherwise. */
async function openToy(orders: readonly Order[]): Promise<TestDb> {
  const db = await openSessionDb('2026-10-14')
  for (const [number, order] of orders.entries()) {
    const at = order.visibleAt ?? '2026-10-14 13:50:00'
    await db.run(
      `insert into fold.parent_orders (order_id, first_sequence, visible_at, known_at, side_reason)
       values ('o' || $number, $number, $at::timestamp, $at::timestamp, $reason)`,
      { number, at, reason: order.reason ?? null },
    )
    for (const [leg, [strike, sign, contracts]] of order.legs.entries()) {
      await db.run(
        `insert into fold.legs (order_id, first_sequence, leg_number, root, expiry, strike,
           option_type, contracts, customer_sign, package_sign)
         values ('o' || $number, $number, $leg, 'SPXW', '2026-10-14', $strike, 'C', $contracts,
           $side, $sign)`,
        { number, leg: leg + 1, strike, contracts, sign, side: order.isDecided ? sign : 0 },
      )
    }
  }
  await buildToyBooks(db, [{ minute_et: MINUTE, spot: 6000 }], BOOK)
  return db
}

type Bar = { flip: number; flip_lo: number; flip_hi: number; width: number }

async function findBar(db: TestDb, basis = 'measured'): Promise<Bar> {
  const [row] = await db.rows(
    `select flip, flip_lo, flip_hi, flip_hi - flip_lo as width from levels.levels
     where minute_et = $minute and book_basis = $basis`,
    { minute: MINUTE, basis },
  )
  return row as Bar
}

const undecided = (contracts: number): Order => ({ legs: [[5990, 1, contracts]] })

test('without any uncertainty the interval is the flip', async () => {
  const threshold = await findBar(await openToy([]))
  expect(threshold.flip).toBeGreaterThan(5960)
  expect(threshold.flip).toBeLessThan(6020)
  expect(threshold.flip_lo).toBe(threshold.flip)
  expect(threshold.flip_hi).toBe(threshold.flip)
})

test('an undecided order widens the bar and leaves the flip where it was', async () => {
  const sure = await findBar(await openToy([]))
  const small = await findBar(await openToy([undecided(300)]))
  const large = await findBar(await openToy([undecided(600)]))
  expect(small.flip).toBe(sure.flip)
  expect(small.flip_lo).toBeLessThan(sure.flip)
  expect(small.flip_hi).toBeGreaterThan(sure.flip)
  expect(large.width).toBeGreaterThan(1.8 * small.width)
})

test('the ends of the bar are where gamma is 1.645 deviations from zero', async () => {
  const contracts = 500
  const { flip_lo, flip_hi } = await findBar(await openToy([undecided(contracts)]))
  const deviation = 0.15 * Math.sqrt(21_600 / 31_536_000)
  const bell = (level: number, strike: number) => {
    const d1 = Math.log(level / strike) / deviation + deviation / 2
    return (1e-4 * Math.exp((-d1 * d1) / 2)) / (Math.sqrt(2 * Math.PI) * deviation)
  }
  for (const level of [flip_lo, flip_hi]) {
    const gamma = 4000 * (bell(level, 6020) - bell(level, 5960))
    const ratio = Math.abs(gamma) / (contracts * bell(level, 5990))
    // between the nodes the deviation is linear
    expect(Math.abs(ratio / 1.6449 - 1)).toBeLessThan(0.03)
  }
})

test('a decided order leaves uncertainty, the more the less its side is sure', async () => {
  const known = await findBar(await openToy([{ legs: [[6030, 1, 1000]], isDecided: true }]))
  expect(known.width).toBeGreaterThan(0)
  // the flow alone: a single contract counts as right three times in four
  const legs = [[5990, 1, 400]] as const
  const decided = await openToy([{ legs, isDecided: true }])
  const [uncertainty] = await decided.rows('select deviation_contracts from book.deviations')
  expect(uncertainty!.deviation_contracts).toBeCloseTo(400, 9)
  const pair = await openToy([{ legs: [...legs, [6000, -1, 400]], isDecided: true }])
  const uncertainties = await pair.rows(
    'select deviation_contracts as c from book.deviations order by all',
  )
  expect(Number(uncertainties[0]!.c)).toBeCloseTo(-400 * Math.sqrt(4 * 0.19), 9)
  expect(Number(uncertainties[1]!.c)).toBeCloseTo(400 * Math.sqrt(4 * 0.19), 9)
})

test('legs of a package err together: less than the same legs alone', async () => {
  const spread = await findBar(
    await openToy([
      {
        legs: [
          [5990, 1, 600],
          [5995, -1, 600],
        ],
      },
    ]),
  )
  const loose = await findBar(
    await openToy([{ legs: [[5990, 1, 600]] }, { legs: [[5995, 1, 600]] }]),
  )
  expect(spread.width).toBeGreaterThan(0)
  expect(spread.width).toBeLessThan(0.5 * loose.width)
})

test('a cross, an order not yet visible and one after the minute leave no uncertainty', async () => {
  const cross = { ...undecided(900), reason: 'cross' }
  const late = { ...undecided(900), visibleAt: '2026-10-14 14:00:00' }
  const threshold = await findBar(await openToy([cross, late]))
  expect(threshold.width).toBe(0)
})

test('uncertainties larger than the book widen the interval to the ends of the scan', async () => {
  const strikes = Array.from({ length: 31 }, (_, i) => 5700 + 20 * i)
  const threshold = await findBar(
    await openToy(strikes.map(strike => ({ legs: [[strike, 1, 90_000]] as const }))),
  )
  expect(threshold).toMatchObject({ flip_lo: 5700, flip_hi: 6300 })
})

test('every flip of a market has a bar around it, no other minute has one', async () => {
  const db = await openMarket('minute quotes')
  await buildSurface(db)
  await buildBook(db)
  await buildLevels(db)
  const [counts] = await db.rows(`
    select count(flip)::integer as flips, count(flip_lo)::integer as lows,
      count(flip_hi)::integer as highs,
      count(*) filter (flip_lo < flip and flip_hi > flip)::integer as around,
      count(*) filter (flip is null and (flip_lo is not null or flip_hi is not null))::integer
        as loose
    from levels.levels`)
  const { flips } = counts!
  expect(Number(flips)).toBeGreaterThan(5)
  expect(counts).toEqual({ flips, lows: flips, highs: flips, around: flips, loose: 0 })
  // a bar needs a flip
  await db.run('update levels.flips set flip = null')
  for (const model of LEVELS_MODELS.slice(2)) await db.build(model)
  const [after] = await db.rows('select count(flip_lo) + count(flip_hi) as ends from levels.levels')
  expect(after!.ends).toBe(0)
})
