import type { LabLeg } from '../result.ts'
import { computeMean } from './clustered.ts'
import { computeEdges, countBins } from './histogram.ts'
import type { ResolvedTrade } from './sample.ts'

/** Profit of a leg by session, one value each; 0 on days without a trade. */
export function buildSeries(
  core: readonly ResolvedTrade[],
  sessions: readonly number[],
  dates: readonly { readonly date: string }[],
): LabLeg['series'] {
  const bySession = Map.groupBy(core, ({ session }) => session)
  const series: LabLeg['series'] = {
    day: [],
    n: [],
    r: [],
    usd: [],
    total_usd: [],
    drawdown_usd: [],
    core_usd: [],
  }
  let [total, peak] = [0, 0]
  for (const session of sessions) {
    const trades = bySession.get(session) ?? []
    const rule = trades.filter(({ isInRule }) => isInRule)
    const usd = rule.reduce((sum, { pnlUsd }) => sum + pnlUsd, 0)
    total += usd
    peak = Math.max(peak, total)
    series.day.push(dates[session]!.date)
    series.n.push(rule.length)
    series.r.push(rule.reduce((sum, { r }) => sum + r, 0))
    series.usd.push(usd)
    series.total_usd.push(total)
    series.drawdown_usd.push(peak - total)
    series.core_usd.push(computeMean(trades.map(({ pnlUsd }) => pnlUsd)) ?? 0)
  }
  return series
}

/** Distribution of the results of the rule and of its core, in the same bins. */
export function buildHistogram(core: readonly ResolvedTrade[]): LabLeg['histogram'] {
  const r = core.map(trade => trade.r)
  const edges = computeEdges(r)
  const rule = core.filter(({ isInRule }) => isInRule).map(trade => trade.r)
  return { edges, rule: countBins(rule, edges), core: countBins(r, edges) }
}
