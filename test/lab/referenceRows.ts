/**
 * The market of LAB as plain rows by the minute of the day, for the second backtest of the tests:
 * null where nothing is known, index points, option prices in points too.
 */

import type { LabExpiry, LabMarket, LabSession } from '../../src/lab/market/session.ts'
import { NO_QUOTE } from '../../src/lab/market/session.ts'

export type OptionType = 'C' | 'P'

export type PlainMinute = {
  readonly spot: number | null
  readonly open: number | null
  readonly previousClose: number | null
  readonly sessionExpectedMove: number | null
  readonly netGamma: number | null
  readonly flip: number | null
  readonly call_wall: number | null
  readonly put_wall: number | null
}

export type PlainOrder = {
  /** It counts at minutes from this one on, and before the second one. */
  readonly from: number
  readonly until: number
  readonly printed: number
  readonly premiumUsd: number | null
  readonly gamma: number | null
}

export type PlainQuote = { readonly bid: number; readonly ask: number; readonly ageSeconds: number }
export type PlainSmile = readonly { readonly strike: number; readonly variance: number }[]

export type PlainExpiry = {
  readonly expiry: string
  readonly listed: readonly { readonly strike: number; readonly from: number }[]
  readonly quote: (minute: number, type: OptionType, strike: number) => PlainQuote | null
  readonly forward: (minute: number) => number | null
  readonly discount: (minute: number) => number | null
  readonly years: (minute: number) => number | null
  readonly smile: (minute: number) => PlainSmile
}

export type PlainSession = {
  readonly index: number
  readonly date: string
  /** sun, mon, ... */
  readonly weekday: string
  readonly firstMinute: number
  /** Minute of the PM close: 960, or 780 on a half day. */
  readonly closeMinute: number
  readonly minute: (minute: number) => PlainMinute
  readonly orders: readonly PlainOrder[]
  readonly expiries: readonly (PlainExpiry | null)[]
  readonly settlement: number | null
}

export const plainSessions = (market: LabMarket): PlainSession[] =>
  market.sessions.map(plainSession)

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

function plainSession(session: LabSession, index: number): PlainSession {
  const { market, orders, firstMinute } = session
  return {
    index,
    date: session.date,
    weekday: WEEKDAYS[new Date(`${session.date}T12:00:00Z`).getUTCDay()]!,
    firstMinute,
    closeMinute: session.isHalfDay ? 13 * 60 : 16 * 60,
    minute: minute => {
      const at = (column: Float64Array) => known(column[minute - firstMinute])
      return {
        spot: at(market.spot),
        open: at(market.open),
        previousClose: at(market.previousClose),
        sessionExpectedMove: at(market.sessionExpectedMove),
        netGamma: at(market.netGamma),
        flip: at(market.flip),
        call_wall: at(market.callWall),
        put_wall: at(market.putWall),
      }
    },
    orders: Array.from(orders.fromState, (fromState, version) => ({
      from: firstMinute + fromState,
      until: firstMinute + orders.untilState[version]!,
      printed: firstMinute + orders.printedState[version]!,
      premiumUsd: known(orders.premiumUsd[version]),
      gamma: known(orders.gamma[version]),
    })),
    expiries: session.expiries.map(expiry => expiry && plainExpiry(expiry, firstMinute)),
    settlement: session.settlement,
  }
}

function plainExpiry(expiry: LabExpiry, firstMinute: number): PlainExpiry {
  const indexes = new Map(Array.from(expiry.strikes, (strike, index) => [strike, index]))
  const planes = {
    C: { bid: expiry.callBid, ask: expiry.callAsk, age: expiry.callAge },
    P: { bid: expiry.putBid, ask: expiry.putAsk, age: expiry.putAge },
  }
  return {
    expiry: expiry.expiry,
    listed: Array.from(expiry.strikes, (strike, index) => ({
      strike,
      from: firstMinute + expiry.listedFrom[index]!,
    })),
    quote: (minute, type, strike) => {
      const index = indexes.get(strike)
      if (index === undefined) return null
      const cell = (minute - firstMinute) * expiry.strikes.length + index
      const [bid, ask] = [planes[type].bid[cell]!, planes[type].ask[cell]!]
      if (ask === NO_QUOTE) return null
      const bidPoints = bid === NO_QUOTE ? 0 : bid * expiry.tick
      const askPoints = ask * expiry.tick
      return { bid: bidPoints, ask: askPoints, ageSeconds: planes[type].age[cell]! }
    },
    forward: minute => known(expiry.forward[minute - firstMinute]),
    discount: minute => known(expiry.discount[minute - firstMinute]),
    years: minute => known(expiry.years[minute - firstMinute]),
    smile: minute => {
      const state = minute - firstMinute
      const [from, to] = [expiry.smileFrom[state]!, expiry.smileFrom[state + 1]!]
      return Array.from({ length: to - from }, (_, index) => ({
        strike: expiry.smileStrikes[from + index]!,
        variance: expiry.smileTotalVariances[from + index]!,
      }))
    },
  }
}
