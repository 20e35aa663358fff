import type { Database } from '../../src/core/engine/database.ts'
import { MINUTE_MS } from '../../src/core/market/calendar.ts'

/** Surface tables that are stored for orders matched with a state later. */
const MATCHING_SURFACE = ['forwards', 'smiles', 'implied_vols'] as const

/** Makes the surface of the states in `live.states`. */
export async function lookBack(db: Database): Promise<void> {
  const rows = await db.query('live/state_instants')
  const ranges = lookRanges(rows.map(row => Number(row.at_ms)))
  for (const name of MATCHING_SURFACE) await db.build(`live/at_${name}`, ranges)
}

/**
 * The first of some states in UTC milliseconds, rising, and the two around their widest gap as term
 * numbers of surface.forwards.
 */
function lookRanges(states: readonly number[]) {
  const widest = states.slice(1).reduce(
    (best, atMs, index) => {
      const beforeMs = states[index]!
      return atMs - beforeMs > best.atMs - best.beforeMs ? { beforeMs, atMs } : best
    },
    { beforeMs: states.at(-1) ?? 0, atMs: states.at(-1) ?? 0 },
  )
  const toTerm = (atMs: number) => (Math.floor(atMs / MINUTE_MS) % 1440) * 4096
  const firstMs = states[0] ?? 0
  return {
    first_term: toTerm(firstMs),
    early_term: toTerm(widest.beforeMs) + 4095,
    late_term: toTerm(widest.atMs),
  }
}
