import { UsageError } from './command.ts'
import {
  findTradingSession,
  instantMs,
  isDate,
  isMinute,
  type SessionDate,
  wallTimeEt,
} from './market/calendar.ts'

/** Source of the current time. Every other file takes time as an argument. */
export type Clock = {
  /** Milliseconds since the Unix epoch, UTC. */
  readonly nowMs: () => number
  /** True when past sessions are served as if live: stored data of later times are hidden. */
  readonly isReplay?: boolean
}

/** The system clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/** A clock fixed at one instant, for tests and replays. */
export const fixedClock = (nowMs: number): Clock => ({ nowMs: () => nowMs })

/** Start and speed of the replay of a past session. */
export type Replay = {
  readonly date: SessionDate
  readonly startMs: number
  /** Session seconds per real second; 0 stands still. */
  readonly speed: number
  /** Instant at which the clock stops, if any. */
  readonly endMs?: number
}

const MAX_SPEED = 3600
const EXAMPLE = 'such as 2026-10-15T09:30x60'

/**
 * Parses DAY[THH:MM][xSPEED]: an ET minute of a session from its open (the default) to its close,
 * and a speed of 0 to 3600 (default 1). Fails with one sentence.
 */
export function parseReplay(text: string): Replay {
  const [, date, minute, speedText] = /^([^Tx]*)(?:T([^x]*))?(?:x(.*))?$/s.exec(text) ?? []
  if (date === undefined || !isDate(date)) {
    throw new UsageError(`--clock is ${text}; give a session, ${EXAMPLE}.`)
  }
  const session = findTradingSession(date)
  if (!session) {
    throw new UsageError(
      `--clock is ${text}, but ${date} is not a trading day; give one, ${EXAMPLE}.`,
    )
  }
  const startMs = minute === undefined ? session.opensAtMs : minuteMs(date, minute)
  if (startMs === null || startMs < session.opensAtMs || startMs > session.closesAtMs) {
    const last = wallTimeEt(session.closesAtMs).minute
    throw new UsageError(
      `the minute of --clock is ${minute}; give an ET minute from 09:30 to ${last}, ${EXAMPLE}.`,
    )
  }
  const speed = speedText === undefined ? 1 : parseDigits(speedText)
  if (speed === null || speed > MAX_SPEED) {
    throw new UsageError(
      `the speed of --clock is ${speedText}; give 0 to ${MAX_SPEED}, ${EXAMPLE}.`,
    )
  }
  return { date, startMs, speed }
}

/**
 * A clock that starts in a past session and runs at a multiple of real time. It never goes back,
 * whatever the system clock does: `elapsedMs` counts real time from any start.
 */
export function replayClock({ startMs, speed, endMs }: Replay, elapsedMs = monotonicMs): Clock {
  const beganMs = elapsedMs()
  const runMs = () => startMs + Math.floor((elapsedMs() - beganMs) * speed)
  const nowMs = () => Math.min(runMs(), endMs ?? Number.POSITIVE_INFINITY)
  return { nowMs, isReplay: true }
}

/** Milliseconds from an arbitrary start: monotonic, whatever the system clock does. */
export const monotonicMs = (): number => performance.now()

const minuteMs = (date: SessionDate, minute: string): number | null =>
  isMinute(minute) ? instantMs(date, minute) : null

const parseDigits = (text: string): number | null =>
  /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Number(text) : null
