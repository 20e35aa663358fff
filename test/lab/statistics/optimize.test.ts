// Compares the figures of a list of variants with a second form, on random trades.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Trade } from '../../../src/lab/engine/trade.ts'
import type { RuleSpec } from '../../../src/lab/language/spec.ts'
import { buildVariants } from '../../../src/lab/optimize/variants.ts'
import type { ReplayRule } from '../../../src/lab/verdict/run.ts'
import { runWith } from '../../../src/lab/verdict/run.ts'
import { ledgerTrade, madeMarket, madeRequest } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'
import { runs } from '../../support/runs.ts'
import { expectAlike } from './alike.ts'
import { otherDeflated, otherOverfit, otherReality, otherRow } from './otherOptimize.ts'
import { Splitmix, seedOfId } from './splitmix.ts'

/** Six variants: a condition at five values and without. */
const ONE: RuleSpec = {
  v: 1,
  core: {
    action: 'sell',
    structure: 'straddle',
    strike: { ref: 'spot', offset: 0 },
    dte: 0,
    qty: 1,
    entry: { window: ['09:31', '15:59'], on: 'cross' },
    exit: [{ at: 'expiry' }],
  },
  when: [{ f: 'cross_flip', dir: 'above', nth: 4 }],
} as RuleSpec

type Made = {
  readonly seed: number
  readonly sessions: number
  readonly legs: 1 | 2
  /** Results are whole tenths, of which many are the same. */
  readonly hasTies: boolean
  /** Share of the core's trades that a variant takes: near 0 there are some without a trade. */
  readonly taken: number
}

/** Trades of a rule at random, the same ones for the same rule. */
const findReplay = ({ seed, legs, hasTies, taken }: Made): ReplayRule => {
  return (market, spec, { sessions }) => {
    const random = randomNumbers(seed + Number(seedOfId(JSON.stringify(spec)) % 1_000_003n))
    const share = taken * (0.4 + 0.6 * random())
    const trades: Trade[] = []
    for (let ruleLeg = 0; ruleLeg < legs; ruleLeg++) {
      for (let session = sessions.from; session < sessions.to; session++) {
        const count = Math.floor(3 * random())
        for (let at = 0; at < count; at++) {
          const drawn = random() - 0.5 - ruleLeg / 5
          const r = random() < 0.03 ? null : hasTies ? Math.round(10 * drawn) / 10 : drawn
          const isInRule = random() < share
          trades.push(ledgerTrade({ ruleLeg, session, decidedAt: 600 + at, r, isInRule }))
        }
      }
    }
    expect(market.sessions.length).toBeGreaterThanOrEqual(sessions.to)
    return { trades, missed: [] }
  }
}

/** The list of a quant by the product, and by its second form. */
function findBoth(made: Made) {
  const market = madeMarket(
    Array.from({ length: made.sessions }, () => ({ r: [], value: [] })),
    '2020-01-02',
  )
  const replay = findReplay(made)
  const lineage = { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: 1 }
  const extra = made.seed % 50
  const request = madeRequest({
    kind: 'quant',
    spec: ONE,
    seedId: `i_${made.seed}`,
    lineage: { ...lineage, family_trials: 1 + extra },
  })
  const found = runWith({ market, request, replay }).result.optimize!
  const { variants } = buildVariants(ONE)
  // under 120 sessions there is no holdout; else the newest fifth, at least 60
  const count = made.sessions
  const design = count < 120 ? count : count - Math.max(60, Math.ceil(count / 5))
  const options = { assume: request.assume, designCount: design }
  const rows = variants.map(({ spec }) =>
    otherRow(
      replay(market, spec, { ...options, sessions: { from: 0, to: design } }).trades,
      design,
    ),
  )
  const own = rows[found.variants.findIndex(row => row.is_own)]!
  const chance = new Splitmix(seedOfId(`i_${made.seed}`))
  const due = {
    deflated_sharpe: otherDeflated(rows, own, extra + variants.length),
    pbo: otherOverfit(rows, design),
    reality_check_p: otherReality(rows, design, chance),
    luck_t: Math.sqrt(2 * Math.log(variants.length)),
    variants: rows.map(({ n, mean, net_rr }) => ({ n, mean, net_rr })),
  }
  return { found, due, design, trials: extra + variants.length }
}

/** Report of the list: each number, rounded as it is, or why there is none. */
function expectStated({ found, due, trials }: ReturnType<typeof findBoth>): void {
  const { says, reasons } = found
  const numbers = (pattern: RegExp) => {
    const words = says.map(text => pattern.exec(text)).find(one => one !== null)
    expect([pattern.source, words !== undefined]).toEqual([pattern.source, true])
    return words!.slice(1).map(text => Number(text.replaceAll(',', '')))
  }
  const near = (percent: number, share: number) =>
    expect(Math.abs(percent / 100 - share)).toBeLessThanOrEqual(0.000_51)
  expect(numbers(/^With ([\d,]+) variants? the best t .* is about ([\d.]+)\.$/)).toEqual([
    found.variants.length,
    Number(due.luck_t.toFixed(2)),
  ])
  if (due.deflated_sharpe === null) {
    expect(says).toContain(`The deflated Sharpe ratio is not told: ${reasons.deflated_sharpe}.`)
  } else {
    const [attempted, chance] = numbers(
      /^Counting ([\d,]+) trials .* is (?:over |under )?([\d.]+)%\.$/,
    )
    expect(attempted).toBe(trials)
    near(chance!, due.deflated_sharpe)
  }
  if (due.pbo === null) {
    expect(says).toContain(`The chance of overfitting is not told: ${reasons.pbo}.`)
  } else near(numbers(/in (?:over )?([\d.]+)% of the splits\.$/)[0]!, due.pbo)
  if (due.reality_check_p === null) {
    expect(says).toContain(`The reality check is not told: ${reasons.reality_check_p}.`)
  } else near(numbers(/ in (?:over |under )?([\d.]+)% of the cases\.$/)[0]!, due.reality_check_p)
}

/** Around each number of sessions from which on a figure is reported. */
const SESSIONS = [40, 59, 60, 63, 64, 119, 120, 123, 124, 140, 150]
const listCases = (seed: number): Made[] =>
  SESSIONS.map((sessions, at) => ({
    seed: seed + at,
    sessions,
    legs: (seed + at) % 2 === 0 ? 1 : 2,
    hasTies: (seed + at) % 3 === 0,
    taken: [1, 0.6, 0.03][(seed + 3 * at) % 5 === 0 ? 2 : at % 2]!,
  }))

test('every figure of a list is that of a second form, null in the same cases', () => {
  const reported = { deflated_sharpe: 0, pbo: 0, reality_check_p: 0 }
  const names = ['deflated_sharpe', 'pbo', 'reality_check_p'] as const
  let cases = 0
  const property = fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
    for (const one of listCases(seed)) {
      const both = findBoth(one)
      const { found } = both
      cases += 1
      expectAlike(found, both.due)
      expectStated(both)
      for (const name of names) {
        expect([name, name in found.reasons]).toEqual([name, found[name] === null])
        reported[name] += Number(found[name] !== null)
      }
    }
  })
  fc.assert(property, { numRuns: runs(2, 1) })
  for (const name of names) {
    expect(reported[name]).toBeGreaterThan(runs(2, 1))
    expect(reported[name]).toBeLessThan(cases)
  }
})

test('of 159 sessions there are 8 blocks', () => {
  const { found, due, design } = findBoth({
    seed: 5,
    sessions: 219,
    legs: 1,
    hasTies: false,
    taken: 1,
  })
  expect(design).toBe(159)
  expectAlike(found.pbo, due.pbo)
})

test('29 trades that count are too few for a deflated Sharpe ratio, 30 are not', () => {
  const of = (count: number) => {
    const market = madeMarket(Array.from({ length: 110 }, () => ({ r: [], value: [] })))
    const replay: ReplayRule = (_, { when }) => {
      // without its condition the rule trades on all days
      const last = when.length === 0 ? 110 : count
      const all = Array.from({ length: 110 }, (_unused, session) =>
        ledgerTrade({ session, r: ((session * 7) % 11) / 10 - 0.4, isInRule: session < last }),
      )
      return { trades: all, missed: [] }
    }
    return runWith({ market, request: madeRequest({ kind: 'quant', spec: ONE }), replay }).result
  }
  const [few, enough] = [of(29).optimize!, of(30).optimize!]
  expect(few.deflated_sharpe).toBeNull()
  expect(few.reasons.deflated_sharpe).toBe('29 effective trades; 30 are needed')
  expect(enough.deflated_sharpe).toBeGreaterThan(0)
})
