import type { Timers } from '../../outbox/sending/timers.ts'
import type { LabRunStore, StoredRun } from '../store/runTypes.ts'
import type { Runner } from './runner.ts'

/** Maximum time a call waits for its run, by kind. */
export const WAIT_MS = { backtest: 30_000, quant: 120_000 } as const
/** Additional waiting time while the sessions are read, as after a start. */
export const READING_MAX_MS = 90_000
/** Interval at which to check whether another server ended the run, and to count its time. */
const LOOK_MS = 500

export type WaitDeps = {
  readonly store: Pick<LabRunStore, 'findRun'>
  readonly runner: Pick<Runner, 'end' | 'isReading' | 'onEnded'>
  readonly timers: Timers
}

/**
 * Waits until a run has ended; one that exceeds its time limit is ended and refunded. Time spent
 * reading sessions does not count, up to a limit. Null when the client disconnected; the run
 * continues.
 */
export function waitFor(
  { store, runner, timers }: WaitDeps,
  run: StoredRun,
  { waitMs, signal }: { readonly waitMs: number | null; readonly signal: AbortSignal },
): Promise<StoredRun | null> {
  if (isOver(run)) return Promise.resolve(run)
  if (signal.aborted) return Promise.resolve(null)
  const ended = Promise.withResolvers<StoredRun | null>()
  let isEnded = false
  let callOffLook = () => {}
  const lookAgain = () => {
    if (!isEnded) callOffLook = timers.after(LOOK_MS, look)
  }
  const look = async () => {
    // an unresponsive database is polled again; the time limit still counts
    const seen = await store.findRun(run.accountId, run.id).catch(() => null)
    if (seen && isOver(seen)) ended.resolve(seen)
    else lookAgain()
  }
  const callsOff = [runner.onEnded(run.id, ended.resolve)]
  if (waitMs !== null) {
    const late = (error: string) => {
      const end = { state: 'failed', error, isRefusal: false } as const
      runner.end(run.id, end).then(ended.resolve, ended.reject)
    }
    callsOff.push(afterOwnTime({ runner, timers }, waitMs, late))
  }
  signal.addEventListener('abort', () => ended.resolve(null), { once: true })
  // the run may have ended before the listener was registered
  look()
  return ended.promise.finally(() => {
    isEnded = true
    callOffLook()
    for (const callOff of callsOff) callOff()
  })
}

const isOver = ({ state }: StoredRun): boolean => state === 'done' || state === 'failed'

/** Calls back after a time limit that excludes reading sessions; returns the cancel function. */
function afterOwnTime(
  { runner, timers }: Pick<WaitDeps, 'runner' | 'timers'>,
  waitMs: number,
  late: (error: string) => void,
): () => void {
  let [ownMs, readingMs] = [0, 0]
  let callOff = () => {}
  const pass = () => {
    const isReading = runner.isReading()
    if (ownMs >= waitMs) {
      late(`the engine took longer than ${waitMs / 1000} s; try again.`)
    } else if (isReading && readingMs >= READING_MAX_MS) {
      late('the sessions are still being read, as after a start; try again in a minute.')
    } else {
      if (isReading) readingMs += LOOK_MS
      else ownMs += LOOK_MS
      callOff = timers.after(LOOK_MS, pass)
    }
  }
  pass()
  return () => callOff()
}
