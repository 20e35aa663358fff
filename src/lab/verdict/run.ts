import type { Assumptions, TradeLedger } from '../engine/trade.ts'
import { canonicalSpec, type RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import { compareVariants } from '../optimize/optimize.ts'
import { buildVariantRow, type VariantRow } from '../optimize/rows.ts'
import { buildVariants, type Variants } from '../optimize/variants.ts'
import type { LabResult } from '../result.ts'
import { hashSeed } from './draws.ts'
import { buildLeg, findFurthestDte, listLegs } from './leg.ts'
import { buildPlan, type RunPlan } from './plan.ts'
import type { RunRequest } from './request.ts'
import { isResolved, summarizeTrades } from './sample.ts'
import { sayRun } from './says.ts'
import { computeThreshold } from './verdict.ts'

/** Statistical words of a result, each in one plain sentence. */
const STATISTICAL_WORDS = [
  { word: 'r', means: 'The profit of a trade after costs, as a share of what it risked.' },
  {
    word: 'core',
    means: 'The same trades without the conditions of the rule: what it has to beat.',
  },
  { word: 'mean', means: 'The average r: what a trade made, as a share of its risk.' },
  { word: 'median', means: 'The r in the middle: half of the trades made more, half made less.' },
  { word: 'win', means: 'The share of the trades that made money; it says nothing of how much.' },
  { word: 'profit_factor', means: 'All gains divided by all losses: above 1 the rule made money.' },
  { word: 'drawdown_usd', means: 'The deepest fall of the profit so far below its best.' },
  { word: 'capital_usd', means: 'The most money that was at risk at one time.' },
  { word: 'n_eff', means: 'How many trades really count, as those of one day go the same way.' },
  { word: 'net_rr', means: 'How much more a trade of the rule made than one of its core.' },
  {
    word: 't',
    means: 'A figure divided by its error: beyond 2 it is rarely luck, if looked at once.',
  },
  {
    word: 'net_rr_t',
    means: 'net_rr divided by its error, in which a day counts as one observation.',
  },
  { word: 'dof', means: 'How many days stand behind a t, less one.' },
  { word: 'p', means: 'How often luck alone gives a t as far from zero.' },
  {
    word: 'placebo_p',
    means: 'How often the same triggers do as well when they are put on other days.',
  },
  { word: 'bar', means: 'What placebo_p may be at most: less with every look.' },
  {
    word: 'runs_z',
    means: 'Whether wins come in streaks (below 0) or take turns with losses (above 0).',
  },
  { word: 'prob_loss_20', means: 'The chance that 20 trades together lose money.' },
  {
    word: 'holdout',
    means: 'The newest sessions, kept apart before the first test: they judge the rule.',
  },
  { word: 'look', means: 'One judgement on the holdout: each one makes a lucky pass more likely.' },
  { word: 'effect', means: 'What the conditions add to the mean of a trade.' },
  {
    word: 'deflated_sharpe',
    means: 'The chance that the gain is more than the best luck of all trials.',
  },
  {
    word: 'pbo',
    means: 'How often the best variant of one half of the sessions is poor in the other.',
  },
  { word: 'reality_check_p', means: 'How often luck alone makes the best variant as good.' },
] as const

/** Replays a rule over a market: `backtest` of the engine. */
export type ReplayRule = (
  market: LabMarket,
  spec: RuleSpec,
  options: {
    readonly assume: Assumptions
    readonly sessions: { readonly from: number; readonly to: number }
    readonly designCount: number
  },
) => TradeLedger

export type OnProgress = (done: number, total: number) => void

/** One run and its dependencies. */
export type RunWork = {
  readonly market: LabMarket
  readonly request: RunRequest
  readonly replay: ReplayRule
  readonly onProgress?: OnProgress | undefined
  /** Variants of a quant that are already computed, in any order. */
  readonly rows?: readonly VariantRow[] | undefined
}

/** Changed assumptions of the sensitivity test, one at a time. */
const CHANGED: readonly ({ readonly changed: string } & Partial<Assumptions>)[] = [
  { changed: 'nothing' },
  { changed: 'spread_factor 0', spreadFactor: 0 },
  { changed: 'spread_factor 0.5', spreadFactor: 0.5 },
  { changed: 'spread_factor 2', spreadFactor: 2 },
  { changed: 'delay_min 1', delayMin: 1 },
]

/** Result of a run, with its ledger. */
export type ComputedResult = {
  /** The whole result, of every session. */
  readonly result: LabResult
  /** The part of it that is shown while its holdout is sealed; the same where nothing is. */
  readonly sealed: LabResult
  readonly ledger: TradeLedger
}

/** Computes a run with any engine: see computeRun. */
export function runWith(work: RunWork): ComputedResult {
  const { market, request, rows = [] } = work
  const { assume, kind, lineage } = request
  const spec = canonicalSpec(request.spec)
  const plan = buildPlan(market, request)
  const design = cutToDesign(market, plan)
  const known = kind === 'struct' ? design : market
  const variants = kind === 'quant' ? buildVariants(spec) : null
  const left = variants ? listMissingVariants(variants, rows) : []
  const further = variants ? variants.variants.length - 1 : 0
  const onDone = createCounter(1 + CHANGED.length + left.length, work.onProgress)

  const ledger = replayed(work.replay, known, spec, { assume, designCount: plan.designCount })
  onDone()
  const seed = hashSeed(request.seedId)
  const threshold = computeThreshold(lineage.family_looks, listLegs(spec).length)
  const hasVerdict = kind !== 'struct'
  const context = { market: known, spec, ledger, plan, threshold, seed, hasVerdict }
  const each = { ...work, design, onDone }
  const legs = listLegs(spec).map((_, leg) => buildLeg(context, leg))
  const shared = {
    kind,
    job: request.job,
    rule_hash: request.ruleHash,
    say: request.say,
    data: describeData(known, market),
    assume: {
      delay_min: assume.delayMin,
      spread_factor: assume.spreadFactor,
      fee_usd: assume.feeUsd,
    },
    holdout: describeStretch(market, plan.holdout),
    lineage: {
      ...lineage,
      trials: lineage.trials + further,
      family_trials: lineage.family_trials + further,
    },
    sensitivity: computeSensitivity(spec, each),
    ...(variants
      ? {
          optimize: compareVariants({
            variants,
            seed,
            sessions: design.sessions.length,
            rows: sortRows([...rows, ...rowsAt(left, variants, each)]),
            trials: lineage.family_trials + further,
            hasHoldout: plan.holdout !== null,
          }),
        }
      : {}),
    words: STATISTICAL_WORDS.map(one => ({ ...one })),
    says: [],
  }
  const isShown = ({ session }: { readonly session: number }) =>
    !plan.sealed || session < plan.sealed.from || session >= plan.sealed.to
  const shown = {
    trades: ledger.trades.filter(isShown),
    missed: ledger.missed.filter(isShown),
  }
  const whole = { ...shared, legs: legs.map(leg => leg.whole), sealed: null }
  const sealed = {
    ...shared,
    legs: legs.map(leg => leg.sealed),
    sealed: describeStretch(market, plan.sealed),
  }
  return {
    result: { ...whole, says: sayRun({ result: whole, plan, ledger, spec }) },
    sealed: { ...sealed, says: sayRun({ result: sealed, plan, ledger: shown, spec }) },
    ledger,
  }
}

/** Computes the share `part` of `of` of a quant's variants: see variantRows. */
export function rowsWith(
  work: RunWork,
  share: { readonly part: number; readonly of: number },
): VariantRow[] {
  const { market, request } = work
  const variants = buildVariants(request.spec)
  const variantIndexes = listMissingVariants(variants, []).filter(
    variantIndex => variantIndex % share.of === share.part,
  )
  const onDone = createCounter(variantIndexes.length, work.onProgress)
  return rowsAt(variantIndexes, variants, {
    ...work,
    onDone,
    design: cutToDesign(market, buildPlan(market, request)),
  })
}

type Each = RunWork & { readonly design: LabMarket; readonly onDone: () => void }

/** Excludes decisions in the last sessions, whose trades would end after the market. */
function replayed(
  replay: ReplayRule,
  market: LabMarket,
  spec: RuleSpec,
  options: { readonly assume: Assumptions; readonly designCount: number },
): TradeLedger {
  const to = Math.max(0, market.sessions.length - findFurthestDte(spec))
  return replay(market, spec, { ...options, sessions: { from: 0, to } })
}

/** Restricts the market to the sessions before the holdout. */
const cutToDesign = (market: LabMarket, { designCount }: RunPlan): LabMarket => ({
  ...market,
  sessions: market.sessions.slice(0, designCount),
})

function rowsAt(
  variantIndexes: readonly number[],
  { variants }: Variants,
  each: Each,
): VariantRow[] {
  const { design, request, replay, onDone } = each
  const designCount = design.sessions.length
  return variantIndexes.map(variantIndex => {
    const { spec } = variants[variantIndex]!
    const ledger = replayed(replay, design, spec, { assume: request.assume, designCount })
    onDone()
    return buildVariantRow(ledger, variantIndex, designCount)
  })
}

function listMissingVariants({ variants }: Variants, rows: readonly VariantRow[]): number[] {
  const done = new Set(rows.map(({ variantIndex }) => variantIndex))
  return [...variants.keys()].filter(variantIndex => !done.has(variantIndex))
}

const sortRows = (rows: readonly VariantRow[]) =>
  [...rows].sort((a, b) => a.variantIndex - b.variantIndex)

function computeSensitivity(spec: RuleSpec, { design, request, replay, onDone }: Each) {
  return CHANGED.flatMap(({ changed, ...change }) => {
    const assume = { ...request.assume, ...change }
    const options = { assume, designCount: design.sessions.length }
    const { trades } = replayed(replay, design, spec, options)
    onDone()
    return listLegs(spec).map((_, leg) => {
      const rule = trades.filter(({ ruleLeg, isInRule }) => ruleLeg === leg && isInRule)
      const { n, mean, t } = summarizeTrades(rule.filter(isResolved))
      return { changed, leg, n, mean, t }
    })
  })
}

function describeData(known: LabMarket, market: LabMarket): LabResult['data'] {
  const { sessions } = known
  const to = sessions.at(-1)!.date
  const isCut = sessions.length < market.sessions.length
  return {
    kind: market.kind,
    from: sessions[0]!.date,
    to,
    used: sessions.length,
    hash: market.hash,
    left_out: market.leftOut.filter(({ day }) => !isCut || day <= to).map(one => ({ ...one })),
    ...(market.passedOver ? { passed_over: market.passedOver.map(one => ({ ...one })) } : {}),
    ...countMinutes(sessions, 'unknown_positions', 'unknownCount'),
    ...countMinutes(sessions, 'index_by_parity', 'parityCount'),
  }
}

/** Minutes of a kind over all sessions, and the sessions that have any; nothing without one. */
function countMinutes(
  sessions: LabMarket['sessions'],
  name: 'unknown_positions' | 'index_by_parity',
  column: 'unknownCount' | 'parityCount',
): Pick<LabResult['data'], 'unknown_positions' | 'index_by_parity'> {
  const counts = sessions.flatMap(session => session[column] ?? [])
  if (counts.length === 0) return {}
  const minutes = counts.reduce((sum, one) => sum + one, 0)
  return { [name]: { minutes, sessions: counts.length } }
}

function describeStretch(
  { sessions }: LabMarket,
  stretch: RunPlan['holdout'],
): LabResult['holdout'] {
  if (!stretch) return null
  const { from, to } = stretch
  return { from: sessions[from]!.date, to: sessions[to - 1]!.date, sessions: to - from }
}

function createCounter(total: number, onProgress: OnProgress = () => {}): () => void {
  let done = 0
  return () => {
    done += 1
    onProgress(done, total)
  }
}
