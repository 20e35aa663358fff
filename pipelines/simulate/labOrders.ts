import type { LabOrders } from '../../src/lab/market/session.ts'
import type { Random } from './random.ts'

/** One version of a simulated large order, by states of its session. */
export type LabOrderVersion = {
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
export function simulateOrders(random: Random, stateCount: number): LabOrderVersion[] {
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
  const known = random.chance(0.5) ? size : -size
  const isKnown = !random.chance(UNKNOWN_GAMMA)
  const ends = random.uniform()
  const until = fromState + random.integer(1, 12)
  const more = 1 + random.uniform()
  const isKnownThen = random.chance(isKnown ? 0.9 : 0.5)
  if (fromState >= stateCount) return []
  const first = { number, revision: 1, printedState, fromState, untilState: stateCount }
  const gamma = isKnown ? known : Number.NaN
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
      gamma: isKnownThen ? known * more : Number.NaN,
    },
  ]
}

/** The versions as columns. */
export function orderColumns(versions: readonly LabOrderVersion[]): LabOrders {
  return {
    fromState: Int32Array.from(versions, version => version.fromState),
    untilState: Int32Array.from(versions, version => version.untilState),
    printedState: Int32Array.from(versions, version => version.printedState),
    premiumUsd: Float64Array.from(versions, version => version.premiumUsd),
    gamma: Float64Array.from(versions, version => version.gamma),
  }
}
