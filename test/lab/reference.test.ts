// Holds the second backtest itself to published vectors and to trades worked out by hand.

import { expect, test } from 'vitest'
import { ASSUMED } from '../../src/lab/engine/trade.ts'
import type { RuleExit, RuleSpec } from '../../src/lab/language/spec.ts'
import { readVectors } from '../support/shared.ts'
import { oneSession } from './oneSession.ts'
import { referenceBacktest } from './reference.ts'
import { black76, totalVariance } from './referencePrices.ts'

test('calls and puts of 374 options are priced within 1e-9 of 18 digits', () => {
  const { cases } = readVectors('greeks_black76') as { cases: Record<string, string>[] }
  const errors = cases.flatMap(one => {
    const [forward, strike, sigma] = [Number(one.F), Number(one.K), Number(one.sigma)]
    const variance = sigma * sigma * Number(one.T)
    return (['C', 'P'] as const).map(type => {
      const exact = Number(type === 'C' ? one.call : one.put)
      return Math.abs(Number(one.DF) * black76(forward, strike, variance, type) - exact)
    })
  })
  // prices below 1e-60 are not in the file
  const reported = errors.filter(error => !Number.isNaN(error))
  expect(reported.length).toBeGreaterThan(700)
  expect(Math.max(...reported)).toBeLessThan(1e-9)
})

test('a smile is linear in total variance between strikes and flat outside', () => {
  const { F, seconds, quoted, interpolated } = readVectors('smile_interp')
  const years = seconds / 31_536_000
  const smile = quoted.map(({ K, iv }: { K: string; iv: string }) => ({
    strike: Number(K),
    variance: Number(iv) ** 2 * years,
  }))
  for (const { K, iv } of interpolated) {
    const variance = totalVariance(smile, Number(F), Number(K))!
    expect(Math.sqrt(variance / years)).toBeCloseTo(Number(iv), 12)
  }
})

const ALL_DAY = { from: '09:31', to: '15:59' }
const market = oneSession({
  spot: 5_000,
  strikes: [4_980, 4_990, 5_000],
  settlement: 4_985.5,
  quotes: [
    { from: '09:31', to: '10:04', option: '4990P', bid: 3, ask: 3.2 },
    { from: '10:05', to: '10:29', option: '4990P', bid: 1, ask: 1.1 },
    { from: '10:31', to: '15:59', option: '4990P', bid: 6, ask: 6.2 },
    { from: '09:31', to: '10:04', option: '4980P', bid: 1.4, ask: 1.6 },
    { from: '10:05', to: '15:59', option: '4980P', bid: 0.5, ask: 0.6 },
    { ...ALL_DAY, option: '5000P', bid: 9, ask: 9.2 },
  ],
})

function findTrade(exit: RuleExit[], settlement: number | null = 4_985.5) {
  const spec: RuleSpec = {
    v: 1,
    core: {
      action: 'sell',
      structure: 'put_spread',
      width: 10,
      dte: 0,
      qty: 2,
      exit,
      strike: { ref: 'spot', offset: -10 },
      entry: { at: '10:00' },
    },
    when: [],
  }
  const [session] = market.sessions
  const { trades, missed } = referenceBacktest(
    { ...market, sessions: [{ ...session!, settlement }] },
    spec,
    { assume: ASSUMED, sessions: { from: 0, to: 1 }, designCount: 1 },
  )
  expect(missed).toEqual([])
  return trades[0]!
}

// received 3.10 - 1.50 - 0.10 - 0.10 = 1.40, at risk 8.60 of 2 units, 4 contracts at 1.30
test('a spread sold at 1.40 is bought back at 0.60 when half of it can be captured', () => {
  const trade = findTrade([{ profit_pct: 50 }])
  expect(trade).toMatchObject({ exitReason: 'profit', exitAt: 605, isLate: false })
  expect(trade.net).toBeCloseTo(1.4, 12)
  expect(trade.closeNet).toBeCloseTo(-0.6, 12)
  expect(trade.pnlUsd).toBeCloseTo(160 - 10.4, 9)
  expect(trade.r).toBeCloseTo(149.6 / 1_720, 12)
})

// from 10:31 it costs 5.55 at the mid, over twice the credit, and 5.70 to get out of
test('the same spread is stopped at the first price over twice the credit', () => {
  const trade = findTrade([{ stop_x_credit: 2 }])
  expect(trade).toMatchObject({ exitReason: 'stop', exitAt: 631 })
  expect(trade.closeNet).toBeCloseTo(-5.7, 12)
})

test('an exit at a minute without a price is taken at the next one, and is late', () => {
  expect(findTrade([{ at: '10:30' }])).toMatchObject({
    exitReason: 'time',
    exitAt: 631,
    isLate: true,
  })
  expect(findTrade([{ at: '10:29' }])).toMatchObject({ exitAt: 629, isLate: false })
})

// 4985.50 is 4.50 under the strike sold and over the one bought; settlement costs no fee
test('held to expiry it settles at 4.50, and without a settlement nobody knows', () => {
  const trade = findTrade([{ at: 'expiry' }])
  expect(trade).toMatchObject({ exitReason: 'settlement', exitAt: 960, settlement: 4_985.5 })
  expect(trade.pnlUsd).toBeCloseTo((1.4 - 4.5) * 200 - 5.2, 9)
  const unknown = findTrade([{ at: 'expiry' }], null)
  expect(unknown).toMatchObject({ exitReason: 'unresolved', pnlUsd: null, r: null })
  expect(unknown.worstUsd).toBeCloseTo(-1_720, 9)
})
