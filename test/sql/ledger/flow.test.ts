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
  /** The most that delta and gamma may be off; null where they are. */
  readonly delta_error: number | null
  readonly gamma_error: number | null
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
  readonly side_deviation: number | null
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
  side_deviation: 'double',
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
      strike: 6000 + number,
      customer_sign: version.sign * (leg.package_sign ?? 0),
      edition_id: at + 1,
      leg_number: number + 1,
      root: 'SPXW',
      spot: SPOT,
    })),
  )
  const key = { edition_id: 'bigint', leg_number: 'integer' }
  const contract = { root: 'varchar', option_type: 'varchar', expiry: 'date', strike: 'double' }
  const counts = { contracts: 'integer', package_sign: 'integer', customer_sign: 'integer' }
  await makeTable(db, 'fold.edition_legs', { ...key, ...contract, ...counts }, legs)
  const greeks = { spot: 'double', delta: 'double', gamma: 'double' }
  const errors = { delta_error: 'double', gamma_error: 'double' }
  await makeTable(db, 'book.leg_gammas', { ...key, ...greeks, ...errors }, legs)
  await db.run(
    `create or replace table tape.expiries as
     select distinct root, expiry, expiry as ends_on from fold.edition_legs`,
  )
  for (const model of ['leg_sides', 'flows', 'balances']) await db.build(`book/${model}`)
  for (const model of ['edition_flows', 'flow_changes', 'minute_flows']) {
    await db.build(`book/${model}`)
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
  delta_error: 0,
  gamma_error: 0,
}
const ORDER: Version = {
  order_id: 'a',
  revision_number: 1,
  printed: 10,
  visible: 11,
  superseded: null,
  sign: 1,
  side_probability: 1,
  side_deviation: 0,
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
  await buildFlow(db, [{ ...ORDER, side_probability: 0.8, side_deviation: 0.5 }])
  const [row] = await readFlow(db, "minute_et = '09:31' and part = 'calls' and span = 'day'")
  // 100 contracts of delta 0.5 are 5,000 units of an index at 6,000: $30M. One logit more moves that
  // by 2 * 0.8 * 0.2, $9.6M; the order itself says that buyers are 2 * 0.6 / (25 + 0.36) logits more
  const logit = Math.round((1.2 / 25.36) * 1e4) / 1e4
  expect(row).toMatchObject({ order_count: 1, contracts: 100, delta_share: 1, delta_reason: null })
  const delta = 18 + logit * 9.6
  expect(row!.delta_musd).toBeCloseTo(delta, 9)
  expect(row!.gamma_musd_per_point).toBeCloseTo(0.6 * 0.12 + logit * 0.0384, 9)
  const half = 1.6448536269514722 * Math.hypot(0.8 * 30, Math.sqrt(4 / 25.36) * 9.6, 0.5 * 9.6)
  expect(row!.delta_lo_musd).toBeCloseTo(delta - half, 3)
  expect(row!.delta_hi_musd).toBeCloseTo(delta + half, 3)
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
  // of buyers nothing is known yet: 0.4 of a logit, which moves half of it
  expect(await width(spread.legs)).toBeCloseTo(Math.hypot(30 - 18, 0.4 * 0.5 * (30 - 18)), 3)
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
  await buildFlow(db, [{ ...ORDER, legs: [{ ...CALL, gamma: null, gamma_error: null }] }])
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
  delta_error: fc.constantFrom(0, 0, 0.02),
  gamma_error: fc.constantFrom(0, 0.001),
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
    side_deviation: fc.option(
      fc.integer({ min: -60, max: 60 }).map(hundredths => hundredths / 100),
    ),
    legs: fc.array(fc.array(leg, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 3 }),
    reason: fc.constantFrom(null, null, null, 'cross', 'no_quote'),
  })
  .map(({ printed, waits, isCancelled, sides, side_deviation, legs, reason }) => {
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
        side_deviation,
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

/** True when the state so many minutes after 09:30 knows the version, and none that replaces it. */
const isCounted = ({ visible, superseded }: Version, state: number) =>
  visible < state * 60 && (superseded === null || superseded >= state * 60)

/** Probability that the customer bought, that of an average single order where there is none. */
const boughtShare = ({ sign, side_probability }: Version) =>
  side_probability ?? (sign > 0 ? 0.68 : sign < 0 ? 0.32 : 0.5)

const flowClass = ({ legs: [first] }: Version) => `${first!.option_type} ${first!.expiry}`

/** The flow of a part at the state so many minutes after 09:30, by plain sums. */
function sumFlow(versions: readonly Version[], part: string, span: string, state: number) {
  const isOfPart = (one: Leg) =>
    part === 'all' ||
    (part === '0dte' ? one.expiry === DATE : part === (one.option_type === 'C' ? 'calls' : 'puts'))
  const counted = versions.filter(
    version =>
      isCounted(version, state) &&
      (span === 'day' || Math.floor(version.printed / 60) >= state - 5) &&
      version.legs.some(isOfPart),
  )
  let [contracts, priced, delta, variance] = [0, 0, 0, 0]
  const shared = new Map<string, { balance: number; rate: number }>()
  for (const version of counted) {
    const { legs, sign, side_deviation, side_reason } = version
    const own = legs.filter(isOfPart)
    const size = own.reduce((sum, one) => sum + one.contracts, 0)
    contracts += size
    if (legs.some(one => one.delta === null)) continue
    priced += size
    if (side_reason === 'cross') continue
    const share = boughtShare(version)
    const musd = (one: Leg, delta = one.delta!) => (one.contracts * 100 * delta * SPOT) / 1e6
    variance += own.reduce((sum, one) => sum + musd(one, one.delta_error!) ** 2, 0)
    if (legs.some(one => one.package_sign === null)) {
      variance += own.reduce((sum, one) => sum + musd(one) ** 2, 0)
      continue
    }
    const whole = own.reduce((sum, one) => sum + one.package_sign! * musd(one), 0)
    delta += (2 * share - 1) * whole
    variance += 4 * share * (1 - share) * whole ** 2
    const slope = 2 * share * (1 - share) * whole
    const { balance, rate } = shared.get(flowClass(version)) ?? { balance: 0, rate: 0 }
    shared.set(flowClass(version), {
      balance: balance + slope,
      rate: rate + slope * (side_deviation ?? 0.6 * sign),
    })
  }
  for (const [name, { balance, rate }] of shared) {
    const leans = versions
      .filter(version => isCounted(version, state) && flowClass(version) === name)
      .filter(version => version.side_probability !== null)
      .map(version => 2 * version.side_probability! - 1)
    // squares are rounded to four decimals
    const weight = leans.reduce((sum, lean) => sum + Math.round(lean ** 2 * 1e4) / 1e4, 25)
    const logit = (2 * leans.reduce((sum, lean) => sum + lean, 0)) / weight
    delta += (Math.round(logit * 1e4) / 1e4) * balance
    variance += (4 / weight) * balance ** 2 + rate ** 2
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
          expect(row.delta_musd).toBeCloseTo(sum.delta, 3)
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
          order by part, span, flow_class, counts_from`)
        const whole = await db.rows(`
          from book.flow_changes where counts_from <= '${instant(until)}'
          order by part, span, flow_class, counts_from`)
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
