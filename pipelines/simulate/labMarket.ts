import { hash } from 'node:crypto'
import {
  DTE_MAX,
  type LabMarket,
  type LabMinutes,
  type LabSession,
} from '../../src/lab/market/session.ts'
import { type LabOrderVersion, orderColumns, simulateOrders } from './labOrders.ts'
import { type LabDay, type LabPathOptions, labDays } from './labPath.ts'
import { jumpOutcomes, timeValue } from './labPricing.ts'
import { simulateExpiry } from './labQuotes.ts'
import { createRandom } from './random.ts'

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
