import {
  type ComparedField,
  type CompareOp,
  isCompared,
  type RuleCondition,
} from '../language/spec.ts'
import type { LabSession } from '../market/session.ts'
import { readCrosses } from './crosses.ts'
import { orderMarks } from './orders.ts'
import { atmVolatility } from './prices.ts'
import type { WhenValue } from './trade.ts'

/** A condition of a rule evaluated over the states of one session. */
export type JudgedCondition = {
  readonly condition: RuleCondition
  /** Measured value; NaN: not known, or the condition compares none. */
  readonly value: (state: number) => number
  /** 1 true, 0 false, -1 not known. */
  readonly holds: (state: number) => number
}

/** Creates an evaluator per condition for a session; each uses only what is known at its state. */
export function buildJudges(
  session: LabSession,
  when: readonly RuleCondition[],
): readonly JudgedCondition[] {
  return when.map(condition => {
    if (isCompared(condition)) {
      const { f, op, v } = condition
      const value = (state: number) => finite(MEASURES[f](session, state))
      return { condition, value, holds: state => compare(value(state), op, v) }
    }
    const value = () => Number.NaN
    if (condition.f === 'order') {
      const marks = orderMarks(session, condition)
      return { condition, value, holds: state => marks[state]! }
    }
    const since = readCrosses(session)[condition.dir][condition.nth - 1] ?? Number.POSITIVE_INFINITY
    return { condition, value, holds: state => (state >= since ? 1 : 0) }
  })
}

export function allHold(judges: readonly JudgedCondition[], state: number): boolean {
  for (const judge of judges) if (judge.holds(state) !== 1) return false
  return true
}

/** Returns the value and outcome of each condition, as a trade records them. */
export const whenValues = (judges: readonly JudgedCondition[], state: number): WhenValue[] =>
  judges.map(judge => {
    const value = judge.value(state)
    const holds = judge.holds(state)
    return { value: Number.isNaN(value) ? null : value, holds: holds < 0 ? null : holds === 1 }
  })

const finite = (value: number) => (Number.isFinite(value) ? value : Number.NaN)

const MEASURES: Readonly<Record<ComparedField, (session: LabSession, state: number) => number>> = {
  spot_minus_flip: ({ market }, i) => market.spot[i]! - market.flip[i]!,
  spot_minus_put_wall: ({ market }, i) => market.spot[i]! - market.putWall[i]!,
  call_wall_minus_spot: ({ market }, i) => market.callWall[i]! - market.spot[i]!,
  net_gamma: ({ market }, i) => market.netGamma[i]!,
  abs_gap: ({ market }, i) => 100 * Math.abs(market.open[i]! / market.previousClose[i]! - 1),
  abs_move_from_open: ({ market }, i) =>
    Math.abs(market.spot[i]! - market.open[i]!) / market.sessionExpectedMove[i]!,
  move_from_open: ({ market }, i) => 100 * (market.spot[i]! / market.open[i]! - 1),
  atm_iv_change: ({ expiries }, i) => {
    const expiry = expiries[0]
    return expiry ? 100 * (atmVolatility(expiry, i) - atmVolatility(expiry, 0)) : Number.NaN
  },
}

function compare(value: number, op: CompareOp, limit: number): number {
  if (Number.isNaN(value)) return -1
  return isWithin(value, op, limit) ? 1 : 0
}

function isWithin(value: number, op: CompareOp, limit: number): boolean {
  switch (op) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
    case 'abs<':
      return Math.abs(value) < limit
    case 'abs<=':
      return Math.abs(value) <= limit
    case 'abs>':
      return Math.abs(value) > limit
    case 'abs>=':
      return Math.abs(value) >= limit
  }
}
