import { emptyQuote, type Quote, type Quoter } from './quotes.ts'
import type { Random } from './random.ts'
import type { SideWorld } from './sideWorlds.ts'
import type { TrueLeg } from './tape.ts'

/** The market of a whole package, in cents per unit, from the side of `legs`. */
export type PackageQuote = {
  readonly bid: number
  readonly ask: number
  readonly legs: readonly Quote[]
}

/** Computes the synthetic quote: selling and buying the package against the legs' quotes. */
export function quotePackage(
  quoter: Quoter,
  legs: readonly TrueLeg[],
  beforeUs: number,
): PackageQuote {
  let bid = 0
  let ask = 0
  const quotes = legs.map(leg => {
    const quote = emptyQuote()
    quoter.read(leg.contract, beforeUs, quote)
    bid += leg.ratio * (leg.sign > 0 ? quote.bid : -quote.ask)
    ask += leg.ratio * (leg.sign > 0 ? quote.ask : -quote.bid)
    return quote
  })
  return { bid, ask, legs: quotes }
}

/** Order style of a customer: position between the middle (0) and the far quote (1). */
export type Approach = { readonly spreadPosition: number; readonly isInitiated: boolean }

/** Share of orders that trade near the middle. */
const MIDDLE_SHARE = 0.14

/**
 * Some customers trade near the middle; of the others some cross, most of the way, and the rest
 * wait with a limit order and are hit at the near quote.
 */
export function drawApproach(random: Random, { crossing }: SideWorld): Approach {
  if (random.chance(MIDDLE_SHARE)) {
    return { spreadPosition: 0.16 * random.normal(), isInitiated: random.chance(0.6) }
  }
  if (random.chance(crossing)) {
    return { spreadPosition: 1 - 0.75 * random.uniform() ** 1.6, isInitiated: true }
  }
  return { spreadPosition: -(1 - 0.7 * random.uniform() ** 1.4), isInitiated: false }
}

/** Smallest step of a package's net in cents: a nickel, but a penny for a box. */
export const netGridCents = (structure: string): number => (structure === 'box' ? 1 : 5)

/** The net the customer pays, on the grid and inside the market where the grid allows it. */
export function computeNet(quote: PackageQuote, spreadPosition: number, grid: number): number {
  const middle = (quote.bid + quote.ask) / 2
  const wanted = middle + (spreadPosition * (quote.ask - quote.bid)) / 2
  const net = Math.round(wanted / grid) * grid
  if (Math.abs(spreadPosition) > 1) return net + 0
  if (net > quote.ask) return Math.floor(quote.ask / grid) * grid + 0
  return (net < quote.bid ? Math.ceil(quote.bid / grid) * grid : net) + 0
}

/**
 * Splits a net into penny prices of the legs: each near the same position in its own market, with a
 * little noise, then adjusted until the sum is the net. Null when no prices above zero do it.
 */
export function allocate(
  quote: PackageQuote,
  legs: readonly TrueLeg[],
  net: number,
  random: Random,
): number[] | null {
  const width = quote.ask - quote.bid
  const spreadPosition = width > 0 ? (2 * net - quote.bid - quote.ask) / width : 0
  const prices = legs.map((leg, i) => {
    const { bid, ask } = quote.legs[i]!
    const at = leg.sign * spreadPosition + 0.3 * (random.uniform() - 0.5)
    const inside = Math.max(-1, Math.min(1, at))
    return Math.max(1, Math.round((bid + ask) / 2 + (inside * (ask - bid)) / 2))
  })
  return mend(prices, quote, legs, net) ? prices : null
}

/** Every leg at its own far quote: an order filled against the simple book. */
export function pricesAtQuotes(quote: PackageQuote, legs: readonly TrueLeg[]): number[] | null {
  const prices = legs.map((leg, i) => (leg.sign > 0 ? quote.legs[i]!.ask : quote.legs[i]!.bid))
  return prices.every(price => price > 0) ? prices : null
}

/** Moves leg prices, those with the largest possible move first, until the legs sum to the net. */
function mend(
  prices: number[],
  quote: PackageQuote,
  legs: readonly TrueLeg[],
  net: number,
): boolean {
  let missing = net - sumPrices(prices, legs)
  /** Cents that leg `i` can go towards the net, inside its quote or beyond it. */
  const findMove = (i: number, isInside: boolean) => {
    const steps = Math.trunc(missing / (legs[i]!.sign * legs[i]!.ratio))
    const low = isInside ? Math.max(1, quote.legs[i]!.bid) : 1
    const high = isInside ? Math.max(1, quote.legs[i]!.ask) : prices[i]! + Math.abs(steps)
    const move = Math.max(low, Math.min(high, prices[i]! + steps)) - prices[i]!
    return move * steps > 0 ? move : 0
  }
  for (const isInside of [true, false]) {
    for (let round = 0; round < 4 * legs.length && missing !== 0; round++) {
      const gains = legs.map((leg, i) => Math.abs(findMove(i, isInside)) * leg.ratio)
      const best = gains.indexOf(Math.max(...gains))
      const move = findMove(best, isInside)
      if (move === 0) break
      missing -= legs[best]!.sign * legs[best]!.ratio * move
      prices[best] = prices[best]! + move
    }
  }
  return missing === 0 || mendPair(prices, legs, missing)
}

/** Adjusts ratios such as 2x3, where no single leg can move the net by one cent. */
function mendPair(prices: number[], legs: readonly TrueLeg[], missing: number): boolean {
  for (let i = 0; i < legs.length; i++) {
    for (let j = 0; j < legs.length; j++) {
      if (i === j) continue
      for (let a = -8; a <= 8; a++) {
        const left = missing - legs[i]!.sign * legs[i]!.ratio * a
        const b = left / (legs[j]!.sign * legs[j]!.ratio)
        if (!Number.isInteger(b) || Math.abs(b) > 8) continue
        if (prices[i]! + a < 1 || prices[j]! + b < 1) continue
        prices[i] = prices[i]! + a
        prices[j] = prices[j]! + b
        return true
      }
    }
  }
  return false
}

/** Cost of the legs together, in cents per package. */
const sumPrices = (prices: readonly number[], legs: readonly TrueLeg[]): number =>
  legs.reduce((sum, leg, i) => sum + leg.sign * leg.ratio * prices[i]!, 0)
