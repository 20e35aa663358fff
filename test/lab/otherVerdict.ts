/**
 * The verdict of LAB once more, for tests: written from its definition alone, over the trades and
 * missed chances of one leg.
 */

import type { Trade, TradeLedger } from '../../src/lab/engine/trade.ts'
import { findEnded, otherEra } from './statistics/otherEra.ts'
import { otherPlacebos } from './statistics/otherShuffles.ts'
import { Splitmix } from './statistics/splitmix.ts'

type Stretch = { readonly from: number; readonly to: number }

export type OtherVerdict = {
  readonly interesting: boolean
  readonly t: number | null
  readonly p: number | null
  /** t of every arrangement of the triggers on other sessions, in order; with the rule's own. */
  readonly placebo: readonly number[]
  readonly isLucky: boolean
}

/** True when a leg is interesting, by the seven things that a holdout has to show. */
export function otherVerdict(
  { trades }: Pick<TradeLedger, 'trades'>,
  { from, to }: Stretch,
  requested: { readonly familyLooks: number; readonly legCount: number; readonly isReal: boolean },
): OtherVerdict {
  const core = findEnded(trades, from, to)
  const { rule, net_rr, net_rr_t: t, days, unresolved } = otherEra(trades, from, to, null)
  const sessions = Array.from({ length: to - from }, (_, index) => from + index)
  const turned = otherPlacebos(core, sessions, 0, new Splitmix(1))?.turned ?? []
  const placebo = t === null ? [] : [t, ...turned].sort((a, b) => a - b)
  const p = t === null ? null : placebo.filter(other => other >= t - 1e-9).length / placebo.length
  const ruled = trades.filter(one => one.isInRule && one.session >= from && one.session < to)
  const sources = ruled.flatMap(({ legs }) =>
    legs.flatMap(({ entry, exit }) => (exit ? [entry.source, exit.source] : [entry.source])),
  )
  const quoted = sources.filter(source => source === 'quote').length / sources.length
  const listDays = (some: readonly Trade[]) => new Set(some.map(({ session }) => session)).size
  const isLucky = p === null || p > 0.025 / (requested.familyLooks * requested.legCount)
  const interesting =
    rule.n > 0 &&
    rule.mean! > 0 &&
    net_rr! > 0 &&
    (t ?? 0) >= 2 &&
    !isLucky &&
    days >= 20 &&
    listDays(core.filter(({ isInRule }) => !isInRule)) >= 20 &&
    (!requested.isReal || quoted >= 0.8) &&
    unresolved / ruled.length <= 0.02
  return { interesting, t, p, placebo, isLucky }
}
