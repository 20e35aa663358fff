// An era: its figures from the ledger's rows, and a reason for each that is missing.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Missed, Trade } from '../../../src/lab/engine/trade.ts'
import type { LabEra } from '../../../src/lab/result.ts'
import { computeEra } from '../../../src/lab/verdict/era.ts'
import { buildSeries } from '../../../src/lab/verdict/leg.ts'
import { isResolved } from '../../../src/lab/verdict/sample.ts'
import { ledgerTrade, madeMarket } from '../../support/labLedger.ts'
import { clusteredT } from '../statistics/clusteredT.ts'
import { differenceT } from '../statistics/differenceT.ts'

const SESSIONS = 40
const dates = madeMarket(Array.from({ length: SESSIONS }, () => ({ r: [], value: [] }))).sessions
const ALL = { from: 0, to: SESSIONS }

const era = (
  trades: readonly Trade[],
  { hasConditions = true, stretch = ALL, missed = [] as readonly Missed[] } = {},
): LabEra => computeEra({ record: { trades, missed, hasConditions }, stretch, dates, seed: 7n })

test('the figures of an era are those of its rows', () => {
  const found = era(
    [
      ledgerTrade({ session: 0, r: 9 }),
      ledgerTrade({ session: 2, r: 0.4 }),
      ledgerTrade({ session: 2, r: -0.1, decidedAt: 660 }),
      ledgerTrade({ session: 3, r: -0.5, isInRule: false }),
      ledgerTrade({ session: 5, r: -0.6 }),
      ledgerTrade({ session: 6, r: 0.2 }),
      ledgerTrade({ session: 7, r: null }),
      ledgerTrade({ session: 8, r: null, isInRule: false }),
    ],
    { stretch: { from: 1, to: 30 } },
  )
  expect(found).toMatchObject({
    from: dates[1]!.date,
    to: dates[29]!.date,
    sessions: 29,
    days: 3,
    n: 4,
    unresolved: 1,
    rule: { n: 4, win: 0.5, drawdown_usd: 600 },
    core: { n: 5, median: -0.1, drawdown_usd: 1100 },
    dof: 3,
    runs_z: null,
    prob_loss_20: null,
  })
  expect(found.rule.mean).toBeCloseTo(-0.025, 12)
  expect(found.rule.median).toBeCloseTo(0.05, 12)
  expect(found.rule.sum_usd).toBeCloseTo(-100, 9)
  expect(found.reasons).toEqual({
    runs_z: '4 trades; 20 are needed',
    prob_loss_20: '4 trades; 20 are needed',
  })
})

test('chances of the rule without a trade are counted by reason, those of the core are not', () => {
  const chance = { ruleLeg: 0, decidedAt: 600, isInRule: true }
  const missed: Missed[] = [
    { ...chance, session: 1, reason: 'no_price' },
    { ...chance, session: 2, reason: 'half_day' },
    { ...chance, session: 3, reason: 'no_price' },
    { ...chance, session: 4, reason: 'no_price', isInRule: false },
    { ...chance, session: 30, reason: 'no_price' },
  ]
  expect(era([], { missed, stretch: { from: 0, to: 20 } }).missed).toEqual({
    no_price: 2,
    half_day: 1,
  })
})

/** `n` trades on `days` days, of which `wins` win. */
const some = (n: number, days: number, wins: number) =>
  Array.from({ length: n }, (_, index) =>
    ledgerTrade({ session: index % days, r: (index < wins ? 0.3 : -0.3) + index / 1000 }),
  ).sort((a, b) => a.session - b.session)

test.each([
  // trades, days, wins: why there are no runs, and no chance of a loss
  [19, 19, 9, '19 trades; 20 are needed', '19 trades; 20 are needed'],
  [20, 20, 10, undefined, undefined],
  [20, 20, 4, '4 winning trades; 5 are needed', undefined],
  [20, 20, 5, undefined, undefined],
  [20, 20, 16, '4 losing trades; 5 are needed', undefined],
  [20, 20, 15, undefined, undefined],
  [20, 9, 10, undefined, '9 days; 10 are needed'],
  [20, 10, 10, undefined, undefined],
])('%i trades on %i days with %i wins: %s, %s', (n, days, wins, runs, loss) => {
  const found = era(some(n, days, wins))
  expect([found.reasons.runs_z, found.reasons.prob_loss_20]).toEqual([runs, loss])
  expect([found.runs_z === null, found.prob_loss_20 === null]).toEqual([
    runs !== undefined,
    loss !== undefined,
  ])
})

test('a t needs two days with a trade of the rule', () => {
  const other = [0.2, -0.3, 0.4].map((r, index) =>
    ledgerTrade({ session: 30 + index, r, isInRule: false }),
  )
  const one = era([
    ledgerTrade({ session: 0, r: 0.1 }),
    ledgerTrade({ session: 0, r: 0.3 }),
    ...other,
  ])
  expect(one).toMatchObject({ net_rr_t: null, p: null, n_eff: null, rule: { t: null } })
  expect(one.reasons).toMatchObject({
    net_rr_t: '1 day; 2 are needed',
    'rule.t': '1 day; 2 are needed',
  })
  const two = era([
    ledgerTrade({ session: 0, r: 0.1 }),
    ledgerTrade({ session: 1, r: 0.3 }),
    ...other,
  ])
  expect([two.net_rr_t !== null, two.reasons.net_rr_t]).toEqual([true, undefined])
})

test('without conditions, or with some that always hold, there is nothing to beat', () => {
  const trades = some(20, 20, 10)
  expect(era(trades, { hasConditions: false })).toMatchObject({
    net_rr: 0,
    net_rr_t: null,
    p: null,
    reasons: { net_rr_t: 'the rule has no conditions: there is nothing to compare with' },
  })
  expect(era(trades)).toMatchObject({
    net_rr: 0,
    net_rr_t: null,
    reasons: { net_rr_t: 'the conditions always held: there is nothing to compare with' },
  })
  // the rule's own mean has its t all the same
  expect(era(trades, { hasConditions: false }).rule.t).not.toBeNull()
})

/** Every figure of an era that is null, by its name. */
function listNulls(found: LabEra): string[] {
  const of = (name: string, figures: object) =>
    Object.entries(figures).flatMap(([key, value]) => (value === null ? [`${name}${key}`] : []))
  const { rule, core, ...rest } = found
  return [...of('', rest), ...of('rule.', rule), ...of('core.', core)].sort()
}

test('what is null has a reason, what has a reason is null, and the rest are the formulas', () => {
  const row = fc.record({
    session: fc.integer({ min: 0, max: SESSIONS - 1 }),
    isInRule: fc.boolean(),
    r: fc.option(
      fc.integer({ min: -20, max: 20 }).map(value => value / 20),
      { freq: 12 },
    ),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 70 }), fc.boolean(), (rows, isAll) => {
      const trades = rows
        .map(one => ledgerTrade(isAll ? { ...one, isInRule: true } : one))
        .sort((a, b) => a.session - b.session)
      const found = era(trades, { hasConditions: !isAll })
      expect(Object.keys(found.reasons).sort()).toEqual(listNulls(found))
      expect(Object.values(found.reasons).every(why => why.length > 8)).toBe(true)
      const core = trades.filter(isResolved)
      const rule = core.filter(one => one.isInRule)
      if (found.rule.t !== null) expect(found.rule.t).toBeCloseTo(clusteredT(rule)!.t, 8)
      if (found.net_rr_t !== null) {
        expect(found.net_rr_t).toBeCloseTo(differenceT(core)!.t, 8)
      }
      const series = buildSeries(core, [...dates.keys()], dates)
      expect(series.total_usd.at(-1)).toBeCloseTo(found.rule.sum_usd!, 6)
      expect(Math.max(...series.drawdown_usd)).toBeCloseTo(found.rule.drawdown_usd!, 6)
      expect(series.n.filter(count => count > 0).length).toBe(found.days)
    }),
  )
})
