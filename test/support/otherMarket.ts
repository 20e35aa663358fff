import { randomNumbers } from './random.ts'

/** Where the other tape takes prices from: an index that walks, and a smile that knows nothing. */

export type Contract = {
  readonly root: 'SPX' | 'SPXW'
  readonly expiry: string
  readonly strike: number
  readonly type: 'C' | 'P'
}

export type Market = {
  /** The index so many microseconds after the open. */
  readonly spotAt: (us: number) => number
  /** Value of a contract, with parts of a cent. */
  readonly fairCents: (contract: Contract, us: number) => number
  /** The market's best bid and ask in cents, on the contract's tick. */
  readonly findQuote: (contract: Contract, us: number) => Quote
  /** One standard deviation of the index until an expiry, in points. */
  readonly findDeviation: (expiry: Expiry, us: number) => number
}

export type Quote = { readonly bid: number; readonly ask: number }

export type Expiry = Pick<Contract, 'root' | 'expiry'>

const OPEN_MS = Date.UTC(2026, 9, 13, 13, 30)
const YEAR_MS = 31_536_000_000
const SESSION_SECONDS = 24_300
const AT_THE_MONEY = 0.135

/** The market of one session. */
export function openMarket(seed: number): Market {
  const random = randomNumbers(seed)
  const path = [6_000 + 40 * (random() - 0.5)]
  for (let second = 1; second <= SESSION_SECONDS + 1; second++) {
    path.push(path[second - 1]! + 0.28 * normal(random))
  }
  const spotAt = (us: number) => {
    const second = Math.min(SESSION_SECONDS, Math.max(0, Math.floor(us / 1e6)))
    const part = us / 1e6 - second
    return path[second]! + (path[second + 1]! - path[second]!) * Math.min(1, Math.max(0, part))
  }
  const findDeviation = (expiry: Expiry, us: number) =>
    spotAt(us) * AT_THE_MONEY * Math.sqrt(yearsTo(expiry, us))
  const fairCents = (contract: Contract, us: number) => {
    const spot = spotAt(us)
    const deviation = findDeviation(contract, us)
    const away = Math.log(contract.strike / spot) / (deviation / spot)
    const smile = Math.min(2.5, Math.max(0.75, 1 - 0.12 * away + 0.03 * away * away))
    const spread = (deviation / spot) * smile
    const d1 = Math.log(spot / contract.strike) / spread + spread / 2
    const call = spot * cumulative(d1) - contract.strike * cumulative(d1 - spread)
    const value = contract.type === 'C' ? call : call - spot + contract.strike
    return Math.max(0, 100 * value)
  }
  const findQuote = (contract: Contract, us: number) => {
    const value = fairCents(contract, us)
    const tick = findTick(value)
    const half = Math.max(tick / 2, 0.006 * value)
    const bid = Math.max(0, Math.floor((value - half) / tick) * tick)
    return { bid, ask: Math.max(bid + tick, Math.ceil((value + half) / tick) * tick) }
  }
  return { spotAt, fairCents, findQuote, findDeviation }
}

/** The tick of a single option in cents: 0.05 below 3.00, else 0.10. */
export const findTick = (cents: number): number => (cents < 300 ? 5 : 10)

/** A number of the standard normal distribution. */
export const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** AM settled options end at 09:30 ET, PM settled ones at 16:00 ET, both in summer time. */
function yearsTo({ root, expiry }: Expiry, us: number): number {
  const ends = Date.parse(`${expiry}T${root === 'SPX' ? '13:30' : '20:00'}:00Z`)
  return Math.max(60_000, ends - OPEN_MS - us / 1e3) / YEAR_MS
}

/** The normal distribution to seven digits (Abramowitz and Stegun 26.2.17). */
function cumulative(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = series.reduceRight((total, factor) => t * (factor + total), 0)
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
  return x > 0 ? 1 - tail : tail
}
