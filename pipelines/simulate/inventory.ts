import { type Chain, isPut } from './chain.ts'
import { type Market, SESSIONS_PER_YEAR } from './market.ts'
import { totalVariance } from './quotes.ts'
import { createRandom } from './random.ts'

export type Inventory = {
  /** Contracts open at the previous close. */
  readonly openInterest: Int32Array
  /** What dealers hold of it at the open; long above zero. */
  readonly dealerQuantity: Int32Array
}

/**
 * Open interest gathers at round strikes and monthly expiries. Dealers tend to be long the calls
 * that customers write and short the puts that customers buy; each contract has its own story.
 */
export function createInventory(market: Market, chain: Chain, seed: number): Inventory {
  const random = createRandom(seed, 'inventory')
  const index = market.indexOf(market.openUs)
  const openInterest = new Int32Array(chain.contractCount)
  const dealerQuantity = new Int32Array(chain.contractCount)
  const mood = 0.1 * random.normal()
  for (let contract = 0; contract < chain.contractCount; contract++) {
    const expiry = chain.expiries[chain.expiryOf[contract]!]!
    const strike = chain.strikeOf[contract]!
    const deviation = Math.sqrt(totalVariance(market, expiry, index))
    const distance = Math.log(strike / market.spot[index]!) / Math.max(deviation, 0.004)
    const isOut = isPut(contract) ? distance < 0 : distance > 0
    const scale = (expiry.isMonthly ? 2600 : 700) * (1 + expiry.sessionsAhead / SESSIONS_PER_YEAR)
    const fall = Math.exp(-(Math.abs(distance) ** 1.5) / (isOut ? 3 : 0.8))
    const level = scale * fall * roundness(strike)
    const interest = Math.floor(level * Math.exp(1.1 * random.normal()))
    const lean = dealerLean(isPut(contract), distance, expiry.sessionsAhead) + mood
    const share = Math.max(-0.95, Math.min(0.95, lean + 0.25 * random.normal()))
    openInterest[contract] = interest
    dealerQuantity[contract] = Math.trunc(interest * share)
  }
  return { openInterest, dealerQuantity }
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
  if (!isPutOption) return 0.18 + 0.1 * nearness
  return sessionsAhead < 3 ? -0.12 + 0.14 * nearness : -0.22 + 0.05 * nearness
}
