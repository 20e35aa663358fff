import { expect, test } from 'vitest'
import { buildSpots } from '../../../pipelines/build/surface.ts'
import type { TestDb } from '../../support/db.ts'
import { openLeanDb } from '../../support/lean.ts'
import { hasSharedData } from '../../support/shared.ts'
import { addRows, keepMinutes, loadExpiries, openSessionDb } from '../../support/surface.ts'

const DAY = '2026-10-14' // a Wednesday; 10:00 ET is 14:00 UTC
const NEXT = '2026-10-15'
const FAR = '2026-11-13'
const YEAR = 31_536_000

/** UTC of an ET minute of the day, so many seconds before it. */
const at = (minute: string, secondsBefore = 0) =>
  new Date(Date.parse(`${DAY}T${minute}:00-04:00`) - 1000 * secondsBefore)
    .toISOString()
    .replace('T', ' ')
    .replace('Z', '')

type Chain = {
  readonly minute: string
  readonly forward: number
  readonly expiry?: string
  readonly root?: string
  readonly strikes?: readonly number[]
  /** Distance of ask from bid, index points. */
  readonly width?: number
  readonly discount?: number
  readonly secondsOld?: number
  /** Moves the calls: a wrong quote. */
  readonly shift?: number
}

const STRIKES = [5980, 5985, 5990, 5995, 6000, 6005, 6010]

/** Minute quotes of calls and puts that agree on a forward, with a time value of 10 points. */
async function addChain(db: TestDb, chain: Chain) {
  const { minute, forward, expiry = DAY, root = 'SPXW', strikes = STRIKES } = chain
  const { width = 0.1, discount = 1, secondsOld = 1, shift = 0 } = chain
  const rows = strikes.flatMap(strike =>
    (['C', 'P'] as const).map(option_type => {
      const inside = discount * (option_type === 'C' ? forward - strike : strike - forward)
      const mid = 10 + Math.max(inside, 0) + (option_type === 'C' ? shift : 0)
      return {
        session_date: DAY,
        minute_at: at(minute),
        root,
        expiry,
        strike,
        option_type,
        best_bid: mid - width / 2,
        best_ask: mid + width / 2,
        quoted_at: at(minute, secondsOld),
      }
    }),
  )
  await addRows(db, 'tape.quotes', rows)
}

const addSpot = (db: TestDb, minute: string, spot: number) =>
  addRows(db, 'tape.spots', [{ session_date: DAY, spotted_at: at(minute, 1), spot, symbol: 'SPX' }])

const addRate = (db: TestDb, rate: number) =>
  addRows(db, 'tape.rates', [{ session_date: '2026-10-13', tenor_days: 1, rate }])

async function listSpots(db: TestDb, ...minutes: string[]) {
  await keepMinutes(db, ...minutes)
  await loadExpiries(db)
  await buildSpots(db)
  return db.rows(
    'select minute_et, spot, spot_source, spot_error, reason from surface.spots order by all',
  )
}

async function spotOf(chains: readonly Chain[], rate?: number) {
  const db = await openSessionDb(DAY)
  for (const chain of chains) await addChain(db, chain)
  if (rate !== undefined) await addRate(db, rate)
  const [row] = await listSpots(db, chains[0]!.minute)
  return row!
}

const NONE = { spot: null, spot_source: null, spot_error: null, reason: 'no_spot' }

test('an index on the tape stays; parity fills the minutes after five without one', async () => {
  const db = await openSessionDb(DAY)
  await addSpot(db, '10:00', 5999)
  for (const minute of ['10:00', '10:04', '10:05']) await addChain(db, { minute, forward: 6001 })
  expect(await listSpots(db, '10:00', '10:04', '10:05', '10:06')).toEqual([
    { minute_et: '10:00', spot: 5999, spot_source: 'index', spot_error: null, reason: null },
    { minute_et: '10:04', spot: 5999, spot_source: 'index', spot_error: null, reason: null },
    {
      minute_et: '10:05',
      spot: expect.closeTo(6001, 9),
      spot_source: 'parity',
      spot_error: expect.any(Number),
      reason: null,
    },
    { minute_et: '10:06', ...NONE },
  ])
})

test("the session's own expiry is discounted: no dividend falls before it", async () => {
  const discount = Math.exp((-0.05 * 6 * 3600) / YEAR)
  const row = await spotOf([{ minute: '10:00', forward: 6001, discount }], 0.05)
  expect(row.spot).toBeCloseTo(6001 * discount, 6)
  // where no curve is known the carry is not either
  const without = await spotOf([{ minute: '10:00', forward: 6001 }])
  expect(without.spot).toBeCloseTo(6001, 6)
  expect(Number(without.spot_error)).toBeGreaterThan(Number(row.spot_error))
})

test('of later expiries the chain shows the carry, dividends with it', async () => {
  // 30 hours and 30 days more
  const hours = (30 * 3600) / YEAR
  const days = (29 * 86_400 + 3600) / YEAR
  const forward = (years: number) => 6000 * Math.exp(0.025 * years)
  const chains = [
    { minute: '10:00', forward: forward(hours), expiry: NEXT },
    { minute: '10:00', forward: forward(hours + days), expiry: FAR },
  ]
  const row = await spotOf(chains)
  expect(row.spot).toBeCloseTo(6000, 2)
  // nearer than twenty days a forward says too little of it
  const [, far] = chains
  const near = await spotOf([chains[0]!, { ...far!, expiry: '2026-10-23' }])
  expect(near.spot).toBeCloseTo(forward(hours), 6)
})

test('the carry is measured at ten earlier minutes with both, never at later ones', async () => {
  const db = await openSessionDb(DAY)
  const minutes = Array.from({ length: 22 }, (_, i) => `10:${String(i + 10)}`)
  for (const minute of minutes) await addChain(db, { minute, forward: 6001.2 })
  for (const minute of minutes.slice(0, 10)) await addSpot(db, minute, 6000)
  // after the minute in question, and far away from the quotes
  await addSpot(db, '10:30', 5800)
  const rows = await listSpots(db, ...minutes)
  const found = rows.find(row => row.minute_et === '10:26')!
  expect(found.spot_source).toBe('parity')
  expect(found.spot).toBeCloseTo(6000, 1)
  const before = await openSessionDb(DAY)
  for (const minute of minutes.slice(0, 17)) await addChain(before, { minute, forward: 6001.2 })
  for (const minute of minutes.slice(0, 10)) await addSpot(before, minute, 6000)
  expect(await listSpots(before, ...minutes.slice(0, 17))).toEqual(rows.slice(0, 17))
})

test('nine minutes with both are too few: the carry is that of the curve', async () => {
  const db = await openSessionDb(DAY)
  const minutes = Array.from({ length: 16 }, (_, i) => `10:${String(i + 10)}`)
  for (const minute of minutes) await addChain(db, { minute, forward: 6001.2 })
  for (const minute of minutes.slice(0, 5)) await addSpot(db, minute, 6000)
  const rows = await listSpots(db, ...minutes)
  expect(rows.filter(row => row.spot_source === 'index')).toHaveLength(9)
  expect(rows.at(-1)!.spot).toBeCloseTo(6001.2, 6)
})

test('one wrong quote in seven leaves the index where it is', async () => {
  const good = { minute: '10:00', forward: 6001, strikes: STRIKES.slice(1) }
  const bad = { minute: '10:00', forward: 6001, strikes: [5980], shift: 9 }
  expect((await spotOf([good, bad])).spot).toBeCloseTo(6001, 6)
})

test.each([
  ['two pairs', { strikes: [5995, 6000] }, NONE],
  ['three pairs', { strikes: [5995, 6000, 6005] }, { spot_source: 'parity' }],
  ['markets 20 points wide', { width: 19.9 }, NONE],
  ['contracts of the AM settlement alone', { root: 'SPX', expiry: '2026-10-16' }, NONE],
  ['a minute old', { secondsOld: 60 }, { spot_source: 'parity' }],
  ['older than a minute', { secondsOld: 61 }, NONE],
  ['the open, before the index is computed', { minute: '09:30' }, NONE],
  ['the first minute', { minute: '09:31' }, { spot_source: 'parity' }],
  [
    'the close, of the expiry of the day after',
    { minute: '16:00', expiry: NEXT },
    { spot_source: 'parity' },
  ],
  ['a minute after the close', { minute: '16:01', expiry: NEXT }, NONE],
])('%s', async (_, chain, wanted) => {
  expect(await spotOf([{ minute: '10:00', forward: 6001, ...chain }])).toMatchObject(wanted)
})

test('the error grows with the spreads and with the age of the quotes', async () => {
  const errorOf = async (chain: Partial<Chain>) =>
    Number((await spotOf([{ minute: '10:00', forward: 6001, ...chain }], 0.05)).spot_error)
  const [narrow, wide, old] = [
    await errorOf({}),
    await errorOf({ width: 4 }),
    await errorOf({ secondsOld: 60 }),
  ]
  // a straddle of 20 points at six hours: a second moves the index by a sixth of a point
  const second = Math.sqrt(Math.PI / 2) * 20 * Math.sqrt(1 / 21_600)
  expect(narrow).toBeGreaterThan(Math.sqrt(2) * second)
  expect(narrow).toBeLessThan(Math.sqrt(2) * second + 0.05)
  // a forward is anywhere between bounds 4 points away: 2.3 points of each of seven, by a median
  const bounds = (Math.sqrt(Math.PI / 2) * 4) / Math.sqrt(3 * 7)
  expect(wide).toBeCloseTo(Math.hypot(narrow, bounds), 1)
  expect(old).toBeGreaterThan(Math.sqrt(60) * second)
})

test.skipIf(!hasSharedData).each([
  ['all day', null, 390],
  ['from 11:00 on, where the carry is measured', '11:00', 296],
])(
  'real minutes of 4 January 2021 without their index %s are 0.3 points off',
  async (_, from, count) => {
    const db = await openLeanDb('2021-01-04', () => null)
    await buildSpots(db, 1)
    await db.run('create table main.known as from surface.index_spots')
    await db.run('delete from tape.spots where $from is null or spotted_at >= $from::timestamp', {
      from: from && '2021-01-04 16:00:00',
    })
    // the sample has one or two strikes of an expiry
    await buildSpots(db, 1)
    const [found] = await db.rows(`
    select count(*)::integer as count,
      median(abs(spots.spot - known.spot)) as median,
      quantile_cont(abs(spots.spot - known.spot), 0.99) as high,
      avg((abs(spots.spot - known.spot) <= 1.645 * spots.spot_error)::integer) as covered
    from surface.spots as spots
    inner join main.known as known using (minute_et)
    where spots.spot_source = 'parity' and known.spot is not null`)
    expect(found!.count).toBe(count)
    expect(found!.median).toBeLessThan(0.3)
    expect(found!.high).toBeLessThan(1.5)
    expect(found!.covered).toBeGreaterThan(0.87)
  },
)

test.skipIf(!hasSharedData)('by three pairs at least no index is named of them', async () => {
  const db = await openLeanDb('2021-01-04', () => null)
  await db.run('delete from tape.spots')
  await buildSpots(db)
  expect(await db.rows('select distinct spot, reason from surface.spots')).toEqual([
    { spot: null, reason: 'no_spot' },
  ])
})
