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

/** One variant, run: plain JSON, so that a child process can hand it over. */
export type VariantRow = {
  /** Place in the list of variants. */
  readonly variantIndex: number
  readonly n: number
  readonly days: number
  readonly mean: number | null
  readonly median: number | null
  readonly win: number | null
  readonly t: number | null
  readonly drawdownUsd: number | null
  /** Mean r less that of the core; of two legs each beside its own core. */
  readonly netRr: number | null
  /** Trades that tell nothing of each other; null with fewer than two sessions. */
  readonly effective: number | null
  /** Null where nothing differs between its trades. */
  readonly shape: ResultShape | null
  /** Sum of r by session. */
  readonly results: readonly number[]
  /** By session: sum of (1 if in the rule, less the share of its leg's core that is) x r. */
  readonly gains: readonly number[]
}

/** Both legs of a rule together, over sessions [0, sessions). */
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
 * Of each leg, the share of the core's trades that the rule takes. One share for both would call it
 * a gain that the leg with the better core trades more often.
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
