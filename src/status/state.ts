import type { AccountStore } from '../accounts/types.ts'
import { type Health, judgeHealth } from './health.ts'
import { judgeStatus, type Status, type StatusDeps } from './judge.ts'

/** How long one view of the state is told to everybody, unless it is said. */
const JUDGED_FOR_MS = 1_000

export type StateDeps = StatusDeps & {
  readonly accounts: Pick<AccountStore, 'check'>
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
}

/** Opens the one view of the state that pages, the alarm and the metrics share. */
export function openState(deps: StateDeps): ServiceState {
  const { elapsedMs, judgedForMs = JUDGED_FOR_MS } = deps
  const status = keptFor(judgedForMs, elapsedMs, () => judgeStatus(deps))
  const check = oneAtATime(() => deps.accounts.check())
  const judge = () => judgeHealth({ status: status(), check, nowMs: deps.nowMs })
  return { status, health: keptFor(judgedForMs, elapsedMs, judge) }
}

/** What was made last, made anew when its time is over; a clock that is put back ends it too. */
function keptFor<Made>(forMs: number, elapsedMs: () => number, make: () => Made): () => Made {
  let last: { readonly made: Made; readonly atMs: number } | null = null
  return () => {
    const atMs = elapsedMs()
    if (!last || Math.abs(atMs - last.atMs) >= forMs) last = { made: make(), atMs }
    return last.made
  }
}

/** Asks again only when the last question is answered: one that hangs is not asked beside it. */
function oneAtATime<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | null = null
  return () => {
    asked ??= ask().finally(() => {
      asked = null
    })
    return asked
  }
}
