// Response of a run: a schema that takes what the design shows, and nothing else.

import { expect, test } from 'vitest'
import {
  ASSUMED,
  EXIT_REASONS,
  MISSED_REASONS,
  type TradeLedger,
} from '../../src/lab/engine/trade.ts'
import {
  DTE_MAX,
  type LabMarket,
  LEFT_OUT_REASONS,
  NO_AGE,
  NO_QUOTE,
} from '../../src/lab/market/session.ts'
import { type LabEra, type LabLeg, LabResult } from '../../src/lab/result.ts'

const sample = { n: 1, mean: 0.1, median: 0.1, win: 1, sum_usd: 12, drawdown_usd: 0, t: null }
const era: LabEra = {
  from: '2026-10-14',
  to: '2026-10-15',
  sessions: 2,
  days: 1,
  n: 1,
  n_eff: null,
  runs_z: null,
  prob_loss_20: null,
  rule: sample,
  core: { ...sample, n: 2 },
  net_rr: 0.1,
  net_rr_t: null,
  dof: null,
  p: null,
  unresolved: 0,
  missed: { no_price: 1 },
  reasons: { net_rr_t: '1 day with a trade; 2 are needed' },
}
const leg: LabLeg = {
  title: 'Sell the straddle',
  eras: { all: era, this_year: era, holdout: null },
  verdict: null,
  placebo: null,
  histogram: { edges: [0, 1], rule: [1], core: [2] },
  series: {
    day: ['2026-10-15'],
    n: [1],
    r: [0.1],
    usd: [12],
    total_usd: [12],
    drawdown_usd: [0],
    core_usd: [6],
  },
}
const market: Pick<LabMarket, 'kind' | 'leftOut'> = {
  kind: 'simulated',
  leftOut: [{ day: '2026-10-13', reason: 'bad_tape' }],
}
const result: LabResult = {
  kind: 'struct',
  job: 'j_4fQ8sK2mZx0T',
  rule_hash: 'ab',
  say: 'Sell.',
  legs: [leg],
  data: {
    kind: market.kind,
    from: '2026-10-14',
    to: '2026-10-15',
    used: 2,
    hash: 'cd',
    left_out: [...market.leftOut],
  },
  assume: { delay_min: ASSUMED.delayMin, spread_factor: ASSUMED.spreadFactor, fee_usd: 1.3 },
  holdout: null,
  sensitivity: [],
  says: ['One trade says nothing.'],
  lineage: { versions: 1, trials: 1, looks: 0, family_trials: 1, family_looks: 0 },
}

test('a result is taken as it is, and not with a field more', () => {
  expect(LabResult.parse(result)).toEqual(result)
  expect(LabResult.safeParse({ ...result, winner: 1 }).success).toBe(false)
})

test('a ledger without a trade says why there was none', () => {
  const missed: TradeLedger['missed'] = [
    { ruleLeg: 0, session: 0, decidedAt: 600, isInRule: true, reason: 'no_price' },
  ]
  expect(missed.map(({ reason }) => MISSED_REASONS.indexOf(reason))).toEqual([0])
})

test('reasons and bounds are those of the design', () => {
  expect(LEFT_OUT_REASONS).toEqual(['not_published', 'damaged', 'bad_tape', 'no_minutes'])
  expect(EXIT_REASONS).toContain('unresolved')
  expect(MISSED_REASONS.slice(0, 4)).toEqual([
    'no_price',
    'wing_not_listed',
    'no_credit',
    'half_day',
  ])
  expect([DTE_MAX, NO_AGE, NO_QUOTE, ASSUMED.feeUsd]).toEqual([5, 255, 2 ** 32 - 1, 1.3])
})
