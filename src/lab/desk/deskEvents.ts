import { backtest } from '../engine/backtest.ts'
import { ASSUMED, type Trade, type TradeLedger } from '../engine/trade.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import { furthestOf } from '../verdict/leg.ts'

/** What a rule on the desk did in the newest session, as far as that is known. */

export type DeskEvent = {
  readonly type: 'idea_triggered' | 'idea_closed'
  /** Minute of the ET day at which it was known. */
  readonly minute: number
  /** Place in the market's sessions of the session in which the trade was decided. */
  readonly session: number
  readonly trade: Trade
}

/**
 * The trades that a rule began and ended in the newest session of a market, in the order of their
 * minutes. The session may still run: what is not known yet is null in it, and nothing of it fires.
 * It is the same replay as a test of the finished session, so that it says the same of each minute.
 */
export function deskEvents(market: LabMarket, spec: RuleSpec): DeskEvent[] {
  const last = market.sessions.length - 1
  const { trades } = deskLedger(market, spec)
  const events: DeskEvent[] = []
  for (const trade of trades) {
    if (!trade.isInRule) continue
    const of = { session: trade.session, trade }
    if (trade.session === last) {
      events.push({ ...of, type: 'idea_triggered', minute: trade.filledAt })
    }
    if (trade.exitReason === 'unresolved' || trade.exitSession !== last) continue
    events.push({ ...of, type: 'idea_closed', minute: trade.exitAt! })
  }
  return events.sort((a, b) => a.minute - b.minute || a.trade.decidedAt - b.trade.decidedAt)
}

/** All that a rule does which can matter in the newest session of a market. */
export function deskLedger(market: LabMarket, spec: RuleSpec): TradeLedger {
  const last = market.sessions.length - 1
  const sessions = { from: Math.max(0, last - furthestOf(spec)), to: last + 1 }
  return backtest(market, spec, { assume: ASSUMED, sessions, designCount: 0 })
}
