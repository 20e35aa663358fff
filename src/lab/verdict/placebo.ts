import type { LabLeg } from '../result.ts'
import { createDraws } from './draws.ts'
import { computeEdges, countBins } from './histogram.ts'
import type { ResolvedTrade } from './sample.ts'

/** Sessions per block that a shuffle does not split: a week. */
const BLOCK = 5
/**
 * Shuffles per arrangement that the threshold allows to do as well as the rule; and the maximum.
 */
const SHUFFLES = { perArrangement: 20, max: 20_000 } as const
/** Tolerance within which two values of t are equal. */
const ROUNDING = 1e-9

/**
 * Tests the same triggers on other days: those of session i are moved to session i + k, circularly,
 * for all k, and in reverse. A trigger takes the fixed trade of the core in its slot of the other
 * session; a session without one gives none. `p` is the share of arrangements with a t at least as
 * high as the rule's own, which is one of them; arrangements with too few trades for a t are not
 * counted. When there are too few arrangements for the threshold, weeks are shuffled as well.
 */
export function computePlacebo(options: {
  /** Resolved trades of the core in the holdout. */
  readonly core: readonly ResolvedTrade[]
  /** Sessions of the holdout on which the rule may trade, in order. */
  readonly sessions: readonly number[]
  readonly ownT: number | null
  /** Maximum p to pass. */
  readonly threshold: number
  readonly seed: bigint
}): NonNullable<LabLeg['placebo']> {
  const { core, sessions, ownT, threshold, seed } = options
  if (ownT === null) {
    const histogram = { edges: [], counts: [] }
    return { arrangements: 0, shuffles: 0, p: null, t: null, quantiles: [], histogram }
  }
  const count = sessions.length
  const pairs = createPairs(core, sessions)
  const known = (values: readonly (number | null)[]) => values.filter(value => value !== null)
  const moved = known(shiftSessions(pairs, count))
  const isCoarse = 1 > 2 * count * threshold * (1 + ROUNDING)
  const shuffled = isCoarse ? known(shuffleWeeks(pairs, count, shufflesFor(threshold), seed)) : []
  const all = [ownT, ...moved, ...shuffled]
  const limit = ownT - ROUNDING * Math.max(1, Math.abs(ownT))
  const edges = computeEdges(all)
  return {
    arrangements: 1 + moved.length,
    shuffles: shuffled.length,
    p: all.filter(t => t >= limit).length / all.length,
    t: ownT,
    quantiles: computeQuantiles(all),
    histogram: { edges, counts: countBins(all, edges) },
  }
}

const shufflesFor = (threshold: number) =>
  Math.min(SHUFFLES.max, Math.ceil(SHUFFLES.perArrangement / threshold))

/** Returns the t of every arrangement except the rule's own. */
function shiftSessions(pairs: Pairs, count: number): (number | null)[] {
  const out: (number | null)[] = []
  const targets = new Int32Array(count)
  for (let shift = 0; shift < count; shift++) {
    if (shift > 0) out.push(pairs.computeT(targets.map((_, index) => (index + shift) % count)))
    out.push(pairs.computeT(targets.map((_, index) => (shift - index + count) % count)))
  }
  return out
}

function shuffleWeeks(pairs: Pairs, count: number, shuffles: number, seed: bigint) {
  const draws = createDraws(seed)
  const blocks = Array.from({ length: Math.ceil(count / BLOCK) }, (_, block) => block)
  const targets = new Int32Array(count)
  return Array.from({ length: shuffles }, () => {
    for (let left = blocks.length - 1; left > 0; left--) {
      const other = draws.index(left + 1)
      const moved = blocks[left]!
      blocks[left] = blocks[other]!
      blocks[other] = moved
    }
    let target = 0
    for (const block of blocks) {
      const end = Math.min((block + 1) * BLOCK, count)
      for (let session = block * BLOCK; session < end; session++) targets[session] = target++
    }
    return pairs.computeT(targets)
  })
}

const SHARES = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]

/** Quantiles, linearly interpolated. */
function computeQuantiles(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return SHARES.map(share => {
    const position = share * (sorted.length - 1)
    const low = sorted[Math.floor(position)]!
    const high = sorted[Math.ceil(position)]!
    return low + (high - low) * (position - Math.floor(position))
  })
}

/** Results of each session's triggers when applied to every other session. */
type Pairs = {
  /** The t of rule minus core when the triggers of each session are applied to its target. */
  readonly computeT: (targets: Int32Array) => number | null
}

/** `sessions` are the sessions to permute, in order; trades of others count for the core alone. */
function createPairs(core: readonly ResolvedTrade[], sessions: readonly number[]): Pairs {
  const { counts, sums, count } = sumPairs(core, sessions)
  const mean = core.reduce((sum, { r }) => sum + r, 0) / core.length
  const largest = core.reduce((most, { r }) => Math.max(most, Math.abs(r)), 0)
  const bySession = Map.groupBy(core, ({ session }) => session)
  const influence = (trades: readonly ResolvedTrade[] = []) =>
    trades.reduce((sum, { r }) => sum + (r - mean) / core.length, 0)
  const ofCore = Float64Array.from(sessions, session => influence(bySession.get(session)))
  const sessionSet = new Set(sessions)
  const elsewhere = [...bySession]
    .filter(([session]) => !sessionSet.has(session))
    .reduce((sum, [, trades]) => sum + influence(trades) ** 2, 0)
  const scale = bySession.size / (bySession.size - 1)

  const computeT = (targets: Int32Array): number | null => {
    let [taken, total, days] = [0, 0, 0]
    for (let index = 0; index < count; index++) {
      const pair = index * count + targets[index]!
      taken += counts[pair]!
      total += sums[pair]!
      if (counts[pair]! > 0) days += 1
    }
    if (days < 2) return null
    const ruleMean = total / taken
    let variance = elsewhere
    for (let index = 0; index < count; index++) {
      const target = targets[index]!
      const pair = index * count + target
      const ofRule = (sums[pair]! - counts[pair]! * ruleMean) / taken
      variance += (ofRule - ofCore[target]!) ** 2
    }
    const error = Math.sqrt(scale * variance)
    return error <= 1e-12 * largest ? null : (ruleMean - mean) / error
  }
  return { computeT }
}

/**
 * Per pair of sessions: the number of trades that one's triggers find in the other, and their r.
 */
function sumPairs(core: readonly ResolvedTrade[], sessions: readonly number[]) {
  const count = sessions.length
  const indexBySession = new Map(sessions.map((session, index) => [session, index]))
  const slots = [...new Set(core.map(({ slot }) => slot))].sort((a, b) => a - b)
  const indexBySlot = new Map(slots.map((slot, index) => [slot, index]))
  const fixed = new Float64Array(count * slots.length).fill(Number.NaN)
  for (const { session, slot, isFixed, r } of core) {
    const index = indexBySession.get(session)
    if (isFixed && index !== undefined) fixed[index * slots.length + indexBySlot.get(slot)!] = r
  }
  const counts = new Int32Array(count * count)
  const sums = new Float64Array(count * count)
  for (const { session, slot, isInRule } of core) {
    const index = indexBySession.get(session)
    if (!isInRule || index === undefined) continue
    for (let target = 0; target < count; target++) {
      const r = fixed[target * slots.length + indexBySlot.get(slot)!]!
      if (Number.isNaN(r)) continue
      counts[index * count + target]! += 1
      sums[index * count + target]! += r
    }
  }
  return { counts, sums, count }
}
