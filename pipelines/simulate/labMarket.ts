import { hash } from 'node:crypto'
import {
  DTE_MAX,
  type LabMarket,
  type LabMinutes,
  type LabOrders,
  type LabSession,
} from '../../src/lab/market/session.ts'
import { type LabDay, type LabPathOptions, labDays } from './labPath.ts'
import { jumpOutcomes, timeValue } from './labPricing.ts'
import { simulateExpiry } from './labQuotes.ts'
import { createRandom, type Random } from './random.ts'

/** One version of a simulated large order, by states of its session. */
type LabOrderVersion = {
  /** Number of the order, from 1. */
  readonly number: number
  /** Number of its version, from 1. */
  readonly revision: number
  readonly printedState: number
  readonly fromState: number
  readonly untilState: number
  readonly premiumUsd: number
  /** $M per point; NaN where unknown. */
  readonly gamma: number
}

const ORDERS_A_SESSION = 150
/** Premiums are heavy-tailed: one or two orders a session are over $25M. */
const SMALLEST_USD = 200_000
const TAIL = 1.05
const LARGEST_USD = 1_000_000_000
const UNKNOWN_GAMMA = 0.2
const REVISED = 0.25
const CANCELLED = 0.02
const SEEN_LATE = 0.1

/** Simulates the large orders of a session, in the order in which they become known. */
function simulateOrders(random: Random, stateCount: number): LabOrderVersion[] {
  const versions = Array.from({ length: ORDERS_A_SESSION }, (_, index) =>
    drawVersions(random, index + 1, stateCount),
  ).flat()
  return versions.sort(
    (a, b) => a.fromState - b.fromState || a.number - b.number || a.revision - b.revision,
  )
}

function drawVersions(random: Random, number: number, stateCount: number): LabOrderVersion[] {
  const printedState = random.integer(0, stateCount - 1)
  const fromState = printedState + (random.chance(SEEN_LATE) ? random.integer(1, 3) : 0)
  const premiumUsd = Math.round(
    Math.min(LARGEST_USD, SMALLEST_USD * (1 - random.uniform()) ** (-1 / TAIL)),
  )
  const size = 4 * Math.sqrt(premiumUsd / 1e6) * Math.exp(0.5 * random.normal())
  const change = random.chance(0.5) ? size : -size
  const isKnown = !random.chance(UNKNOWN_GAMMA)
  const ends = random.uniform()
  const until = fromState + random.integer(1, 12)
  const more = 1 + random.uniform()
  const isKnownThen = random.chance(isKnown ? 0.9 : 0.5)
  if (fromState >= stateCount) return []
  const first = { number, revision: 1, printedState, fromState, untilState: stateCount }
  const gamma = isKnown ? change : Number.NaN
  if (ends >= REVISED + CANCELLED || until >= stateCount) return [{ ...first, premiumUsd, gamma }]
  const replaced = { ...first, untilState: until, premiumUsd, gamma }
  if (ends >= REVISED) return [replaced]
  return [
    replaced,
    {
      ...first,
      revision: 2,
      fromState: until,
      premiumUsd: Math.round(premiumUsd * more),
      gamma: isKnownThen ? change * more : Number.NaN,
    },
  ]
}

/** The versions as columns. */
function orderColumns(versions: readonly LabOrderVersion[]): LabOrders {
  return {
    fromState: Int32Array.from(versions, version => version.fromState),
    untilState: Int32Array.from(versions, version => version.untilState),
    printedState: Int32Array.from(versions, version => version.printedState),
    premiumUsd: Float64Array.from(versions, version => version.premiumUsd),
    gamma: Float64Array.from(versions, version => version.gamma),
  }
}

export type LabOptions = LabPathOptions & {
  /** The furthest expiry that is quoted, in sessions: 0 to 5. Each costs as much as the first. */
  readonly furthestDte: number
}

/** A simulated day: its levels and quotes are made on demand. */
export type SimulatedLabDay = {
  readonly day: LabDay
  readonly make: () => LabShown
}

/** Published data of a day. */
export type LabShown = {
  readonly session: LabSession
  readonly versions: readonly LabOrderVersion[]
}

const NO_PREVIOUS_CLOSE = 0.01
const NO_SETTLEMENT = 0.002

/** Simulated days, oldest first, one at a time. */
export function* simulateLabDays(options: LabOptions): Generator<SimulatedLabDay> {
  for (const day of labDays(options)) yield { day, make: () => makeShownDay(day, options) }
}

/**
 * Simulates a market with a known truth, as LAB replays it: at each minute an option's price is its
 * expected value, whatever levels, orders and past moves show, so that before costs no rule earns
 * anything, except on the planted effect. The same options give the same bytes.
 */
export function simulateLab(options: LabOptions): LabMarket {
  const sessions: LabSession[] = []
  const leftOut: { day: string; reason: NonNullable<LabDay['leftOut']> }[] = []
  for (const { day, make } of simulateLabDays(options)) {
    if (day.leftOut === null) sessions.push(make().session)
    else leftOut.push({ day: day.session.date, reason: day.leftOut })
  }
  return { kind: 'simulated', sessions, leftOut, hash: hash('sha256', JSON.stringify(options)) }
}

function makeShownDay(day: LabDay, { seed, furthestDte }: LabOptions): LabShown {
  const { session, spots } = day
  const random = createRandom(seed, `lab orders ${session.date}`)
  const versions = simulateOrders(random, spots.length)
  const hasPreviousClose = !random.chance(NO_PREVIOUS_CLOSE)
  const hasSettlement = !random.chance(NO_SETTLEMENT)
  const expiries = Array.from({ length: DTE_MAX + 1 }, (_, dte) =>
    dte <= furthestDte ? simulateExpiry(day, seed, dte) : null,
  )
  const simulated: LabSession = {
    date: session.date,
    isHalfDay: session.isHalfDay,
    firstMinute: 571,
    stateCount: spots.length,
    market: makeMinutes(day, { forwards: expiries[0]!.forward, hasPreviousClose }),
    orders: orderColumns(versions),
    expiries,
    settlement: hasSettlement ? inCents(spots.at(-1)!) : null,
    settlementSource: hasSettlement ? 'last_index' : null,
  }
  return { session: simulated, versions }
}

type Known = { readonly forwards: Float64Array; readonly hasPreviousClose: boolean }

function makeMinutes(day: LabDay, { forwards, hasPreviousClose }: Known): LabMinutes {
  const { spots, remaining, levels } = day
  const count = spots.length
  const expectedMove = forwards.map((forward, state) => {
    if (Number.isNaN(forward)) return Number.NaN
    const minutes = count - 1 - state
    const outcomes = jumpOutcomes({ variance: remaining[state]!, minutes, nights: 0 })
    return 2 * timeValue(outcomes, forward, forward, 0)
  })
  const all = (value: number) => new Float64Array(count).fill(value)
  return {
    spot: spots.map(inCents),
    open: all(inCents(spots[0]!)),
    previousClose: all(hasPreviousClose ? inCents(day.previousClose) : Number.NaN),
    expectedMove,
    sessionExpectedMove: all(expectedMove[0]!),
    ...levels,
  }
}

const inCents = (value: number): number => Math.round(value * 100) / 100
