import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestDb } from '../../support/db.ts'
import { runs } from '../../support/runs.ts'
import { makeTable, openSessionDb } from '../../support/surface.ts'

const DATE = '2026-10-14'
const SPOT = 6000

/** A leg of an order; delta and gamma are those of one contract. */
type Leg = {
  readonly option_type: 'C' | 'P'
  readonly expiry: string
  readonly contracts: number
  readonly package_sign: 1 | -1 | null
  readonly delta: number | null
  readonly gamma: number | null
}

/** A version of an order; times are seconds after 09:30 ET. */
type Version = {
  readonly order_id: string
  readonly revision_number: number
  readonly printed: number
  readonly visible: number
  readonly superseded: number | null
  readonly sign: number
  readonly side_probability: number | null
  readonly side_reason: string | null
  readonly legs: readonly Leg[]
}

const instant = (seconds: number | null) =>
  seconds === null
    ? null
    : new Date(Date.UTC(2026, 9, 14, 13, 30, seconds)).toISOString().replace('T', ' ').slice(0, 19)

const EDITION = {
  edition_id: 'bigint',
  order_id: 'varchar',
  revision_number: 'integer',
  printed_at: 'timestamp',
  visible_at: 'timestamp',
  superseded_at: 'timestamp',
  sign: 'integer',
  side_probability: 'double',
  side_reason: 'varchar',
}

function editionRows(versions: readonly Version[]) {
  return versions.map((version, at) => ({
    ...version,
    edition_id: at + 1,
    printed_at: instant(version.printed),
    visible_at: instant(version.visible),
    superseded_at: instant(version.superseded),
  }))
}

async function openFlowDb(): Promise<TestDb> {
  const db = await openSessionDb(DATE)
  await db.run('drop view fold.editions; drop view fold.edition_legs')
  return db
}

/** Builds `ledger.flow` of the versions. */
async function buildFlow(db: TestDb, versions: readonly Version[]): Promise<void> {
  await makeTable(db, 'fold.editions', EDITION, editionRows(versions))
  const legs = versions.flatMap((version, at) =>
    version.legs.map((leg, number) => ({
      ...leg,
      edition_id: at + 1,
      leg_number: number + 1,
      root: 'SPXW',
      spot: SPOT,
    })),
  )
  const key = { edition_id: 'bigint', leg_number: 'integer' }
  const contract = { root: 'varchar', option_type: 'varchar', expiry: 'date', contracts: 'integer' }
  await makeTable(db, 'fold.edition_legs', { ...key, ...contract, package_sign: 'integer' }, legs)
  const greeks = { spot: 'double', delta: 'double', gamma: 'double' }
  await makeTable(db, 'book.leg_gammas', { ...key, ...greeks }, legs)
  await db.run(
    `create or replace table tape.expiries as
     select distinct root, expiry, expiry as ends_on from fold.edition_legs`,
  )
  for (const model of ['book/edition_flows', 'book/flow_changes', 'book/minute_flows']) {
    await db.build(model)
  }
  await db.build('ledger/flow')
}

const CALL: Leg = {
  option_type: 'C',
  expiry: DATE,
  contracts: 100,
  package_sign: 1,
  delta: 0.5,
  gamma: 0.002,
}
const ORDER: Version = {
  order_id: 'a',
  revision_number: 1,
  printed: 10,
  visible: 11,
  superseded: null,
  sign: 1,
  side_probability: 1,
  side_reason: null,
  legs: [CALL],
}

const readFlow = (db: TestDb, where: string) =>
  db.rows(`select * exclude (session_date) from ledger.flow where ${where} order by all`)

/** Ten orders of one contract that customers trade: the signs of the delta and gamma they bought. */
const SIGNS: readonly (readonly [string, Partial<Leg>, number, readonly [number, number]])[] = [
  ['a call bought', {}, 1, [1, 1]],
  ['a call sold', {}, 0, [-1, -1]],
  ['a put bought', { option_type: 'P', delta: -0.4 }, 1, [-1, 1]],
  ['a put sold', { option_type: 'P', delta: -0.4 }, 0, [1, -1]],
  ['a call of a later expiry bought', { expiry: '2026-10-16' }, 1, [1, 1]],
  ['a call of a later expiry sold', { expiry: '2026-10-16' }, 0, [-1, -1]],
  ['a deep put bought', { option_type: 'P', delta: -0.99, gamma: 1e-5 }, 1, [-1, 1]],
  ['a deep put sold', { option_type: 'P', delta: -0.99, gamma: 1e-5 }, 0, [1, -1]],
  ['a call that is more likely bought', {}, 0.7, [1, 1]],
  ['a call that is more likely sold', {}, 0.3, [-1, -1]],
]

test.each(SIGNS)('%s has the sign of its customer', async (_, leg, side_probability, signs) => {
  const db = await openFlowDb()
  const sign = Math.sign(side_probability - 0.5)
  await buildFlow(db, [{ ...ORDER, sign, side_probability, legs: [{ ...CALL, ...leg }] }])
  const [row] = await readFlow(db, "minute_et = '09:31' and part = 'all' and span = 'day'")
  const { delta_musd, gamma_musd_per_point } = row!
  expect([Math.sign(Number(delta_musd)), Math.sign(Number(gamma_musd_per_point))]).toEqual(signs)
})

test('units are $M of index and $M a point, of contracts of 100, and the interval is 90 %', async () => {
  const db = await openFlowDb()
  await buildFlow(db, [{ ...ORDER, side_probability: 0.8 }])
  const [row] = await readFlow(db, "minute_et = '09:31' and part = 'calls' and span = 'day'")
  // 100 contracts of delta 0.5 are 5,000 units of an index at 6,000: $30M
  expect(row).toMatchObject({ order_count: 1, contracts: 100, delta_share: 1, delta_reason: null })
  expect(row!.delta_musd).toBeCloseTo(0.6 * 30, 9)
  expect(row!.gamma_musd_per_point).toBeCloseTo(0.6 * 0.12, 9)
  const half = 1.6448536269514722 * 0.8
  expect(row!.delta_lo_musd).toBeCloseTo(18 - half * 30, 3)
  expect(row!.delta_hi_musd).toBeCloseTo(18 + half * 30, 3)
})

test('the legs of a package err together; those of an unknown pattern each for itself', async () => {
  const db = await openFlowDb()
  const sold = { ...CALL, package_sign: -1 as const, delta: 0.3 }
  const spread = { ...ORDER, sign: 0, side_probability: 0.5, legs: [CALL, sold] }
  const width = async (legs: readonly Leg[]) => {
    await buildFlow(db, [{ ...spread, legs }])
    const [row] = await readFlow(db, "minute_et = '09:31' and part = 'all' and span = 'day'")
    expect(row!.delta_musd).toBe(0)
    return Number(row!.delta_hi_musd) / 1.6448536269514722
  }
  expect(await width(spread.legs)).toBeCloseTo(30 - 18, 3)
  const unknown = spread.legs.map(leg => ({ ...leg, package_sign: null }))
  expect(await width(unknown)).toBeCloseTo(Math.hypot(30, 18), 3)
})

test('a cross adds nothing for certain; no order, and an unpriced one, say so', async () => {
  const db = await openFlowDb()
  const cross = { ...ORDER, sign: 0, side_probability: null, side_reason: 'cross' }
  await buildFlow(db, [cross])
  const [row] = await readFlow(db, "minute_et = '09:31' and part = 'all' and span = 'day'")
  expect(row).toMatchObject({ order_count: 1, delta_musd: 0, delta_lo_musd: 0, delta_hi_musd: 0 })
  const [puts] = await readFlow(db, "minute_et = '09:31' and part = 'puts' and span = 'day'")
  expect(puts).toMatchObject({ order_count: 0, delta_musd: null, delta_reason: 'no_orders' })
  // the last half hour of an expiry: a delta, and no gamma
  await buildFlow(db, [{ ...ORDER, legs: [{ ...CALL, gamma: null }] }])
  const [late] = await readFlow(db, "minute_et = '09:31' and part = 'calls' and span = 'day'")
  expect(late).toMatchObject({ delta_reason: null, gamma_reason: 'unpriced', gamma_share: 0 })
  expect(late!.gamma_musd_per_point).toBeNull()
})

const leg: fc.Arbitrary<Leg> = fc.record({
  option_type: fc.constantFrom('C', 'P'),
  expiry: fc.constantFrom(DATE, '2026-10-16'),
  contracts: fc.integer({ min: 1, max: 5000 }),
  package_sign: fc.constantFrom(1, -1, null),
  delta: fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { freq: 20 }),
  gamma: fc.option(fc.double({ min: 0, max: 0.02, noNaN: true }), { freq: 20 }),
})

/** Versions of one order, each taken back as the next one is known. */
const orderVersions = fc
  .record({
    printed: fc.integer({ min: 0, max: 1000 }),
    waits: fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 3 }),
    isCancelled: fc.boolean(),
    sides: fc.array(fc.option(fc.integer({ min: 0, max: 10_000 })), {
      minLength: 3,
      maxLength: 3,
    }),
    legs: fc.array(fc.array(leg, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 3 }),
    reason: fc.constantFrom(null, null, null, 'cross', 'no_quote'),
  })
  .map(({ printed, waits, isCancelled, sides, legs, reason }) => {
    const times: number[] = []
    for (const wait of waits) times.push((times.at(-1) ?? printed) + wait)
    const known = isCancelled && times.length > 1 ? times.slice(0, -1) : times
    return known.map((visible, at): Omit<Version, 'order_id'> => {
      const side = reason === null ? sides[at]! : null
      return {
        revision_number: at + 1,
        printed,
        visible,
        superseded: times[at + 1] ?? null,
        sign: side === null ? 0 : Math.sign(side - 5000),
        side_probability: side === null ? null : side / 10_000,
        side_reason: reason,
        legs: legs[at]!,
      }
    })
  })
const tape = fc
  .array(orderVersions, { minLength: 1, maxLength: 30 })
  .map(orders =>
    orders.flatMap((versions, number) =>
      versions.map(version => ({ ...version, order_id: `o${number}` })),
    ),
  )

const STATES = Array.from({ length: 30 }, (_, at) => at + 1)

/** The flow of a part at the state so many minutes after 09:30, by plain sums. */
function sumFlow(versions: readonly Version[], part: string, span: string, state: number) {
  const isOfPart = (one: Leg) =>
    part === 'all' ||
    (part === '0dte' ? one.expiry === DATE : part === (one.option_type === 'C' ? 'calls' : 'puts'))
  const counted = versions.filter(
    version =>
      version.visible < state * 60 &&
      (version.superseded === null || version.superseded >= state * 60) &&
      (span === 'day' || Math.floor(version.printed / 60) >= state - 5) &&
      version.legs.some(isOfPart),
  )
  let [contracts, priced, delta, variance] = [0, 0, 0, 0]
  for (const { legs, sign, side_probability, side_reason } of counted) {
    const own = legs.filter(isOfPart)
    const size = own.reduce((sum, one) => sum + one.contracts, 0)
    contracts += size
    if (legs.some(one => one.delta === null)) continue
    priced += size
    if (side_reason === 'cross') continue
    const right = legs.length === 1 ? 0.75 : 0.81
    const share = side_probability ?? (sign > 0 ? right : sign < 0 ? 1 - right : 0.5)
    const musd = (one: Leg) => (one.contracts * 100 * one.delta! * SPOT) / 1e6
    if (legs.some(one => one.package_sign === null)) {
      variance += own.reduce((sum, one) => sum + musd(one) ** 2, 0)
      continue
    }
    const whole = own.reduce((sum, one) => sum + one.package_sign! * musd(one), 0)
    delta += (2 * share - 1) * whole
    variance += 4 * share * (1 - share) * whole ** 2
  }
  const isStated = counted.length > 0 && priced >= 0.9 * contracts
  return { order_count: counted.length, delta: isStated ? delta : null, variance }
}

test('every minute, part and span is the plain sum over the orders that count', async () => {
  const db = await openFlowDb()
  await fc.assert(
    fc.asyncProperty(tape, async versions => {
      await buildFlow(db, versions)
      const rows = await readFlow(db, "minute_et <= '10:00'")
      expect(rows).toHaveLength(31 * 8)
      for (const row of rows) {
        const state =
          Number(String(row.minute_et).slice(3)) - 30 + (row.minute_et === '10:00' ? 60 : 0)
        const sum = sumFlow(versions, String(row.part), String(row.span), state)
        expect(row.order_count).toBe(sum.order_count)
        if (sum.delta === null) expect(row.delta_musd).toBeNull()
        else {
          expect(row.delta_musd).toBeCloseTo(sum.delta, 6)
          const width = 1.6448536269514722 * Math.sqrt(sum.variance)
          expect(Number(row.delta_hi_musd) - sum.delta).toBeCloseTo(width, 1)
        }
      }
      expect(await db.audit('flow_adds_up')).toEqual([])
    }),
    { numRuns: runs(100) },
  )
})

test('a running session that adds what each step knows has the sums of the whole one', async () => {
  const db = await openFlowDb()
  await db.run('create schema live')
  const steps = fc.uniqueArray(fc.constantFrom(...STATES), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(tape, steps, async (versions, ends) => {
      await buildFlow(db, versions)
      for (const table of ['live.edition_flows', 'live.flow_changes']) {
        const of = table.replace('live', 'book')
        await db.run(`create or replace table ${table} as from ${of} limit 0`)
      }
      let since = -1e6
      for (const until of [...ends.toSorted((a, b) => a - b), 90].map(end => end * 60)) {
        const isNew = ({ visible }: Version) => visible >= since && visible < until
        const rows = editionRows(versions)
        await makeTable(db, 'live.pending_versions', EDITION, rows)
        await makeTable(db, 'live.new_versions', EDITION, rows.filter(isNew))
        await db.run(`
          create or replace table live.step as
          select ${since < 0 ? "timestamp '1970-01-01'" : `timestamp '${instant(since)}'`} as since_at,
            timestamp '${instant(until)}' as until_at;
          create or replace table live.new_edition_flows as
          from book.edition_flows semi join live.new_versions using (edition_id)`)
        await db.build('live/new_flow_changes')
        await db.view('live/current_flow_changes')
        const known = await db.rows(`
          from live.current_flow_changes where counts_from <= '${instant(until)}'
          order by part, span, counts_from`)
        const whole = await db.rows(`
          from book.flow_changes where counts_from <= '${instant(until)}'
          order by part, span, counts_from`)
        expect(known).toEqual(whole)
        await db.run(`
          insert into live.edition_flows from live.new_edition_flows;
          insert into live.flow_changes from live.new_flow_changes`)
        since = until
      }
    }),
    { numRuns: runs(50, 5) },
  )
})
