import { type RuleCore, type RuleSpec, WEEKDAYS } from '../language/spec.ts'
import type { LabExpiry, LabMarket, LabSession } from '../market/session.ts'
import { buildChances } from './chances.ts'
import { allHold, buildJudges, whenValues } from './conditions.ts'
import { type Closed, findExit } from './exits.ts'
import { computeRisk, exact, LEAST_DEBIT, maximumLoss, roundedDown, toUsd } from './money.ts'
import { legPrice } from './prices.ts'
import { type ChosenLeg, chooseLegs } from './strikes.ts'
import type {
  Assumptions,
  LegPrice,
  Missed,
  MissedReason,
  Trade,
  TradeLedger,
  WhenValue,
} from './trade.ts'

type Decision = {
  readonly market: LabMarket
  readonly core: RuleCore
  /** Index of the session. */
  readonly sessionIndex: number
  readonly state: number
  readonly assume: Assumptions
  readonly about: Pick<Trade, 'ruleLeg' | 'slot' | 'isFixed' | 'isInRule'>
  /** Outcomes of the conditions, evaluated only when there is a trade. */
  readonly conditions: () => readonly WhenValue[]
}

/** Returns the trade of a decision from its fill to its end, or why there is none. */
function makeTrade(decision: Decision): Trade | MissedReason {
  const { market, core, sessionIndex, state, assume, about } = decision
  const session = market.sessions[sessionIndex]!
  const expiry = session.expiries[core.dte]
  if (!expiry) return 'no_expiry'
  const legs = chooseLegs(core, { session, expiry, state })
  if (typeof legs === 'string') return legs
  const filledState = state + assume.delayMin
  if (filledState >= session.stateCount - 1) return 'after_hours'
  const entries = legs.map(({ strike, type }) => legPrice(expiry, filledState, strike, type))
  if (!isWhole(entries)) return 'no_price'
  const received = roundedDown(-openingCost(legs, entries, assume.spreadFactor))
  if (core.action === 'sell' && received <= 0) return 'no_credit'
  const net = core.action === 'sell' ? received : Math.min(received, -LEAST_DEBIT)
  const risk = computeRisk(core, net)
  if (!(risk > 0)) return 'no_price'
  const { spreadFactor } = assume
  const found = findExit({
    market,
    core,
    session: sessionIndex,
    filledState,
    expiry,
    legs,
    net,
    spreadFactor,
  })
  const isClosed = found.reason !== 'settlement'
  const ended = isClosed
    ? closedEnd(found, decision, legs)
    : settledEnd(decision, expiry, legs, found.isLate)
  const feesUsd = exact(assume.feeUsd * legs.length * core.qty * (isClosed ? 2 : 1))
  const { closeNet } = ended
  const pnlUsd = closeNet === null ? null : exact(toUsd(net + closeNet, core.qty) - feesUsd)
  const riskUsd = toUsd(risk, core.qty)
  const bound = maximumLoss(core, net)
  // written out field by field: there may be a hundred thousand of them
  return {
    ruleLeg: about.ruleLeg,
    session: sessionIndex,
    decidedAt: session.firstMinute + state,
    filledAt: session.firstMinute + filledState,
    slot: about.slot,
    isFixed: about.isFixed,
    isInRule: about.isInRule,
    conditions: decision.conditions(),
    legs: legs.map(({ type, sign, targetStrike, strike }, index) => {
      const exit = ended.prices?.[index] ?? null
      return { type, sign, targetStrike, strike, entry: entries[index]!, exit }
    }),
    net,
    exitReason: ended.exitReason,
    exitSession: ended.exitSession,
    exitAt: ended.exitAt,
    isLate: ended.isLate,
    closeNet,
    settlement: ended.settlement,
    feesUsd,
    pnlUsd,
    riskUsd,
    r: pnlUsd === null ? null : pnlUsd / riskUsd,
    worstUsd: pnlUsd === null && bound !== null ? -toUsd(bound, core.qty) : null,
  }
}

const isWhole = (prices: readonly (LegPrice | null)[]): prices is readonly LegPrice[] =>
  !prices.includes(null)

/** Cost of opening before rounding: mids plus the charged share of all legs' half spreads. */
function openingCost(
  legs: readonly ChosenLeg[],
  prices: readonly LegPrice[],
  spreadFactor: number,
): number {
  let mid = 0
  let half = 0
  for (const [index, { sign }] of legs.entries()) {
    mid += sign * prices[index]!.mid
    half += prices[index]!.halfSpread
  }
  return mid + spreadFactor * half
}

type End = Pick<
  Trade,
  'exitReason' | 'exitSession' | 'exitAt' | 'isLate' | 'closeNet' | 'settlement'
> & { readonly prices: readonly (LegPrice | null)[] | null }

function closedEnd(closed: Closed, { market }: Decision, legs: readonly ChosenLeg[]): End {
  return {
    exitReason: closed.reason,
    exitSession: closed.session,
    exitAt: market.sessions[closed.session]!.firstMinute + closed.state,
    isLate: closed.isLate,
    closeNet: closed.closeNet,
    settlement: null,
    prices: legs.map(({ strike, type }) => legPrice(closed.expiry, closed.state, strike, type)),
  }
}

/** Settles all legs at the expiry session's value; unresolved when that is not known. */
function settledEnd(
  { market, sessionIndex, core }: Decision,
  { expiry }: LabExpiry,
  legs: readonly ChosenLeg[],
  isLate: boolean,
): End {
  // excluded sessions only ever bring the index nearer
  let at = sessionIndex
  while (at <= sessionIndex + core.dte && market.sessions[at]?.date !== expiry) at++
  const session = at <= sessionIndex + core.dte ? market.sessions[at] : undefined
  const settlement = session?.settlement ?? null
  if (!session || settlement === null) {
    return {
      exitReason: 'unresolved',
      exitSession: null,
      exitAt: null,
      isLate: false,
      closeNet: null,
      settlement: null,
      prices: null,
    }
  }
  const worth = ({ type, strike }: ChosenLeg) =>
    Math.max(0, type === 'C' ? settlement - strike : strike - settlement)
  return {
    exitReason: 'settlement',
    exitSession: at,
    exitAt: session.firstMinute + session.stateCount - 1,
    isLate,
    closeNet: exact(legs.reduce((sum, leg) => sum + leg.sign * worth(leg), 0)),
    settlement,
    prices: null,
  }
}

export type BacktestOptions = {
  readonly assume: Assumptions
  /** Half-open range [from, to) of session indexes in which the rule may decide. */
  readonly sessions: { readonly from: number; readonly to: number }
  /** Sessions [0, designCount) determine the slots of a window. */
  readonly designCount: number
}

/**
 * Replays a rule over the sessions of a market: every trade of its core, in the rule or not, and
 * every chance that led to no trade. Decisions and fills use only what is known at their states.
 * Positions held overnight continue in later sessions, including those after `sessions.to`: a
 * caller that must not see them passes a market without them.
 */
export function backtest(market: LabMarket, spec: RuleSpec, options: BacktestOptions): TradeLedger {
  const trades: Trade[] = []
  const missed: Missed[] = []
  const { assume, designCount } = options
  const from = Math.max(0, options.sessions.from)
  const to = Math.min(market.sessions.length, options.sessions.to)
  const isOn = (session: LabSession) => !spec.days || spec.days.includes(toWeekday(session.date))
  for (const [ruleLeg, { core, when }] of [spec, ...(spec.more ?? [])].entries()) {
    const chances = buildChances(market, { entry: core.entry, when }, { isOn, designCount })
    for (let sessionIndex = from; sessionIndex < to; sessionIndex++) {
      const session = market.sessions[sessionIndex]!
      if (!isOn(session)) continue
      const judges = buildJudges(session, when)
      const { firstMinute, stateCount } = session
      for (const { minute, slot, isFixed, isTrigger } of chances(sessionIndex)) {
        const state = minute - firstMinute
        const isOpen = state >= 0 && state < stateCount - 1
        const isInRule = when.length === 0 || (isTrigger ?? (isOpen && allHold(judges, state)))
        const about = { ruleLeg, slot, isFixed, isInRule }
        const conditions = () => whenValues(judges, state)
        const closed = session.isHalfDay ? 'half_day' : 'after_hours'
        const made = isOpen
          ? makeTrade({ market, core, sessionIndex, state, assume, about, conditions })
          : closed
        if (typeof made !== 'string') trades.push(made)
        else
          missed.push({ ruleLeg, session: sessionIndex, decidedAt: minute, isInRule, reason: made })
      }
    }
  }
  return { trades, missed }
}

const toWeekday = (date: string) => WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay() - 1]!
