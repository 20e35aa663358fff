// Statistics where the truth is known: luck alone, and a real effect.

import { expect, test } from 'vitest'
import type { Trade } from '../../../src/lab/engine/trade.ts'
import {
  computeShape,
  deflatedSharpe,
  luckySharpe,
} from '../../../src/lab/optimize/deflatedSharpe.ts'
import { realityCheck } from '../../../src/lab/optimize/optimize.ts'
import { listSplits, overfitShare } from '../../../src/lab/optimize/overfitting.ts'
import { buildVariantRow } from '../../../src/lab/optimize/rows.ts'
import { effectiveCount, testDifference, testMean } from '../../../src/lab/verdict/clustered.ts'
import { probLoss20, runsZ } from '../../../src/lab/verdict/era.ts'
import { computePlacebo } from '../../../src/lab/verdict/placebo.ts'
import { isResolved } from '../../../src/lab/verdict/sample.ts'
import { ledgerTrade } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'
import { exactLossOfTwenty } from './lossOfTwenty.ts'
import { overfit } from './overfit.ts'
import { average, deviation } from './plain.ts'

type Chance = () => number

const normal = (random: Chance) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const many = <Found>(count: number, one: (seed: number) => Found): Found[] =>
  Array.from({ length: count }, (_, seed) => one(seed))
const shareUpTo = (values: readonly number[], limit: number) =>
  values.filter(value => value <= limit).length / values.length

/** That as many p are up to a limit as there should be, but for four errors of the count. */
function expectEven(p: readonly number[], limits: readonly number[], least = 0): void {
  for (const limit of limits) {
    const error = Math.sqrt((limit * (1 - limit)) / p.length)
    const share = shareUpTo(p, limit)
    expect([limit, share, Math.abs(share - limit) <= 4 * error + least]).toEqual([
      limit,
      share,
      true,
    ])
  }
}

/** That p are up to a limit no more often than they should be, but for four errors of the count. */
function expectNotTooLow(p: readonly number[], limits: readonly number[]): void {
  for (const limit of limits) {
    const error = Math.sqrt((limit * (1 - limit)) / p.length)
    expect([limit, shareUpTo(p, limit) <= limit + 4 * error]).toEqual([limit, true])
  }
}

/** Short spreads that are fair: they win a little or lose all, and rough days come together. */
function shortSpreads(random: Chance, sessions: number) {
  let isRough = false
  return Array.from({ length: sessions }, () => {
    if (random() < 0.1) isRough = !isRough
    const risk = isRough ? 0.3 : 0.15
    return random() < risk ? -1 : risk / (1 - risk)
  })
}

/** True when a rule that knows nothing is on: in runs of the given number of days. */
function listRuns(random: Chance, sessions: number, length: number): boolean[] {
  let isOn = random() < 0.4
  return Array.from({ length: sessions }, () => {
    if (random() < 1 / length) isOn = random() < 0.4
    return isOn
  })
}

function placeboP(
  r: readonly number[],
  isOn: readonly boolean[],
  threshold: number,
): number | null {
  const trades = r.map((one, session) => ledgerTrade({ session, r: one, isInRule: isOn[session]! }))
  const core = trades.filter(isResolved)
  const ownT = testDifference(r, [...r.keys()], isOn).t
  return computePlacebo({ core, sessions: [...r.keys()], ownT, threshold, seed: 1n }).p
}

const reported = (values: readonly (number | null)[]) => values.filter(value => value !== null)
const LIMITS = [0.025, 0.05, 0.25, 0.5, 0.75]

test.each([
  // days on in runs of, bar: below 1 in 200 weeks are shuffled too
  [1, 0.025],
  [5, 0.025],
  [12, 0.025],
  [1, 0.0025],
  [5, 0.0025],
])(
  'the p of a placebo is even, with rough days together and days on in runs of %i',
  (run, threshold) => {
    const p = reported(
      many(threshold < 0.005 ? 150 : 400, seed => {
        const random = randomNumbers(31 * seed + run)
        return placeboP(shortSpreads(random, 100), listRuns(random, 100, run), threshold)
      }),
    )
    expectEven(p, LIMITS)
  },
)

test('the p of a placebo is not too low for rules that follow the day before', () => {
  for (const isAfterLoss of [true, false]) {
    const p = reported(
      many(400, seed => {
        const r = shortSpreads(randomNumbers(seed), 101)
        const isOn = r.slice(0, -1).map(before => before < 0 === isAfterLoss)
        return placeboP(r.slice(1), isOn, 0.025)
      }),
    )
    expectNotTooLow(p, [0.025, 0.05])
  }
})

/** Trades of a few variants: conditions at rising thresholds over the same days. */
function variantsAt(random: Chance, options: { sessions: number; legs: number; mean: number }) {
  const { sessions, legs, mean } = options
  let known = 0
  const days = Array.from({ length: sessions }, () => {
    known = 0.6 * known + 0.8 * normal(random)
    return { known, r: mean + 0.3 * normal(random) }
  })
  return [-1, -0.5, 0, 0.5, 1].map((threshold, index) => {
    const trades: Trade[] = days.flatMap(({ known: value, r }, session) =>
      Array.from({ length: legs }, (_, ruleLeg) =>
        // the second leg costs more, and is on when the first is not
        ledgerTrade({
          session,
          ruleLeg,
          r: ruleLeg === 0 ? r : -r - 0.1,
          isInRule: value > threshold === (ruleLeg === 0),
        }),
      ),
    )
    return buildVariantRow({ trades, missed: [] }, index, sessions)
  })
}

test.each([
  [1, 0],
  [2, 0],
  [1, 0.2],
])('the p of a reality check is not too low: %i legs, mean %d', (legs, mean) => {
  const p = many(300, seed => {
    const rows = variantsAt(randomNumbers(17 * seed + 5), { sessions: 150, legs, mean })
    const gains = rows.map(row => row.gains)
    return realityCheck({ gains, q: 0.2, drawn: 500, seed: BigInt(seed) }).p
  })
  expectNotTooLow(p, [0.05, 0.1, 0.25])
  // nor is it always high: luck reaches as far in some of the cases
  expect(shareUpTo(p, 0.5)).toBeGreaterThan(0.25)
})

test('an edge of the days on is seen by a reality check', () => {
  const found = many(60, seed => {
    const random = randomNumbers(seed)
    const rows = [0, 1, 2, 3].map(variant => {
      const trades = Array.from({ length: 200 }, (_, session) => {
        const isInRule = random() < 0.5
        const edge = isInRule && variant === 2 ? 0.15 : 0
        return ledgerTrade({ session, r: 0.3 * normal(random) + edge, isInRule })
      })
      return buildVariantRow({ trades, missed: [] }, variant, 200)
    })
    const gains = rows.map(row => row.gains)
    return realityCheck({ gains, q: 0.2, drawn: 500, seed: BigInt(seed) }).p
  })
  expect(shareUpTo(found, 0.05)).toBeGreaterThan(0.8)
})

const noise = (random: Chance, variants: number, sessions: number) =>
  many(variants, () => many(sessions, () => normal(random)))

test('the best of variants that know nothing is overfitted half the time, an edge is not', () => {
  const [lucky, edged] = [0, 0.3].map(edge =>
    many(120, seed => {
      const results = noise(randomNumbers(seed), 20, 160)
      const first = results[0]!.map(one => one + edge)
      return overfitShare(listSplits([first, ...results.slice(1)], 8))
    }),
  )
  expect(Math.abs(average(lucky!) - 0.5)).toBeLessThan((4 * deviation(lucky!)) / Math.sqrt(120))
  expect(average(edged!)).toBeLessThan(0.2)
})

test('with 16 blocks the share of overfitted picks is that of a second form', () => {
  const results = noise(randomNumbers(3), 5, 163)
  const rows = results[0]!.map((_, session) => results.map(values => values[session]!))
  expect(overfitShare(listSplits(results, 16))).toBeCloseTo(overfit(rows.slice(3), 16), 12)
})

test('the chance that one Sharpe ratio is above zero is even, also of skewed trades', () => {
  const p = many(600, seed => {
    const random = randomNumbers(seed)
    const r = many(200, () => (random() < 0.25 ? -1 : 1 / 3) + 0.05 * normal(random))
    return deflatedSharpe(computeShape(r)!, r.length, 0)!
  })
  expectEven(p, [0.05, 0.25, 0.5, 0.75, 0.95], 0.01)
})

test.each([10, 50, 200])(
  'of %i trials without an edge the best is seldom taken for skill',
  trials => {
    const found = many(200, seed => {
      const random = randomNumbers(seed + 1000 * trials)
      const shapes = many(trials, () => computeShape(many(100, () => normal(random)))!)
      const sharpes = shapes.map(({ sharpe }) => sharpe)
      const best = shapes.reduce((one, other) => (other.sharpe > one.sharpe ? other : one))
      return deflatedSharpe(best, 100, luckySharpe(trials, deviation(sharpes) ** 2))!
    })
    expect(1 - shareUpTo(found, 0.95)).toBeLessThan(0.05)
    const middle = [...found].sort((a, b) => a - b)[100]!
    expect([middle > 0.3, middle < 0.7]).toEqual([true, true])
  },
)

test('the t of a difference is even where trades of a day are alike, with 60 days', () => {
  const p = many(1500, seed => {
    const random = randomNumbers(seed)
    const rows = many(60, session => {
      const day = normal(random)
      const isOn = random() < 0.5
      return many(3, () => ({ session, r: day + 0.5 * normal(random), isOn }))
    }).flat()
    return testDifference(
      rows.map(({ r }) => r),
      rows.map(({ session }) => session),
      rows.map(({ isOn }) => isOn),
    ).p!
  })
  // an error clustered by few days is known to be a little too small
  expectEven(p, [0.01, 0.05, 0.25, 0.5], 0.015)
})

test('trades that count are as many as make up the error of the mean', () => {
  const found = many(300, seed => {
    const random = randomNumbers(seed)
    const rows = many(80, session => {
      const day = normal(random)
      return many(1 + Math.floor(4 * random()), () => ({ session, r: day + normal(random) }))
    }).flat()
    const r = rows.map(one => one.r)
    return {
      mean: average(r),
      count: effectiveCount(
        r,
        rows.map(({ session }) => session),
      )!,
    }
  })
  // a result has variance 2, of which half is of the day
  const due = 2 / deviation(found.map(({ mean }) => mean)) ** 2
  expect(Math.abs(average(found.map(({ count }) => count)) / due - 1)).toBeLessThan(0.25)
})

test('runs of results that know nothing of each other are as normal as they should be', () => {
  const z = many(2000, seed => {
    const random = randomNumbers(seed)
    return runsZ(many(60, () => random() - 0.4))!
  })
  expect(Math.abs(average(z))).toBeLessThan(4 / Math.sqrt(2000))
  expect(Math.abs(deviation(z) - 1)).toBeLessThan(0.08)
})

test('the chance that 20 trades lose is that of all sums, but for the error of the draws', () => {
  const off = many(60, seed => {
    const random = randomNumbers(seed)
    const hundredths = many(12, () => Math.floor(120 * random()) - 55)
    const due = exactLossOfTwenty(hundredths)
    const found = probLoss20(
      hundredths.map(value => [value / 100]),
      BigInt(seed),
    )
    return (found - due) / Math.max(0.001, Math.sqrt((due * (1 - due)) / 10_000))
  })
  expect(Math.max(...off.map(Math.abs))).toBeLessThan(4)
  expect(Math.abs(deviation(off) - 1)).toBeLessThan(0.4)
})

test('the p of a mean is even where trades of a day are alike', () => {
  const p = many(1500, seed => {
    const random = randomNumbers(seed)
    const rows = many(40, session => {
      const day = normal(random)
      return many(1 + (session % 3), () => ({ session, r: day + normal(random) }))
    }).flat()
    return testMean(
      rows.map(({ r }) => r),
      rows.map(({ session }) => session),
    ).p!
  })
  expectEven(p, [0.01, 0.05, 0.25, 0.5], 0.015)
})
