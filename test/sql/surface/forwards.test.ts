import { expect, test } from 'vitest'
import { buildSpots, buildSurface } from '../../../pipelines/build/surface.ts'
import { readVectors } from '../../support/shared.ts'
import { addRows, keepMinutes, loadExpiries, openSessionDb } from '../../support/surface.ts'

type Pair = { K: number; cb: number; ca: number; pb: number; pa: number }

/** Quotes of one expiry at 13:00 of 14 October 2026, three hours before it expires. */
async function openPairs(pairs: readonly Pair[], spot: number | null, discount = 1) {
  const db = await openSessionDb('2026-10-14')
  await keepMinutes(db, '13:00')
  if (spot !== null) {
    await addRows(db, 'tape.spots', [
      { session_date: '2026-10-14', spotted_at: '2026-10-14 16:59:59', spot },
    ])
  }
  const quotes = pairs.flatMap(({ K, cb, ca, pb, pa }) =>
    [
      ['C', cb, ca],
      ['P', pb, pa],
    ].map(([option_type, best_bid, best_ask]) => ({
      session_date: '2026-10-14',
      minute_at: '2026-10-14 17:00:00',
      root: 'SPXW',
      expiry: '2026-10-14',
      strike: K,
      option_type,
      best_bid,
      best_ask,
      quoted_at: '2026-10-14 16:59:58',
    })),
  )
  await addRows(db, 'tape.quotes', quotes)
  if (discount !== 1) {
    const rate = (-Math.log(discount) * 31_536_000) / 10_800
    await addRows(db, 'tape.rates', [{ session_date: '2026-10-13', tenor_days: 1, rate }])
  }
  await loadExpiries(db)
  await buildSurface(db)
  return db
}

const [{ rows: PAIRS, ...WANTED }] = readVectors('forward').cases

test('one bad quote in ten does not move the weighted median forward', async () => {
  const db = await openPairs(PAIRS, 6000.25, WANTED.DF)
  const [row] = await db.all('surface.forwards')
  expect(row).toMatchObject({
    minute_et: '13:00',
    seconds_left: 10_800,
    discount_source: 'curve',
    pair_count: WANTED.n_used,
    reason: null,
  })
  expect(row!.forward).toBeCloseTo(WANTED.F_weighted_median, 9)
  expect(row!.forward_mad).toBeCloseTo(WANTED.mad, 8)
  const bound = (side: (pair: Pair) => number) =>
    (PAIRS as Pair[]).map(pair => pair.K + side(pair) / WANTED.DF)
  expect(row!.forward_low).toBeCloseTo(Math.max(...bound(pair => pair.cb - pair.pa)), 9)
  expect(row!.forward_high).toBeCloseTo(Math.min(...bound(pair => pair.ca - pair.pb)), 9)
})

test('each pair gives its own forward and its weight', async () => {
  const db = await openPairs(PAIRS, 6000.25, WANTED.DF)
  const pairs = await db.all('surface.pairs', 'strike')
  for (const [i, wanted] of WANTED.per_strike.entries()) {
    expect(pairs[i]!.strike).toBe(wanted.K)
    expect(pairs[i]!.forward).toBeCloseTo(wanted.F, 9)
    expect(pairs[i]!.weight).toBeCloseTo(wanted.w, 9)
  }
})

const at = (K: number, forward: number, width = 0.1): Pair => {
  const call = 20 + (forward - K) / 2
  const put = call - (forward - K)
  return { K, cb: call - width / 2, ca: call + width / 2, pb: put - width / 2, pa: put + width / 2 }
}

test('half of the weight exactly: the mean of the two middle forwards', async () => {
  const db = await openPairs(
    [at(5990, 6000), at(5995, 6000.25), at(6000, 6000.5), at(6005, 6000.75)],
    6000,
  )
  const [row] = await db.all('surface.forwards')
  expect(row!.forward).toBeCloseTo(6000.375, 9)
})

test.each([
  ['no pair at all', [{ ...at(6000, 6000), pb: 0 }], 6000, 0, 'no_forward'],
  ['two pairs are too few', [at(5995, 6000), at(6000, 6000)], 6000, 2, 'no_forward'],
  ['three are enough', [at(5995, 6000), at(6000, 6000), at(6005, 6000)], 6000, 3, null],
  [
    'pairs that disagree by more than half a point',
    [at(5995, 5998), at(6000, 6000), at(6005, 6002)],
    6000,
    3,
    'no_forward',
  ],
  ['no spot, and two pairs', [at(5995, 6000), at(6000, 6000)], null, 0, 'no_spot'],
  ['no spot but by parity', [at(5995, 6000), at(6000, 6000), at(6005, 6000)], null, 3, null],
  [
    'a pair outside 2 % and four deviations does not count',
    [at(5995, 6000), at(6000, 6000), at(6805, 6800)],
    6000,
    2,
    'no_forward',
  ],
  [
    'a bid of zero is not two-sided',
    [at(5995, 6000), at(6000, 6000), { ...at(6005, 6000), pb: 0 }],
    6000,
    2,
    'no_forward',
  ],
  [
    'a crossed quote does not count',
    [at(5995, 6000), at(6000, 6000), { ...at(6005, 6000), pb: 30 }],
    6000,
    2,
    'no_forward',
  ],
])('%s', async (_, pairs, spot, pairCount, reason) => {
  const db = await openPairs(pairs, spot)
  const [row] = await db.all('surface.forwards')
  expect(row).toMatchObject({
    pair_count: pairCount,
    reason,
    discount: 1,
    discount_source: 'none',
    forward: reason === null ? expect.closeTo(6000, 9) : null,
  })
})

test('of forty pairs the 31 nearest to the spot count', async () => {
  const pairs = Array.from({ length: 40 }, (_, i) => at(5955 + i * 2.5, 6000))
  const db = await openPairs(pairs, 6000)
  const [row] = await db.rows('select min(strike) as low, max(strike) as high from surface.pairs')
  expect(row).toEqual({ low: 5962.5, high: 6037.5 })
})

test('rates are flat-forward between tenors and flat outside', async () => {
  const db = await openSessionDb('2026-10-14')
  await keepMinutes(db, '16:00')
  await addRows(db, 'tape.spots', [
    { session_date: '2026-10-14', spotted_at: '2026-10-14 19:59:59', spot: 6000 },
  ])
  const days = [1, 10, 20, 30, 60]
  await addRows(
    db,
    'tape.open_interest',
    days.map(count => ({
      session_date: '2026-10-14',
      root: 'SPXW',
      // sixty days later New York is on winter time
      expiry: ['2026-10-15', '2026-10-24', '2026-11-03', '2026-11-13', '2026-12-13'][
        days.indexOf(count)
      ],
      strike: 6000,
      option_type: 'C',
      open_interest: 1,
    })),
  )
  await addRows(db, 'tape.rates', [
    { session_date: '2026-10-13', tenor_days: 10, rate: 0.04 },
    { session_date: '2026-10-13', tenor_days: 30, rate: 0.05 },
  ])
  await loadExpiries(db)
  await buildSpots(db)
  await db.build('surface/terms')
  const rows = await db.rows(
    'select years * 365 as days, -ln(discount) * 365 as rate_days from surface.terms order by 1',
  )
  const winter = 1 / 24
  const between = (count: number) => 0.4 + ((0.05 * 30 - 0.4) * (count - 10)) / 20
  const wanted = [
    [1, 0.04],
    [10, 0.4],
    [20 + winter, between(20 + winter)],
    [30 + winter, 0.05 * (30 + winter)],
    [60 + winter, 0.05 * (60 + winter)],
  ]
  for (const [i, [count, rateDays]] of wanted.entries()) {
    expect(rows[i]!.days).toBeCloseTo(count!, 9)
    expect(rows[i]!.rate_days).toBeCloseTo(rateDays!, 9)
  }
})

test('seconds to expiry through both clock changes, half days, AM and PM settlement', async () => {
  const { cases } = readVectors('time_to_expiry')
  for (const { day, t, exp, settle, seconds } of cases) {
    const db = await openSessionDb(day)
    await keepMinutes(db, t)
    await addRows(db, 'tape.open_interest', [
      {
        session_date: day,
        root: settle === 'AM' ? 'SPX' : 'SPXW',
        expiry: exp,
        strike: 6000,
        option_type: 'C',
        open_interest: 1,
      },
    ])
    await loadExpiries(db)
    await buildSpots(db)
    await db.build('surface/terms')
    const rows = await db.all('surface.terms')
    expect(rows, `${day} ${t} ${exp}`).toMatchObject([
      { seconds_left: seconds, reason: 'no_spot', years: seconds / 31_536_000 },
    ])
  }
})
