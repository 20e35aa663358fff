import type { AccountStore } from '../accounts/types.ts'
import { openAlertsLook } from './alerts.ts'
import { type Health, inTime, judgeHealth } from './health.ts'
import { judgeStatus, type Status, type StatusDeps } from './judge.ts'

/** How long one view of the state is told to everybody, unless it is said. */
const JUDGED_FOR_MS = 1_000

export type StateDeps = Omit<StatusDeps, 'alerts'> & {
  readonly accounts: Pick<AccountStore, 'check'> & Partial<Pick<AccountStore, 'outbox'>>
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  readonly judgedForMs?: number | undefined
}

/**
 * The state of the service, judged at most once a second however many ask: everybody is given the
 * same object until the next one is judged.
 */
export type ServiceState = {
  readonly status: () => Status
  /** The same, and whether the account store answers. */
  readonly health: () => Promise<Health>
  /** Looks at the watch of alerts, for what is told next. */
  readonly lookAtAlerts: () => Promise<void>
}

/** Opens the one view of the state that pages, the alarm and the metrics share. */
export function openState(deps: StateDeps): ServiceState {
  const { accounts, elapsedMs, judgedForMs = JUDGED_FOR_MS } = deps
  const { outbox } = accounts
  const alerts = outbox && openAlertsLook({ ...deps, outboxState: outbox.outboxState })
  const judged = { ...deps, ...(alerts && { alerts: alerts.read }) }
  const status = cacheFor(judgedForMs, elapsedMs, () => judgeStatus(judged))
  const check = oneAtATime(() => accounts.check())
  const look = oneAtATime(async () => alerts?.look())
  const judge = async () => {
    const checked = check()
    // a store that does not answer is told by that
    checked.catch(() => {})
    await inTime(look)
    return judgeHealth({ status: status(), check: () => checked, nowMs: deps.nowMs })
  }
  return { status, health: cacheFor(judgedForMs, elapsedMs, judge), lookAtAlerts: look }
}

/** What was made last, made anew when its time is over; a clock that is put back ends it too. */
function cacheFor<Made>(forMs: number, elapsedMs: () => number, make: () => Made): () => Made {
  let last: { readonly made: Made; readonly atMs: number } | null = null
  return () => {
    const atMs = elapsedMs()
    if (!last || Math.abs(atMs - last.atMs) >= forMs) last = { made: make(), atMs }
    return last.made
  }
}

/** Asks again only when the last question is answered: one that hangs is not asked beside it. */
function oneAtATime<Result>(query: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => {
    running ??= query().finally(() => {
      running = null
    })
    return running
  }
}
