// Figures in dollars, and the smallest effect that could be seen, of trades by hand.

import { expect, test } from 'vitest'
import { describeTrades, findSeen } from '../../../src/lab/verdict/figures.ts'
import { isResolved, type ResolvedTrade } from '../../../src/lab/verdict/sample.ts'
import { ledgerTrade, MADE_RULE, madeMarket } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'

const { core } = MADE_RULE
const DAYS = Array.from({ length: 200 }, () => ({ r: [0], value: [0] }))
const dates = madeMarket(DAYS).sessions

test('wins, losses and capital are those of the trades, and what there is none of has a reason', () => {
  const trades = [
    ledgerTrade({ session: 0, r: 0.2, exitAt: 700, exitReason: 'profit' }),
    ledgerTrade({ session: 0, r: 0.4, filledAt: 700, exitAt: 800, exitReason: 'time' }),
    ledgerTrade({ session: 1, r: -0.5, exitAt: 960 }),
    ledgerTrade({ session: 1, r: null, filledAt: 650 }),
    ledgerTrade({ session: 25, r: -0.1, exitAt: 960 }),
  ]
  const found = describeTrades(trades, core, dates)
  expect(found).toMatchObject({ profit_factor: 1, largest_loss_usd: -500, largest_win_usd: 400 })
  expect(found.average_win_usd).toBeCloseTo(300, 9)
  expect(found.average_loss_usd).toBeCloseTo(-300, 9)
  // at 11:40 one is closed as the next one is opened: both are at risk
  expect(found.capital_usd).toBe(2000)
  expect(found.exits.map(({ name, n, mean }) => [name, n, mean])).toEqual([
    ['time', 1, 0.4],
    ['profit', 1, 0.2],
    ['settlement', 2, -0.3],
    ['unresolved', 1, null],
  ])
  expect(found.weekdays.map(({ name, n }) => [name, n])).toEqual([
    ['Tuesday', 2],
    ['Wednesday', 2],
  ])
  expect(found.months.map(({ name, n }) => [name, n])).toEqual([
    ['2024-01', 3],
    ['2024-02', 1],
  ])
  expect(found.reasons).toEqual({})
  const none = describeTrades([], core, dates)
  expect(none.reasons).toMatchObject({ capital_usd: '0 trades; 1 is needed' })
  expect(none).toMatchObject({ exits: [], weekdays: [], months: [], average_win_usd: null })
  const { width: _, ...unbounded } = core
  const sold = describeTrades(trades, { ...unbounded, structure: 'straddle' }, dates)
  expect([sold.capital_usd, sold.reasons.capital_usd]).toEqual([
    null,
    'what a sold straddle or strangle can lose has no bound: the capital is what a broker asks for',
  ])
})

/** Trades whose results have a standard deviation of 1, on at random. */
function makeTrades(seed: number, count: number, gain: number): ResolvedTrade[] {
  const random = randomNumbers(seed)
  return Array.from({ length: count }, (_, session) => {
    const isInRule = random() < 0.5
    const r = (random() < 0.5 ? 1 : -1) + (isInRule ? gain : 0)
    return ledgerTrade({ session, r, isInRule })
  }).filter(isResolved)
}

const seen = (trades: readonly ResolvedTrade[], more: object = {}) =>
  findSeen({
    core: trades,
    hasConditions: true,
    designCount: 200,
    sessions: 60,
    threshold: 0.025,
    ...more,
  })

test('an effect of the size that is stated is found in about four of five holdouts', () => {
  const { effect } = seen(makeTrades(1, 200, 0))
  // the rule adds its gain to a half of the trades, so the difference to all is a half of it
  let found = 0
  for (let seed = 100; seed < 500; seed++) {
    const held = makeTrades(seed, 60, 2 * effect!)
    const on = held.filter(({ isInRule }) => isInRule)
    const mean = (trades: readonly ResolvedTrade[]) =>
      trades.reduce((sum, { r }) => sum + r, 0) / trades.length
    const error = Math.sqrt(1 / on.length - 1 / held.length)
    found += Number((mean(on) - mean(held)) / error >= 2)
  }
  expect(found / 400).toBeGreaterThan(0.7)
  expect(found / 400).toBeLessThan(0.9)
})

test('a half of the effect takes four times the sessions; more looks ask for more', () => {
  const trades = makeTrades(3, 200, -1)
  const one = seen(trades)
  expect(one.wanted).toBeCloseTo(one.effect! / 2, 12)
  expect(one.sessions_needed).toBe(240)
  expect(one.says).toMatch(
    /^With 60 sessions an effect of \d+\.\d% of the risk is seen in 4 of 5 cases; to see \d+\.\d% you need 240 sessions\.$/,
  )
  expect(seen(trades, { threshold: 0.0025 }).effect!).toBeGreaterThan(one.effect!)
  expect(seen(trades, { sessions: 240 }).effect).toBeCloseTo(one.effect! / 2, 12)
  const few = seen(makeTrades(4, 30, 0).filter(({ session }) => session < 20))
  expect(few).toMatchObject({ effect: null, sessions_needed: null })
  expect(few.reason).toMatch(
    /^10 days; 20 are needed before the holdout, with the conditions and without$/,
  )
})
