import { ASSUMED } from '../../../src/lab/engine/trade.ts'
import { sayRule } from '../../../src/lab/language/say.ts'
import { type RuleSpec, ruleHash } from '../../../src/lab/language/spec.ts'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { computeRun, variantRows } from '../../../src/lab/verdict/computeRun.ts'
import type { RunRequest } from '../../../src/lab/verdict/request.ts'
import { simulateLab } from '../../simulate/labMarket.ts'
import { median } from './stats.ts'

const UNTIL = '2026-10-15'
const ROUNDS = 5
/** Processes that share the variants of a rule. */
const SHARES = 2

/** Four legs, which are priced at each minute until one of its exits is reached. */
const RULE: RuleSpec = {
  v: 1,
  core: {
    action: 'sell',
    structure: 'iron_condor',
    width: 20,
    dte: 0,
    qty: 1,
    strike: { ref: 'delta', value: 0.16 },
    entry: { at: '10:00' },
    exit: [{ at: '15:45' }, { profit_pct: 50 }, { stop_x_credit: 2 }],
  },
  when: [{ f: 'net_gamma', op: '>', v: 100, u: 'musd_pt' }],
}

/** Cost of tests of an idea. Seconds, medians. */
export type LabSpeed = {
  readonly sessions: number
  readonly trades: number
  readonly variants: number
  readonly backtest_seconds: number
  /** Cost of one of two processes for its half of the variants. */
  readonly share_seconds: number
  /** Every quote of those sessions, read once. */
  readonly quotes_seconds: number
}

/** Measures tests of an idea on a market in memory, compared with one read of its quotes. */
export function measureLab(sessionCount: number): LabSpeed {
  const market = simulateLab({
    seed: 1,
    sessionCount,
    until: UNTIL,
    plantedSd: 0,
    furthestDte: 0,
  })
  const request = (kind: RunRequest['kind']): RunRequest => ({
    kind,
    job: 'j_bench',
    seedId: 'i_bench',
    spec: RULE,
    say: sayRule(RULE),
    ruleHash: ruleHash(RULE),
    assume: ASSUMED,
    holdoutFrom: null,
    firstTestedTo: null,
    lineage: { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: 1 },
  })
  const run = () => computeRun(market, request('backtest'))
  const { ledger } = run()
  const backtest = median(Array.from({ length: ROUNDS }, () => measureSeconds(run)))
  const quotes = median(
    Array.from({ length: ROUNDS }, () => measureSeconds(() => sumQuotes(market))),
  )
  let rows = 0
  const share = measureSeconds(() => {
    rows = variantRows(market, request('quant'), { part: 0, of: SHARES }).length
  })
  return {
    sessions: sessionCount,
    trades: ledger.trades.length,
    variants: rows * SHARES,
    backtest_seconds: backtest,
    share_seconds: share,
    quotes_seconds: quotes,
  }
}

function measureSeconds(work: () => unknown): number {
  const from = performance.now()
  work()
  return (performance.now() - from) / 1000
}

function sumQuotes({ sessions }: LabMarket): number {
  let sum = 0
  for (const { expiries } of sessions) {
    const expiry = expiries[0]
    if (!expiry) continue
    for (const plane of [expiry.callBid, expiry.callAsk, expiry.putBid, expiry.putAsk]) {
      for (const steps of plane) sum += steps
    }
  }
  return sum
}
