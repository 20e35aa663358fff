import { hash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { simulateLab } from '../../../pipelines/simulate/labMarket.ts'
import { labDays } from '../../../pipelines/simulate/labPath.ts'
import { HALF_SPREADS } from '../../../pipelines/simulate/labQuotes.ts'
import {
  type LabExpiry,
  type LabMarket,
  type LabSession,
  NO_AGE,
  NO_QUOTE,
} from '../../../src/lab/market/session.ts'

// with the day after Thanksgiving, a half day
const OPTIONS = { seed: 3, sessionCount: 12, until: '2025-12-05', plantedSd: 0, furthestDte: 1 }
const HALF_DAY = '2025-11-28'

let market: LabMarket
beforeAll(() => {
  market = simulateLab(OPTIONS)
})

/** Every column of a session, in bytes. */
const listBytes = (session: LabSession): string =>
  hash(
    'sha256',
    JSON.stringify(session, (_, value) =>
      ArrayBuffer.isView(value) ? Buffer.from(value.buffer).toString('base64') : value,
    ),
  )

/** The normal distribution function by Simpson's rule, unlike the simulator's. */
function cdf(x: number): number {
  const steps = 400
  const width = x / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const weight = i === 0 || i === steps ? 1 : i % 2 === 0 ? 2 : 4
    sum += weight * Math.exp(-0.5 * (i * width) ** 2)
  }
  return 0.5 + ((sum * width) / 3) * (1 / Math.sqrt(2 * Math.PI))
}

function black(type: 'C' | 'P', forward: number, strike: number, totalVariance: number): number {
  const deviation = Math.sqrt(totalVariance)
  const d1 = Math.log(forward / strike) / deviation + deviation / 2
  const call = forward * cdf(d1) - strike * cdf(d1 - deviation)
  return type === 'C' ? call : call - forward + strike
}

type Seen = {
  readonly mid: number
  readonly half: number
  readonly fair: number
  readonly age: number
}

/** Two-sided quotes of some minutes next to the price by their own smile. */
function seen(expiry: LabExpiry, states: readonly number[]): Seen[] {
  const count = expiry.strikes.length
  return states.flatMap(state => {
    const [from, to] = [expiry.smileFrom[state]!, expiry.smileFrom[state + 1]!]
    return Array.from({ length: to - from }, (_, i) => from + i).flatMap(point => {
      const strike = expiry.smileStrikes[point]!
      const cell = state * count + expiry.strikes.indexOf(strike)
      const [forward, discount] = [expiry.forward[state]!, expiry.discount[state]!]
      return (['C', 'P'] as const).flatMap(type => {
        const [bids, queries, ages] =
          type === 'C'
            ? [expiry.callBid, expiry.callAsk, expiry.callAge]
            : [expiry.putBid, expiry.putAsk, expiry.putAge]
        const [bid, ask] = [bids[cell]!, queries[cell]!]
        if (bid === NO_QUOTE) return []
        const fair = discount * black(type, forward, strike, expiry.smileTotalVariances[point]!)
        const mid = ((bid + ask) / 2) * expiry.tick
        return { mid, half: ((ask - bid) / 2) * expiry.tick, fair, age: ages[cell]! }
      })
    })
  })
}

describe('quotes', () => {
  let quotes: Seen[]
  beforeAll(() => {
    const states = [3, 60, 120, 180, 205]
    quotes = market.sessions.flatMap(({ expiries }) =>
      expiries.flatMap(expiry => (expiry === null ? [] : seen(expiry, states))),
    )
  })

  test.each([
    [0, 0.3],
    [0.3, 1],
    [1, 3],
    [3, 10],
    [10, 30],
    [30, 1_000],
  ])(
    'mids of options worth %f to %f are their price by the smile, but for a step by lot',
    (low, high) => {
      const fresh = quotes.filter(({ fair, age }) => fair >= low && fair < high && age <= 60)
      const errors = fresh.map(({ mid, fair }) => mid - fair)
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
      expect(fresh.length).toBeGreaterThan(300)
      expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.05)
      // a mid by lot is off by 0.02 or so: of a thousand quotes the mean is known to a thousandth
      expect(Math.abs(mean)).toBeLessThan(0.1 / Math.sqrt(errors.length))
    },
  )

  test('half of them are as wide as the table of half spreads, and none half as wide again', () => {
    let below = 0
    for (const [above, half] of HALF_SPREADS) {
      const halves = quotes
        .filter(({ fair, age }) => age <= 60 && fair >= below && fair < above - 0.001)
        .map(quote => quote.half)
        .sort((a, b) => a - b)
      expect(halves[Math.floor(halves.length / 2)]).toBeCloseTo(half, 9)
      expect(halves.at(-1)!).toBeLessThan(2.01 * half)
      below = above
    }
  })

  test('some are old, some missing, some have no bid, and at the close there are none', () => {
    const expiry = market.sessions[0]!.expiries[0]!
    const count = expiry.strikes.length
    const inside = Array.from({ length: 380 }, (_, state) =>
      [...expiry.strikes.keys()]
        .filter(index => Math.abs(expiry.strikes[index]! - expiry.forward[state]!) < 20)
        .map(index => state * count + index),
    ).flat()
    const share = (test: (cell: number) => boolean) => inside.filter(test).length / inside.length
    expect(share(cell => expiry.callBid[cell] === NO_QUOTE)).toBeGreaterThan(0)
    expect(share(cell => expiry.callBid[cell] === NO_QUOTE)).toBeLessThan(0.04)
    expect(share(cell => expiry.callAge[cell]! > 60)).toBeGreaterThan(0)
    expect(share(cell => expiry.callAge[cell]! > 60)).toBeLessThan(0.05)
    const hasAskAlone = (cell: number) =>
      expiry.callBid[cell] === NO_QUOTE && expiry.callAsk[cell] !== NO_QUOTE
    expect(inside.some(hasAskAlone)).toBe(true)
    const close = expiry.callBid.slice(389 * count)
    expect(close.every(bid => bid === NO_QUOTE)).toBe(true)
    expect(expiry.years[389]).toBe(0)
    expect(expiry.forward[389]).toBeNaN()
  })

  test('a strike has no quote before it is listed', () => {
    for (const { expiries, stateCount } of market.sessions) {
      const { strikes, listedFrom, callAsk, putAge } = expiries[0]!
      expect([...strikes]).toEqual([...strikes].sort((a, b) => a - b))
      listedFrom.forEach((from, index) => {
        for (let state = 0; state < Math.min(from, stateCount); state++) {
          expect(callAsk[state * strikes.length + index]).toBe(NO_QUOTE)
          expect(putAge[state * strikes.length + index]).toBe(NO_AGE)
        }
      })
    }
    const late = market.sessions.flatMap(({ expiries }) => [...expiries[0]!.listedFrom])
    expect(late.some(from => from > 0)).toBe(true)
  })
})

describe('sessions', () => {
  test('a half day ends at 13:00, and so do contracts that expire on it', () => {
    const index = market.sessions.findIndex(({ date }) => date === HALF_DAY)
    const half = market.sessions[index]!
    expect(half.isHalfDay).toBe(true)
    expect(half.stateCount).toBe(210)
    expect(half.expiries[0]!.years[0]! * 31_536_000).toBeCloseTo(209 * 60, 6)
    const before = market.sessions[index - 1]!
    expect(before.date).toBe('2025-11-26')
    expect(before.expiries[1]!.expiry).toBe(HALF_DAY)
    // 09:31 of Wednesday to 13:00 of Friday
    expect(before.expiries[1]!.years[0]! * 31_536_000).toBeCloseTo(2 * 86_400 + 209 * 60, 6)
  })

  test('settlement is the index at the close, and the next day knows it', () => {
    market.sessions.forEach((session, index) => {
      expect(session.settlement).toBe(session.market.spot.at(-1))
      const next = market.sessions[index + 1]
      if (next) expect(next.market.previousClose[0]).toBe(session.settlement)
    })
  })

  test('orders have heavy tails, and each version counts from where the one before ends', () => {
    const large = simulateLab({ ...OPTIONS, sessionCount: 20, furthestDte: 0 }).sessions.map(
      ({ orders }) => [25e6, 50e6].map(usd => orders.premiumUsd.filter(one => one >= usd).length),
    )
    const sums = large.reduce(([a, b], [c, d]) => [a! + c!, b! + d!])
    expect(sums[0]).toBeGreaterThan(10)
    expect(sums[1]).toBeGreaterThan(4)
    for (const { orders, stateCount } of market.sessions) {
      const { fromState, untilState, printedState, gamma } = orders
      expect([...fromState]).toEqual([...fromState].sort((a, b) => a - b))
      fromState.forEach((from, index) => {
        expect(printedState[index]).toBeLessThanOrEqual(from)
        expect(untilState[index]).toBeGreaterThan(from)
        expect(untilState[index]).toBeLessThanOrEqual(stateCount)
      })
      const unknown = gamma.filter(Number.isNaN).length / gamma.length
      expect(unknown).toBeGreaterThan(0.1)
      expect(unknown).toBeLessThan(0.4)
    }
  })

  test('days are left out by name, never the first or the last', () => {
    const days = [...labDays({ ...OPTIONS, sessionCount: 1_000 })]
    const leftOut = days.filter(day => day.leftOut !== null)
    expect(leftOut.length).toBeGreaterThan(0)
    expect(leftOut.length).toBeLessThan(15)
    const ending = leftOut.at(-1)!.session.date
    const { sessions, leftOut: named } = simulateLab({ ...OPTIONS, until: ending, furthestDte: 0 })
    expect(sessions.at(-1)!.date).toBe(ending)
    expect(sessions.length + named.length).toBe(OPTIONS.sessionCount)
    expect(
      new Set([...sessions, ...named].map(one => ('day' in one ? one.day : one.date))).size,
    ).toBe(12)
  })
})

describe('seeds', () => {
  test('the same seed gives the same bytes, another one other ones', () => {
    const again = simulateLab(OPTIONS)
    expect(again.hash).toBe(market.hash)
    expect(again.sessions.map(listBytes)).toEqual(market.sessions.map(listBytes))
    const other = simulateLab({ ...OPTIONS, seed: 4 })
    expect(other.hash).not.toBe(market.hash)
    expect(listBytes(other.sessions[0]!)).not.toBe(listBytes(market.sessions[0]!))
  })

  test('further expiries change nothing of the nearer ones', () => {
    const nearer = simulateLab({ ...OPTIONS, furthestDte: 0 })
    expect(nearer.sessions[5]!.expiries[0]).toEqual(market.sessions[5]!.expiries[0])
    expect(nearer.sessions[5]!.expiries[1]).toBeNull()
  })
})
