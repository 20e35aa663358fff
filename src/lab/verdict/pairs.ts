import type { ResolvedTrade } from './sample.ts'

/** Results of each session's triggers when applied to every other session. */
export type Pairs = {
  /** The t of rule minus core when the triggers of each session are applied to its target. */
  readonly computeT: (targets: Int32Array) => number | null
}

/** `sessions` are the sessions to permute, in order; trades of others count for the core alone. */
export function createPairs(core: readonly ResolvedTrade[], sessions: readonly number[]): Pairs {
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
