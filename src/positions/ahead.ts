import type { Catalog, Found } from '../data/published/catalog.ts'
import { isJudgeable } from '../data/published/positionTables.ts'
import { latestMinute } from '../data/published/stateMinutes.ts'
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

export type Ahead = {
  /** Checks for a new minute and processes it; must not run concurrently with itself. */
  readonly look: () => Promise<void>
  /** Abandons the current work silently: the stores are about to be closed. */
  readonly stop: () => void
}

/**
 * Judges stored positions at the newest minute as soon as it is published, at the lowest priority:
 * the checks that follow a new minute then find cached results.
 */
export function openAhead(deps: AheadDeps): Ahead {
  const { catalog, nowMs } = deps
  let done = ''
  let isStopped = false

  const lookOnce = async () => {
    const newest = catalog.newest()
    if (!newest) return
    const minute = latestMinute(newest, nowMs())
    const seen = `${newest.manifest.revision} ${newest.knownBeforeMs} ${minute}`
    if (seen === done) return
    // a failure is retried with the next minute, or by a client's request
    done = seen
    if (minute !== null && isJudgeable(newest.manifest))
      await judgeStoredPositions(deps, newest, minute)
  }
  const look = async () => {
    if (isStopped) return
    try {
      await lookOnce()
    } catch (error) {
      if (!isStopped) throw error
    }
  }
  const stop = () => {
    isStopped = true
  }
  return { look, stop }
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
