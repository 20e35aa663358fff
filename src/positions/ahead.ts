import type { Catalog, Found } from '../data/published/catalog.ts'
import { workOfNewMinutes } from '../data/published/newMinute.ts'
import { isJudgeable } from '../data/published/positionTables.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import type { SessionCase } from './judged.ts'
import type { Judge } from './marketValues.ts'
import type { Position } from './schema.ts'
import type { PositionAccounts } from './store/types.ts'

/** Maximum number of positions judged ahead of requests: the most recently changed ones. */
const AHEAD_MAX = 2_000
/** Cases per request: a client's request waits for no more than these. */
const CASES_AT_ONCE = 64
const LAST = { account: NOBODY } as const

export type AheadDeps = {
  readonly catalog: Catalog
  readonly judge: Judge
  readonly accounts: Pick<PositionAccounts, 'newestPositions'>
  readonly nowMs: () => number
}

/**
 * Judges stored positions at the newest minute as soon as it is published, at the lowest priority:
 * the checks that follow a new minute then find cached results. `stop` abandons the current work
 * silently: the stores are about to be closed.
 */
export function openAhead(deps: AheadDeps) {
  let isStopped = false
  const judgeMinute = async (newest: Found, minute: string | null) => {
    if (isStopped || minute === null || !isJudgeable(newest.manifest)) return
    try {
      await judgeStoredPositions(deps, newest, minute)
    } catch (error) {
      if (!isStopped) throw error
    }
  }
  const stop = () => {
    isStopped = true
  }
  return { work: workOfNewMinutes(deps, 'judge a new minute ahead', judgeMinute), stop }
}

async function judgeStoredPositions(
  deps: AheadDeps,
  { manifest }: Found,
  minute: string,
): Promise<void> {
  const { catalog, judge, accounts } = deps
  const bodies = await accounts.newestPositions(AHEAD_MAX)
  const cases = new Map<string, SessionCase>()
  for (const body of bodies) {
    const { legs } = JSON.parse(body) as Pick<Position, 'legs'>
    const [short_put, short_call] = [legs.sp ?? null, legs.sc ?? null]
    const one = { minute_et: minute, short_put, short_call, base_spot: null }
    cases.set(`${short_put} ${short_call}`, one)
  }
  const waiting = [...cases.values()]
  while (waiting.length > 0) {
    // requests for a minute become fewer once it is not the newest
    if (catalog.newest()?.manifest.revision !== manifest.revision) return
    await judge.judge(manifest, waiting.splice(0, CASES_AT_ONCE), LAST)
  }
}
