/**
 * The figures of an era once more: from the words of docs/lab.md and the formulas of the papers,
 * without any of the product's code. A figure of too few trades is null.
 */

import type { Trade } from '../../../src/lab/engine/trade.ts'
import { clusteredT } from './clusteredT.ts'
import { differenceT } from './differenceT.ts'
import { drawdown, middle } from './drawdown.ts'
import { effectiveCount } from './effectiveCount.ts'
import { lossesOfTwenty } from './lossOfTwenty.ts'
import { average, bySession, type Result, total } from './plain.ts'
import { runsZ } from './runsZ.ts'
import type { Splitmix } from './splitmix.ts'
import { twoSided } from './studentT.ts'

type Ended = Trade & Result & { readonly pnlUsd: number }

/** Trades of some sessions, `from` to before `to`, whose end is known; in time order. */
export const findEnded = (trades: readonly Trade[], from: number, to: number): Ended[] =>
  trades
    .filter((one): one is Ended => one.r !== null && one.session >= from && one.session < to)
    .sort((a, b) => a.session - b.session || a.decidedAt - b.decidedAt)

/** An error that is no more than the rounding of the results is none. */
const findT = (found: { t: number; error: number } | null, results: readonly Result[]) => {
  const largest = Math.max(0, ...results.map(({ r }) => Math.abs(r)))
  return found === null || found.error <= 1e-12 * largest ? null : found.t
}

export function otherSample(trades: readonly Ended[]) {
  const r = trades.map(one => one.r)
  const usd = bySession(trades).map(day => total(day.map(({ pnlUsd }) => pnlUsd)))
  const isNone = r.length === 0
  return {
    n: r.length,
    mean: isNone ? null : average(r),
    median: isNone ? null : middle(r),
    win: isNone ? null : r.filter(one => one > 0).length / r.length,
    sum_usd: total(usd),
    drawdown_usd: drawdown(usd),
    t: findT(clusteredT(trades), trades),
  }
}

/** Without a chance to draw from, nothing is drawn. */
export function otherEra(
  trades: readonly Trade[],
  from: number,
  to: number,
  chance: Splitmix | null,
) {
  const core = findEnded(trades, from, to)
  const rule = core.filter(({ isInRule }) => isInRule)
  const days = bySession(rule).length
  const r = rule.map(one => one.r)
  const wins = r.filter(one => one > 0).length
  const found = differenceT(core)
  const t = findT(found, core)
  return {
    sessions: to - from,
    days,
    n: r.length,
    n_eff: effectiveCount(rule),
    runs_z: r.length >= 20 && Math.min(wins, r.length - wins) >= 5 ? runsZ(r) : null,
    prob_loss_20:
      chance !== null && r.length >= 20 && days >= 10
        ? lossesOfTwenty(rule, 10_000, chance).losses / 10_000
        : null,
    rule: otherSample(rule),
    core: otherSample(core),
    net_rr: r.length === 0 ? null : average(r) - average(core.map(one => one.r)),
    net_rr_t: t,
    dof: found === null ? null : found.dof,
    p: t === null ? null : twoSided(t, found!.dof),
    unresolved: trades.filter(
      one => one.isInRule && one.r === null && one.session >= from && one.session < to,
    ).length,
  }
}
