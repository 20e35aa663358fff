import type { TapePreset } from './options.ts'
import type { Placement } from './placement.ts'
import {
  allocate,
  computeNet,
  drawApproach,
  netGridCents,
  type PackageQuote,
  pricesAtQuotes,
  quotePackage,
} from './prices.ts'
import type { Quoter } from './quotes.ts'
import { createChoice, type Random } from './random.ts'
import type { SideWorld } from './sideWorlds.ts'
import { drawFloorSize, drawPackageSize, split } from './sizes.ts'
import { drawPattern, orientedName } from './structures.ts'
import type { OrderClass, Tape, TrueLeg } from './tape.ts'

/** Inputs of trading: the market, the tape, and one stream of random numbers. */
export type Floor = {
  readonly random: Random
  /**
   * Selects the packages that trade off the price grid: a separate stream, so that no other draw
   * changes.
   */
  readonly offGrid: Random
  readonly preset: TapePreset
  readonly world: SideWorld
  /** True when the customer buys this contract; of a package its first leg. */
  readonly drawIsBought: (contract: number, atUs: number) => boolean
  readonly placement: Placement
  readonly quoter: Quoter
  readonly tape: Tape
  readonly closeUs: number
  /** True in regular hours: outside them there is no trading floor, and another letter. */
  readonly isRegular: (atUs: number) => boolean
}

type Plan = {
  readonly orderClass: OrderClass
  readonly letter: string
  readonly size: number
  readonly parts: number
}

/** Prints one multi-leg order that arrives at an instant. */
export function printPackage(floor: Floor, atUs: number): void {
  const { random, quoter, tape } = floor
  const drawn = drawLegs(floor, atUs)
  if (!drawn) return
  const { pattern, legs: bought } = drawn
  const first = bought.reduce((one, leg) => (leg.contract < one.contract ? leg : one))
  const sign = floor.drawIsBought(first.contract, atUs) === first.sign > 0 ? 1 : -1
  const legs = bought.map(leg => ({ ...leg, sign: (leg.sign * sign) as -1 | 1 }))
  const plan = drawPlan(floor, legs.length, atUs)
  const quote = quotePackage(quoter, legs, atUs)
  const struck = strikeDeal(floor, plan, quote, netGridCents(pattern.structure))
  const deal = offTheGrid(floor, plan, struck)
  // every fill of one order has one net; an order whose net cannot be split is not sent
  const prices = deal.isAtQuotes
    ? pricesAtQuotes(quote, legs)
    : allocate(quote, legs, deal.net, random)
  if (!prices) return
  const contracts = legs.reduce((sum, leg) => sum + leg.sign * leg.ratio, 0)
  const parent =
    tape.parents.push({
      structure: orientedName(pattern.structure, contracts, sign),
      hasCombo: pattern.hasCombo,
      orderClass: plan.orderClass,
      hasSide: plan.orderClass !== 'cross',
      isInitiated: deal.isInitiated,
      size: plan.size,
      netCents: deal.net,
      legs,
    }) - 1
  const { net, isAtQuotes } = deal
  printFills({ floor, parent, legs, plan, atUs, first: prices, net, isAtQuotes })
}

const ATTEMPTS_MAX = 12

function drawLegs({ random, placement }: Floor, atUs: number) {
  const pattern = drawPattern(random)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const expiry = placement.drawExpiry(random, atUs)
    const legs = placement.placePattern(pattern, { random, expiry, atUs })
    if (legs) return { pattern, legs }
  }
  return null
}

const electronicLetters = createChoice([
  ['f', 66],
  ['j', 22],
  ['g', 6],
  ['l', 4],
  ['h', 1.3],
] as const)
const floorLetters = createChoice([
  ['i', 5],
  ['m', 2.5],
  ['t', 2.5],
] as const)
/** A whole package reported late is rare, and large when it happens. */
const LATE_SHARE = 0.003

function drawPlan({ random, preset, isRegular }: Floor, legCount: number, atUs: number): Plan {
  if (!isRegular(atUs)) {
    const letter = random.chance(0.5) ? 'f' : 'v'
    return { orderClass: 'extended', letter, size: drawPackageSize(random), parts: 1 }
  }
  if (random.chance(preset.floorShare)) {
    const drawn = floorLetters(random)
    const letter = drawn === 't' && legCount < 3 ? 'i' : drawn
    const parts = random.chance(0.3) ? random.integer(2, 4) : 1
    return { orderClass: 'floor', letter, size: drawFloorSize(random), parts }
  }
  if (random.chance(LATE_SHARE)) {
    const letter = random.chance(0.5) ? 'B' : 'D'
    return { orderClass: 'late', letter, size: drawFloorSize(random), parts: random.integer(1, 3) }
  }
  const letter = electronicLetters(random)
  const isPartial = random.chance(preset.partialShare)
  const parts = isPartial ? 2 + Math.floor(random.exponential(1.3)) : 1
  if (letter === 'h') return { orderClass: 'cross', letter, size: drawFloorSize(random), parts: 1 }
  if (letter === 'g' || letter === 'l') {
    return { orderClass: 'auction', letter, size: random.integer(1, 10), parts: Math.min(parts, 3) }
  }
  return { orderClass: 'electronic', letter, size: drawPackageSize(random), parts }
}

type Deal = {
  readonly net: number
  readonly isInitiated: boolean
  /** The whole order takes the legs' own far quotes. */
  readonly isAtQuotes: boolean
}

function strikeDeal(floor: Floor, plan: Plan, quote: PackageQuote, grid: number): Deal {
  const { random } = floor
  if (plan.orderClass === 'cross') {
    const net = computeNet(quote, Math.max(-0.9, Math.min(0.9, 0.3 * random.normal())), grid)
    return { net, isInitiated: false, isAtQuotes: false }
  }
  const isAgainstSingles = plan.letter === 'j' || plan.letter === 'l'
  if (isAgainstSingles && random.chance(0.45)) {
    const isQuoted = quote.legs.every(leg => leg.bid > 0)
    if (isQuoted) return { net: quote.ask, isInitiated: true, isAtQuotes: true }
  }
  const approach = drawApproach(random, floor.world)
  // the floor may trade packages of three legs and more outside their quotes
  const stretch = plan.letter === 't' ? 1.3 : 1
  return {
    net: computeNet(quote, approach.spreadPosition * stretch, grid),
    isInitiated: approach.isInitiated,
    isAtQuotes: false,
  }
}

/**
 * Share of nets off the grid. Rules put them on it, but prices are corrected, and fills of several
 * orders are reported as one.
 */
const OFF_GRID_SHARE = 0.003
/** A later fill a cent off the net of its order. */
const MIXED_FILL_SHARE = 0.003

function offTheGrid({ offGrid }: Floor, plan: Plan, deal: Deal): Deal {
  const [isOff, cents] = [offGrid.chance(OFF_GRID_SHARE), offGrid.integer(1, 4)]
  if (!isOff || deal.isAtQuotes || plan.orderClass === 'cross') return deal
  return { ...deal, net: deal.net + (offGrid.chance(0.5) ? cents : -cents) }
}

type Fills = {
  readonly floor: Floor
  readonly parent: number
  readonly legs: readonly TrueLeg[]
  readonly plan: Plan
  readonly atUs: number
  readonly first: readonly number[]
  readonly net: number
  readonly isAtQuotes: boolean
}

/** Legs that meet several single orders at once and print in parts. */
const SPLIT_SHARE = 0.18
const PARTIAL_MEAN_US = 110_000
const PARTIAL_MAX_US = 800_000
const FLOOR_PARTIAL_MEAN_US = 5_000_000
const FLOOR_PARTIAL_MAX_US = 20_000_000

/** Prints the order in parts, each a complete set of legs at the order's net. */
function printFills(fills: Fills): void {
  const { floor, legs, plan, net, isAtQuotes } = fills
  const { random, quoter } = floor
  const isFloor = plan.orderClass === 'floor'
  // a late order is reported long after the quotes it was made against
  let at = plan.orderClass === 'late' ? reportTime(floor, fills.atUs) : fills.atUs
  split(random, plan.size, plan.parts).forEach((units, part) => {
    if (part > 0) {
      const mean = isFloor ? FLOOR_PARTIAL_MEAN_US : PARTIAL_MEAN_US
      const most = isFloor ? FLOOR_PARTIAL_MAX_US : PARTIAL_MAX_US
      at += Math.min(most, 300 + random.exponential(mean))
    }
    const again = part === 0 || isAtQuotes ? null : quotePackage(quoter, legs, at)
    const mixed = floor.offGrid.chance(MIXED_FILL_SHARE) ? floor.offGrid.pick([-1, 1]) : 0
    const prices = (again && allocate(again, legs, net + mixed, random)) ?? fills.first
    // part of an order may meet single orders although it began in the complex book
    const isMoved = plan.letter === 'f' && part > 0 && random.chance(0.1)
    const letter = isMoved ? 'j' : plan.letter
    printLegs(fills, { units, prices, at, letter, number: part + 1 })
  })
}

type Fill = {
  readonly units: number
  readonly prices: readonly number[]
  readonly at: number
  readonly letter: string
  readonly number: number
}

function printLegs({ floor, parent, legs, plan }: Fills, fill: Fill): void {
  const { units, prices, at, letter } = fill
  const { random, tape } = floor
  let time = at
  legs.forEach(({ contract, ratio }, leg) => {
    if (leg > 0) {
      const gap = legGap(floor, plan.orderClass)
      time = plan.orderClass === 'floor' ? time + gap : at + gap
    }
    const isSplit = letter === 'j' && units * ratio >= 3 && random.chance(SPLIT_SHARE)
    const sizes = split(random, units * ratio, isSplit ? random.pick([2, 2, 3]) : 1)
    for (const size of sizes) {
      const timeUs = Math.floor(time)
      const cents = prices[leg]!
      tape.add({ timeUs, contract, size, cents, letter, parent, leg, fill: fill.number })
    }
  })
}

/** Microseconds from the package's block to a leg's; on the floor, from the leg before. */
function legGap({ random, preset }: Floor, orderClass: OrderClass): number {
  if (orderClass === 'floor') {
    const draw = random.uniform()
    if (draw < 0.15) return 0
    if (draw < 0.5) return random.exponential(4_000)
    const isSlow = draw > 1 - preset.slowKeyShare
    return isSlow ? Math.min(6e6, random.exponential(1_200_000)) : random.exponential(120_000)
  }
  if (orderClass === 'late') return random.exponential(15_000)
  const draw = random.uniform()
  if (draw < preset.lateLegShare) return Math.min(7_000, 800 + random.exponential(1_500))
  return draw < preset.lateLegShare + 0.6 ? 0 : random.exponential(250)
}

/** Draws the report time of a late trade of `atUs`: minutes after it, but still in the session. */
export const reportTime = ({ random, closeUs }: Floor, atUs: number): number =>
  Math.max(atUs, Math.min(closeUs - 1_000_000, atUs + random.exponential(240_000_000)))
