import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestDb, table } from '../../support/db.ts'
import { runs } from '../../support/runs.ts'
import { addRows, keepMinutes, loadExpiries, openSessionDb } from '../../support/surface.ts'

const DAY = '2026-10-14' // 10:00 ET is 14:00 UTC

/** Rows of a table; times of day are UTC. */
async function add(db: TestDb, name: string, text: string): Promise<void> {
  const isTime = (value: unknown) => /^\d\d:\d\d:/.test(String(value))
  const rows = table(text).map(row => ({
    session_date: DAY,
    ...Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, isTime(value) ? `${DAY} ${value}` : value]),
    ),
  }))
  await addRows(db, name, rows)
}

async function listBasis(db: TestDb) {
  await loadExpiries(db)
  const models = ['surface/sources', 'surface/spot_values', 'surface/bases', 'ledger/basis']
  for (const model of models) await db.build(model)
  return db.rows('select * exclude (session_date) from ledger.basis')
}

test('a price counts strictly before the state, at most 60 seconds old, and known', async () => {
  const db = await openSessionDb(DAY)
  await keepMinutes(db, '10:01', '10:02', '10:03')
  await add(
    db,
    'tape.spots',
    `
    spotted_at  spot
    14:00:00    5900
    14:00:30    5901
    14:02:59    5902
  `,
  )
  await add(
    db,
    'tape.futures',
    `
    contract  priced_at        price    volume  known_at
    ESZ6      13:59:59.999999  1        100     -             # a minute earlier
    ESZ6      14:00:00         5920     1       -             # 20 above
    ESZ6      14:00:29.999999  5921     2       -             # 21
    ESZ6      14:00:30         5924     4       -             # 23: the index of this instant
    ESZ6      14:00:59.999999  5931     8       -             # 30
    ESZ6      14:00:40         5999     16      14:01:00      # known too late
    ESZ6      14:01:00         5921.5   32      -             # of the next state
    ESH7      14:01:59         5971.25  -       14:01:59.999  # nobody says how many
  `,
  )
  expect(await listBasis(db)).toEqual(
    table(`
    minute_et  contract  basis  reason     price_count  volume
    10:01      ESZ6      22     -          4            15
    10:02      ESH7      70.25  -          1            -
    10:02      ESZ6      20.5   -          1            32
    10:03      ESH7      -      no_future  0            -
    10:03      ESZ6      -      no_future  0            -
  `),
  )
})

test('the index counts five minutes, known before the state; else the basis is null', async () => {
  const db = await openSessionDb(DAY)
  await keepMinutes(db, '10:05', '10:06', '10:07', '10:08')
  await add(
    db,
    'tape.spots',
    `
    spotted_at  spot  known_at
    14:00:00    5900  -
    14:06:10    5906  14:07:00  # too late for 10:07, right for 10:08
  `,
  )
  await add(
    db,
    'tape.futures',
    `
    contract  priced_at  price
    ESZ6      14:04:59   5920
    ESZ6      14:05:00   5921     # for 10:06 the index is over five minutes old
    ESZ6      14:06:20   5926
    ESZ6      14:07:20   5926.25
  `,
  )
  expect(await listBasis(db)).toMatchObject(
    table(`
    minute_et  contract  basis  reason    price_count
    10:05      ESZ6      20     -         1
    10:06      ESZ6      -      no_index  0
    10:07      ESZ6      -      no_index  0
    10:08      ESZ6      20.25  -         1
  `),
  )
})

test('before the index is known the prints carry it; a price without any is left out', async () => {
  const db = await openSessionDb(DAY)
  await keepMinutes(db, '10:01', '10:02')
  const put = { session_date: DAY, root: 'SPXW', expiry: DAY, strike: 5900, option_type: 'P' }
  await addRows(db, 'tape.prints', [
    {
      ...put,
      sequence: 1,
      size: 1,
      price: 1,
      underlying_price: 5899,
      printed_at: `${DAY} 14:00:20`,
      known_at: `${DAY} 14:00:20`,
    },
  ])
  await add(db, 'tape.spots', 'spotted_at  spot  known_at\n14:00:50  5950  14:01:30')
  await add(
    db,
    'tape.futures',
    `
    contract  priced_at  price
    ESZ6      14:00:19   5919    # before the print
    ESZ6      14:00:20   5920
    ESZ6      14:01:40   5968
  `,
  )
  expect(await listBasis(db)).toMatchObject([
    { minute_et: '10:01', basis: 21, price_count: 1 },
    { minute_et: '10:02', basis: 18, price_count: 1 },
  ])
})

test('a session without futures has no basis', async () => {
  const db = await openSessionDb(DAY)
  await add(db, 'tape.spots', 'spotted_at  spot\n14:00:50  5950')
  expect(await listBasis(db)).toEqual([])
})

type Value = { readonly at: number; readonly known: number; readonly value: number }

/** The basis of one contract a second time, from what each value is. */
function basisAgain(spots: readonly Value[], prices: readonly Value[], minute: number) {
  const inMinute = prices.filter(
    ({ at, known }) => at >= minute - 60 && at < minute && known < minute,
  )
  const above = inMinute.flatMap(price => {
    const usable = spots.filter(
      ({ at, known }) => at >= minute - 300 && at < minute && known < minute && at <= price.at,
    )
    const last = usable.toSorted((a, b) => a.at - b.at).at(-1)
    return last ? [price.value - last.value] : []
  })
  above.sort((a, b) => a - b)
  const half = Math.floor(above.length / 2)
  const isEven = above.length % 2 === 0
  if (above.length > 0) return isEven ? (above[half - 1]! + above[half]!) / 2 : above[half]!
  return inMinute.length > 0 ? 'no_index' : 'no_future'
}

/** Values of instants of their own within 20 minutes, known at once or later. */
const values = (least: number) =>
  fc.uniqueArray(
    fc.record({
      at: fc.integer({ min: 0, max: 1199 }),
      wait: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 200 })),
      // quarters of a point: sums without rounding
      quarters: fc.integer({ min: least, max: least + 80 }),
    }),
    { selector: ({ at }) => at, maxLength: 60 },
  )
const pricedAt = (one: { at: number; wait: number; quarters: number }): Value => ({
  at: one.at,
  known: one.at + one.wait,
  value: one.quarters / 4,
})

test('generated prices: the median of a second program, minute by minute', async () => {
  const db = await openSessionDb(DAY)
  const instant = (seconds: number) =>
    new Date(Date.parse(`${DAY}T14:00:00Z`) + seconds * 1000).toISOString().slice(0, -1)
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(values(23_600), values(23_680), async (spotRows, priceRows) => {
      const [spots, prices] = [spotRows.map(pricedAt), priceRows.map(pricedAt)]
      await db.run('truncate tape.spots; truncate tape.futures')
      const reported = (name: string, value: string) => (one: Value) => ({
        session_date: DAY,
        [name]: instant(one.at),
        known_at: instant(one.known),
        [value]: one.value,
      })
      if (spots.length > 0)
        await addRows(db, 'tape.spots', spots.map(reported('spotted_at', 'spot')))
      if (prices.length > 0) {
        const rows = prices.map(reported('priced_at', 'price'))
        await addRows(
          db,
          'tape.futures',
          rows.map(row => ({ ...row, contract: 'ESZ6' })),
        )
      }
      const rows = await listBasis(db)
      const minutes = Array.from({ length: 25 }, (_, index) => index + 1)
      const wanted = minutes.map(minute => basisAgain(spots, prices, minute * 60))
      const first = wanted.findIndex(each => each !== 'no_future')
      const two = (number: number) => String(number).padStart(2, '0')
      for (const [index, minute] of minutes.entries()) {
        const row = rows.find(({ minute_et }) => minute_et === `10:${two(minute)}`)
        const basis = row && (row.basis ?? row.reason)
        expect([minute, basis]).toEqual([
          minute,
          first < 0 || index < first ? undefined : wanted[index],
        ])
        const kind = typeof basis === 'number' ? 'number' : String(basis)
        seen.set(kind, (seen.get(kind) ?? 0) + 1)
      }
    }),
    { numRuns: runs(30), seed: 31 },
  )
  for (const kind of ['number', 'no_index', 'no_future', 'undefined']) {
    expect(seen.get(kind), kind).toBeGreaterThan(runs(20))
  }
})
