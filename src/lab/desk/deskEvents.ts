import { backtest } from '../engine/backtest.ts'
import { ASSUMED, type Trade, type TradeLedger } from '../engine/trade.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabMarket, LabSession } from '../market/session.ts'
import { findFurthestDte } from '../verdict/leg.ts'

/** Events of a rule on the desk in the newest session, as far as they are known. */

export type IdeaEvent = {
  readonly type: 'idea_triggered' | 'idea_closed'
  /** Minute of the ET day at which it became known. */
  readonly minute: number
  /** Index in the market's sessions of the session in which the trade was decided. */
  readonly session: number
  readonly trade: Trade
}

/**
 * Returns the trades that a rule opened and closed in the newest session of a market, by minute.
 * The session may still be running: its unknown values are null, and nothing fires on them. It is
 * the same replay as a test of the finished session, so both report the same for each minute.
 */
export function findIdeaEvents(market: LabMarket, spec: RuleSpec): IdeaEvent[] {
  const last = market.sessions.length - 1
  const { trades } = replayIdea(market, spec)
  const events: IdeaEvent[] = []
  for (const trade of trades) {
    if (!trade.isInRule) continue
    const of = { session: trade.session, trade }
    if (trade.session === last) {
      events.push({ ...of, type: 'idea_triggered', minute: trade.filledAt })
    }
    if (trade.exitReason === 'unresolved' || trade.exitSession !== last) continue
    events.push({ ...of, type: 'idea_closed', minute: endKnownAt(trade, market)! })
  }
  return events.sort((a, b) => a.minute - b.minute || a.trade.decidedAt - b.trade.decidedAt)
}

/**
 * Minutes from the PM close to the last minute of a session, at which the settlement is reported.
 */
const SETTLED_AFTER = 14

/** Minute of the ET day at which the end of a trade became known; null: not known yet. */
export function endKnownAt(trade: Trade, { sessions }: Pick<LabMarket, 'sessions'>): number | null {
  const { exitSession, exitAt, exitReason } = trade
  if (exitSession === null || exitAt === null) return null
  return exitReason === 'settlement' ? settledAt(sessions[exitSession]!) : exitAt
}

/** Minute of the ET day at which the settlement of a session is known. */
export const settledAt = ({ firstMinute, stateCount }: LabSession): number =>
  firstMinute + stateCount - 1 + SETTLED_AFTER

/** Replays only what can affect the newest session of a market. */
export function replayIdea(market: LabMarket, spec: RuleSpec): TradeLedger {
  const last = market.sessions.length - 1
  const sessions = { from: Math.max(0, last - findFurthestDte(spec)), to: last + 1 }
  return backtest(market, spec, { assume: ASSUMED, sessions, designCount: 0 })
}
