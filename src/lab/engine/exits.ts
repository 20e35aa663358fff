import type { RuleCore } from '../language/spec.ts'
import { parseMinute } from '../language/times.ts'
import type { LabExpiry, LabMarket } from '../market/session.ts'
import { roundedDown } from './money.ts'
import { priceColumn } from './prices.ts'
import type { ChosenLeg } from './strikes.ts'
import type { ExitReason } from './trade.ts'

/** What is held after a fill, and until when. */
export type Holding = {
  readonly market: LabMarket
  readonly core: RuleCore
  /** Place of the session of the decision, and the state of the fill in it. */
  readonly session: number
  readonly filledState: number
  readonly expiry: LabExpiry
  readonly legs: readonly ChosenLeg[]
  /** Points received above zero, paid below. */
  readonly net: number
  readonly spreadFactor: number
}

/** A way out at a state, by prices of `expiry`. */
export type Closed = {
  readonly reason: Extract<ExitReason, 'time' | 'profit' | 'stop'>
  readonly session: number
  readonly state: number
  readonly expiry: LabExpiry
  readonly isLate: boolean
  readonly closeNet: number
}

/** The state from which a trade is to be out, of a session so many after the entry's. */
type TimeLimit = { readonly day: number; readonly state: number }

/** What the exits of a rule come to in points; infinite: there is none. */
type Limits = {
  readonly time: TimeLimit | null
  /** The least that closing has to bring. */
  readonly profit: number
  /** The mid at or below which it is stopped. */
  readonly stop: number
}

const TOLERANCE = 1e-9

/** How a trade was closed; or that it settles, and whether it was to be out before. */
export type Ended = Closed | { readonly reason: 'settlement'; readonly isLate: boolean }

/**
 * The first exit that is reached after the fill, up to the PM close of the expiry; without one the
 * trade settles. Each state is judged by its own prices alone: where a leg has none, only a time
 * goes on waiting.
 */
export function findExit(holding: Holding): Ended {
  const limits = computeLimits(holding)
  let isLate = false
  if (!limits.time && !isPriced(limits)) return { reason: 'settlement', isLate }
  for (let day = 0; day <= holding.core.dte; day++) {
    const sessionIndex = holding.session + day
    const session = holding.market.sessions[sessionIndex]
    if (!session) break
    const expiry = session.expiries[holding.core.dte - day]
    const first = firstJudged(holding, limits, day)
    const last = session.stateCount - (day === holding.core.dte ? 2 : 1)
    // after a day that is missing the contracts of this place are others
    if (expiry?.expiry !== holding.expiry.expiry) {
      isLate ||= limits.time !== null && limitState(limits.time, day) <= last
      continue
    }
    const found = walk(holding, expiry, limits, { day, first, last, isLate })
    if (found.closed) return { ...found.closed, session: sessionIndex, expiry }
    isLate = found.isLate
  }
  return { reason: 'settlement', isLate }
}

const isPriced = ({ profit, stop }: Limits) => Number.isFinite(profit) || Number.isFinite(stop)

/** The first state of a day that can matter: with a time alone nothing does before it. */
function firstJudged(holding: Holding, limits: Limits, day: number): number {
  const first = day === 0 ? holding.filledState + 1 : 0
  if (isPriced(limits) || !limits.time) return first
  return Math.max(first, limitState(limits.time, day))
}

/** The first state of a day at which the time is reached. */
function limitState(time: TimeLimit, day: number): number {
  if (day < time.day) return Number.POSITIVE_INFINITY
  return day === time.day ? time.state : 0
}

function computeLimits({ market, core, session, net }: Holding): Limits {
  const limits = { profit: Number.POSITIVE_INFINITY, stop: Number.NEGATIVE_INFINITY }
  let time: TimeLimit | null = null
  for (const exit of core.exit) {
    if ('at' in exit) {
      if (exit.at === 'expiry') continue
      const day = 'day' in exit && exit.day !== undefined ? exit.day : 0
      const on = market.sessions[session + day]
      if (!on) continue
      const state = parseMinute(exit.at) - on.firstMinute
      // a time at or after an early close is the expiry
      if (state < on.stateCount - 1) time = { day, state }
    } else if ('profit_pct' in exit) {
      // sold for net, or bought for -net: what closing has to bring
      limits.profit =
        core.action === 'sell'
          ? -net * (1 - exit.profit_pct / 100)
          : -net * (1 + exit.profit_pct / 100)
    } else if ('stop_x_credit' in exit) limits.stop = -net * exit.stop_x_credit
    else limits.stop = -net * (1 - exit.stop_pct_debit / 100)
  }
  return { ...limits, time }
}

type Stretch = {
  readonly day: number
  readonly first: number
  readonly last: number
  readonly isLate: boolean
}

/** Walks the states of one session; `isLate`: the time was reached where there was no price. */
function walk(holding: Holding, expiry: LabExpiry, limits: Limits, stretch: Stretch) {
  const { signs, mids, halves } = fourLegs(holding.legs, expiry)
  const [sign0, sign1, sign2, sign3] = signs
  const [mid0, mid1, mid2, mid3] = mids
  const timeState = limits.time ? limitState(limits.time, stretch.day) : Number.POSITIVE_INFINITY
  const profit = limits.profit - TOLERANCE
  const stop = limits.stop + TOLERANCE
  let isLate = stretch.isLate
  for (let state = stretch.first; state <= stretch.last; state++) {
    const mid =
      sign0 * mid0[state]! + sign1 * mid1[state]! + sign2 * mid2[state]! + sign3 * mid3[state]!
    const isTime = state >= timeState
    if (Number.isNaN(mid)) {
      if (isTime) isLate = true
      continue
    }
    const isStop = mid <= stop
    // rounding only ever takes away, so that most states are none without it
    if (!isTime && !isStop && mid < profit - TOLERANCE) continue
    const half = halves.reduce((sum, column) => sum + column[state]!, 0)
    const closeNet = executable(holding, mid - holding.spreadFactor * half)
    const reason = isTime ? 'time' : closeNet >= profit ? 'profit' : isStop ? 'stop' : null
    if (reason !== null) {
      return { closed: { reason, state, isLate: isTime && isLate, closeNet } as const, isLate }
    }
  }
  return { closed: null, isLate }
}

type Four<T> = readonly [T, T, T, T]

/** A leg that a trade does not have is worth nothing at any state. */
const NOTHING = new Float64Array(24 * 60)

/** The columns of a trade as those of four legs, which is as many as there are. */
function fourLegs(legs: readonly ChosenLeg[], expiry: LabExpiry) {
  const columns = legs.map(({ strike, type }) => priceColumn(expiry, strike, type))
  const four = <T>(of: (leg: number) => T): Four<T> => [of(0), of(1), of(2), of(3)]
  return {
    signs: four(leg => legs[leg]?.sign ?? 0),
    mids: four(leg => columns[leg]?.mids ?? NOTHING),
    halves: columns.map(column => column.halves),
  }
}

/** What closing brings, rounded against us: to close costs nothing less than nothing. */
function executable({ core }: Holding, points: number): number {
  const rounded = roundedDown(points)
  return core.action === 'sell' ? Math.min(0, rounded) : Math.max(0, rounded)
}
