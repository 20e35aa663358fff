import type { BackgroundFault } from '../data/published/sight.ts'
import type { Log } from '../platform/http/request.ts'

/** Interval of the comparison with real time. */
export const CLOCK_LOOK_MS = 1_000
/** Tolerance: a slewed clock, or a slightly late read, is not a step. */
const PUT_MIN_MS = 2_000
/** Time for which the status shows a step of the clock. */
const SHOWN_MS = 3_600_000

export type ClockWatchDeps = {
  /** The system clock. */
  readonly wallMs: () => number
  /** Monotonic real time. */
  readonly monotonicMs: () => number
  readonly log: Log
}

export type ClockWatch = {
  readonly look: () => void
  /** Fault that the status shows for an hour. */
  readonly faults: () => readonly BackgroundFault[]
}

/** Detects steps of the system clock, back or forward, and logs each once. */
export function watchClock({ wallMs, monotonicMs, log }: ClockWatchDeps): ClockWatch {
  let apartMs = wallMs() - monotonicMs()
  let put: { readonly fault: BackgroundFault; readonly atMs: number } | null = null
  return {
    look: () => {
      const nowMs = wallMs()
      const atMs = monotonicMs()
      const byMs = nowMs - atMs - apartMs
      apartMs = nowMs - atMs
      if (Math.abs(byMs) < PUT_MIN_MS) return
      const bySeconds = Math.round(Math.abs(byMs) / 1000)
      const code = `put ${byMs < 0 ? 'back' : 'forward'} by ${bySeconds} s`
      put = { fault: { work: 'count on its clock', code, sinceMs: nowMs }, atMs }
      log.error({ fromMs: nowMs - byMs, toMs: nowMs }, `the clock was ${code}`)
    },
    faults: () => (put && monotonicMs() - put.atMs < SHOWN_MS ? [put.fault] : []),
  }
}
