/** One trade from its decision to its end, for the second backtest. */

import type { Assumptions, LegPrice, MissedReason, Trade } from '../../src/lab/engine/trade.ts'
import { legPrice, steppedDown } from './referencePrices.ts'
import type { PlainExpiry, PlainSession } from './referenceRows.ts'
import { type PickedLeg, pickLegs } from './referenceStrikes.ts'
import { minuteNumber, type PlainLeg } from './referenceWhen.ts'

export type Decision = {
  readonly sessions: readonly PlainSession[]
  readonly session: PlainSession
  readonly minute: number
  readonly leg: PlainLeg
  readonly assume: Assumptions
}

type Outcome = Omit<
  Trade,
  'ruleLeg' | 'session' | 'decidedAt' | 'slot' | 'isFixed' | 'isInRule' | 'conditions'
>
type End = Pick<
  Outcome,
  'exitReason' | 'exitSession' | 'exitAt' | 'isLate' | 'closeNet' | 'settlement'
> & { readonly prices: readonly (LegPrice | null)[] }

const TOLERANCE = 1e-9

/** Outcome of a decision: a trade, or the reason why there is none. */
export function follow(decision: Decision): Outcome | MissedReason {
  const { session, minute, leg, assume } = decision
  const { core } = leg
  const expiry = session.expiries[core.dte]
  if (!expiry) return 'no_expiry'
  const legs = pickLegs({ core, session, expiry, minute })
  if (typeof legs === 'string') return legs
  const filledAt = minute + assume.delayMin
  if (filledAt >= session.closeMinute) return 'after_hours'
  const prices = pricesAt(expiry, filledAt, legs)
  if (!prices) return 'no_price'
  const isSold = core.action === 'sell'
  const received = steppedDown(heldValue(legs, prices, -1) - listSpreads(prices, assume))
  if (isSold && received < TOLERANCE) return 'no_credit'
  const net = isSold ? received : Math.min(received, -0.05)
  const most = mostLost(leg, net)
  const riskUsd = 100 * core.qty * (most ?? stopDistance(leg, net))
  if (riskUsd < TOLERANCE) return 'no_price'
  const { prices: exits, ...end } = findEnd(decision, { legs, net, filledAt, expiry })
  const isTraded = ['time', 'profit', 'stop'].includes(end.exitReason)
  const feesUsd = assume.feeUsd * legs.length * core.qty * (isTraded ? 2 : 1)
  const pnlUsd = end.closeNet === null ? null : (net + end.closeNet) * 100 * core.qty - feesUsd
  return {
    filledAt,
    legs: legs.map(({ type, sign, requested, strike }, index) => ({
      type,
      sign,
      targetStrike: requested,
      strike,
      entry: prices[index]!,
      exit: exits[index] ?? null,
    })),
    net,
    ...end,
    feesUsd,
    pnlUsd,
    riskUsd,
    r: pnlUsd === null ? null : pnlUsd / riskUsd,
    worstUsd: pnlUsd === null && most !== null ? -riskUsd : null,
  }
}

function pricesAt(
  expiry: PlainExpiry,
  minute: number,
  legs: readonly PickedLeg[],
): LegPrice[] | null {
  const prices = legs.map(leg => legPrice(expiry, minute, leg))
  return prices.every(price => price !== null) ? prices : null
}

/** Mids of what is held, bought ones counted with the sign given. */
const heldValue = (legs: readonly PickedLeg[], prices: readonly LegPrice[], bought: 1 | -1) =>
  legs.reduce((sum, { sign }, index) => sum + bought * sign * prices[index]!.mid, 0)

const listSpreads = (prices: readonly LegPrice[], { spreadFactor }: Assumptions) =>
  prices.reduce((sum, { halfSpread }) => sum + spreadFactor * halfSpread, 0)

/** The maximum loss of one unit in points; null: it has no bound. */
function mostLost({ core }: PlainLeg, net: number): number | null {
  if (core.action === 'buy') return -net
  return core.width === undefined ? null : core.width - net
}

function stopDistance({ core }: PlainLeg, credit: number): number {
  for (const exit of core.exit)
    if ('stop_x_credit' in exit) return (exit.stop_x_credit - 1) * credit
  return credit
}

type Held = {
  readonly legs: readonly PickedLeg[]
  readonly net: number
  readonly filledAt: number
  readonly expiry: PlainExpiry
}

/** Walks on minute by minute until an exit is reached or the options settle. */
function findEnd(decision: Decision, held: Held): End {
  const { sessions, session, leg, assume } = decision
  const timeExit = findTimeExit(decision)
  let isWaiting = false
  for (let day = 0; day <= leg.core.dte; day++) {
    const later = sessions[session.index + day]
    if (!later) break
    const expiry = later.expiries[leg.core.dte - day]
    const isSame = expiry?.expiry === held.expiry.expiry
    const isLast = later.date === held.expiry.expiry
    const from = day === 0 ? held.filledAt + 1 : later.firstMinute
    const to = isLast ? later.closeMinute - 1 : later.closeMinute
    for (let minute = from; minute <= to; minute++) {
      const isTime = timeExit !== null && isReached(timeExit, later, minute)
      const prices = expiry && isSame ? pricesAt(expiry, minute, held.legs) : null
      if (!prices) {
        isWaiting ||= isTime
        continue
      }
      const fired = isTime ? 'time' : firedBy(leg, held, prices, assume)
      if (!fired) continue
      return {
        exitReason: fired,
        exitSession: later.index,
        exitAt: minute,
        isLate: isWaiting,
        closeNet: findCloseNet(leg, held, prices, assume),
        settlement: null,
        prices,
      }
    }
    if (isLast) break
  }
  // one with a time to be out is held to settlement only where there was no price from then on
  return settled(decision, held, timeExit !== null)
}

type TimeExit = { readonly index: number; readonly minute: number }

/** Where and when a rule is out by the clock; null: never before expiry. */
function findTimeExit({ sessions, session, leg }: Decision): TimeExit | null {
  for (const exit of leg.core.exit) {
    if (!('at' in exit) || exit.at === 'expiry') continue
    const index = session.index + ('day' in exit ? (exit.day ?? 0) : 0)
    const minute = minuteNumber(exit.at)
    const day = sessions[index]
    // at or after the close of a half day it is held to expiry
    return day && minute < day.closeMinute ? { index, minute } : null
  }
  return null
}

const isReached = ({ index, minute }: TimeExit, session: PlainSession, now: number): boolean =>
  session.index > index || (session.index === index && now >= minute)

function firedBy(
  leg: PlainLeg,
  held: Held,
  prices: readonly LegPrice[],
  assume: Assumptions,
): 'profit' | 'stop' | null {
  const closing = findCloseNet(leg, held, prices, assume)
  const middle = heldValue(held.legs, prices, 1)
  const isSold = leg.core.action === 'sell'
  const paid = Math.abs(held.net)
  for (const exit of leg.core.exit) {
    if (!('profit_pct' in exit)) continue
    const share = exit.profit_pct / 100
    if (isSold && -closing <= paid * (1 - share) + TOLERANCE) return 'profit'
    if (!isSold && closing >= paid * (1 + share) - TOLERANCE) return 'profit'
  }
  for (const exit of leg.core.exit) {
    if ('stop_x_credit' in exit && -middle >= exit.stop_x_credit * paid - TOLERANCE) return 'stop'
    if ('stop_pct_debit' in exit) {
      if (middle <= paid * (1 - exit.stop_pct_debit / 100) + TOLERANCE) return 'stop'
    }
  }
  return null
}

/** Proceeds of closing: a sold trade costs, and a bought one brings, at least nothing. */
function findCloseNet(
  { core }: PlainLeg,
  { legs }: Held,
  prices: readonly LegPrice[],
  assume: Assumptions,
): number {
  const stepped = steppedDown(heldValue(legs, prices, 1) - listSpreads(prices, assume))
  return core.action === 'sell' ? Math.min(stepped, 0) : Math.max(stepped, 0)
}

function settled(decision: Decision, held: Held, isLate: boolean): End {
  const session = decision.sessions.find(({ date }) => date === held.expiry.expiry)
  const none = held.legs.map(() => null)
  if (!session || session.settlement === null) {
    return {
      exitReason: 'unresolved',
      exitSession: null,
      exitAt: null,
      isLate: false,
      closeNet: null,
      settlement: null,
      prices: none,
    }
  }
  const { settlement } = session
  const worth = ({ type, sign, strike }: PickedLeg) =>
    sign * Math.max(0, type === 'C' ? settlement - strike : strike - settlement)
  return {
    exitReason: 'settlement',
    exitSession: session.index,
    exitAt: session.closeMinute,
    closeNet: held.legs.reduce((sum, leg) => sum + worth(leg), 0),
    isLate,
    settlement,
    prices: none,
  }
}
