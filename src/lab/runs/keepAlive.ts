import type { Timers } from '../../outbox/sending/timers.ts'

/** Interval at which a running computation renews its lease and stores its progress. */
export const LEASE_RENEWAL_MS = 1_000
/** Maximum duration of a run; a longer one is considered hung. */
export const RUN_MAX_MS = 600_000

/** Abort reason of a run that takes too long. */
export const HANGING = new Error('the run takes too long')

/**
 * Renews the lease of a run until it is over; aborts the run when another worker owns it by then,
 * or when it hangs. Returns the function to call when the run is over.
 */
export function keepAlive(
  stop: AbortController,
  { timers, renew }: { readonly timers: Timers; readonly renew: () => Promise<boolean> },
): () => void {
  let callOff = () => {}
  const next = () => {
    callOff = timers.after(LEASE_RENEWAL_MS, tick)
  }
  const tick = async () => {
    // an unresponsive database is tolerated as long as the lease holds
    const isOwn = await renew().catch(() => true)
    if (!isOwn) stop.abort(new Error('the run is not this worker’s any more'))
    else if (!stop.signal.aborted) next()
  }
  const callOffLast = timers.after(RUN_MAX_MS, () => stop.abort(HANGING))
  next()
  return () => {
    stop.abort(new Error('the run is over'))
    callOff()
    callOffLast()
  }
}
