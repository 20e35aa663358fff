import { type RuleSpec, WEEKDAYS } from '../language/spec.ts'
import type { LabMarket, LabSession } from '../market/session.ts'
import { buildChances } from './chances.ts'
import { allHold, buildJudges, whenValues } from './conditions.ts'
import { makeTrade } from './makeTrade.ts'
import type { Assumptions, Missed, Trade, TradeLedger } from './trade.ts'

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
