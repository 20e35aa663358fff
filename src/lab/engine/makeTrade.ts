import type { RuleCore } from '../language/spec.ts'
import type { LabExpiry, LabMarket } from '../market/session.ts'
import { type Closed, findExit } from './exits.ts'
import { computeRisk, exact, LEAST_DEBIT, maximumLoss, roundedDown, toUsd } from './money.ts'
import { legPrice } from './prices.ts'
import { type ChosenLeg, chooseLegs } from './strikes.ts'
import type { Assumptions, LegPrice, MissedReason, Trade, WhenValue } from './trade.ts'

export type Decision = {
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
export function makeTrade(decision: Decision): Trade | MissedReason {
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
