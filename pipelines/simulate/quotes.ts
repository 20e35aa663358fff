import { normalCdf } from '../../src/core/market/normal.ts'
import { type Chain, type Expiry, isPut } from './chain.ts'
import { LONG_VARIANCE, REVERSION, type SimulatedMarket } from './market.ts'
import { hashSeed, hashUnit } from './random.ts'

/** A quote in cents; 0 = none. `quotedUs` is strictly before the requested instant. */
export type Quote = {
  bid: number
  ask: number
  bidSize: number
  askSize: number
  quotedUs: number
}

/** Reads simulated quotes. */
export type Quoter = {
  /** The last quote of a contract strictly before an instant, written into `quote`. */
  readonly read: (contract: number, beforeUs: number, quote: Quote) => void
}

/** A quote to be written into. */
export const emptyQuote = (): Quote => ({ bid: 0, ask: 0, bidSize: 0, askSize: 0, quotedUs: 0 })

/** Wing strength of the smile. With |rho| < 0.65 the surface has no butterfly arbitrage. */
export const ETA = 1.15
/** Business years left below which an expiry's variance stops falling: about five seconds. */
const LEAST_YEARS = 6e-7

/**
 * Quotes as a function of (contract, instant): a market maker requotes each contract at instants of
 * its own, from the index and smile of that instant. Nothing is stored, so the quote at a print and
 * the quote of the minute always agree.
 */
export function createQuoter(market: SimulatedMarket, chain: Chain, seed: number): Quoter {
  const noise = hashSeed(seed, 'quotes')
  const period = requotePeriods(market, chain)
  return {
    read: (contract, beforeUs, quote) => {
      const every = period[contract]!
      let tick = Math.floor(beforeUs / every)
      let at = Math.floor((tick + 0.9 * hashUnit(noise, contract, tick)) * every)
      if (at >= beforeUs) {
        tick--
        at = Math.floor((tick + 0.9 * hashUnit(noise, contract, tick)) * every)
      }
      quote.quotedUs = at
      const expiry = chain.expiries[chain.expiryByContract[contract]!]!
      const theory = computePrice(
        market,
        expiry,
        chain.strikeByContract[contract]!,
        isPut(contract),
        at,
      )
      const isNight = at < market.openUs || at > market.closeUs
      const width = halfSpread(theory) * (0.8 + 0.5 * hashUnit(noise, contract, ~tick))
      const half = isNight ? width * 2 : width
      const lean = 0.4 * half * (hashUnit(noise ^ 7, contract, tick) - 0.5)
      setPrices(quote, theory.price + lean - half, theory.price + lean + half)
      quote.bidSize =
        quote.bid === 0 ? 0 : computeSize(hashUnit(noise ^ 11, contract, tick), theory)
      quote.askSize = computeSize(hashUnit(noise ^ 13, contract, tick), theory)
    },
  }
}

/** At-the-money total variance of an expiry: mean-reverting variance over its business years. */
export function totalVariance(market: SimulatedMarket, expiry: Expiry, index: number): number {
  const years = Math.max(LEAST_YEARS, expiry.businessYears - market.businessYears[index]!)
  const pull = (1 - Math.exp(-REVERSION * years)) / REVERSION
  const excess = market.variance[index]! - LONG_VARIANCE
  return expiry.varianceFactor * (LONG_VARIANCE * years + excess * pull)
}

/** Total variance at k = ln(strike / forward): surface SVI (Gatheral and Jacquier, 2014). */
export function smileVariance(theta: number, rho: number, k: number): number {
  const tilt = (ETA / Math.sqrt(theta * (1 + theta))) * k
  return (theta / 2) * (1 + rho * tilt + Math.sqrt((tilt + rho) ** 2 + 1 - rho * rho))
}

type Theory = { price: number; timeValue: number; intrinsic: number }

const theory: Theory = { price: 0, timeValue: 0, intrinsic: 0 }

/** Black-76 price in index points; the result is reused by the next call. */
function computePrice(
  market: SimulatedMarket,
  expiry: Expiry,
  strike: number,
  isPutOption: boolean,
  atUs: number,
): Theory {
  const index = market.toGridIndex(atUs)
  const forward = market.spot[index]! * expiry.carry
  const theta = totalVariance(market, expiry, index)
  const k = Math.log(strike / forward)
  const deviation = Math.sqrt(smileVariance(theta, market.rho[index]!, k))
  const d1 = -k / deviation + deviation / 2
  const d2 = d1 - deviation
  // the out-of-the-money side has no cancellation; the other follows by parity
  theory.timeValue =
    expiry.discount *
    (k >= 0
      ? forward * normalCdf(d1) - strike * normalCdf(d2)
      : strike * normalCdf(-d2) - forward * normalCdf(-d1))
  const difference = isPutOption ? strike - forward : forward - strike
  theory.intrinsic = difference > 0 ? expiry.discount * difference : 0
  theory.price = theory.timeValue + theory.intrinsic
  return theory
}

/** Index points: wider for dear options, and for the in-the-money side of a strike. */
function halfSpread({ timeValue, intrinsic }: Theory): number {
  return 0.025 + 0.004 * timeValue ** 0.9 + Math.min(1.2, 0.0015 * intrinsic)
}

/** Rounds outwards to the tick grid: 0.05 below 3.00, 0.10 from there. Never locked. */
function setPrices(quote: Quote, low: number, high: number) {
  const bid = Math.max(0, low * 100)
  quote.bid = bid < 300 ? Math.floor(bid / 5) * 5 : Math.floor(bid / 10) * 10
  const ask = Math.max(5, high * 100)
  quote.ask = ask <= 300 ? Math.ceil(ask / 5) * 5 : Math.ceil(ask / 10) * 10
  if (quote.ask <= quote.bid) quote.ask = quote.bid + tickCents(quote.bid)
}

/** Smallest price step of a single option, in cents. */
export const tickCents = (cents: number): number => (cents < 300 ? 5 : 10)

/** Many contracts in cheap options, few in dear ones. */
function computeSize(unit: number, { price }: Theory): number {
  const typical = 12 + 90 / (1 + 0.15 * price)
  return Math.max(1, Math.round(typical * Math.exp(2.2 * unit - 1.4)))
}

/** Microseconds between requotes: fast near the money, never slower than two seconds. */
function requotePeriods(market: SimulatedMarket, chain: Chain): Float64Array {
  const index = market.toGridIndex(market.openUs)
  return Float64Array.from(chain.strikeByContract, (strike, contract) => {
    const expiry = chain.expiries[chain.expiryByContract[contract]!]!
    const deviation = Math.sqrt(totalVariance(market, expiry, index))
    const distance = Math.abs(Math.log(strike / market.spot[index]!)) / deviation
    const slowness = (1 + distance) * (1 + 0.25 * Math.sqrt(expiry.sessionsAhead))
    // a whole number of microseconds that no two contracts share in phase
    return Math.round(Math.min(2_000_000, 90_000 * slowness)) + (contract % 9973)
  })
}
