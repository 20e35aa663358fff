import { UsageError } from './command.ts'
import {
  findTradingSession,
  instantMs,
  isDate,
  isMinute,
  type SessionDate,
  wallTimeEt,
} from './market/calendar.ts'

/** Where "now" comes from. Every other file takes time as an argument. */
export type Clock = {
  /** Milliseconds since the Unix epoch, UTC. */
  readonly nowMs: () => number
  /** True where past sessions are told as if live: what is stored of later is not told. */
  readonly isReplay?: boolean
}

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/** A clock that stands still at one instant, for tests and replays. */
export const fixedClock = (nowMs: number): Clock => ({ nowMs: () => nowMs })

/** From which instant a past session is told again, and how fast. */
export type Replay = {
  readonly date: SessionDate
  readonly startMs: number
  /** Seconds of the session in one real second; 0 stands still. */
  readonly speed: number
  /** Where the clock stops, if it does. */
  readonly endMs?: number
}

const MAX_SPEED = 3600
const EXAMPLE = 'such as 2026-10-15T09:30x60'

/**
 * Reads DAY[THH:MM][xSPEED]: an ET minute of a session from its open (the default) to its close,
 * and a speed of 0 to 3600 (1). Fails with one sentence.
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
 * whatever becomes of the machine's clock: `elapsedMs` counts real time from any start.
 */
export function replayClock({ startMs, speed, endMs }: Replay, elapsedMs = monotonicMs): Clock {
  const beganMs = elapsedMs()
  const runMs = () => startMs + Math.floor((elapsedMs() - beganMs) * speed)
  const nowMs = () => Math.min(runMs(), endMs ?? Number.POSITIVE_INFINITY)
  return { nowMs, isReplay: true }
}

/** Milliseconds since any instant: they never go back, whatever becomes of the machine's clock. */
export const monotonicMs = (): number => performance.now()

const minuteMs = (date: SessionDate, minute: string): number | null =>
  isMinute(minute) ? instantMs(date, minute) : null

const parseDigits = (text: string): number | null =>
  /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Number(text) : null
