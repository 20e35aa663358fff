import { exponentialUs } from './otherArrivals.ts'
import type { Contract, Market } from './otherMarket.ts'
import { drawContract, drawPackage, type Package, pickWeighted } from './otherPackages.ts'
import { type LegPrices, nextTick, otherwise, pennyPrices, quotedPrices } from './otherPrices.ts'
import type { OtherStyle } from './otherStyle.ts'

/** The prints of one order, as it meets its markets. */

export type OtherPrint = {
  readonly us: number
  readonly contract: Contract
  readonly size: number
  readonly cents: number
  readonly letter: string
  /** Which fill of its order it is of. */
  readonly fill: number
}

export type OtherOrder = {
  readonly kind: string
  /** Times the structure trades. */
  readonly units: number
  readonly prints: readonly OtherPrint[]
  /** Difficulties for a fold, in words. */
  readonly traits: readonly string[]
}

type Random = () => number
export type Scene = {
  readonly random: Random
  readonly market: Market
  readonly style: OtherStyle
  readonly us: number
}

const SIZES = [1, 2, 3, 5, 10, 15, 20, 25, 40, 50, 75, 100, 150, 200, 300, 500, 1_000, 2_000]
const SIZE_WEIGHTS = [26, 10, 5, 12, 13, 4, 6, 5, 2, 6, 2, 5, 1.5, 2, 1, 1, 0.4, 0.1]
const ELECTRONIC = ['f', 'j', 'g', 'l', 'h'] as const
const ELECTRONIC_WEIGHTS = [66, 24, 5, 4, 1]
const FLOOR = ['i', 'm', 't'] as const
const SINGLE = ['I', 'a', 'b', 'S', 'e', 'c', 'D', 'B'] as const
const SINGLE_WEIGHTS = [84, 10, 0.5, 3, 0.5, 0.4, 0.9, 0.7]
/** The last of several resting orders is a tick behind: seldom, for the net has a limit. */
const BEHIND_SHARE = 0.05
/** Price improvement auctions of the product take at most so many contracts. */
const AUCTION_UNITS = 10

/** An order for a package, filled at once or in parts at one net. */
export function packageOrder(scene: Scene): OtherOrder {
  const { random, market, style, us } = scene
  const isFloor = random() < style.floorShare
  const letter = isFloor
    ? FLOOR[pickWeighted(random, [4, 4, 1.5])]!
    : ELECTRONIC[pickWeighted(random, ELECTRONIC_WEIGHTS)]!
  const traded = drawPackage(random, { market, us, leastLegs: letter === 't' ? 3 : 2 })
  const units = listUnits(random, letter, isFloor)
  const isAgainstSingles = letter === 'j' || letter === 'l' || letter === 'm'
  const prices = isAgainstSingles
    ? quotedPrices(traded.legs, { market, us })
    : pennyPrices(random, traded, { market, us, offGridShare: style.offGridShare })
  const fills =
    random() < style.partialShare ? listParts(random, units, 2 + int(random, 4)) : [units]
  const prints: OtherPrint[] = []
  let clock = us
  const traits = new Set([letter, `${traded.legs.length} legs`])
  if (prices.isOffGrid) traits.add('off the grid')
  if (fills.length > 1) traits.add('several fills')
  for (const [number, fill] of fills.entries()) {
    const isOther = !isAgainstSingles && prints.length > 0 && random() < 0.25
    const own = isOther ? otherwise(random, traded.legs, prices) : prices
    // what another package does not take may meet single orders
    const isRest = letter === 'f' && prints.length > 0 && random() < 0.08
    if (isRest) traits.add('two letters')
    const fillLetter = isRest ? 'j' : letter
    const what = { traded, prices: own, number, fill, letter: fillLetter, traits }
    const made = findFill(scene, { ...what, us: clock })
    prints.push(...made)
    const ends = Math.max(...made.map(print => print.us))
    clock = ends + Math.min(isFloor ? 25e6 : 900_000, exponentialUs(random, isFloor ? 4e6 : 90_000))
  }
  return { kind: traded.kind, units, prints, traits: [...traits] }
}

type Fill = {
  readonly traded: Package
  readonly prices: LegPrices
  readonly number: number
  readonly fill: number
  readonly letter: string
  readonly us: number
  readonly traits: Set<string>
}

function findFill(scene: Scene, fill: Fill): OtherPrint[] {
  const { random, style } = scene
  const { traded, prices, letter, traits } = fill
  const isFloor = 'imt'.includes(letter)
  const isSpread = random() < (isFloor ? 0.5 : style.spreadShare)
  if (isSpread) traits.add(isFloor ? 'keyed in leg by leg' : 'several stamps')
  let us = fill.us
  return traded.legs.flatMap(({ contract, quantity }, index) => {
    if (isSpread && index > 0) us += isFloor ? floorGapUs(random) : legGapUs(random, style, traits)
    const size = fill.fill * Math.abs(quantity)
    const isSplit = size > 1 && random() < (letter === 'j' || letter === 'l' ? 0.35 : 0.03)
    if (isSplit) traits.add('split legs')
    const parts = isSplit ? listParts(random, size, 2 + int(random, 2)) : [size]
    return parts.map((part, which) => {
      const isBehind = which > 0 && which === parts.length - 1 && random() < BEHIND_SHARE
      if (isBehind) traits.add('two prices of a leg')
      const cents = isBehind ? nextTick(prices.cents[index]!, quantity) : prices.cents[index]!
      return { us, contract, size: part, cents, letter, fill: fill.number }
    })
  })
}

/** An order for one contract: one print, or a sweep of several orders within milliseconds. */
export function singleOrder(scene: Scene): OtherOrder {
  const { random, market, us } = scene
  const letter = SINGLE[pickWeighted(random, SINGLE_WEIGHTS)]!
  const contract = drawContract(random, market, us)
  const isLarge = letter === 'c' || letter === 'e' || letter === 'D'
  const units = random() < 0.6 && !isLarge ? 1 : listUnits(random, letter, isLarge)
  const side = random() < 0.5 ? 1 : -1
  const { bid, ask } = market.findQuote(contract, us)
  const cents = side > 0 ? ask : Math.max(5, bid)
  const isSwept = units > 1 && random() < 0.35
  let clock = us
  const prints = (isSwept ? listParts(random, units, 2 + int(random, 3)) : [units]).map(
    (size, fill) => {
      const print = { us: clock, contract, size, cents, letter, fill }
      if (random() < 0.4) clock += exponentialUs(random, letter === 'D' ? 20_000 : 400)
      return print
    },
  )
  return { kind: 'single', units, prints, traits: [letter] }
}

/** A size in at most so many parts, each as likely. */
function listParts(random: Random, size: number, count: number): number[] {
  const cuts = Array.from({ length: Math.min(count, size) - 1 }, () => 1 + int(random, size - 1))
  const edges = [0, ...new Set(cuts.sort((a, b) => a - b)), size]
  return edges.slice(1).map((edge, index) => edge - edges[index]!)
}

function listUnits(random: Random, letter: string, isFloor: boolean): number {
  const units = SIZES[pickWeighted(random, SIZE_WEIGHTS)]!
  if ('agl'.includes(letter)) return Math.min(AUCTION_UNITS, units)
  return isFloor ? Math.max(50, units * 10) : units
}

function legGapUs(random: Random, style: OtherStyle, traits: Set<string>): number {
  if (random() >= style.longGapShare) return exponentialUs(random, style.legGapUs)
  traits.add('long gaps')
  return 500 + int(random, style.longGapUs - 500)
}

/** Ten milliseconds to a second, shorter ones more often. */
const floorGapUs = (random: Random) => Math.round(10_000 * 100 ** random())

const int = (random: Random, below: number) => Math.floor(random() * below)
