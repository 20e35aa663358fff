import {
  addDays,
  findTradingSession,
  MINUTE_MS,
  type SessionDate,
  wallTimeEt,
} from '../../src/core/market/calendar.ts'

/**
 * Delay after its close at which a session is finished: reports of its last trades come in late.
 */
export const SETTLE_MS = 15 * MINUTE_MS

/**
 * Days that the scheduler catches up; older sessions need a person's backfill, since new code would
 * set off years of work.
 */
const CATCH_UP_DAYS = 31

/** Delay before a failed session is attempted again. */
export const RETRY_MS = 60 * MINUTE_MS

/** ET minute from which on a night's work is due; no change of the clocks skips it. */
const NIGHT_FROM_ET = '04:00'

export type DueState = {
  readonly nowMs: number
  /** Days with prints on the tape. */
  readonly tapes: readonly SessionDate[]
  /** True when a session is published by this code from its tape as it is now. */
  readonly isCurrent: (date: SessionDate) => boolean
  /** Instants at which the last build of a session failed. */
  readonly failedAtMs: ReadonlyMap<SessionDate, number>
}

/** The first day that the scheduler catches up. */
export const oldestCaughtUp = (nowMs: number): SessionDate =>
  addDays(wallTimeEt(nowMs).date, -CATCH_UP_DAYS)

/** Finished sessions with a tape whose publication is missing or out of date, oldest first. */
export function dueBuilds(state: DueState): SessionDate[] {
  const { nowMs, tapes, isCurrent, failedAtMs } = state
  const oldest = oldestCaughtUp(nowMs)
  const isFinished = (date: SessionDate) => {
    const session = findTradingSession(date)
    return session !== null && session.closesAtMs + SETTLE_MS <= nowMs
  }
  const isResting = (date: SessionDate) => {
    const sinceMs = nowMs - (failedAtMs.get(date) ?? Number.NEGATIVE_INFINITY)
    // below zero the clock was put back, and the age of the failure is unknown
    return sinceMs >= 0 && sinceMs < RETRY_MS
  }
  return [...tapes]
    .filter(date => date >= oldest && isFinished(date) && !isResting(date) && !isCurrent(date))
    .sort()
}

/** The night, named by its ET date, whose work is due; null when it is done. */
export function dueNight(nowMs: number, done: string | null): string | null {
  const { date, minute } = wallTimeEt(nowMs)
  const night = minute >= NIGHT_FROM_ET ? date : addDays(date, -1)
  return done === null || done < night ? night : null
}
