import { counted } from '../../core/text/counts.ts'
import type { TradeLedger } from '../engine/trade.ts'
import { sayRule } from '../language/say.ts'
import { type RuleCore, type RuleSpec, WEEKDAYS } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import type { LabEra, LabLeg } from '../result.ts'
import { computeMean } from './clustered.ts'
import { computeEra, type LegRecord, listOpenIndexes } from './era.ts'
import { describeTrades, findSeen } from './figures.ts'
import { GATES, type Gate } from './gates.ts'
import { computeEdges, countBins } from './histogram.ts'
import { computePlacebo } from './placebo.ts'
import { HOLDOUT, type RunPlan, type Stretch } from './plan.ts'
import { isResolved, type ResolvedTrade } from './sample.ts'
import { judge, judgeCore, judgeNothing, sayClosed } from './verdict.ts'

/** The part of a holdout that is shown before it is opened: the aggregates of the verdict. */

const SEALED = 'sealed: of the holdout only the figures of the verdict are shown'
const FEW =
  `not shown: on fewer than ${GATES.daysMin} days on each side of the conditions ` +
  'an average gives single trades away'

/** Figures of an era that no gate needs. */
const OTHERS = ['n_eff', 'runs_z', 'prob_loss_20'] as const
const OTHERS_OF_SAMPLE = ['median', 'win', 'sum_usd', 'drawdown_usd', 't'] as const
/** Gates that show an average, or a share of one. */
const OF_AVERAGES: ReadonlySet<string> = new Set(['mean', 'above_core', 'net_rr_t', 'placebo_p'])

/** Returns a leg whose holdout era has the aggregates of its verdict alone. */
function sealLeg(leg: LabLeg): LabLeg {
  const { eras, verdict, placebo } = leg
  if (!eras.holdout || !verdict) return leg
  const isFew = isFewDays(eras.holdout, verdict)
  return {
    ...leg,
    eras: { ...eras, holdout: sealEra(eras.holdout, isFew) },
    verdict: isFew ? sealVerdict(verdict) : verdict,
    placebo: isFew ? null : placebo,
  }
}

/** True when so few days are on one side that an average is that of single trades. */
function isFewDays({ days }: LabEra, { gates }: NonNullable<LabLeg['verdict']>): boolean {
  const off = gates.find(({ gate }) => gate === 'days_off')
  return days < GATES.daysMin || (off !== undefined && (off.value ?? 0) < GATES.daysMin)
}

function sealEra(era: LabEra, isFew: boolean): LabEra {
  const reasons: Record<string, string> = { ...era.reasons }
  const hide = (name: string, why: string) => {
    reasons[name] ??= why
    return null
  }
  const sample = (name: 'rule' | 'core') => ({
    ...era[name],
    ...Object.fromEntries(OTHERS_OF_SAMPLE.map(one => [one, hide(`${name}.${one}`, SEALED)])),
    mean: isFew ? hide(`${name}.mean`, FEW) : era[name].mean,
  })
  const averages = ['net_rr', 'net_rr_t', 'dof', 'p'] as const
  return {
    ...era,
    ...Object.fromEntries(OTHERS.map(name => [name, hide(name, SEALED)])),
    rule: sample('rule'),
    core: sample('core'),
    ...(isFew ? Object.fromEntries(averages.map(name => [name, hide(name, FEW)])) : {}),
    reasons,
  }
}

function sealVerdict(verdict: NonNullable<LabLeg['verdict']>): NonNullable<LabLeg['verdict']> {
  const gates = verdict.gates.map(gate => (OF_AVERAGES.has(gate.gate) ? hideValue(gate) : gate))
  return {
    ...verdict,
    net_rr_t: null,
    placebo_p: null,
    gates,
    clears_cost: null,
    sentence: sayClosed(gates),
  }
}

const hideValue = (gate: Gate): Gate => ({
  ...gate,
  value: null,
  ok: false,
  says: `The ${NAMES[gate.gate] ?? gate.gate} is not shown: ${counted(GATES.daysMin, 'day')} on each side of the conditions are needed for it.`,
})

const NAMES: Readonly<Record<string, string>> = {
  mean: 'average',
  above_core: 'difference to the trades without the conditions',
  net_rr_t: 'error of that difference',
  placebo_p: 'placebo',
}

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
function buildHistogram(core: readonly ResolvedTrade[]): LabLeg['histogram'] {
  const r = core.map(trade => trade.r)
  const edges = computeEdges(r)
  const rule = core.filter(({ isInRule }) => isInRule).map(trade => trade.r)
  return { edges, rule: countBins(rule, edges), core: countBins(r, edges) }
}
