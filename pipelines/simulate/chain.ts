import { findSettlement } from '../../src/core/engine/roots.ts'
import {
  addDays,
  expiresAtMs,
  findTradingSession,
  neighbourSession,
  type SessionDate,
} from '../../src/core/market/calendar.ts'
import { discountFactor } from './curve.ts'
import { businessYearsTo, type SimulatedMarket } from './market.ts'
import { createRandom, type Random } from './random.ts'

/** One listed expiry of one root. */
export type Expiry = {
  readonly root: 'SPX' | 'SPXW'
  readonly date: SessionDate
  readonly isMonthly: boolean
  /** Sessions after today; 0 expires today. */
  readonly sessionsAhead: number
  readonly expiresUs: number
  /** Business years from the open to the expiry. */
  readonly businessYears: number
  readonly discount: number
  /** Forward over spot. */
  readonly carry: number
  /** Factor on the expiry's variance: events that one date holds and another does not. */
  readonly varianceFactor: number
  readonly strikes: Float64Array
  /** Number of the call at the first strike; the put follows, then the next strike. */
  readonly firstContract: number
}

/** All listed contracts, numbered by expiry, strike, call before put. */
export type Chain = {
  readonly expiries: readonly Expiry[]
  readonly contractCount: number
  readonly expiryByContract: Int32Array
  readonly strikeByContract: Float64Array
}

const DAY_US = 86_400_000_000
const DIVIDEND_YIELD = 0.0125

/** Every contract listed on the session's day, `contracts` of them or a little fewer. */
export function createChain(market: SimulatedMarket, contracts: number, seed: number): Chain {
  const random = createRandom(seed, 'chain')
  const listed = listExpiries(market.session.date)
  const wanted = Math.max(4, Math.min(listed.length, Math.round(contracts / 100)))
  const chosen = listed.slice(0, wanted).sort(byExpiry)
  const strikeCount = Math.floor(contracts / 2 / chosen.length)
  const centre = Math.round(market.spot[market.toGridIndex(0)]! / 5) * 5
  const expiries: Expiry[] = []
  let firstContract = 0
  for (const listing of chosen) {
    const expiry = createExpiry(market, listing, random)
    const days = (expiry.expiresUs - market.openUs) / DAY_US
    const strikes = createStrikes(centre, days, strikeCount)
    expiries.push({ ...expiry, strikes, firstContract })
    firstContract += strikes.length * 2
  }
  const expiryByContract = new Int32Array(firstContract)
  const strikeByContract = new Float64Array(firstContract)
  expiries.forEach((expiry, index) => {
    expiry.strikes.forEach((strike, strikeIndex) => {
      const call = expiry.firstContract + strikeIndex * 2
      expiryByContract[call] = index
      expiryByContract[call + 1] = index
      strikeByContract[call] = strike
      strikeByContract[call + 1] = strike
    })
  })
  return { expiries, contractCount: firstContract, expiryByContract, strikeByContract }
}

/** Calls are even, puts odd. */
export const isPut = (contract: number): boolean => (contract & 1) === 1

/** The contract of an expiry at the listed strike nearest to `strike`. */
export function contractAt(expiry: Expiry, strike: number, type: 'C' | 'P'): number {
  const { strikes } = expiry
  let low = 0
  let high = strikes.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (strikes[middle]! < strike) low = middle + 1
    else high = middle
  }
  if (low > 0 && strike - strikes[low - 1]! < strikes[low]! - strike) low--
  return expiry.firstContract + low * 2 + (type === 'P' ? 1 : 0)
}

type Listing = {
  readonly root: 'SPX' | 'SPXW'
  readonly date: SessionDate
  readonly isMonthly: boolean
}

const byExpiry = (one: Listing, other: Listing) =>
  one.date.localeCompare(other.date) || one.root.localeCompare(other.root)

/** Lists the most important first: a small chain takes the front of this list. */
function listExpiries(today: SessionDate): Listing[] {
  const listings = new Map<string, Listing>()
  const list = (root: 'SPX' | 'SPXW', date: SessionDate, isMonthly = false) => {
    const key = `${root} ${date}`
    if (date >= today && !listings.has(key)) listings.set(key, { root, date, isMonthly })
  }
  const dailies = nextSessions(today, 11)
  const monthlies = Array.from({ length: 13 }, (_, month) => thirdFriday(today, month))
  for (const date of dailies.slice(0, 3)) list('SPXW', date)
  for (const date of monthlies.slice(0, 2)) {
    // on the settlement morning the AM contracts no longer trade
    if (date > today) list('SPX', date, true)
    list('SPXW', date, true)
  }
  for (const date of dailies) list('SPXW', date)
  for (const date of monthlies) {
    if (date > today) list('SPX', date, true)
    list('SPXW', date, true)
  }
  for (let week = 2; week < 11; week++) list('SPXW', sessionOnOrBefore(friday(today, week)))
  for (let month = 0; month < 12; month++) list('SPXW', monthEnd(today, month), true)
  return [...listings.values()]
}

function createExpiry(market: SimulatedMarket, listing: Listing, random: Random) {
  const settlement = findSettlement(listing.root)
  const expiresUs =
    (expiresAtMs(listing.date, settlement, market.session.date) - market.originMs) * 1000
  const sessionsAhead = countSessions(market.session.date, listing.date)
  const days = Math.max(0, (expiresUs - market.openUs) / DAY_US)
  const discount = discountFactor(days)
  return {
    ...listing,
    sessionsAhead,
    expiresUs,
    businessYears: businessYearsTo(sessionsAhead, settlement),
    discount,
    carry:
      Math.exp((-DIVIDEND_YIELD * days) / 365 + 1e-5 * random.normal() * days ** 0.5) / discount,
    varianceFactor: Math.exp(0.015 * random.normal()),
  }
}

/**
 * Strikes 5 apart near the index and 10, 25, 50, 100 apart farther out. A strike is listed when
 * its distance, divided by how round it is, is small.
 */
function createStrikes(centre: number, days: number, count: number): Float64Array {
  const roundness: readonly (readonly [number, number])[] =
    days > 60
      ? [[200, 60], [100, 40], [50, 12], [25, 5], [10, 0.6], [5, 0.3]] // biome-ignore format: pairs
      : [[200, 30], [100, 14], [50, 6], [25, 3], [10, 1.4], [5, 1]] // biome-ignore format: pairs
  const scored: { strike: number; score: number }[] = []
  for (let strike = 200; strike <= centre * 2; strike += 5) {
    const factor = roundness.find(([step]) => strike % step === 0)![1]
    const distance = strike > centre ? (strike - centre) * 1.7 : centre - strike
    scored.push({ strike, score: distance / factor })
  }
  scored.sort((one, other) => one.score - other.score || one.strike - other.strike)
  return Float64Array.from(scored.slice(0, count).map(({ strike }) => strike)).sort()
}

function nextSessions(today: SessionDate, count: number): SessionDate[] {
  const dates = [today]
  while (dates.length < count) dates.push(neighbourSession(dates.at(-1)!, 1).date)
  return dates
}

function countSessions(from: SessionDate, to: SessionDate): number {
  let count = 0
  for (let date = from; date < to; date = addDays(date, 1)) if (findTradingSession(date)) count++
  return count
}

function sessionOnOrBefore(date: SessionDate): SessionDate {
  return findTradingSession(date) ? date : neighbourSession(date, -1).date
}

const weekday = (date: SessionDate) => new Date(`${date}T00:00:00Z`).getUTCDay()

const friday = (today: SessionDate, weeks: number) =>
  addDays(today, ((5 - weekday(today) + 7) % 7) + weeks * 7)

/** First day of the month `months` after the month of a day. */
function firstOfMonth(today: SessionDate, months: number): SessionDate {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const index = year * 12 + month - 1 + months
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`
}

function thirdFriday(today: SessionDate, months: number): SessionDate {
  const first = firstOfMonth(today, months)
  return sessionOnOrBefore(addDays(first, ((5 - weekday(first) + 7) % 7) + 14))
}

const monthEnd = (today: SessionDate, months: number) =>
  sessionOnOrBefore(addDays(firstOfMonth(today, months + 1), -1))
