/**
 * The verdict of LAB once more, for tests: written from its definition alone, over the trades and
 * missed chances of one leg.
 */

import type { Trade, TradeLedger } from '../../src/lab/engine/trade.ts'

type Ended = Trade & { readonly r: number }
type Stretch = { readonly from: number; readonly to: number }

const endedIn = (trades: readonly Trade[], { from, to }: Stretch): Ended[] =>
  trades.filter((one): one is Ended => one.r !== null && one.session >= from && one.session < to)

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** net_rr_t of some trades of a core; null where it is unknown. */
export function otherT(core: readonly Ended[], chosen: readonly Ended[]): number | null {
  if (new Set(chosen.map(({ session }) => session)).size < 2) return null
  const [ruleMean, coreMean] = [mean(chosen.map(({ r }) => r)), mean(core.map(({ r }) => r))]
  const [cores, rules] = [core, chosen].map(some => Map.groupBy(some, ({ session }) => session))
  const pulls = [...cores!].map(([session, inCore]) => {
    const inRule = rules!.get(session) ?? []
    const ofRule = inRule.reduce((sum, { r }) => sum + r - ruleMean, 0) / chosen.length
    return ofRule - inCore.reduce((sum, { r }) => sum + r - coreMean, 0) / core.length
  })
  const count = pulls.length
  const variance = (count / (count - 1)) * pulls.reduce((sum, pull) => sum + pull * pull, 0)
  return variance < 1e-20 ? null : (ruleMean - coreMean) / Math.sqrt(variance)
}

/** Indexes of the other sessions that those of an arrangement are put on. */
export function arrangements(count: number): number[][] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  return [false, true].flatMap(isReversed =>
    indexes.map(shift =>
      indexes.map(index => ((isReversed ? count - 1 - index : index) + shift) % count),
    ),
  )
}

/** t of every arrangement of the triggers on other sessions; the first is the rule's own. */
export function otherPlacebo(trades: readonly Trade[], stretch: Stretch): (number | null)[] {
  const core = endedIn(trades, stretch)
  const triggers = core.filter(({ isInRule }) => isInRule)
  const fixed = new Map(
    core.filter(({ isFixed }) => isFixed).map(one => [`${one.session} ${one.slot}`, one]),
  )
  return arrangements(stretch.to - stretch.from).map((indexes, number) => {
    if (number === 0) return otherT(core, triggers)
    const put = triggers.map(({ session, slot }) =>
      fixed.get(`${stretch.from + indexes[session - stretch.from]!} ${slot}`),
    )
    return otherT(
      core,
      put.filter(one => one !== undefined),
    )
  })
}

export type OtherVerdict = {
  readonly interesting: boolean
  readonly t: number | null
  readonly p: number | null
  readonly isLucky: boolean
}

/** True when a leg is interesting, by the seven things that a holdout has to show. */
export function otherVerdict(
  { trades }: Pick<TradeLedger, 'trades'>,
  stretch: Stretch,
  requested: { readonly familyLooks: number; readonly legCount: number; readonly isReal: boolean },
): OtherVerdict {
  const core = endedIn(trades, stretch)
  const rule = core.filter(({ isInRule }) => isInRule)
  const [t, ...others] = otherPlacebo(trades, stretch)
  const isAsGood = (other: number | null) => other !== null && other >= t! - 1e-9
  const all = 1 + others.filter(other => other !== null).length
  const p = t === null || t === undefined ? null : (1 + others.filter(isAsGood).length) / all
  const listDays = (some: readonly Trade[]) => new Set(some.map(({ session }) => session)).size
  const ruled = trades.filter(
    one => one.isInRule && one.session >= stretch.from && one.session < stretch.to,
  )
  const sources = ruled.flatMap(({ legs }) =>
    legs.flatMap(({ entry, exit }) => (exit ? [entry.source, exit.source] : [entry.source])),
  )
  const quoted = sources.filter(source => source === 'quote').length / sources.length
  const isLucky = p === null || p > 0.025 / (requested.familyLooks * requested.legCount)
  const interesting =
    rule.length > 0 &&
    mean(rule.map(({ r }) => r)) > 0 &&
    mean(rule.map(({ r }) => r)) > mean(core.map(({ r }) => r)) &&
    (t ?? 0) >= 2 &&
    !isLucky &&
    listDays(rule) >= 20 &&
    listDays(core.filter(({ isInRule }) => !isInRule)) >= 20 &&
    (!requested.isReal || quoted >= 0.8) &&
    ruled.filter(({ r }) => r === null).length / ruled.length <= 0.02
  return { interesting, t: t ?? null, p, isLucky }
}
