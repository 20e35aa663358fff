import { expect, test } from 'vitest'
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
async function openToy(orders: readonly Order[], error?: number): Promise<TestDb> {
  const db = await openSessionDb('2026-10-14')
  for (const [number, order] of orders.entries()) {
    const at = order.visibleAt ?? '2026-10-14 13:50:00'
    await db.run(
      `insert into fold.parent_orders
         (order_id, first_sequence, visible_at, known_at, side_reason, sign)
       values ('o' || $number, $number, $at::timestamp, $at::timestamp, $reason, $sign)`,
      { number, at, reason: order.reason ?? null, sign: order.isDecided ? 1 : 0 },
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
  const spot = { minute_et: MINUTE, spot: 6000, ...(error !== undefined && { error }) }
  await buildToyBooks(db, [spot], BOOK)
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

test('the error of an index by parity widens the bar, and is in the sign of net gamma', async () => {
  const known = await openToy([undecided(300)])
  const derived = await openToy([undecided(300)], 8)
  const [before, after] = [await findBar(known), await findBar(derived)]
  expect(after.flip).toBe(before.flip)
  const ends = ({ flip, flip_lo, flip_hi }: Bar) => [flip - flip_lo, flip_hi - flip]
  for (const [end, distance] of ends(before).entries()) {
    expect(ends(after)[end]).toBeCloseTo(Math.hypot(distance, 1.6448536 * 8), 4)
  }
  const find = async (db: TestDb) => {
    const [row] = await db.rows(
      `select net_gamma_deviation_musd as deviation, p_positive, spot_source, spot_error
       from levels.levels where minute_et = '10:00' and book_basis = 'measured'`,
    )
    return row!
  }
  const [{ deviation, p_positive }, other] = [await find(known), await find(derived)]
  const [change] = await derived.rows(
    `select (max(gamma) filter (step = 8) - max(gamma) filter (step = -8)) / 2 as musd
     from (select step, dealer_gamma_musd_per_point as gamma
       from book.scan where book_basis = 'measured' and bucket = 'all')`,
  )
  expect(other.deviation).toBeCloseTo(Math.hypot(Number(deviation), Number(change!.musd)), 9)
  expect(other).toMatchObject({ spot_source: 'parity', spot_error: 8 })
  expect(Number(other.p_positive)).toBeLessThan(Number(p_positive))
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
    // one logit more of buyers, known to 0.4, would move half of the contracts
    const ratio = Math.abs(gamma) / (contracts * bell(level, 5990) * Math.hypot(1, 0.4 * 0.5))
    // between the nodes the deviation is linear
    expect(Math.abs(ratio / 1.6449 - 1)).toBeLessThan(0.03)
  }
})

test('a decided order leaves uncertainty, the more the less its side is sure', async () => {
  const known = await findBar(await openToy([{ legs: [[6030, 1, 1000]], isDecided: true }]))
  expect(known.width).toBeGreaterThan(0)
  // the flow alone: without a probability an order counts as right in 0.68
  const legs = [[5990, 1, 400]] as const
  const decided = await openToy([{ legs, isDecided: true }])
  const [uncertainty] = await decided.rows('select deviation_contracts from book.deviations')
  expect(uncertainty!.deviation_contracts).toBeCloseTo(400 * Math.sqrt(4 * 0.68 * 0.32), 9)
  const pair = await openToy([{ legs: [...legs, [6000, -1, 400]], isDecided: true }])
  const uncertainties = await pair.rows(
    'select deviation_contracts as c from book.deviations order by all',
  )
  expect(Number(uncertainties[0]!.c)).toBeCloseTo(-400 * Math.sqrt(4 * 0.68 * 0.32), 9)
  expect(Number(uncertainties[1]!.c)).toBeCloseTo(400 * Math.sqrt(4 * 0.68 * 0.32), 9)
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

test('uncertain sides everywhere: no flip is named, the sign and its probability are', async () => {
  const strikes = Array.from({ length: 31 }, (_, i) => 5700 + 20 * i)
  const db = await openToy(strikes.map(strike => ({ legs: [[strike, 1, 90_000]] as const })))
  const row = await findLevels(db)
  expect(row).toMatchObject({
    flip: null,
    flip_lo: null,
    flip_hi: null,
    flip_roots: [],
    reason: 'no_bound',
    regime: 'positive',
    call_wall: 6020,
  })
  expect(row.p_positive).toBeGreaterThan(0.5)
  expect(row.p_positive).toBeLessThan(0.6)
})

const findLevels = async (db: TestDb, basis = 'measured') =>
  (
    await db.rows('select * from levels.levels where minute_et = $minute and book_basis = $basis', {
      minute: MINUTE,
      basis,
    })
  )[0]!

const openGuessed = async (contracts: readonly BookContract[]): Promise<TestDb> => {
  const db = await openSessionDb('2026-10-14')
  await buildToyBooks(db, [{ minute_et: MINUTE, spot: 6000 }], contracts)
  return db
}

const GUESSES: BookContract[] = [5960, 5990, 6000, 6020].flatMap(strike => [
  { ...CONTRACT, strike, option_type: 'C', quantity: 0, guess: strike - 5000 },
  { ...CONTRACT, strike, option_type: 'P', quantity: 0, guess: 9000 - strike },
])

test('from open interest alone nothing is named: half and half, and why', async () => {
  expect(await findLevels(await openGuessed(GUESSES))).toMatchObject({
    flip: null,
    flip_lo: null,
    flip_hi: null,
    flip_roots: [],
    regime: null,
    call_wall: null,
    put_wall: null,
    net_gamma_musd_per_point: 0,
    p_positive: 0.5,
    measured_share: 0,
    reason: 'inventory_unknown',
  })
})

test('the convention has a flip, and neither interval nor probability', async () => {
  const held = GUESSES.map(one => ({
    ...one,
    guess: 10 * (one.option_type === 'P' ? 6030 - one.strike : one.strike - 5950),
  }))
  const row = await findLevels(await openGuessed(held), 'oi')
  expect(row).toMatchObject({
    flip_lo: null,
    flip_hi: null,
    p_positive: null,
    net_gamma_deviation_musd: null,
    measured_share: 0,
    reason: null,
  })
  expect(row.flip).toBeGreaterThan(5900)
})

const bellAt = (level: number, strike: number) => {
  const deviation = 0.15 * Math.sqrt(21_600 / 31_536_000)
  const d1 = Math.log(level / strike) / deviation + deviation / 2
  return (1e-4 * Math.exp((-d1 * d1) / 2)) / (Math.sqrt(2 * Math.PI) * deviation)
}

/** Abramowitz and Stegun 26.2.17: right to 1e-7. */
function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
  return x >= 0 ? 1 - tail : tail
}

test('the deviation is of what calls, puts and each contract may have, and of what is carried', async () => {
  const carried = { deviation: 200, balance: 300, rate: -100 }
  const call = { ...CONTRACT, ...carried, strike: 6010, option_type: 'C' }
  const held: BookContract[] = [
    ...GUESSES,
    { ...call, quantity: 500 },
    { ...call, strike: 6030, quantity: 0 },
    { ...call, strike: 5970, option_type: 'P', quantity: 0 },
  ]
  const row = await findLevels(await openGuessed(held))
  const total = (type: string) =>
    GUESSES.filter(one => one.option_type === type)
      .map(one => one.guess! * bellAt(6000, one.strike))
      .reduce((sum, amount) => sum + amount, 0)
  const own = GUESSES.map(one => (one.guess! * bellAt(6000, one.strike)) ** 2)
  const variance =
    0.2 ** 2 * (total('C') ** 2 + total('P') ** 2) +
    0.25 ** 2 * own.reduce((sum, square) => sum + square, 0) +
    200 ** 2 * (bellAt(6000, 6010) ** 2 + bellAt(6000, 6030) ** 2 + bellAt(6000, 5970) ** 2) +
    (0.4 ** 2 * 300 ** 2 + 100 ** 2) *
      ((bellAt(6000, 6010) + bellAt(6000, 6030)) ** 2 + bellAt(6000, 5970) ** 2)
  const gamma = 500 * bellAt(6000, 6010)
  expect(Number(row.net_gamma_musd_per_point) / gamma).toBeCloseTo(1, 9)
  expect(Number(row.net_gamma_deviation_musd) / Math.sqrt(variance)).toBeCloseTo(1, 6)
  expect(row.p_positive).toBeCloseTo(normalCdf(gamma / Math.sqrt(variance)), 6)
  const guessed = total('C') + total('P')
  expect(row.measured_share).toBeCloseTo(1 - guessed / (guessed + gamma), 6)
})

test('where a guess leaves one end within the scan, the flip is named with that end', async () => {
  // dealers surely long above; below a guess may hide anything
  const held: BookContract[] = [
    { ...CONTRACT, strike: 6100, option_type: 'C', quantity: 40_000 },
    { ...CONTRACT, strike: 6040, option_type: 'C', quantity: 40_000 },
    ...[5960, 5900, 5840, 5780, 5720, 5660].map(
      (strike): BookContract => ({
        ...CONTRACT,
        strike,
        option_type: 'P',
        quantity: -4000,
        guess: 400_000,
      }),
    ),
  ]
  const row = await findLevels(await openGuessed(held))
  expect(row).toMatchObject({ flip_lo: 5700, reason: null, regime: 'positive' })
  expect(row.flip).toBeGreaterThan(5900)
  expect(row.flip_hi).toBeLessThan(6100)
})

test('no zero in the estimate: the stretch where one is not ruled out, if there is one', async () => {
  const long = [5960, 6000, 6040].map(
    (strike): BookContract => ({ ...CONTRACT, strike, option_type: 'C', quantity: 4000 }),
  )
  const sure = await findLevels(await openGuessed(long))
  expect(sure).toMatchObject({ flip: null, reason: 'no_root', regime: 'positive' })
  const doubtful = [
    ...long,
    { ...CONTRACT, strike: 5880, option_type: 'P', quantity: 0, guess: 9000 },
  ]
  const row = await findLevels(await openGuessed(doubtful))
  expect(row).toMatchObject({ flip: null, reason: 'no_root', regime: 'positive' })
  expect(row.flip_hi).toBeGreaterThan(5800)
  expect(row.flip_hi).toBeLessThan(5960)
  expect(Number(row.flip_lo)).toBeLessThan(Number(row.flip_hi))
})

test("in a market every flip but the convention's has an interval around it", async () => {
  const db = await openMarket('minute quotes')
  await buildSurface(db)
  await buildBook(db)
  await buildLevels(db)
  const [counts] = await db.rows(`
    select count(flip)::integer as flips,
      count(*) filter (flip_lo < flip and flip_hi > flip)::integer as around,
      count(*) filter ((flip_lo is null) <> (flip_hi is null))::integer as halves,
      count(*) filter (flip is null and flip_lo is not null and reason <> 'no_root')::integer as loose,
      count(*) filter (flip is null and reason is null)::integer as silent
    from levels.levels where book_basis <> 'oi'`)
  const { flips } = counts!
  expect(counts).toEqual({ flips, around: flips, halves: 0, loose: 0, silent: 0 })
  const [convention] = await db.rows(`
    select count(flip)::integer as flips, count(flip_lo)::integer as ends,
      count(p_positive)::integer as sure
    from levels.levels where book_basis = 'oi'`)
  expect(Number(convention!.flips)).toBeGreaterThan(3)
  expect(convention).toMatchObject({ ends: 0, sure: 0 })
})
