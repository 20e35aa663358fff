import { MINUTE_MS } from '../../src/core/market/calendar.ts'
import { type LabExpiry, NO_AGE, NO_QUOTE } from '../../src/lab/market/session.ts'
import { CARRY, type LabDay } from './labPath.ts'
import { impliedDeviation, type JumpOutcome, jumpOutcomes, timeValue } from './labPricing.ts'
import { createRandom, type Random } from './random.ts'

const STRIKE_STEP = 5
/**
 * Strikes are listed within this many points of the index, or deviations of the remaining variance.
 */
const LISTED_POINTS = 250
const LISTED_DEVIATIONS = 6
/** Points of a step of the quotes. */
const QUOTE_TICK = 0.05
const RATE = 0.04
const YEAR_MS = 31_536_000_000
/** Minimum price: a cheaper option is left out of the smile and has no bid. */
const SMILE_LEAST = 0.002
/** Shares of the quotes that are missing, old, or have no bid; and of minutes without any. */
const MISSING = 0.004
const OLD = 0.01
const NO_BID = 0.003
const OUTAGE = 0.001

/** Half spreads by mid, points, as measured on SPXW minutes. */
export const HALF_SPREADS: readonly (readonly [below: number, half: number])[] = [
  [0.3, 0.025],
  [1, 0.05],
  [3, 0.075],
  [10, 0.15],
  [30, 0.25],
  [Number.POSITIVE_INFINITY, 0.7],
]

/**
 * Simulates quotes and smiles of one expiry of a day, `dte` sessions later. Mids are fair: each is
 * the price of the option, rounded to a quote step at random.
 */
export function simulateExpiry(day: LabDay, seed: number, dte: number): LabExpiry {
  const random = createRandom(seed, `lab quotes ${day.session.date} ${dte}`)
  const draft = createDraft(day, dte)
  const { stateCount, strikes } = draft
  const fair = new Float64Array(strikes.length)
  const logStrikes = strikes.map(Math.log)
  for (let state = 0; state < stateCount; state++) {
    draft.smileFrom[state] = draft.smile.count
    const years = draft.years[state]!
    if (years === 0 || random.chance(OUTAGE)) continue
    const forward = day.spots[state]! * Math.exp(CARRY * years)
    draft.forward[state] = forward
    draft.discount[state] = Math.exp(-RATE * years)
    priceStrikes(draft, { outcomes: outcomesAt(day, dte, state), forward, fair, logStrikes })
    quoteStrikes(draft, random, { state, forward, fair })
  }
  draft.smileFrom[stateCount] = draft.smile.count
  listFromQuotes(draft)
  const { smile, stateCount: _, ...expiry } = draft
  return {
    ...expiry,
    smileStrikes: smile.strikes.slice(0, smile.count),
    smileTotalVariances: smile.variances.slice(0, smile.count),
  }
}

/** Outcomes between a state and the expiry. */
function outcomesAt(day: LabDay, dte: number, state: number): JumpOutcome[] {
  const next = day.next.slice(0, dte)
  return jumpOutcomes({
    variance: next.reduce((sum, { variance }) => sum + variance, day.remaining[state]!),
    minutes: next.reduce((sum, { minutes }) => sum + minutes, day.spots.length - 1 - state),
    nights: dte,
  })
}

type Draft = ReturnType<typeof createDraft>

/** All columns of an expiry, still without a quote. */
function createDraft(day: LabDay, dte: number) {
  const { spots } = day
  const stateCount = spots.length
  const { strikes, listedFrom } = listedStrikes(day, dte)
  const cells = stateCount * strikes.length
  const expirySession = dte === 0 ? day.session : day.next[dte - 1]!.session
  const { opensAtMs } = day.session
  const quotes = () => new Uint32Array(cells).fill(NO_QUOTE)
  return {
    stateCount,
    expiry: expirySession.date,
    years: Float64Array.from({ length: stateCount }, (_, state) => {
      const atMs = opensAtMs + (state + 1) * MINUTE_MS
      return Math.max(0, expirySession.pmExpiresAtMs - atMs) / YEAR_MS
    }),
    strikes,
    listedFrom,
    tick: QUOTE_TICK,
    callBid: quotes(),
    callAsk: quotes(),
    putBid: quotes(),
    putAsk: quotes(),
    callAge: new Uint8Array(cells).fill(NO_AGE),
    putAge: new Uint8Array(cells).fill(NO_AGE),
    forward: new Float64Array(stateCount).fill(Number.NaN),
    discount: new Float64Array(stateCount).fill(Number.NaN),
    smileFrom: new Int32Array(stateCount + 1),
    smile: { count: 0, strikes: new Float64Array(cells), variances: new Float64Array(cells) },
  }
}

/**
 * Every strike within the listed width around the index at some state, and the first such state.
 */
function listedStrikes(day: LabDay, dte: number) {
  const variance = day.next
    .slice(0, dte)
    .reduce((sum, next) => sum + next.variance, day.remaining[0]!)
  const deviations = LISTED_DEVIATIONS * day.spots[0]! * Math.sqrt(variance)
  const listedWidth = STRIKE_STEP * Math.ceil(Math.max(LISTED_POINTS, deviations) / STRIKE_STEP)
  const from = new Map<number, number>()
  day.spots.forEach((spot, state) => {
    const [low, high] = [
      Math.ceil((spot - listedWidth) / STRIKE_STEP),
      (spot + listedWidth) / STRIKE_STEP,
    ]
    for (let step = low; step <= high; step++) if (!from.has(step)) from.set(step, state)
  })
  const steps = Float64Array.from(from.keys()).sort()
  return {
    strikes: steps.map(step => STRIKE_STEP * step),
    listedFrom: Int32Array.from(steps, step => from.get(step)!),
  }
}

/** Lists a strike from its first quote on; a strike without quotes is not listed. */
function listFromQuotes({ listedFrom, strikes, stateCount, callAge, putAge }: Draft): void {
  listedFrom.forEach((from, strikeIndex) => {
    const isQuoted = (state: number) => {
      const cell = state * strikes.length + strikeIndex
      return callAge[cell] !== NO_AGE || putAge[cell] !== NO_AGE
    }
    let state = from
    while (state < stateCount && !isQuoted(state)) state++
    listedFrom[strikeIndex] = state
  })
}

type Pricing = {
  readonly outcomes: readonly JumpOutcome[]
  readonly forward: number
  /** Undiscounted out-of-the-money values, which it fills. */
  readonly fair: Float64Array
  readonly logStrikes: Float64Array
}

/** Prices the strikes from the money outwards, and adds them to the smile. */
function priceStrikes({ strikes, smile }: Draft, pricing: Pricing): void {
  const { outcomes, forward, fair, logStrikes } = pricing
  const logForward = Math.log(forward)
  fair.fill(0)
  const count = strikes.length
  let middle = strikes.findIndex(strike => strike >= forward)
  if (middle < 0) middle = count
  const priceOutwards = (first: number, step: 1 | -1): number => {
    let near = outcomes[0]!.deviation
    let strikeIndex = first
    for (; strikeIndex >= 0 && strikeIndex < count; strikeIndex += step) {
      const strike = strikes[strikeIndex]!
      const distance = logForward - logStrikes[strikeIndex]!
      const value = timeValue(outcomes, forward, strike, distance)
      if (value < SMILE_LEAST) break
      fair[strikeIndex] = value
      near = impliedDeviation(value, forward, strike, distance, near)
      deviations[strikeIndex] = near
    }
    return strikeIndex
  }
  const deviations = new Float64Array(count)
  const low = priceOutwards(middle - 1, -1)
  const high = priceOutwards(middle, 1)
  for (let strikeIndex = low + 1; strikeIndex < high; strikeIndex++) {
    smile.strikes[smile.count] = strikes[strikeIndex]!
    smile.variances[smile.count++] = deviations[strikeIndex]! ** 2
  }
}

type Quoting = { readonly state: number; readonly forward: number; readonly fair: Float64Array }

function quoteStrikes(draft: Draft, random: Random, { state, forward, fair }: Quoting): void {
  const { strikes, listedFrom } = draft
  const discount = draft.discount[state]!
  const call = { bid: draft.callBid, ask: draft.callAsk, age: draft.callAge }
  const put = { bid: draft.putBid, ask: draft.putAsk, age: draft.putAge }
  for (let strikeIndex = 0; strikeIndex < strikes.length; strikeIndex++) {
    if (listedFrom[strikeIndex]! > state) continue
    const inside = forward - strikes[strikeIndex]!
    const cell = state * strikes.length + strikeIndex
    const last = state > listedFrom[strikeIndex]! ? cell - strikes.length : -1
    const value = discount * fair[strikeIndex]!
    quoteSide(call, random, cell, last, value + (inside > 0 ? discount * inside : 0))
    quoteSide(put, random, cell, last, value + (inside < 0 ? -discount * inside : 0))
  }
}

type Side = { readonly bid: Uint32Array; readonly ask: Uint32Array; readonly age: Uint8Array }

/** Quotes one option; `last` is its cell a minute before, -1 where it had none. */
function quoteSide(side: Side, random: Random, cell: number, last: number, fair: number): void {
  if (fair === 0) {
    side.ask[cell] = 1
    side.age[cell] = 1
    return
  }
  const lot = random.uniform()
  const draw = random.uniform()
  if (draw < MISSING) return
  if (draw < MISSING + OLD) {
    // no new quote in this minute
    if (last < 0 || side.age[last] === NO_AGE) return
    side.bid[cell] = side.bid[last]!
    side.ask[cell] = side.ask[last]!
    side.age[cell] = Math.min(NO_AGE, side.age[last]! + 60)
    return
  }
  const middle = fair / QUOTE_TICK
  const spread = spreadSteps(fair, (draw * 100) % 1)
  // The mid is one of the two next to the fair price that the spread allows, drawn so that it is
  // fair on average. Where the lower of them leaves no bid there is none either way: else a bid
  // would reveal that the mid is too high.
  const lower = Math.floor(middle - spread / 2)
  const bid = lower + (lot < middle - spread / 2 - lower ? 1 : 0)
  if (lower >= 1 && draw >= MISSING + OLD + NO_BID) side.bid[cell] = bid
  side.ask[cell] = lower < 1 ? Math.max(1, Math.ceil(middle + spread / 2)) : bid + spread
  side.age[cell] = 1 + Math.floor(12 * ((draw * 1000) % 1) ** 3)
}

/** Steps between bid and ask: most often the usual ones, else a fifth less or more. */
function spreadSteps(fair: number, kind: number): number {
  let row = 0
  while (fair >= HALF_SPREADS[row]![0]) row++
  const usual = Math.round((2 * HALF_SPREADS[row]![1]) / QUOTE_TICK)
  if (kind < 0.2) return Math.max(1, Math.floor(0.8 * usual))
  return kind > 0.8 ? usual + Math.ceil(0.2 * usual) : usual
}
