// The table of variants: all of them, none picked, and what of the whole list may be luck.

import { expect, test } from 'vitest'
import { type RuleSpec, ruleHash } from '../../../src/lab/language/spec.ts'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { listSplits } from '../../../src/lab/optimize/overfitting.ts'
import { buildVariants } from '../../../src/lab/optimize/variants.ts'
import { LabResult } from '../../../src/lab/result.ts'
import { rowsWith, runWith } from '../../../src/lab/verdict/run.ts'
import { MADE_RULE, madeMarket, madeReplay, madeRequest } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'

/** Random results and values, alike for all callers with the same number of days. */
function findMarket(count: number, edge = 0): LabMarket {
  const random = randomNumbers(11)
  return madeMarket(
    Array.from({ length: count }, () => {
      const value = 400 * random()
      return { r: [random() - 0.5 + (value > 200 ? edge : 0)], value: [value] }
    }),
  )
}

const quant = (market: LabMarket, spec: RuleSpec = MADE_RULE) => {
  const request = madeRequest({ kind: 'quant', spec })
  const { result } = runWith({ market, request, replay: madeReplay })
  expect(LabResult.parse(result)).toEqual(result)
  return { result, optimize: result.optimize! }
}

const { result, optimize } = quant(findMarket(300, 0.1))
const at = (...params: (number | string)[]) =>
  optimize.variants.find(one => one.params.join() === params.join())!

test('every variant is there once, in the order of its values, and the own one is marked', () => {
  const { variants } = buildVariants(MADE_RULE)
  expect(optimize.variants_tried).toBe(optimize.variants.length)
  expect(optimize.variants.length).toBe(variants.length)
  expect(optimize.variants.filter(one => one.is_own).map(one => one.params)).toEqual([
    [10, -30, '10:00', 200],
  ])
  const indexes = optimize.variants.map(({ params }) =>
    params.map((value, axis) => optimize.axes[axis]!.values.indexOf(value)),
  )
  const keys = indexes.map(one => one.join())
  expect(keys).toEqual([...new Set(keys)].sort())
})

test('a row is that rule, run on its own over the sessions before the holdout', () => {
  const design = { ...findMarket(300, 0.1), sessions: findMarket(300, 0.1).sessions.slice(0, 240) }
  for (const index of [0, 17, 100, 269]) {
    const { spec } = buildVariants(MADE_RULE).variants[index]!
    const request = madeRequest({ spec, ruleHash: ruleHash(spec) })
    const alone = runWith({ market: design, request, replay: madeReplay }).result.legs[0]!
    const { rule, net_rr: netRr, days } = alone.eras.all
    const { mean, median, win, n, t } = rule
    expect(optimize.variants[index]).toMatchObject({ n, days, win })
    const found = optimize.variants[index]!
    expect(found.mean).toBeCloseTo(mean!, 12)
    expect(found.median).toBeCloseTo(median!, 12)
    expect(found.net_rr).toBeCloseTo(netRr!, 12)
    expect(found.t).toBeCloseTo(t!, 9)
  }
})

test('neighbours are one step of one number away, and what is off has none there', () => {
  const own = at(10, -30, '10:00', 200)
  const others = [
    at(5, -30, '10:00', 200),
    at(15, -30, '10:00', 200),
    at(10, -40, '10:00', 200),
    at(10, -25, '10:00', 200),
    at(10, -30, '10:30', 200),
    at(10, -30, '10:00', 150),
    at(10, -30, '10:00', 250),
  ]
  expect(own.neighbours.n).toBe(others.length)
  const means = others.map(({ mean }) => mean!)
  expect(own.neighbours.mean).toBeCloseTo(means.reduce((a, b) => a + b) / 7, 12)
  expect(own.neighbours.share_above_0).toBe(means.filter(mean => mean > 0).length / 7)
  expect(at(5, -45, '10:00', 'off').neighbours.n).toBe(3)
  expect(at(5, -45, '10:00', 300).neighbours.n).toBe(4)
})

test('planes go through the rule itself, a row for each value of y', () => {
  expect(optimize.planes.map(({ x, y }) => [x, y])).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
    [2, 3],
  ])
  const plane = optimize.planes[2]!
  const [widths, values] = [optimize.axes[0]!.values, optimize.axes[3]!.values]
  expect(plane.mean).toEqual(
    values.map(value => widths.map(width => at(width, -30, '10:00', value).mean)),
  )
  expect(plane.n[5]![1]).toBe(at(10, -30, '10:00', 'off').n)
})

test('a variant without its condition is its own baseline; one without a trade has no mean', () => {
  expect(at(10, -30, '10:00', 'off')).toMatchObject({ net_rr: 0, n: 240 })
  const never = { ...MADE_RULE.when[0]!, v: 90_000 } as RuleSpec['when'][number]
  const { optimize: none } = quant(findMarket(300), { ...MADE_RULE, when: [never] })
  expect(none.variants.find(one => one.is_own)).toMatchObject({
    n: 0,
    days: 0,
    mean: null,
    t: null,
    net_rr: null,
    drawdown_usd: 0,
  })
  expect(none.deflated_sharpe).toBeNull()
  expect(none.reasons.deflated_sharpe).toBe('0 effective trades; 30 are needed')
})

test('no row is called best, and the best t that luck gives is always stated', () => {
  expect(optimize.luck_t).toBeCloseTo(Math.sqrt(2 * Math.log(270)), 12)
  expect(optimize.says[0]).toBe('With 270 variants the best t expected from luck is about 3.35.')
  expect(Object.keys(optimize.variants[0]!)).not.toContain('rank')
  expect(JSON.stringify(optimize)).not.toMatch(/"(best|winner|rank|chosen)"/)
  // all variants are trials of the family
  expect(result.lineage).toMatchObject({ trials: 270, family_trials: 270, looks: 1 })
})

test.each([
  // sessions, of which the holdout has 60 from 120 on: why there is no chance of overfitting
  [63, '63 sessions; 64 are needed'],
  [64, undefined],
  [119, undefined],
  [120, '60 sessions; 64 are needed'],
  [124, undefined],
])('of %i sessions the whole list is judged, but for: %s', (count, why) => {
  const { reasons, pbo, reality_check_p: p, says } = quant(findMarket(count)).optimize
  expect([p === null, pbo === null, reasons.pbo]).toEqual([false, why !== undefined, why])
  expect(says).toContain(
    count < 120
      ? 'They were run on all sessions: there is no holdout.'
      : 'They were run on the sessions before the holdout alone.',
  )
})

test('under 60 sessions before the holdout there is no reality check', () => {
  const { reasons } = quant(findMarket(59)).optimize
  expect(reasons).toMatchObject({
    reality_check_p: '59 sessions; 60 are needed',
    pbo: '59 sessions; 64 are needed',
  })
})

test('with three variants there are no splits, and without conditions no baseline', () => {
  const spec: RuleSpec = {
    ...MADE_RULE,
    when: [],
    core: {
      action: 'sell',
      structure: 'straddle',
      dte: 0,
      qty: 1,
      exit: [{ at: 'expiry' }],
      strike: { ref: 'spot', offset: 0 },
      entry: { at: '10:00' },
    },
  }
  const few = quant(findMarket(300), spec).optimize
  expect(few.variants_tried).toBe(3)
  expect(few.reasons).toEqual({
    pbo: '3 traded variants; 4 are needed',
    reality_check_p: 'no variant leaves out trades: there is nothing to compare with',
  })
  expect(few.planes).toEqual([])
})

test('shares of the variants, in any number and order, come to the same result', () => {
  const work = { market: findMarket(300, 0.1), request: madeRequest({ kind: 'quant' }) }
  for (const of of [1, 3]) {
    const parts = Array.from({ length: of }, (_, part) =>
      rowsWith({ ...work, replay: madeReplay }, { part, of }),
    )
    const rows = JSON.parse(JSON.stringify(parts.reverse().flat()))
    const replayed = runWith({ ...work, replay: madeReplay, rows })
    expect(JSON.stringify(replayed.result)).toBe(JSON.stringify(result))
  }
})

test('on fair trades the best variant is what luck gives; an edge on the days shows', () => {
  const lucky = quant(findMarket(300)).optimize
  const edged = quant(findMarket(300, 0.4)).optimize
  expect(lucky.reality_check_p).toBeGreaterThan(0.05)
  expect(lucky.deflated_sharpe).toBeLessThan(0.9)
  expect(edged.reality_check_p).toBeLessThan(0.01)
  expect(edged.deflated_sharpe).toBeGreaterThan(0.95)
})

test('the more attempts at a family, the less is left of the deflated Sharpe ratio', () => {
  const attempted = (trials: number) => {
    const lineage = { versions: 9, trials, looks: 1, family_trials: trials, family_looks: 1 }
    const request = madeRequest({ kind: 'quant', lineage })
    const work = { market: findMarket(300, 0.1), request, replay: madeReplay }
    return runWith(work).result
  }
  const [once, often] = [attempted(1), attempted(10_001)]
  expect(once.optimize!.deflated_sharpe).toBe(optimize.deflated_sharpe)
  expect(often.optimize!.deflated_sharpe).toBeLessThan(once.optimize!.deflated_sharpe! - 0.001)
  expect(often.lineage.family_trials).toBe(10_000 + 270)
  expect(often.optimize!.says.join(' ')).toContain('Counting 10,270 trials of its kind')
})

test('sessions that do not fill the blocks are left out at the old end', () => {
  const random = randomNumbers(3)
  const results = [0, 1, 2, 3].map(() => Array.from({ length: 64 }, () => random() - 0.5))
  const older = results.map((one, variant) => [9 * variant, 5, -3, ...one])
  expect(listSplits(older, 8)).toEqual(listSplits(results, 8))
  expect(listSplits(results, 8).length).toBe(70)
})
