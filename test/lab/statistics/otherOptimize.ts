/** Report of a list of variants, once more: from the trades of each, by slow and plain forms. */

import type { Trade } from '../../../src/lab/engine/trade.ts'
import { findShape, luckySharpe, sharpeChance } from './deflated.ts'
import { effectiveCount } from './effectiveCount.ts'
import { findEnded } from './otherEra.ts'
import { overfit } from './overfit.ts'
import { average, deviation, type Result, total } from './plain.ts'
import { realityCheck } from './reality.ts'
import type { Splitmix } from './splitmix.ts'

type Listed = { readonly ruleLeg: number } & Result

/** Excess of the rule over its core on a session: each leg minus its own. */
function gainOn(core: readonly Listed[], session: number): number {
  const ofLeg = (leg: number) => {
    const trades = core.filter(({ ruleLeg }) => ruleLeg === leg)
    const taken = trades.filter(({ isInRule }) => isInRule).length / trades.length
    const today = trades.filter(one => one.session === session)
    return total(today.map(({ r, isInRule }) => (isInRule ? (1 - taken) * r : -taken * r)))
  }
  return ofLeg(0) + ofLeg(1)
}

/** Figures of one variant over the first `sessions`. */
export function otherRow(trades: readonly Trade[], sessions: number) {
  const core = findEnded(trades, 0, sessions)
  const rule = core.filter(({ isInRule }) => isInRule)
  const indexes = Array.from({ length: sessions }, (_, index) => index)
  const r = rule.map(one => one.r)
  const gains = indexes.map(index => gainOn(core, index))
  return {
    r,
    n: r.length,
    mean: r.length === 0 ? null : average(r),
    net_rr: r.length === 0 ? null : total(gains) / r.length,
    effective: effectiveCount(rule),
    results: indexes.map(index =>
      total(rule.filter(one => one.session === index).map(one => one.r)),
    ),
    gains,
  }
}

type Row = ReturnType<typeof otherRow>

export function otherDeflated(rows: readonly Row[], own: Row, trials: number): number | null {
  const isLong = ({ effective, r }: Row) => effective !== null && effective >= 30 && isVaried(r)
  if (!isLong(own)) return null
  const sharpes = rows.filter(isLong).map(({ r }) => findShape(r).sharpe)
  if (trials > 1 && sharpes.length < 2) return null
  const variance = sharpes.length < 2 ? 0 : deviation(sharpes) ** 2
  return sharpeChance(findShape(own.r), own.effective!, luckySharpe(variance, trials))
}

const isVaried = (r: readonly number[]) => new Set(r).size > 1

export function otherOverfit(rows: readonly Row[], sessions: number): number | null {
  const traded = rows.filter(({ n }) => n > 0)
  if (sessions < 64 || traded.length < 4) return null
  const blocks = sessions >= 160 ? 16 : 8
  const newest = sessions - (sessions % blocks)
  const table = Array.from({ length: newest }, (_, index) =>
    traded.map(({ results }) => results[sessions - newest + index]!),
  )
  return overfit(table, blocks)
}

export function otherReality(rows: readonly Row[], sessions: number, chance: Splitmix) {
  const isNone = rows.every(({ gains }) => gains.every(gain => Math.abs(gain) < 1e-12))
  if (sessions < 60 || isNone) return null
  const table = Array.from({ length: sessions }, (_, index) => rows.map(row => row.gains[index]!))
  return realityCheck(table, 0.2, 2_000, chance).p
}
