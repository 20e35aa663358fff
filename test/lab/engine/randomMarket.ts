import { expiresAtMs, instantMs } from '../../../src/core/market/calendar.ts'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { findMarket, type OrderSetup, type SessionSetup } from './market.ts'

/** Markets without any sense, all of which the published files can hold. */

/** A number of [0, 1) for a key; the same key gives the same number. */
function noise(seed: number, ...about: readonly number[]): number {
  let hash = seed | 0
  for (const one of about) {
    hash = Math.imul(hash ^ (Math.round(one * 20) + 0x9e3779b9), 0x85ebca6b)
    hash ^= hash >>> 13
    hash = Math.imul(hash, 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return (hash >>> 0) / 2 ** 32
}

const STRIKES = Array.from({ length: 25 }, (_, index) => 5940 + 5 * index)
/** The second is a half day. */
const DATES = ['2026-11-25', '2026-11-27', '2026-11-30', '2026-12-01', '2026-12-02'] as const
const LAST_EXPIRY = '2026-12-03'

/** Four sessions, the second of them a half day, with holes, old quotes and dte 0 to 2. */
export function randomMarket(seed: number): LabMarket {
  return findMarket(...[0, 1, 2, 3].map(index => randomSession(seed, index)))
}

/** Most strikes are there from the first minute on. */
const listedFrom = (strike: number, dte: number) => (noise(7, strike, dte) < 0.05 ? 100 : 0)

const yearsTo = (expiry: string, date: string, state: number) =>
  (expiresAtMs(expiry, 'PM', date) - instantMs(date, '09:31') - state * 60_000) / 31_536_000_000

function randomSession(seed: number, index: number): SessionSetup {
  const at = (state: number, ...about: number[]) => noise(seed, index, state, ...about)
  const level = (about: number, from: number, width: number) => (state: number) =>
    at(state, about) < 0.03 ? Number.NaN : from + Math.round(width * at(state, about, 1) * 4) / 4
  const stateCount = index === 1 ? 210 : 390
  const orders = Array.from({ length: stateCount }, (_, state): OrderSetup[] => {
    if (at(state, 90) > 0.05) return []
    const from = state
    const until = Math.min(stateCount, state + Math.floor(at(state, 91) * 60))
    const gamma = at(state, 92) < 0.2 ? Number.NaN : at(state, 93) - 0.5
    return [{ from, until, printed: state - 3, premiumUsd: 60e6 * at(state, 94), gamma }]
  })
  return {
    date: DATES[index]!,
    isHalfDay: index === 1,
    columns: {
      spot: level(1, 5990, 20),
      open: level(2, 5995, 1),
      previousClose: level(3, 5990, 1),
      sessionExpectedMove: level(4, 30, 1),
      netGamma: level(5, -100, 200),
      flip: level(6, 5994, 12),
      callWall: level(7, 6020, 10),
      putWall: level(8, 5970, 10),
    },
    orders: orders.flat(),
    expiries: [0, 1, 2].map(dte => ({
      expiry: DATES[index + dte] ?? LAST_EXPIRY,
      strikes: STRIKES,
      listedFrom: (strike: number) => listedFrom(strike, dte),
      years: (state: number) => yearsTo(DATES[index + dte] ?? LAST_EXPIRY, DATES[index]!, state),
      forward: level(20 + dte, 5998, 4),
      smile: (state: number) =>
        at(state, 30) < 0.1
          ? []
          : [5960, 6000, 6040].map(
              strike => [strike, 1e-5 + 1e-5 * at(state, 31, strike)] as const,
            ),
      quote: ({ state, strike, type }) => {
        const about = [40 + dte, strike, type === 'C' ? 0 : 1]
        if (state < listedFrom(strike, dte) || at(state, ...about) < 0.05) return null
        const bid = Math.round(20 * (4 + 8 * at(state, ...about, 1))) / 20
        const width = Math.round(6 * at(state, ...about, 2)) / 10 - 0.1
        return { bid, ask: bid + width, age: at(state, ...about, 3) < 0.03 ? 61 : 1 }
      },
    })),
    settlement: at(stateCount - 1, 99) < 0.1 ? null : 5980 + 40 * at(stateCount - 1, 98),
  }
}
