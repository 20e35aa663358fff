import type { TradeLedger } from '../engine/trade.ts'
import { sayRule } from '../language/say.ts'
import { type RuleCore, type RuleSpec, WEEKDAYS } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import type { LabLeg } from '../result.ts'
import { computeEra, type LegRecord, listOpenIndexes } from './era.ts'
import { describeTrades, findSeen } from './figures.ts'
import { computePlacebo } from './placebo.ts'
import { HOLDOUT, type RunPlan, type Stretch } from './plan.ts'
import { isResolved } from './sample.ts'
import { sealLeg } from './seal.ts'
import { buildHistogram, buildSeries } from './series.ts'
import { judge, judgeCore, judgeNothing } from './verdict.ts'

/** Data shared by all legs of a run. */
export type LegContext = {
  readonly market: LabMarket
  readonly spec: RuleSpec
  readonly ledger: TradeLedger
  readonly plan: RunPlan
  readonly threshold: number
  readonly seed: bigint
  /** False for a struct, which has no verdict. */
  readonly hasVerdict: boolean
}

/** A leg of a result as it is, and as it is shown while sessions are sealed. */
export type BuiltLeg = { readonly whole: LabLeg; readonly sealed: LabLeg }

/** Builds the result of one {core, when}: its eras, their evaluation, and its series by session. */
export function buildLeg(context: LegContext, ruleLeg: number): BuiltLeg {
  const { market, spec, ledger, plan, seed } = context
  const { core, when } = listLegs(spec)[ruleLeg]!
  const isOfLeg = (row: { readonly ruleLeg: number }) => row.ruleLeg === ruleLeg
  const record: LegRecord = {
    trades: ledger.trades.filter(isOfLeg),
    missed: ledger.missed.filter(isOfLeg),
    hasConditions: when.length > 0,
  }
  const era = (stretch: Stretch, without: Stretch | null = null) =>
    computeEra({ record, stretch, without, dates: market.sessions, seed })
  const resolved = record.trades.filter(isResolved)
  const judged = judgeLeg(context, record, core, plan.holdout && era(plan.holdout))
  const seen = findSeen({
    core: resolved.filter(({ session }) => session < plan.designCount),
    hasConditions: record.hasConditions,
    designCount: plan.designCount,
    sessions: plan.holdout ? plan.holdout.to - plan.holdout.from : HOLDOUT.sessionsMin,
    threshold: context.threshold,
  })
  const build = (without: Stretch | null): LabLeg => {
    const open = listOpenIndexes(plan.all, without)
    const isOpen = new Set(open)
    const shown = resolved.filter(({ session }) => isOpen.has(session))
    const hasYear = listOpenIndexes(plan.thisYear, without).length > 0
    const isWaiting = without !== null && plan.holdout === null
    return {
      title: sayRule({ v: 1, core, when, ...(spec.days ? { days: spec.days } : {}) }).slice(0, -1),
      eras: {
        all: era(plan.all, without),
        this_year: hasYear ? era(plan.thisYear, without) : null,
        holdout: plan.holdout && era(plan.holdout),
        ...(plan.since && !isWaiting ? { since: era(plan.since) } : {}),
      },
      ...judged,
      figures: describeTrades(
        record.trades.filter(({ session, isInRule }) => isInRule && isOpen.has(session)),
        core,
        market.sessions,
      ),
      seen,
      series: buildSeries(shown, open, market.sessions),
      histogram: buildHistogram(shown),
    }
  }
  const whole = build(null)
  return { whole, sealed: plan.sealed ? sealLeg(build(plan.sealed)) : whole }
}

/** Returns the one or two legs of a rule. */
export const listLegs = ({ core, when, more = [] }: RuleSpec) => [{ core, when }, ...more]

/** Furthest expiry of a rule, in sessions. */
export const findFurthestDte = (spec: RuleSpec): number =>
  Math.max(...listLegs(spec).map(({ core }) => core.dte))

function judgeLeg(
  context: LegContext,
  record: LegRecord,
  core: RuleCore,
  era: LabLeg['eras']['holdout'],
): Pick<LabLeg, 'verdict' | 'placebo'> {
  const { market, plan, threshold, seed, hasVerdict } = context
  if (!hasVerdict) return { verdict: null, placebo: null }
  if (!plan.holdout || !era) {
    return { verdict: judgeNothing(threshold, plan.noHoldout ?? ''), placebo: null }
  }
  const { from, to } = plan.holdout
  const trades = record.trades.filter(({ session }) => session >= from && session < to)
  if (!record.hasConditions)
    return { verdict: judgeCore({ era, trades, threshold }), placebo: null }
  const sessionIndexes = Array.from({ length: to - from }, (_, index) => from + index)
  const placebo = computePlacebo({
    core: trades.filter(isResolved),
    sessions: sessionIndexes.filter(index =>
      maySpecTrade(context.spec, market.sessions[index]!.date),
    ),
    ownT: era.net_rr_t,
    threshold,
    seed,
  })
  return {
    verdict: judge({
      era,
      trades,
      placebo,
      threshold,
      isReal: market.kind === 'real',
      hasTriggers: 'window' in core.entry && !('every_min' in core.entry),
    }),
    placebo,
  }
}

/** True when a rule may trade on the weekday of a date. */
export function maySpecTrade({ days }: RuleSpec, date: string): boolean {
  const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay() - 1]
  return !days || days.some(day => day === weekday)
}
