import { ASSUMED } from '../../../src/lab/engine/trade.ts'
import { sayRule } from '../../../src/lab/language/say.ts'
import { type RuleSpec, ruleHash } from '../../../src/lab/language/spec.ts'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { computeRun, variantRows } from '../../../src/lab/verdict/computeRun.ts'
import type { RunRequest } from '../../../src/lab/verdict/request.ts'
import { simulateLab } from '../../simulate/labMarket.ts'
import { measure } from './meter.ts'
import type { Bench, Rows } from './section.ts'
import { timeRuns } from './timeRuns.ts'

const UNTIL = '2026-10-15'
const RUNS = 5
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

/** Tests of an idea on a market in memory, compared with one read of its quotes; medians. */
export async function measureLab({ labSessions, say }: Pick<Bench, 'labSessions' | 'say'>) {
  say(`testing an idea on ${labSessions} sessions`)
  const size = { seed: 1, sessionCount: labSessions, until: UNTIL }
  const market = simulateLab({ ...size, plantedSd: 0, furthestDte: 0 })
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
  const share = await measure(async () =>
    variantRows(market, request('quant'), { part: 0, of: SHARES }),
  )
  return {
    'a test, with all its figures': {
      sessions: labSessions,
      trades: run().ledger.trades.length,
      seconds: await timeRuns(RUNS, run),
    },
    'half of the variants, by one of two processes': {
      variants: SHARES * share.result.length,
      seconds: share.cost.seconds,
    },
    'yardstick: each quote read once': { seconds: await timeRuns(RUNS, () => sumQuotes(market)) },
  } satisfies Rows
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
