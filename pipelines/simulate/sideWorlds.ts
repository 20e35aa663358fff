import type { SimulatedMarket } from './market.ts'
import { createRandom } from './random.ts'

/** How customers price and size their orders in one world of sides, and how many of them buy. */
export type SideWorld = {
  /** Share of the orders away from the middle that pay most of the spread; the others wait. */
  readonly crossing: number
  /** Share of the waiting orders that are all of the size shown. */
  readonly whole: number
  /** Share of the orders above the size shown that print in one piece at the quote; others sweep. */
  readonly onePiece: number
  /** Share of the prices inside the quote, and of auctions, that lean the customer's way. */
  readonly inside: number
  /** Shares of the customers who buy calls, and puts; of a package its first leg. */
  readonly callBuyers: number
  readonly putBuyers: number
  /** Standard deviation of those shares from hour to hour, on the logit scale. */
  readonly drift: number
}

const MIDDLE: SideWorld = {
  crossing: 0.65,
  whole: 0.5,
  onePiece: 0.5,
  inside: 0.65,
  callBuyers: 0.5,
  putBuyers: 0.5,
  drift: 0,
}

/**
 * The worlds in which sides are measured. Nobody knows in which one the market is: published
 * shares of right sides at the quote go from 0.44 to 0.83, inside it from 0.57 to 0.71 (Grauer,
 * Schuster and Uhrig-Homburg on ISE and Cboe; Savickas and Wilson on Cboe in 1995).
 */
export const SIDE_WORLDS = {
  middle: MIDDLE,
  crossing_45: { ...MIDDLE, crossing: 0.45 },
  crossing_55: { ...MIDDLE, crossing: 0.55 },
  crossing_72: { ...MIDDLE, crossing: 0.72 },
  crossing_85: { ...MIDDLE, crossing: 0.85 },
  whole_orders: { ...MIDDLE, whole: 1 },
  parts_of_orders: { ...MIDDLE, whole: 0 },
  one_piece: { ...MIDDLE, onePiece: 1 },
  sweeps: { ...MIDDLE, onePiece: 0 },
  auctions: { ...MIDDLE, inside: 0.9 },
  improved_quotes: { ...MIDDLE, inside: 0.57 },
  put_buyers: { ...MIDDLE, callBuyers: 0.35, putBuyers: 0.65 },
  drifting: { ...MIDDLE, drift: 0.4 },
  crowd: { ...MIDDLE, callBuyers: 0.65, putBuyers: 0.35, drift: 0.2 },
} as const satisfies Record<string, SideWorld>

export type SideWorldName = keyof typeof SIDE_WORLDS

/** Returns how likely a customer of a class buys at an instant. */
export type FindBuyersShare = (isPutOption: boolean, isToday: boolean, atUs: number) => number

const HOUR_US = 3_600_000_000

/** The buyers of one session: the shares of its world, moved each hour and in each class. */
export function createBuyers(
  market: SimulatedMarket,
  { callBuyers, putBuyers, drift }: SideWorld,
  seed: number,
): FindBuyersShare {
  const random = createRandom(seed, 'buyers')
  const hours = Math.ceil(market.endUs / HOUR_US)
  const classes = [callBuyers, callBuyers, putBuyers, putBuyers].map(share =>
    Array.from({ length: hours }, () => {
      const odds = (share / (1 - share)) * Math.exp(drift * random.normal())
      return odds / (1 + odds)
    }),
  )
  return (isPutOption, isToday, atUs) => {
    const hour = Math.min(hours - 1, Math.floor(atUs / HOUR_US))
    return classes[(isPutOption ? 2 : 0) + (isToday ? 1 : 0)]![hour]!
  }
}
