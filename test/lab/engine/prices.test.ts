import { describe, expect, test } from 'vitest'
import {
  atmVolatility,
  callDelta,
  computeHalfSpread,
  legPrice,
  priceColumn,
  remainingMove,
  smilePrice,
  totalVarianceAt,
} from '../../../src/lab/engine/prices.ts'
import type { LabExpiry } from '../../../src/lab/market/session.ts'
import { readVectors } from '../../support/shared.ts'
import { type ExpirySetup, type Quote, session } from './market.ts'

const AT = 100

function findExpiry(setup: Partial<ExpirySetup>): LabExpiry {
  const expiries = [{ expiry: '2026-10-14', ...setup }]
  return session({ date: '2026-10-14', expiries }).expiries[0]!
}

describe('a quote', () => {
  const smile = () => [[6000, 0.0001] as const]
  const priced = (quote: Quote | null) =>
    legPrice(findExpiry({ quote: () => quote, smile }), AT, 6000, 'C')!

  test.each([
    [{ bid: 1, ask: 1.2, age: 60 }, 'quote'],
    [{ bid: 1, ask: 1.2, age: 61 }, 'smile'],
    [{ bid: 1, ask: 1.2, age: 255 }, 'smile'],
    [{ bid: 0.05, ask: 0.1 }, 'quote'],
    [{ bid: 0, ask: 0.05 }, 'quote'],
    [{ bid: 0, ask: 0.3 }, 'quote'],
    [{ bid: 0, ask: 0.3, age: 61 }, 'smile'],
    [{ bid: 0, ask: 0.35 }, 'smile'],
    [{ bid: 0, ask: 0 }, 'smile'],
    [{ bid: 1, ask: 1 }, 'quote'],
    [{ bid: 1.05, ask: 1 }, 'smile'],
    [null, 'smile'],
  ] as const)('%o is priced by %s', (quote, source) => {
    const price = priced(quote)
    expect(price.source).toBe(source)
    if (source === 'smile') {
      expect(price).toMatchObject({ bid: null, ask: null, halfSpread: 0.25 })
      // 6000 * (2 * cdf(.005) - 1)
      expect(price.mid).toBeCloseTo(23.936437089, 8)
    } else {
      expect(price).toMatchObject({ bid: quote!.bid, ask: quote!.ask })
      expect(price.mid).toBeCloseTo((quote!.bid + quote!.ask) / 2, 12)
      expect(price.halfSpread).toBeCloseTo((quote!.ask - quote!.bid) / 2, 12)
    }
  })

  test('no price comes of an old quote without a smile, a forward or a discount', () => {
    const old = { quote: () => ({ bid: 1, ask: 2, age: 61 }) }
    expect(legPrice(findExpiry(old), AT, 6000, 'C')).toBeNull()
    expect(
      legPrice(findExpiry({ ...old, smile, forward: () => Number.NaN }), AT, 6000, 'C'),
    ).toBeNull()
    const flat = findExpiry({ ...old, smile })
    expect(
      legPrice({ ...flat, discount: flat.discount.fill(Number.NaN) }, AT, 6000, 'C'),
    ).toBeNull()
    const zero = findExpiry({ ...old, smile: () => [[6000, 0]] })
    expect(legPrice(zero, AT, 6000, 'C')).toBeNull()
  })

  test('a strike that is not quoted that day has a price by the smile', () => {
    expect(legPrice(findExpiry({ smile }), AT, 6002.5, 'P')).toMatchObject({ source: 'smile' })
    expect(legPrice(findExpiry({ smile }), AT, 6000, 'P')).toMatchObject({ source: 'quote' })
  })

  test('steps of a cent are read as cents', () => {
    const expiry = findExpiry({ quote: () => ({ bid: 1, ask: 1.5 }) })
    // 20 and 30 steps
    expect(legPrice({ ...expiry, tick: 0.01 }, AT, 6000, 'C')).toMatchObject({
      bid: 0.2,
      ask: 0.3,
      mid: 0.25,
      halfSpread: 0.05,
    })
  })

  test('puts and calls have their own quotes, and each state its own', () => {
    const expiry = findExpiry({
      quote: ({ state, strike, type }) => {
        const bid = (type === 'P' ? 20 : 10) + state / 20 + (strike - 6000)
        return bid > 0 ? { bid, ask: bid + 0.2 } : null
      },
    })
    expect(priceColumn(expiry, 6005, 'C').mids[1]).toBeCloseTo(15.15, 12)
    expect(priceColumn(expiry, 6000, 'P').mids[0]).toBeCloseTo(20.1, 12)
    expect(priceColumn(expiry, 6000, 'P').mids[389]).toBeCloseTo(39.55, 12)
  })
})

test.each([
  [0, 0.025],
  [0.2999, 0.025],
  [0.3, 0.05],
  [0.9999, 0.05],
  [1, 0.075],
  [2.9999, 0.075],
  [3, 0.15],
  [9.9999, 0.15],
  [10, 0.25],
  [29.9999, 0.25],
  [30, 0.7],
  [500, 0.7],
])('half the spread of a smile price of %d is %d', (mid, half) => {
  expect(computeHalfSpread(mid)).toBe(half)
})

describe('a smile', () => {
  test('is read between its points as the product reads it', () => {
    const { F, seconds, quoted, interpolated } = readVectors('smile_interp')
    const years = seconds / 31_536_000
    const points = quoted.map(
      ({ K, iv }: { K: string; iv: string }) => [Number(K), Number(iv) ** 2 * years] as const,
    )
    const expiry = findExpiry({ smile: () => points, forward: () => Number(F), years: () => years })
    for (const { K, iv } of interpolated) {
      const variance = totalVarianceAt(expiry, AT, Number(K))
      expect(Math.sqrt(variance / years)).toBeCloseTo(Number(iv), 12)
    }
  })

  test('is that of its own state', () => {
    const smile = (state: number) => (state % 2 === 0 ? [] : [[6000, state] as const])
    const expiry = findExpiry({ smile })
    expect(totalVarianceAt(expiry, 0, 6000)).toBeNaN()
    expect(totalVarianceAt(expiry, 1, 6000)).toBe(1)
    expect(totalVarianceAt(expiry, 388, 6000)).toBeNaN()
    expect(totalVarianceAt(expiry, 389, 6000)).toBe(389)
  })

  test('prices and deltas equal 374 of an independent reference', () => {
    let compared = 0
    for (const { F, K, sigma, DF, T, call, put, d1 } of readVectors('greeks_black76').cases) {
      const variance = Number(sigma) ** 2 * Number(T)
      const expiry = findExpiry({
        strikes: [6000],
        forward: () => Number(F),
        smile: () => [[6000, variance] as const],
      })
      expiry.discount.fill(Number(DF))
      // as exact as the double of a forward
      const least = 1e-14 * Math.max(Number(F), K)
      expect(Math.abs(smilePrice(expiry, AT, K, false) - Number(call))).toBeLessThan(least)
      expect(Math.abs(smilePrice(expiry, AT, K, true) - Number(put))).toBeLessThan(least)
      if (Number(d1) > 0) expect(callDelta(expiry, AT, K)).toBeGreaterThanOrEqual(0.5)
      compared++
    }
    expect(compared).toBe(374)
  })

  test('gives the remaining move and the volatility at the forward', () => {
    for (const { F, iv, seconds, straddle_undiscounted } of readVectors('expected_move').cases) {
      const years = seconds / 31_536_000
      const smile = () => [[Number(F), Number(iv) ** 2 * years] as const]
      const expiry = findExpiry({ smile, forward: () => Number(F), years: () => years })
      expect(remainingMove(expiry, AT)).toBeCloseTo(Number(straddle_undiscounted), 9)
      expect(atmVolatility(expiry, AT)).toBeCloseTo(Number(iv), 12)
    }
    expect(remainingMove(findExpiry({}), AT)).toBeNaN()
  })
})
