import { neighbourSession, type Session } from '../../src/core/market/calendar.ts'
import { DTE_MAX, type LeftOutReason } from '../../src/lab/market/session.ts'
import { sessionsUntil } from './historyDraft.ts'
import { type LabLevels, nextDistance, simulateLevels } from './labLevels.ts'
import { bent } from './labPlanted.ts'
import {
  JUMP_DEVIATION,
  JUMP_MEAN,
  MINUTE_DRIFT,
  MINUTE_JUMP,
  NIGHT_DRIFT,
  NIGHT_JUMP,
} from './labPricing.ts'
import { createRandom, type Random } from './random.ts'

/** A trading day of the simulated market of LAB, before anything is quoted on it. */
export type LabDay = {
  readonly session: Session
  /** Reason why it was not published; null when it was. */
  readonly leftOut: LeftOutReason | null
  readonly previousClose: number
  /** Index at each state, 09:31 to the PM close, unrounded. */
  readonly spots: Float64Array
  /** Variance of the normal steps from each state to the PM close. */
  readonly remaining: Float64Array
  readonly levels: LabLevels
  /** The next sessions, the nearest first, each with the night before it. */
  readonly next: readonly NextSession[]
}

export type NextSession = {
  readonly session: Session
  readonly variance: number
  /** Steps of a minute from its 09:31 to its PM close. */
  readonly minutes: number
}

export type LabPathOptions = {
  readonly seed: number
  readonly sessionCount: number
  /** The newest trading day. */
  readonly until: string
  /** Size of the planted effect, in standard deviations; 0 for none. See `labPlanted.ts`. */
  readonly plantedSd: number
  /** Index at the close before the first session, 6000 unless it says otherwise. */
  readonly firstClose?: number
}

const FIRST_CLOSE = 6000
/** Yearly drift of the index, and so of its forwards. */
export const CARRY = 0.025
const YEAR_MS = 31_536_000_000

/** Median variance of a session with its night: 0.85 % a day. */
const MEDIAN = Math.log(0.0085 ** 2)
const PERSISTENCE = 0.96
const VARIANCE_SHOCK = 0.2
/** Rise of the log variance of the following days, for each deviation that a day falls. */
const LEVERAGE = 0.07
const NIGHT_SHARE = 0.22
const HALF_DAY_SHARE = 0.6
const LEFT_OUT_SHARE = 0.005
const LEFT_OUT: readonly LeftOutReason[] = ['not_published', 'no_minutes', 'bad_tape']

/** States of a session: every minute from 09:31 to its PM close. */
const countStates = (session: Session): number =>
  (session.pmExpiresAtMs - session.opensAtMs) / 60_000

/**
 * Yields the trading days, oldest first. The variance of a session is drawn six sessions before it,
 * by a level that persists and rises after falls: quiet and wild weeks follow each other, and
 * implied variance is the realized one. Inside a session it comes in bursts, whose remaining
 * variance is known.
 */
export function* labDays(options: LabPathOptions): Generator<LabDay> {
  const { seed, sessionCount, until, plantedSd } = options
  const sessions = sessionsUntil(until, sessionCount)
  for (let k = 0; k <= DTE_MAX; k++) sessions.push(neighbourSession(sessions.at(-1)!.date, 1))
  const random = createRandom(seed, 'lab variances')
  const levels = firstLevels(random)
  let previousClose = options.firstClose ?? FIRST_CLOSE
  let distance = nextDistance(random, 0)
  let closedAtMs = sessions[0]!.opensAtMs - 17.5 * 3_600_000
  for (let index = 0; index < sessionCount; index++) {
    const session = sessions[index]!
    const own = createRandom(seed, `lab path ${session.date}`)
    const variance = sessionVariance(session, levels[index]!)
    const nightYears = (session.opensAtMs + 60_000 - closedAtMs) / YEAR_MS
    const fair = simulatePath(own, { session, variance, previousClose, nightYears })
    const shown = (spots: Float64Array) =>
      simulateLevels(createRandom(seed, `lab levels ${session.date}`), spots, distance)
    const spots = plantedSd === 0 ? fair.spots : bent(fair, shown(fair.spots), plantedSd)
    const isInside = index > 0 && index < sessionCount - 1
    yield {
      session,
      leftOut: own.chance(LEFT_OUT_SHARE) && isInside ? own.pick(LEFT_OUT) : null,
      previousClose,
      spots,
      remaining: fair.remaining,
      levels: shown(spots),
      next: nextSessions(sessions, levels, index),
    }
    const moved = Math.log(spots.at(-1)! / previousClose) / Math.sqrt(variance)
    levels.push(nextLevel(random, levels.at(-1)!, moved))
    distance = nextDistance(random, distance)
    previousClose = spots.at(-1)!
    closedAtMs = session.pmExpiresAtMs
  }
}

/** Returns the first close with which the index ends near `lastClose`: its moves are shares. */
export function firstCloseFor(options: LabPathOptions, lastClose: number): number {
  let close = FIRST_CLOSE
  for (const { spots } of labDays({ ...options, firstClose: FIRST_CLOSE })) close = spots.at(-1)!
  return (FIRST_CLOSE * lastClose) / close
}

function firstLevels(random: Random): number[] {
  const spread = VARIANCE_SHOCK / Math.sqrt(1 - PERSISTENCE ** 2)
  const levels = [MEDIAN + spread * random.normal()]
  while (levels.length <= DTE_MAX) levels.push(nextLevel(random, levels.at(-1)!, random.normal()))
  return levels
}

/** ln of the variance of the session six later, given the deviations that the last one moved. */
const nextLevel = (random: Random, last: number, moved: number): number =>
  MEDIAN + PERSISTENCE * (last - MEDIAN) + VARIANCE_SHOCK * random.normal() - LEVERAGE * moved

const sessionVariance = (session: Session, level: number): number =>
  Math.exp(level) * (NIGHT_SHARE + (1 - NIGHT_SHARE) * (session.isHalfDay ? HALF_DAY_SHARE : 1))

function nextSessions(sessions: readonly Session[], levels: readonly number[], index: number) {
  return Array.from({ length: DTE_MAX }, (_, k) => {
    const session = sessions[index + 1 + k]!
    const variance = sessionVariance(session, levels[index + 1 + k]!)
    return { session, variance, minutes: countStates(session) - 1 }
  })
}

type PathOptions = {
  readonly session: Session
  readonly variance: number
  readonly previousClose: number
  readonly nightYears: number
}

function simulatePath(
  random: Random,
  { session, variance, previousClose, nightYears }: PathOptions,
) {
  const count = countStates(session)
  const share = session.isHalfDay ? HALF_DAY_SHARE : 1
  const nightVariance = (variance * NIGHT_SHARE) / (NIGHT_SHARE + (1 - NIGHT_SHARE) * share)
  const steps = minuteVariances(random, count - 1, variance - nightVariance)
  const spots = new Float64Array(count)
  const remaining = new Float64Array(count)
  let logSpot = Math.log(previousClose)
  const move = (stepVariance: number, drift: number, jump: number) => {
    const jumped = random.chance(jump) ? JUMP_MEAN + JUMP_DEVIATION * random.normal() : 0
    logSpot += Math.sqrt(stepVariance) * random.normal() - stepVariance / 2 + drift + jumped
  }
  move(nightVariance, NIGHT_DRIFT + CARRY * nightYears, NIGHT_JUMP)
  spots[0] = Math.exp(logSpot)
  const carried = (CARRY * 60_000) / YEAR_MS
  for (let i = 1; i < count; i++) {
    move(steps[i - 1]!, MINUTE_DRIFT + carried, MINUTE_JUMP)
    spots[i] = Math.exp(logSpot)
  }
  for (let i = count - 2; i >= 0; i--) remaining[i] = remaining[i + 1]! + steps[i]!
  return { spots, remaining }
}

/** Much at the open and before the close, and in bursts between; together a given variance. */
function minuteVariances(random: Random, count: number, total: number): Float64Array {
  const steps = new Float64Array(count)
  let burst = 0
  let sum = 0
  for (let i = 0; i < count; i++) {
    burst = 0.97 * burst + 0.13 * random.normal()
    const u = i / count
    steps[i] = (1 + 1.4 * Math.exp(-u / 0.06) + 0.6 * Math.exp((u - 1) / 0.05)) * Math.exp(burst)
    sum += steps[i]!
  }
  for (let i = 0; i < count; i++) steps[i]! *= total / sum
  return steps
}
