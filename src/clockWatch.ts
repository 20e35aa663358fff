import type { Log } from './http/request.ts'
import type { BackgroundFault } from './published/sight.ts'

/** How often the clock is compared with real time. */
export const CLOCK_LOOK_MS = 1_000
/** A clock that is slewed, or read a little late, is none that was put. */
const PUT_MIN_MS = 2_000
/** How long the status says that the clock was put. */
const SHOWN_MS = 3_600_000

export type ClockWatchDeps = {
  /** The machine's clock. */
  readonly wallMs: () => number
  /** Real time; it never goes back. */
  readonly monotonicMs: () => number
  readonly log: Log
}

export type ClockWatch = {
  readonly look: () => void
  /** What the status says of it for an hour. */
  readonly faults: () => readonly BackgroundFault[]
}

/** Sees that the machine's clock was put back or forward, and logs it once each time. */
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
