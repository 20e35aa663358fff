import type { TradeLedger } from '../engine/trade.ts'
import { effectiveCount, testDifference } from '../verdict/clustered.ts'
import {
  countDays,
  isResolved,
  type ResolvedTrade,
  sampleOf,
  sessionsOf,
} from '../verdict/sample.ts'
import { type ResultShape, shapeOf } from './deflatedSharpe.ts'

/** One variant, run: plain JSON, so that a child process can hand it over. */
export type VariantRow = {
  /** Place in the list of variants. */
  readonly place: number
  readonly n: number
  readonly days: number
  readonly mean: number | null
  readonly median: number | null
  readonly win: number | null
  readonly t: number | null
  readonly drawdownUsd: number | null
  readonly netRr: number | null
  /** Trades that tell nothing of each other; null with fewer than two sessions. */
  readonly effective: number | null
  /** Null where nothing differs between its trades. */
  readonly shape: ResultShape | null
  /** Sum of r by session. */
  readonly results: readonly number[]
  /** By session: sum of (1 if in the rule, less the share of the core that is) x r. */
  readonly gains: readonly number[]
}

/** Both legs of a rule together, over sessions [0, sessions). */
export function rowOf(ledger: TradeLedger, place: number, sessions: number): VariantRow {
  const core = ledger.trades.filter(isResolved).sort((a, b) => a.session - b.session)
  const rule = core.filter(({ isInRule }) => isInRule)
  const { n, mean, median, win, t, drawdown_usd: drawdownUsd } = sampleOf(rule)
  const difference = testDifference(
    core.map(({ r }) => r),
    sessionsOf(core),
    core.map(({ isInRule }) => isInRule),
  )
  const share = core.length === 0 ? 0 : n / core.length
  return {
    ...{ place, n, days: countDays(rule), mean, median, win, t, drawdownUsd },
    netRr: difference.value,
    effective: effectiveCount(
      rule.map(({ r }) => r),
      sessionsOf(rule),
    ),
    shape: n < 2 ? null : shapeOf(rule.map(({ r }) => r)),
    results: bySession(rule, sessions, ({ r }) => r),
    gains: bySession(core, sessions, ({ isInRule, r }) => ((isInRule ? 1 : 0) - share) * r),
  }
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
