import type { Timers } from '../../outbox/timers.ts'

/** How often a run that is computed shows that it is, and how far it has come. */
export const LEASE_RENEWAL_MS = 1_000
/** The longest that a run may take; what takes longer hangs. */
export const RUN_MAX_MS = 600_000

/** Why a run is given up: it takes too long. */
export const HANGING = new Error('the run takes too long')

/**
 * Prolongs the lease of a run until it is over, and gives the run up where it is another worker's
 * by then, or hangs. Answers what is called when it is over.
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
    // a database that does not answer is waited for, as long as the lease holds
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
