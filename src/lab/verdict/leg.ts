import type { TradeLedger } from '../engine/trade.ts'
import { sayRule } from '../language/say.ts'
import { type RuleSpec, WEEKDAYS } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import type { LabLeg } from '../result.ts'
import { eraOf, type LegRecord } from './era.ts'
import { placeboOf } from './placebo.ts'
import type { RunPlan, Stretch } from './plan.ts'
import { isResolved } from './sample.ts'
import { seriesOf, spreadOf } from './series.ts'
import { judge, judgeCore, judgeNothing } from './verdict.ts'

/** What every leg of a run has in common. */
export type LegContext = {
  readonly market: LabMarket
  readonly spec: RuleSpec
  readonly ledger: TradeLedger
  readonly plan: RunPlan
  readonly bar: number
  readonly seed: bigint
  /** A struct has no verdict. */
  readonly hasVerdict: boolean
}

/** One {core, when} of a rule: its eras, how they are judged, and what it made by session. */
export function legOf(context: LegContext, ruleLeg: number): LabLeg {
  const { market, spec, ledger, plan, seed } = context
  const { core, when } = legsOf(spec)[ruleLeg]!
  const isOfLeg = (row: { readonly ruleLeg: number }) => row.ruleLeg === ruleLeg
  const record: LegRecord = {
    trades: ledger.trades.filter(isOfLeg),
    missed: ledger.missed.filter(isOfLeg),
    hasConditions: when.length > 0,
  }
  const era = (stretch: Stretch) => eraOf({ record, stretch, dates: market.sessions, seed })
  const resolved = record.trades.filter(isResolved)
  const eras = {
    ...{ all: era(plan.all), this_year: era(plan.thisYear) },
    holdout: plan.holdout && era(plan.holdout),
    ...(plan.since ? { since: era(plan.since) } : {}),
  }
  return {
    title: sayRule({ v: 1, core, when, ...(spec.days ? { days: spec.days } : {}) }).slice(0, -1),
    eras,
    ...verdictOf(context, record, eras.holdout),
    series: seriesOf(resolved, plan.all, market.sessions),
    histogram: spreadOf(resolved),
  }
}

/** Both trades of a rule that has two. */
export const legsOf = ({ core, when, more = [] }: RuleSpec) => [{ core, when }, ...more]

/** The furthest expiry of a rule, in sessions. */
export const furthestOf = (spec: RuleSpec): number =>
  Math.max(...legsOf(spec).map(({ core }) => core.dte))

function verdictOf(
  context: LegContext,
  record: LegRecord,
  era: LabLeg['eras']['holdout'],
): Pick<LabLeg, 'verdict' | 'placebo'> {
  const { market, plan, bar, seed, hasVerdict } = context
  if (!hasVerdict) return { verdict: null, placebo: null }
  if (!plan.holdout || !era) {
    return { verdict: judgeNothing(bar, plan.noHoldout ?? ''), placebo: null }
  }
  const { from, to } = plan.holdout
  const trades = record.trades.filter(({ session }) => session >= from && session < to)
  if (!record.hasConditions) return { verdict: judgeCore({ era, trades, bar }), placebo: null }
  const places = Array.from({ length: to - from }, (_, index) => from + index)
  const placebo = placeboOf({
    core: trades.filter(isResolved),
    sessions: places.filter(place => maySpecTrade(context.spec, market.sessions[place]!.date)),
    ...{ ownT: era.net_rr_t, bar, seed },
  })
  return { verdict: judge({ era, trades, placebo, bar, isReal: market.kind === 'real' }), placebo }
}

/** Whether a rule trades on the weekday of a date at all. */
export function maySpecTrade({ days }: RuleSpec, date: string): boolean {
  const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay() - 1]
  return !days || days.some(day => day === weekday)
}
