import type { KeptRun, LabRunStore } from '../../accounts/labRunTypes.ts'
import type { Timers } from '../../outbox/timers.ts'
import type { Runner } from './runner.ts'

/** How long a call waits for its run, by kind. */
export const WAIT_MS = { backtest: 30_000, quant: 120_000 } as const
/** How often it is looked whether another server has ended it. */
const LOOK_MS = 500

export type WaitDeps = {
  readonly store: Pick<LabRunStore, 'findRun'>
  readonly runner: Pick<Runner, 'end' | 'onEnded'>
  readonly timers: Timers
}

/**
 * Waits until a run has ended; one that takes longer than it may is ended, and refunded. Null where
 * who waits has hung up: then the run goes on.
 */
export function waitFor(
  { store, runner, timers }: WaitDeps,
  run: KeptRun,
  { waitMs, signal }: { readonly waitMs: number | null; readonly signal: AbortSignal },
): Promise<KeptRun | null> {
  if (isOver(run)) return Promise.resolve(run)
  if (signal.aborted) return Promise.resolve(null)
  const ended = Promise.withResolvers<KeptRun | null>()
  let isEnded = false
  let callOffLook = () => {}
  const lookAgain = () => {
    if (!isEnded) callOffLook = timers.after(LOOK_MS, look)
  }
  const look = async () => {
    // a database that does not answer is asked again; the time goes on
    const seen = await store.findRun(run.accountId, run.id).catch(() => null)
    if (seen && isOver(seen)) ended.resolve(seen)
    else lookAgain()
  }
  const callsOff = [runner.onEnded(run.id, ended.resolve)]
  if (waitMs !== null) {
    const error = `the engine took longer than ${waitMs / 1000} s; try again.`
    const late = { state: 'failed', error, isRefusal: false } as const
    const stop = () => runner.end(run.id, late).then(ended.resolve, ended.reject)
    callsOff.push(timers.after(waitMs, stop))
  }
  signal.addEventListener('abort', () => ended.resolve(null), { once: true })
  // it may have ended before anybody listened
  look()
  return ended.promise.finally(() => {
    isEnded = true
    callOffLook()
    for (const callOff of callsOff) callOff()
  })
}

const isOver = ({ state }: KeptRun): boolean => state === 'done' || state === 'failed'
