// Conditions of an interesting rule: each gate just below, at and above its limit.

import { expect, test } from 'vitest'
import type { Trade } from '../../../src/lab/engine/trade.ts'
import type { LabEra } from '../../../src/lab/result.ts'
import { computeEra } from '../../../src/lab/verdict/era.ts'
import { GATES, type JudgedLeg, listGates } from '../../../src/lab/verdict/gates.ts'
import { HOLDOUT } from '../../../src/lab/verdict/plan.ts'
import {
  computeThreshold,
  judge,
  judgeCore,
  judgeNothing,
} from '../../../src/lab/verdict/verdict.ts'
import { ledgerTrade, madeMarket } from '../../support/labLedger.ts'
import { tableUnder } from '../../support/pages.ts'

const SESSIONS = 100
const dates = madeMarket(Array.from({ length: SESSIONS }, () => ({ r: [], value: [] }))).sessions

const PLACEBO = {
  arrangements: 200,
  shuffles: 0,
  p: 0.005,
  t: 5,
  quantiles: [],
  histogram: { edges: [], counts: [] },
}

/** One trade a session: the first `on` are in the rule and win, the others lose. */
const listTrades = (on: number, off = 30): Trade[] =>
  Array.from({ length: on + off }, (_, session) =>
    ledgerTrade({
      session,
      isInRule: session < on,
      r: (session < on ? 0.3 : -0.3) + (session % 7) / 50,
    }),
  )

function judged(trades: readonly Trade[], change: Partial<JudgedLeg> = {}, era?: Partial<LabEra>) {
  const record = { trades, missed: [], hasConditions: true }
  const found = computeEra({ record, stretch: { from: 0, to: SESSIONS }, dates, seed: 1n })
  const judgedHere = { trades, placebo: PLACEBO, threshold: 0.025, isReal: true }
  return { era: { ...found, ...era }, ...judgedHere, ...change }
}

const gate = (name: string, of: JudgedLeg) => listGates(of).find(one => one.gate === name)!
const isOk = (name: string, of: JudgedLeg) => gate(name, of).ok

test('when every gate is open a rule is interesting, and says so in numbers', () => {
  const verdict = judge(judged(listTrades(30)))
  expect(verdict.gates.map(({ gate: name, ok }) => [name, ok])).toEqual([
    ['holdout', true] as const,
    ['days_on', true] as const,
    ['days_off', true] as const,
    ['mean', true] as const,
    ['above_core', true] as const,
    ['net_rr_t', true] as const,
    ['placebo_p', true],
    ['quotes', true],
    ['unresolved', true],
  ])
  expect(verdict.interesting).toBe(true)
  expect(verdict.sentence).toBe(
    'Interesting. On 30 days of the holdout a trade made +35.7% of its risk after costs, against ' +
      '+5.8% without the conditions; that difference is 7.61 times its error. Put on other days, ' +
      'the same triggers did as well in 0.5% of the cases; at most 2.5% may.',
  )
})

test('one closed gate is enough, and is what the sentence names', () => {
  const verdict = judge(judged(listTrades(19)))
  expect(verdict.interesting).toBe(false)
  expect(verdict.sentence).toBe(
    'Not interesting. The rule traded on 19 days of the holdout; 20 are needed.',
  )
})

test('19 days with a trade are too few, 20 are not; and so for days without', () => {
  expect([19, 20, 21].map(days => isOk('days_on', judged(listTrades(days))))).toEqual([
    false,
    true,
    true,
  ])
  expect([19, 20, 21].map(days => isOk('days_off', judged(listTrades(30, days))))).toEqual([
    false,
    true,
    true,
  ])
  // two trades of one day are one day; an unresolved one is none
  const same = [...listTrades(19), ledgerTrade({ session: 0, r: 0.5 })]
  expect(gate('days_on', judged(same)).value).toBe(19)
  const open = [...listTrades(30, 19), ledgerTrade({ session: 60, r: null, isInRule: false })]
  expect(gate('days_off', judged(open)).value).toBe(19)
  // a day on which some trades were taken and some left out is one with each
  const both = [...listTrades(30, 19), ledgerTrade({ session: 0, r: 0.1, isInRule: false })]
  expect(gate('days_off', judged(both)).value).toBe(20)
  // of a window it is a day with a trade: its fixed trades are of other minutes
  expect(gate('days_off', judged(both, { hasTriggers: true })).value).toBe(19)
})

test('a mean of zero, and one no better than the core, are not above it', () => {
  const mean = (value: number | null) => {
    const { era } = judged(listTrades(30))
    return isOk('mean', judged(listTrades(30), {}, { rule: { ...era.rule, mean: value } }))
  }
  expect([-0.001, 0, 0.001, null].map(mean)).toEqual([false, false, true, false])
  const above = (value: number | null) =>
    isOk('above_core', judged(listTrades(30), {}, { net_rr: value }))
  expect([-0.001, 0, 0.001, null].map(above)).toEqual([false, false, true, false])
})

test('a t of 2 is enough, less is not, and none is none', () => {
  const t = (value: number | null) =>
    isOk('net_rr_t', judged(listTrades(30), {}, { net_rr_t: value }))
  expect([1.9999999, 2, 2.0000001, null].map(t)).toEqual([false, true, true, false])
})

test('the placebo may be at its bar, not above it, and each look and leg lowers the bar', () => {
  const p = (value: number | null, threshold: number) => {
    const one = judged(listTrades(30))
    return isOk('placebo_p', { ...one, threshold, placebo: { ...PLACEBO, p: value } })
  }
  expect([p(0.025, 0.025), p(0.0250001, 0.025), p(null, 0.025)]).toEqual([true, false, false])
  expect([
    computeThreshold(1, 1),
    computeThreshold(2, 1),
    computeThreshold(1, 2),
    computeThreshold(5, 2),
    computeThreshold(0, 1),
  ]).toEqual([0.025, 0.0125, 0.0125, 0.0025, 0.025])
  // one of 120 is at a bar of three looks, whatever the last bit of a division says
  expect([
    p(1 / 120, computeThreshold(3, 1)),
    p(1 / 40, computeThreshold(1, 1)),
    p(1 / 280, computeThreshold(7, 1)),
  ]).toEqual([true, true, true])
})

test('79% of prices from quotes are too few of real sessions, and not required of simulated', () => {
  const withSmiles = (count: number) =>
    judged(
      listTrades(100, 0).map((trade, index) => ({
        ...trade,
        legs: trade.legs.map(leg => ({
          ...leg,
          entry: { ...leg.entry, source: index < count ? 'smile' : 'quote' } as const,
        })),
      })),
    )
  expect([21, 20, 19].map(count => isOk('quotes', withSmiles(count)))).toEqual([false, true, true])
  expect(isOk('quotes', { ...withSmiles(90), isReal: false })).toBe(true)
  // a price of an exit is a price too
  const [first, ...rest] = withSmiles(20).trades
  const exited = { ...first!, legs: first!.legs.map(leg => ({ ...leg, exit: leg.entry })) }
  expect(gate('quotes', judged([exited, ...rest])).value).toBe(80 / 101)
})

test('two of a hundred trades may have no known end, three may not', () => {
  const open = (count: number) =>
    listTrades(50, 30).flatMap((trade, index) => [
      ...[trade, ledgerTrade({ session: index, r: index < count ? null : 0.2 })].slice(
        0,
        index < 50 ? 2 : 1,
      ),
    ])
  expect([1, 2, 3].map(count => gate('unresolved', judged(open(count))).value)).toEqual([
    0.01, 0.02, 0.03,
  ])
  expect([1, 2, 3].map(count => isOk('unresolved', judged(open(count))))).toEqual([
    true,
    true,
    false,
  ])
})

test('without a trade nothing is open but the holdout, and every number is null', () => {
  const gates = listGates(judged([], { placebo: null }))
  expect(gates.filter(({ ok }) => ok).map(({ gate: name }) => name)).toEqual(['holdout'])
  expect(gates.filter(({ value }) => value === null).length).toBe(6)
  expect(judge(judged([], { placebo: null })).interesting).toBe(false)
})

test('a rule without conditions is never interesting, and says whether it clears its costs', () => {
  const verdict = judgeCore(judged(listTrades(40, 0)))
  expect(verdict.interesting).toBe(false)
  expect(verdict.clears_cost!.mean).toBeCloseTo(0.3575, 10)
  expect(verdict.clears_cost!.t).toBeGreaterThan(2)
  expect(verdict.sentence).toMatch(
    /^Not interesting\. The rule has no conditions, so there is nothing to compare it with\. On /,
  )
  expect(judgeCore(judged([])).sentence).toContain('It made no trade on the holdout.')
})

test('without a holdout nothing is judged', () => {
  expect(judgeNothing(0.025, '96 sessions; a holdout needs 120.')).toMatchObject({
    interesting: false,
    placebo_p: null,
    gates: [{ gate: 'holdout', ok: false }],
    sentence: 'Not interesting. 96 sessions; a holdout needs 120.',
  })
})

test('the table of gates in the documentation has them all, with their numbers', () => {
  const text: Record<string, string> = {
    holdout: `${HOLDOUT.sessionsMin} sessions`,
    days_on: `${GATES.daysMin} days`,
    days_off: `${GATES.daysMin} days`,
    mean: 'above 0',
    above_core: 'above that',
    net_rr_t: `${GATES.tMin} times`,
    placebo_p: `${100 * GATES.luckMax}%`,
    quotes: `${100 * GATES.quotesMin}%`,
    unresolved: `${100 * GATES.unresolvedMax}%`,
  }
  const rows = tableUnder('docs/lab.md', '| gate | what is asked |')
  const names = listGates(judged(listTrades(30))).map(one => one.gate)
  expect(Object.keys(text)).toEqual(names)
  expect(rows.map(row => /^\| `(\w+)` \|/.exec(row)![1])).toEqual(names)
  expect(rows.filter((row, at) => !row.includes(text[names[at]!]!))).toEqual([])
})
