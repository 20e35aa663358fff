import { parseMinute } from '../../core/market/calendar.ts'
import type { RuleCore } from '../language/spec.ts'
import type { LabExpiry, LabMarket } from '../market/session.ts'
import { roundedDown } from './money.ts'
import { priceColumn } from './prices.ts'
import type { ChosenLeg } from './strikes.ts'
import type { ExitReason } from './trade.ts'

/** An open position after its fill, and its limits. */
export type Holding = {
  readonly market: LabMarket
  readonly core: RuleCore
  /** Index of the session of the decision, and the state of the fill in it. */
  readonly session: number
  readonly filledState: number
  readonly expiry: LabExpiry
  readonly legs: readonly ChosenLeg[]
  /** Points, positive when received, negative when paid. */
  readonly net: number
  readonly spreadFactor: number
}

/** A possible exit at a state, by prices of `expiry`. */
export type Closed = {
  readonly reason: Extract<ExitReason, 'time' | 'profit' | 'stop'>
  readonly session: number
  readonly state: number
  readonly expiry: LabExpiry
  readonly isLate: boolean
  readonly closeNet: number
}

/** State from which a trade must be closed, in a session `day` sessions after the entry's. */
type TimeLimit = { readonly day: number; readonly state: number }

/** Exit limits of a rule in points; infinite when there is none. */
type Limits = {
  readonly time: TimeLimit | null
  /** Minimum proceeds of closing. */
  readonly profit: number
  /** Mid at or below which the trade is stopped. */
  readonly stop: number
}

const TOLERANCE = 1e-9

/** How a trade closed; or that it settles, and whether it should have closed before. */
export type Ended = Closed | { readonly reason: 'settlement'; readonly isLate: boolean }

/**
 * Finds the first exit after the fill, up to the PM close of the expiry; without one the trade
 * settles. Each state is evaluated by its own prices alone: where a leg has none, only a time exit
 * stays pending.
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
    // after a missing day this dte refers to other contracts
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

/** First state of a day that can matter: with a time exit alone nothing before it does. */
function firstJudged(holding: Holding, limits: Limits, day: number): number {
  const first = day === 0 ? holding.filledState + 1 : 0
  if (isPriced(limits) || !limits.time) return first
  return Math.max(first, limitState(limits.time, day))
}

/** First state of a day at or after the time limit. */
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
      // a time at or after an early close means expiry
      if (state < on.stateCount - 1) time = { day, state }
    } else if ('profit_pct' in exit) {
      // required proceeds of closing; sold for net, or bought for -net
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

/** Walks the states of one session; `isLate`: the time limit passed at a state without a price. */
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
    // rounding only ever lowers the proceeds, so this skips most states without rounding
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

/** Prices of an absent leg: zero at every state. */
const NOTHING = new Float64Array(24 * 60)

/** Pads the columns of a trade to four legs, the maximum. */
function fourLegs(legs: readonly ChosenLeg[], expiry: LabExpiry) {
  const columns = legs.map(({ strike, type }) => priceColumn(expiry, strike, type))
  const four = <T>(of: (leg: number) => T): Four<T> => [of(0), of(1), of(2), of(3)]
  return {
    signs: four(leg => legs[leg]?.sign ?? 0),
    mids: four(leg => columns[leg]?.mids ?? NOTHING),
    halves: columns.map(column => column.halves),
  }
}

/**
 * Proceeds of closing, rounded against the trader: closing a sold position never pays, closing a
 * bought one never costs.
 */
function executable({ core }: Holding, points: number): number {
  const rounded = roundedDown(points)
  return core.action === 'sell' ? Math.min(0, rounded) : Math.max(0, rounded)
}
