import type { Assumptions, TradeLedger } from '../engine/trade.ts'
import { canonicalSpec, type RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import { optimizeOf } from '../optimize/optimize.ts'
import { rowOf, type VariantRow } from '../optimize/rows.ts'
import { type Variants, variantsOf } from '../optimize/variants.ts'
import type { LabResult } from '../result.ts'
import { seedOf } from './draws.ts'
import { furthestOf, legOf, legsOf } from './leg.ts'
import { planOf, type RunPlan } from './plan.ts'
import type { RunRequest } from './request.ts'
import { isResolved, sampleOf } from './sample.ts'
import { sayRun } from './says.ts'
import { barOf } from './verdict.ts'

/** What replays a rule over a market: `backtest` of the engine. */
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

/** One run, and how it is done. */
export type RunWork = {
  readonly market: LabMarket
  readonly request: RunRequest
  readonly replay: ReplayRule
  readonly onProgress?: OnProgress | undefined
  /** Variants of a quant that are run already, in any order. */
  readonly rows?: readonly VariantRow[] | undefined
}

/** What is taken for granted differently, one thing at a time. */
const CHANGED: readonly ({ readonly changed: string } & Partial<Assumptions>)[] = [
  { changed: 'nothing' },
  { changed: 'spread_factor 0', spreadFactor: 0 },
  { changed: 'spread_factor 0.5', spreadFactor: 0.5 },
  { changed: 'spread_factor 2', spreadFactor: 2 },
  { changed: 'delay_min 1', delayMin: 1 },
]

/** A run over any engine: see computeRun. */
export function runWith(work: RunWork): { result: LabResult; ledger: TradeLedger } {
  const { market, request, rows = [] } = work
  const { assume, kind, lineage } = request
  const spec = canonicalSpec(request.spec)
  const plan = planOf(market, request)
  const design = designOf(market, plan)
  const known = kind === 'struct' ? design : market
  const variants = kind === 'quant' ? variantsOf(spec) : null
  const left = variants ? placesLeft(variants, rows) : []
  const further = variants ? variants.variants.length - 1 : 0
  const onDone = counterOf(1 + CHANGED.length + left.length, work.onProgress)

  const ledger = replayed(work.replay, known, spec, { assume, designCount: plan.designCount })
  onDone()
  const seed = seedOf(request.seedId)
  const bar = barOf(lineage.family_looks, legsOf(spec).length)
  const hasVerdict = kind !== 'struct'
  const context = { market: known, spec, ledger, plan, bar, seed, hasVerdict }
  const each = { ...work, design, onDone }
  const result: LabResult = {
    ...{ kind, job: request.job, rule_hash: request.ruleHash, say: request.say },
    data: dataOf(known, market),
    assume: {
      ...{ delay_min: assume.delayMin, spread_factor: assume.spreadFactor },
      fee_usd: assume.feeUsd,
    },
    legs: legsOf(spec).map((_, leg) => legOf(context, leg)),
    holdout: holdoutOf(market, plan),
    lineage: {
      ...lineage,
      trials: lineage.trials + further,
      family_trials: lineage.family_trials + further,
    },
    sensitivity: sensitivityOf(spec, each),
    ...(variants
      ? {
          optimize: optimizeOf({
            ...{ variants, seed, sessions: design.sessions.length },
            rows: inPlaceOrder([...rows, ...rowsAt(left, variants, each)]),
            trials: lineage.family_trials + further,
            hasHoldout: plan.holdout !== null,
          }),
        }
      : {}),
    says: [],
  }
  return { result: { ...result, says: sayRun({ result, plan, ledger, spec }) }, ledger }
}

/** The share `part` of `of` of a quant's variants: see variantRows. */
export function rowsWith(
  work: RunWork,
  share: { readonly part: number; readonly of: number },
): VariantRow[] {
  const { market, request } = work
  const variants = variantsOf(request.spec)
  const places = placesLeft(variants, []).filter(place => place % share.of === share.part)
  const onDone = counterOf(places.length, work.onProgress)
  return rowsAt(places, variants, {
    ...work,
    onDone,
    design: designOf(market, planOf(market, request)),
  })
}

type Each = RunWork & { readonly design: LabMarket; readonly onDone: () => void }

/** Only what ends within the market is decided: its last sessions have no known end. */
function replayed(
  replay: ReplayRule,
  market: LabMarket,
  spec: RuleSpec,
  options: { readonly assume: Assumptions; readonly designCount: number },
): TradeLedger {
  const to = Math.max(0, market.sessions.length - furthestOf(spec))
  return replay(market, spec, { ...options, sessions: { from: 0, to } })
}

/** The market without the holdout and what came after it. */
const designOf = (market: LabMarket, { designCount }: RunPlan): LabMarket => ({
  ...{ ...market, sessions: market.sessions.slice(0, designCount) },
})

function rowsAt(places: readonly number[], { variants }: Variants, each: Each): VariantRow[] {
  const { design, request, replay, onDone } = each
  const designCount = design.sessions.length
  return places.map(place => {
    const { spec } = variants[place]!
    const ledger = replayed(replay, design, spec, { assume: request.assume, designCount })
    onDone()
    return rowOf(ledger, place, designCount)
  })
}

function placesLeft({ variants }: Variants, rows: readonly VariantRow[]): number[] {
  const done = new Set(rows.map(({ place }) => place))
  return [...variants.keys()].filter(place => !done.has(place))
}

const inPlaceOrder = (rows: readonly VariantRow[]) => [...rows].sort((a, b) => a.place - b.place)

function sensitivityOf(spec: RuleSpec, { design, request, replay, onDone }: Each) {
  return CHANGED.flatMap(({ changed, ...change }) => {
    const assume = { ...request.assume, ...change }
    const options = { assume, designCount: design.sessions.length }
    const { trades } = replayed(replay, design, spec, options)
    onDone()
    return legsOf(spec).map((_, leg) => {
      const rule = trades.filter(({ ruleLeg, isInRule }) => ruleLeg === leg && isInRule)
      const { n, mean, t } = sampleOf(rule.filter(isResolved))
      return { changed, leg, n, mean, t }
    })
  })
}

function dataOf(known: LabMarket, market: LabMarket): LabResult['data'] {
  const { sessions } = known
  const to = sessions.at(-1)!.date
  const isCut = sessions.length < market.sessions.length
  return {
    ...{ kind: market.kind, from: sessions[0]!.date, to, used: sessions.length },
    hash: market.hash,
    left_out: market.leftOut.filter(({ day }) => !isCut || day <= to).map(one => ({ ...one })),
    ...(market.passedOver ? { passed_over: market.passedOver.map(one => ({ ...one })) } : {}),
  }
}

function holdoutOf({ sessions }: LabMarket, { holdout }: RunPlan): LabResult['holdout'] {
  if (!holdout) return null
  const { from, to } = holdout
  return { from: sessions[from]!.date, to: sessions[to - 1]!.date, sessions: to - from }
}

function counterOf(total: number, onProgress: OnProgress = () => {}): () => void {
  let done = 0
  return () => {
    done += 1
    onProgress(done, total)
  }
}
