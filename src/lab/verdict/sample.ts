import type { Trade } from '../engine/trade.ts'
import type { LabEra } from '../result.ts'
import { computeMean, testMean } from './clustered.ts'

/** A trade with a known end. */
export type ResolvedTrade = Trade & { readonly r: number; readonly pnlUsd: number }

export const isResolved = (trade: Trade): trade is ResolvedTrade =>
  trade.r !== null && trade.pnlUsd !== null

/** Summarizes trades, in the order of their sessions. */
export function summarizeTrades(trades: readonly ResolvedTrade[]): LabEra['rule'] {
  const r = trades.map(trade => trade.r)
  return {
    n: r.length,
    mean: computeMean(r),
    median: computeMedian(r),
    win: r.length === 0 ? null : r.filter(value => value > 0).length / r.length,
    sum_usd: trades.reduce((sum, { pnlUsd }) => sum + pnlUsd, 0),
    drawdown_usd: computeDrawdown(usdBySession(trades)),
    t: testMean(r, listSessions(trades)).t,
  }
}

export const listSessions = (trades: readonly Trade[]): number[] =>
  trades.map(({ session }) => session)

/** Counts the sessions with a trade. */
export const countDays = (trades: readonly Trade[]): number => new Set(listSessions(trades)).size

/** Null for an empty list. */
function computeMedian(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function usdBySession(trades: readonly ResolvedTrade[]): number[] {
  const sums = new Map<number, number>()
  for (const { session, pnlUsd } of trades) sums.set(session, (sums.get(session) ?? 0) + pnlUsd)
  return [...sums].sort(([a], [b]) => a - b).map(([, usd]) => usd)
}

/** Largest drop of the cumulative sum below its peak, starting from zero. */
function computeDrawdown(values: readonly number[]): number {
  let [total, peak, deepest] = [0, 0, 0]
  for (const value of values) {
    total += value
    peak = Math.max(peak, total)
    deepest = Math.max(deepest, peak - total)
  }
  return deepest
}
