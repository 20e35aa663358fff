import { type Chain, contractAt, type Expiry } from './chain.ts'
import type { SimulatedMarket } from './market.ts'
import { totalVariance } from './quotes.ts'
import { createChoice, type Random } from './random.ts'
import type { Pattern } from './structures.ts'
import type { TrueLeg } from './tape.ts'

/** Puts patterns on the listed strikes of an expiry. */
export type Placement = {
  /** An expiry a customer picks at this instant, today's about half the time. */
  readonly drawExpiry: (random: Random, atUs: number) => number
  /** Legs of the pattern, or null when the strike grid cannot hold it. */
  readonly placePattern: (pattern: Pattern, at: PlacementRequest) => TrueLeg[] | null
  /** One contract, by deviations from the forward. */
  readonly placeContract: (at: PlacementRequest) => number
}

/** Time and front expiry of a pattern to be given strikes. */
export type PlacementRequest = {
  readonly random: Random
  readonly expiry: number
  readonly atUs: number
}

/** Contracts about to expire are left alone. */
const LAST_TRADE_US = 5_000_000
/** Late in the day a deviation is less than a strike: strikes are then chosen this far apart. */
const LEAST_DEVIATION = 0.0022

/** Placement on one session's chain. */
export function createPlacement(market: SimulatedMarket, chain: Chain): Placement {
  const weighted = chain.expiries.map((expiry, index) => [index, popularity(expiry)] as const)
  const drawAny = createChoice(weighted)
  const drawLater = createChoice(
    weighted.filter(([index]) => chain.expiries[index]!.sessionsAhead > 0),
  )
  const computeDeviation = (expiry: Expiry, atUs: number) =>
    Math.max(LEAST_DEVIATION, Math.sqrt(totalVariance(market, expiry, market.toGridIndex(atUs))))
  const computeForward = (expiry: Expiry, atUs: number) =>
    market.spot[market.toGridIndex(atUs)]! * expiry.carry

  return {
    drawExpiry: (random, atUs) =>
      atUs < market.pmExpiryUs - LAST_TRADE_US ? drawAny(random) : drawLater(random),
    placeContract: ({ random, expiry: index, atUs }) => {
      const expiry = chain.expiries[index]!
      const isOut = random.chance(0.88)
      const distance = Math.abs(1.1 * random.normal()) * (isOut ? 1 : -0.5)
      const type = random.chance(0.52) ? 'P' : 'C'
      const deviations = type === 'P' ? -distance : distance
      const target =
        computeForward(expiry, atUs) * Math.exp(deviations * computeDeviation(expiry, atUs))
      const step = drawStep(random, expiry)
      return contractAt(expiry, Math.round(target / step) * step, type)
    },
    placePattern: (pattern, { random, expiry: index, atUs }) => {
      const front = chain.expiries[index]!
      const backIndex = Math.min(index + random.integer(1, 6), chain.expiries.length - 1)
      if (backIndex === index && pattern.legs.some(leg => leg.month === 1)) return null
      const forward = computeForward(front, atUs)
      const deviation = computeDeviation(front, atUs)
      const step = drawStep(random, front)
      const strikes: number[] = []
      const legs: TrueLeg[] = []
      for (const leg of pattern.legs) {
        const expiry = chain.expiries[leg.month === 0 ? index : backIndex]!
        const fixed = fixedStrike(pattern, legs.length, strikes)
        const wanted = forward * Math.exp(leg.deviations * deviation)
        const contract = contractAt(expiry, fixed ?? Math.round(wanted / step) * step, leg.type)
        const strike = chain.strikeByContract[contract]!
        if (fixed !== null && strike !== fixed) return null
        strikes.push(strike)
        legs.push({ contract, ratio: leg.ratio, sign: leg.sign })
      }
      return isInOrder(pattern, strikes) && areDistinct(legs) ? legs : null
    },
  }
}

/** The strike that earlier legs impose on leg `index`: a shared one, or one of equal widths. */
function fixedStrike(pattern: Pattern, index: number, strikes: readonly number[]): number | null {
  const { key, mirror } = pattern.legs[index]!
  if (mirror)
    return strikes[mirror.from]! + mirror.step * (strikes[mirror.to]! - strikes[mirror.from]!)
  const twin = pattern.legs.findIndex(leg => key !== undefined && leg.key === key)
  return twin >= 0 && twin < index ? strikes[twin]! : null
}

/** True when the strikes are in the order of their deviations; else it is another structure. */
function isInOrder(pattern: Pattern, strikes: readonly number[]): boolean {
  return pattern.legs.every((one, i) =>
    pattern.legs.every((other, j) => {
      if (one.mirror || other.mirror || one.deviations >= other.deviations) return true
      return strikes[i]! < strikes[j]!
    }),
  )
}

const areDistinct = (legs: readonly TrueLeg[]) =>
  new Set(legs.map(leg => leg.contract)).size === legs.length

/** Weight of an expiry: about half of the volume is in today's, the rest falls off with time. */
function popularity({ sessionsAhead, isMonthly, root }: Expiry): number {
  if (sessionsAhead === 0) return 95
  return (14 / sessionsAhead ** 0.95) * (isMonthly ? 2 : 1) * (root === 'SPX' ? 0.7 : 1)
}

const nearSteps = createChoice([
  [5, 5],
  [10, 3],
  [25, 2],
] as const)
const farSteps = createChoice([
  [5, 1],
  [25, 4],
  [50, 3],
  [100, 2],
] as const)

/** Customers like round strikes, the more so the farther the expiry. */
const drawStep = (random: Random, expiry: Expiry) =>
  expiry.sessionsAhead < 8 ? nearSteps(random) : farSteps(random)
