import { type Chain, isPut } from './chain.ts'
import type { SimulatedMarket } from './market.ts'
import { smileVariance, totalVariance } from './quotes.ts'
import { createRandom } from './random.ts'

/** The morning's open interest and the dealers' part of it, by contract. */
export type Inventory = {
  /** Contracts open at the previous close. */
  readonly openInterest: Int32Array
  /** Dealers' position in it at the open; long above zero. */
  readonly dealerQuantity: Int32Array
}

/** Kinds of dealers: what they hold of the morning's open interest. */
export const DEALER_KINDS = [
  'flip_below',
  'common_shares',
  'long_at_the_money',
  'short_puts',
  'overwriters',
  'reverse',
  'random',
  'all_long',
  'all_short',
  'collar',
  'flip_anywhere',
] as const

export type DealerKind = (typeof DEALER_KINDS)[number]

/** Dealers never hold more than this share of a contract's open interest, either way. */
const MOST_SHARE = 0.95
const MOOD_STEPS = 40

/**
 * Open interest gathers at round strikes, near expiries and monthly ones. Dealers of the kind
 * `flip_below` tend to be long the calls that customers write and short the puts that customers
 * buy, with noise for each contract, and their overall lean is set so that the gamma of the book
 * crosses zero at a drawn distance from the index, mostly below it and within a hundred points;
 * `flip_anywhere` at one that may lie beyond every strike. The books of the other kinds follow from
 * their shares alone: see `createShares`.
 */
export function createInventory(
  market: SimulatedMarket,
  chain: Chain,
  { seed, dealers = 'flip_below' }: { readonly seed: number; readonly dealers?: DealerKind },
): Inventory {
  const random = createRandom(seed, 'inventory')
  const findShare = createShares(dealers, seed)
  const index = market.toGridIndex(market.openUs)
  const spot = market.spot[index]!
  const openInterest = new Int32Array(chain.contractCount)
  const share = new Float64Array(chain.contractCount)
  for (let contract = 0; contract < chain.contractCount; contract++) {
    const expiry = chain.expiries[chain.expiryByContract[contract]!]!
    const strike = chain.strikeByContract[contract]!
    const deviation = Math.sqrt(totalVariance(market, expiry, index))
    const distance = Math.log(strike / spot) / Math.max(deviation, 0.004)
    const isOut = isPut(contract) ? distance < 0 : distance > 0
    const nearness = 1 + 12 * Math.exp(-expiry.sessionsAhead / 3)
    const fall = Math.exp(-(Math.abs(distance) ** 1.5) / (isOut ? 3 : 0.8))
    const level = (expiry.isMonthly ? 600 : 200) * nearness * fall * roundness(strike)
    openInterest[contract] = Math.floor(level * Math.exp(1.1 * random.normal()))
    const { sessionsAhead, isMonthly } = expiry
    const mean = findShare({ isPut: isPut(contract), distance, sessionsAhead, isMonthly })
    share[contract] = mean + 0.25 * random.normal()
  }
  const limited = share.map(one => Math.max(-MOST_SHARE, Math.min(MOST_SHARE, one)))
  if (dealers !== 'flip_below' && dealers !== 'flip_anywhere') {
    const dealerQuantity = limited.map((one, contract) => openInterest[contract]! * one)
    return { openInterest, dealerQuantity: Int32Array.from(dealerQuantity, Math.trunc) }
  }
  const [mean, deviation] = dealers === 'flip_below' ? [-25, 30] : [0, 150]
  const flip = spot + mean + deviation * random.normal()
  const gamma = gammaAt(market, chain, flip)
  const held = (mood: number) =>
    share.map(
      (one, i) => openInterest[i]! * Math.max(-MOST_SHARE, Math.min(MOST_SHARE, one + mood)),
    )
  let low = -1
  let high = 1
  for (let step = 0; step < MOOD_STEPS; step++) {
    const mood = (low + high) / 2
    const net = held(mood).reduce((sum, quantity, i) => sum + quantity * gamma[i]!, 0)
    if (net > 0) high = mood
    else low = mood
  }
  return { openInterest, dealerQuantity: Int32Array.from(held(low), Math.trunc) }
}

type SeriesPosition = {
  readonly isPut: boolean
  /** Log distance of the strike from the index, in deviations of its expiry. */
  readonly distance: number
  readonly sessionsAhead: number
  readonly isMonthly: boolean
}

/** Share of a contract's open interest that dealers of a kind are long on average. */
function createShares(kind: DealerKind, seed: number): (series: SeriesPosition) => number {
  const random = createRandom(seed, 'dealers')
  const [ofCalls, ofPuts] = [0.2 * random.normal(), 0.2 * random.normal()]
  const shares: Readonly<Record<DealerKind, (series: SeriesPosition) => number>> = {
    flip_below: series => dealerLean(series.isPut, series.distance, series.sessionsAhead),
    flip_anywhere: series => dealerLean(series.isPut, series.distance, series.sessionsAhead),
    common_shares: series => (series.isPut ? ofPuts : ofCalls),
    long_at_the_money: series => (Math.abs(series.distance) < 1 ? 0.25 : -0.2),
    short_puts: series => (series.isPut ? -0.3 : 0.05),
    overwriters: series => (series.isPut ? -0.05 : 0.35),
    reverse: series => (series.isPut ? 0.2 : -0.22),
    random: () => 0,
    all_long: () => 0.25,
    all_short: () => -0.25,
    // a customer's collar in the monthly expiries: dealers long its deep puts, short the near ones
    collar: series => {
      const common = series.isPut ? ofPuts : ofCalls
      if (!series.isMonthly || !series.isPut) return common
      return series.distance < -2 ? 0.6 : -0.5
    },
  }
  return shares[kind]
}

/** Round strikes draw the volume. */
const roundness = (strike: number) => {
  if (strike % 100 === 0) return 4
  if (strike % 50 === 0) return 2.5
  if (strike % 25 === 0) return 1.6
  return strike % 10 === 0 ? 0.8 : 0.5
}

/** Mean share of the open interest that dealers are long. */
function dealerLean(isPutOption: boolean, distance: number, sessionsAhead: number): number {
  const nearness = Math.exp(-0.5 * distance * distance)
  if (!isPutOption) return 0.22 + 0.06 * nearness
  return sessionsAhead < 3 ? -0.18 + 0.08 * nearness : -0.23 + 0.04 * nearness
}

/** Black gamma of every contract with the index at `spot`, each strike keeping its volatility. */
function gammaAt(market: SimulatedMarket, chain: Chain, spot: number): Float64Array {
  const index = market.toGridIndex(market.openUs)
  return Float64Array.from(chain.strikeByContract, (strike, contract) => {
    const expiry = chain.expiries[chain.expiryByContract[contract]!]!
    const theta = totalVariance(market, expiry, index)
    const k = Math.log(strike / (market.spot[index]! * expiry.carry))
    const deviation = Math.sqrt(smileVariance(theta, market.rho[index]!, k))
    const forward = spot * expiry.carry
    const d1 = Math.log(forward / strike) / deviation + deviation / 2
    return (expiry.discount * Math.exp(-0.5 * d1 * d1) * forward) / (spot * spot * deviation)
  })
}
