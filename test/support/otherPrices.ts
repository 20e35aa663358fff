import type { Market } from './otherMarket.ts'
import { findTick } from './otherMarket.ts'
import type { Package, PackageLeg } from './otherPackages.ts'

/** Prices at which a package trades. */

type Random = () => number
type When = { readonly market: Market; readonly us: number }

export type LegPrices = {
  /** Cents of each leg. */
  readonly cents: readonly number[]
  readonly isOffGrid: boolean
}

/**
 * Against another package the legs are in pennies and the net is on 0.05, a box's on 0.01. A share
 * trades at any penny: what a package gets from several markets at once.
 */
export function pennyPrices(
  random: Random,
  { kind, legs }: Package,
  { market, us, offGridShare }: When & { readonly offGridShare: number },
): LegPrices {
  const fair = legs.map(leg => market.fairCents(leg.contract, us))
  const edge = 6 * (random() - 0.5)
  const net = findNet(legs, fair) + edge
  const isOff = random() < offGridShare
  const step = kind === 'box' || isOff ? 1 : 5
  const wanted = Math.round(net / step) * step
  const cents = fair.map(value => Math.max(1, Math.round(value + 3 * (random() - 0.5))))
  return settled(legs, cents, wanted)
}

/** Against single orders every leg trades at their quotes, so on their ticks. */
export function quotedPrices(legs: readonly PackageLeg[], { market, us }: When): LegPrices {
  const cents = legs.map(({ contract, quantity }) => {
    const { bid, ask } = market.findQuote(contract, us)
    return quantity > 0 ? ask : Math.max(5, bid)
  })
  return { cents, isOffGrid: isOffGrid(legs, cents) }
}

/** The same net by other leg prices, where a penny can be moved. */
export function otherwise(random: Random, legs: readonly PackageLeg[], prices: LegPrices) {
  const first = Math.floor(random() * legs.length)
  const moved = prices.cents.map((cents, index) => cents + (index === first ? 1 : 0))
  return settled(legs, moved, findNet(legs, prices.cents))
}

/** The price behind one, where it goes on against a customer. */
export const nextTick = (cents: number, quantity: number): number =>
  Math.max(5, cents + Math.sign(quantity) * findTick(cents))

export const findNet = (legs: readonly PackageLeg[], cents: readonly number[]): number =>
  legs.reduce((sum, { quantity }, index) => sum + quantity * cents[index]!, 0)

const isOffGrid = (legs: readonly PackageLeg[], cents: readonly number[]) =>
  Math.round(findNet(legs, cents)) % 5 !== 0

/** Moves two legs as little as brings the net to what is wanted. */
function settled(legs: readonly PackageLeg[], cents: readonly number[], wanted: number): LegPrices {
  let best = cents
  let least = Number.POSITIVE_INFINITY
  const missing = wanted - findNet(legs, cents)
  for (const [one, { quantity }] of legs.entries()) {
    for (let move = -8; move <= 8; move++) {
      const other = legs.findIndex(
        (leg, index) => index !== one && (missing - quantity * move) % leg.quantity === 0,
      )
      if (other < 0) continue
      const rest = (missing - quantity * move) / legs[other]!.quantity
      const moved = cents.map((value, index) =>
        index === one ? value + move : index === other ? value + rest : value,
      )
      const size = Math.abs(move) + Math.abs(rest)
      if (size >= least || moved.some(value => value < 1)) continue
      best = moved
      least = size
    }
  }
  return { cents: best, isOffGrid: isOffGrid(legs, best) }
}
