import type { AccountStore } from '../accounts/types.ts'
import { openAlertsLook } from './alerts.ts'
import { type Health, inTime, judgeHealth, judgeReady, type Ready } from './health.ts'
import { judgeStatus, type Status, type StatusDeps } from './judge.ts'

/** Default time for which one view of the state is reused. */
const JUDGED_FOR_MS = 1_000

export type StateDeps = Omit<StatusDeps, 'alerts'> & {
  readonly accounts: Pick<AccountStore, 'check'> & Partial<Pick<AccountStore, 'outbox'>>
  /** Real time, also in a replay. */
  readonly elapsedMs: () => number
  readonly judgedForMs?: number | undefined
}

/**
 * The state of the service, judged at most once a second: all callers get the same object until the
 * next one is judged.
 */
export type ServiceState = {
  readonly status: () => Status
  /** The same, and whether the account store responds. */
  readonly health: () => Promise<Health>
  /** Says if this server can serve, however old its data are. */
  readonly ready: () => Promise<Ready>
  /** Refreshes the status of alerts for the next view. */
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
    // its failure is reported by the health check
    checked.catch(() => {})
    await inTime(look)
    return judgeHealth({ status: status(), check: () => checked, nowMs: deps.nowMs })
  }
  const { catalog } = deps
  return {
    status,
    health: cacheFor(judgedForMs, elapsedMs, judge),
    ready: cacheFor(judgedForMs, elapsedMs, () => judgeReady({ catalog, check })),
    lookAtAlerts: look,
  }
}

/** Caches a value for a time; a clock that is set back ends it too. */
function cacheFor<Made>(forMs: number, elapsedMs: () => number, make: () => Made): () => Made {
  let last: { readonly made: Made; readonly atMs: number } | null = null
  return () => {
    const atMs = elapsedMs()
    if (!last || Math.abs(atMs - last.atMs) >= forMs) last = { made: make(), atMs }
    return last.made
  }
}

/** Allows one running query: while it is running, callers share it. */
function oneAtATime<Result>(query: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null
  return () => {
    running ??= query().finally(() => {
      running = null
    })
    return running
  }
}
