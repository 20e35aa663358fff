import type { TradeLedger } from '../engine/trade.ts'
import { effectiveCount } from '../verdict/clustered.ts'
import {
  countDays,
  isResolved,
  listSessions,
  type ResolvedTrade,
  summarizeTrades,
} from '../verdict/sample.ts'
import { computeShape, type ResultShape } from './deflatedSharpe.ts'

/** Result of one variant: plain JSON, so that a child process can send it. */
export type VariantRow = {
  /** Index in the list of variants. */
  readonly variantIndex: number
  readonly n: number
  readonly days: number
  readonly mean: number | null
  readonly median: number | null
  readonly win: number | null
  readonly t: number | null
  readonly drawdownUsd: number | null
  /** Mean r less that of the core; with two legs, each is compared with its own core. */
  readonly netRr: number | null
  /** Effective number of independent trades; null with fewer than two sessions. */
  readonly effective: number | null
  /** Null when all trades are equal. */
  readonly shape: ResultShape | null
  /** Sum of r by session. */
  readonly results: readonly number[]
  /**
   * By session: sum of (1 if in the rule, minus its leg's share of core trades in the rule) x r.
   */
  readonly gains: readonly number[]
}

/** Combines both legs of a rule over sessions [0, sessions). */
export function buildVariantRow(
  ledger: TradeLedger,
  variantIndex: number,
  sessions: number,
): VariantRow {
  const core = ledger.trades.filter(isResolved).sort((a, b) => a.session - b.session)
  const rule = core.filter(({ isInRule }) => isInRule)
  const { n, mean, median, win, t, drawdown_usd: drawdownUsd } = summarizeTrades(rule)
  const shares = computeShares(core)
  const computeGain = ({ ruleLeg, isInRule, r }: ResolvedTrade) =>
    ((isInRule ? 1 : 0) - shares.get(ruleLeg)!) * r
  return {
    variantIndex,
    n,
    days: countDays(rule),
    mean,
    median,
    win,
    t,
    drawdownUsd,
    netRr: n === 0 ? null : core.reduce((sum, trade) => sum + computeGain(trade), 0) / n,
    effective: effectiveCount(
      rule.map(({ r }) => r),
      listSessions(rule),
    ),
    shape: n < 2 ? null : computeShape(rule.map(({ r }) => r)),
    results: bySession(rule, sessions, ({ r }) => r),
    gains: bySession(core, sessions, computeGain),
  }
}

/**
 * Returns, per leg, the share of the core's trades that the rule takes. A single share would count
 * it as a gain when the leg with the better core trades more often.
 */
function computeShares(core: readonly ResolvedTrade[]): Map<number, number> {
  const legs = Map.groupBy(core, ({ ruleLeg }) => ruleLeg)
  const computeShare = (trades: readonly ResolvedTrade[]) =>
    trades.filter(({ isInRule }) => isInRule).length / trades.length
  return new Map([...legs].map(([leg, trades]) => [leg, computeShare(trades)] as const))
}

function bySession(
  trades: readonly ResolvedTrade[],
  sessions: number,
  value: (trade: ResolvedTrade) => number,
): number[] {
  const sums = new Array<number>(sessions).fill(0)
  for (const trade of trades) sums[trade.session]! += value(trade)
  return sums
}
