import type { LabSession } from '../market/session.ts'

/** States at which spot has crossed to the other side of the flip. */
export type Crosses = { readonly above: readonly number[]; readonly below: readonly number[] }

const known = new WeakMap<LabSession, Crosses>()

/**
 * Returns the crosses of a session, ascending. The side before a cross is that of the last state
 * that has one: states without a flip, or with spot exactly on it, are skipped.
 */
export function readCrosses(session: LabSession): Crosses {
  const found = known.get(session) ?? findCrosses(session)
  known.set(session, found)
  return found
}

function findCrosses({ market: { spot, flip }, stateCount }: LabSession): Crosses {
  const above: number[] = []
  const below: number[] = []
  let side = 0
  for (let state = 0; state < stateCount; state++) {
    const now = Math.sign(spot[state]! - flip[state]!)
    // also skips NaN
    if (now !== 1 && now !== -1) continue
    if (now !== side && side !== 0) (now === 1 ? above : below).push(state)
    side = now
  }
  return { above, below }
}
