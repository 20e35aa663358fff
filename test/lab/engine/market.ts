import { parseMinute } from '../../../src/core/market/calendar.ts'
import { backtest } from '../../../src/lab/engine/backtest.ts'
import { ASSUMED, type Assumptions, type TradeLedger } from '../../../src/lab/engine/trade.ts'
import { type RuleCore, RuleSpec } from '../../../src/lab/language/spec.ts'
import {
  type LabExpiry,
  type LabMarket,
  type LabMinutes,
  type LabOrders,
  type LabSession,
  NO_QUOTE,
} from '../../../src/lab/market/session.ts'

/** Small hand-made markets: quiet, and quoted fairly around a flat market unless stated. */

export type Quote = { readonly bid: number; readonly ask: number; readonly age?: number }
export type Option = { readonly state: number; readonly strike: number; readonly type: 'C' | 'P' }

export type ExpirySetup = {
  readonly expiry: string
  readonly strikes?: readonly number[]
  readonly listedFrom?: (strike: number) => number
  /** Null: there is none. */
  readonly quote?: (option: Option) => Quote | null
  readonly smile?: (state: number) => readonly (readonly [strike: number, variance: number])[]
  readonly forward?: (state: number) => number
  readonly years?: (state: number) => number
}

export type OrderSetup = {
  readonly from: number
  readonly until?: number
  readonly printed?: number
  readonly premiumUsd: number
  readonly gamma?: number
}

export type SessionSetup = {
  readonly date: string
  readonly isHalfDay?: boolean
  readonly columns?: Partial<Record<keyof LabMinutes, (state: number) => number>>
  readonly orders?: readonly OrderSetup[]
  readonly expiries?: readonly (ExpirySetup | null)[]
  readonly settlement?: number | null
}

export const SPOT = 6000
export const STRIKES = Array.from({ length: 61 }, (_, index) => 5850 + 5 * index)

/** Out of the money 2.00 at 20 points and the like: worth over what is exercised, per 40 points. */
export const plainMid = (strike: number, type: 'C' | 'P', spot = SPOT): number => {
  const inside = type === 'C' ? spot - strike : strike - spot
  return Math.max(0, inside) + Math.max(0.5, 8 - Math.abs(spot - strike) / 5)
}
export const plainQuote = ({ strike, type }: Option): Quote => {
  const mid = plainMid(strike, type)
  return { bid: mid - 0.1, ask: mid + 0.1 }
}

const fill = (count: number, value: (state: number) => number) =>
  Float64Array.from({ length: count }, (_, state) => value(state))

export function session(setup: SessionSetup): LabSession {
  const stateCount = setup.isHalfDay ? 210 : 390
  const usual: Record<keyof LabMinutes, number> = {
    spot: SPOT,
    open: SPOT,
    previousClose: SPOT,
    expectedMove: 30,
    sessionExpectedMove: 40,
    netGamma: 100,
    flip: 5990,
    callWall: 6050,
    putWall: 5950,
  }
  const column = (name: keyof LabMinutes) =>
    fill(stateCount, setup.columns?.[name] ?? (() => usual[name]))
  const expiries = setup.expiries ?? [{ expiry: setup.date }]
  return {
    date: setup.date,
    isHalfDay: setup.isHalfDay ?? false,
    firstMinute: 571,
    stateCount,
    market: Object.fromEntries(
      Object.keys(usual).map(name => [name, column(name as keyof LabMinutes)]),
    ) as LabMinutes,
    orders: listOrders(setup.orders ?? [], stateCount),
    expiries: Array.from({ length: 6 }, (_, dte) => {
      const one = expiries[dte]
      return one ? findExpiry(one, stateCount) : null
    }),
    settlement: setup.settlement === undefined ? SPOT : setup.settlement,
    settlementSource: 'official',
  }
}

function listOrders(orders: readonly OrderSetup[], stateCount: number): LabOrders {
  return {
    fromState: Int32Array.from(orders.map(one => one.from)),
    untilState: Int32Array.from(orders.map(one => one.until ?? stateCount)),
    printedState: Int32Array.from(orders.map(one => one.printed ?? one.from)),
    premiumUsd: Float64Array.from(orders.map(one => one.premiumUsd)),
    gamma: Float64Array.from(orders.map(one => one.gamma ?? Number.NaN)),
  }
}

function findExpiry(setup: ExpirySetup, stateCount: number): LabExpiry {
  const strikes = Float64Array.from(setup.strikes ?? STRIKES)
  const cells = stateCount * strikes.length
  const planes = {
    callBid: new Uint32Array(cells),
    callAsk: new Uint32Array(cells),
    putBid: new Uint32Array(cells),
    putAsk: new Uint32Array(cells),
    callAge: new Uint8Array(cells),
    putAge: new Uint8Array(cells),
  }
  const findQuote = setup.quote ?? plainQuote
  for (let at = 0; at < cells; at++) {
    const state = Math.floor(at / strikes.length)
    const strike = strikes[at % strikes.length]!
    for (const type of ['C', 'P'] as const) {
      const quote = findQuote({ state, strike, type })
      const [bids, queries, ages] =
        type === 'C'
          ? [planes.callBid, planes.callAsk, planes.callAge]
          : [planes.putBid, planes.putAsk, planes.putAge]
      bids[at] = quote ? Math.round(quote.bid * 20) : NO_QUOTE
      queries[at] = quote ? Math.round(quote.ask * 20) : NO_QUOTE
      ages[at] = quote?.age ?? 0
    }
  }
  const smiles = Array.from({ length: stateCount }, (_, state) => setup.smile?.(state) ?? [])
  let points = 0
  const smileFrom = [0, ...smiles.map(smile => (points += smile.length))]
  return {
    expiry: setup.expiry,
    years: fill(stateCount, setup.years ?? (state => (stateCount - 1 - state) / 525600)),
    strikes,
    listedFrom: Int32Array.from(strikes, setup.listedFrom ?? (() => 0)),
    tick: 0.05,
    ...planes,
    forward: fill(stateCount, setup.forward ?? (() => SPOT)),
    discount: fill(stateCount, () => 1),
    smileFrom: Int32Array.from(smileFrom),
    smileStrikes: Float64Array.from(smiles.flat(), ([strike]) => strike),
    smileTotalVariances: Float64Array.from(smiles.flat(), ([, variance]) => variance),
  }
}

export const findMarket = (...setups: readonly SessionSetup[]): LabMarket => ({
  kind: 'simulated',
  sessions: setups.map(session),
  leftOut: [],
  hash: '0'.repeat(64),
})

/** Sells the 10-wide put spread 30 below at 10:00 and holds it, unless stated otherwise. */
export function rule(core: Partial<RuleCore> = {}, rest: Partial<RuleSpec> = {}): RuleSpec {
  const usual: RuleCore = {
    action: 'sell',
    structure: 'put_spread',
    width: 10,
    dte: 0,
    qty: 1,
    strike: { ref: 'spot', offset: -30 },
    entry: { at: '10:00' },
    exit: [{ at: 'expiry' }],
  }
  const merged = { ...usual, ...core }
  const isUnwinged = merged.structure === 'strangle' || merged.structure === 'straddle'
  const { width: _, ...unwinged } = merged
  return { v: 1, core: isUnwinged ? unwinged : merged, when: [], ...rest }
}

/** The ledger of a rule over all sessions; half of them or more are the design part. */
export function findLedger(
  market: LabMarket,
  spec: RuleSpec,
  assume: Partial<Assumptions> = {},
  designCount = market.sessions.length,
): TradeLedger {
  return backtest(market, RuleSpec.parse(spec), {
    assume: { ...ASSUMED, ...assume },
    sessions: { from: 0, to: market.sessions.length },
    designCount,
  })
}

/** 10:00 is state 29. */
export const findState = (minute: string): number => parseMinute(minute) - 571
