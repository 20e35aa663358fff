import { type Floor, reportTime } from './packages.ts'
import { drawApproach } from './prices.ts'
import { emptyQuote, type Quote, tickCents } from './quotes.ts'
import { createChoice, type Random } from './random.ts'
import { drawFloorSize, drawSingleSize, split } from './sizes.ts'
import type { OrderClass, Parent } from './tape.ts'

const letters = createChoice([
  ['I', 79],
  ['a', 14],
  ['b', 1.6],
  ['S', 1.5],
  ['c', 0.4],
  ['e', 0.25],
  ['D', 0.07],
  ['B', 0.03],
] as const)

const CLASSES: Readonly<Record<string, OrderClass>> = {
  a: 'auction',
  b: 'auction',
  c: 'cross',
  e: 'floor',
  B: 'late',
  D: 'late',
  v: 'extended',
}

type Plan = {
  readonly letter: string
  readonly orderClass: OrderClass
  readonly sign: -1 | 1
  readonly size: number
  readonly contract: number
  readonly quote: Quote
}

/** Prints one single-leg order that arrives at an instant. */
export function printSingle(floor: Floor, atUs: number): void {
  const { random, placement, quoter, isRegular } = floor
  const letter = isRegular(atUs) ? letters(random) : 'v'
  const expiry = placement.drawExpiry(random, atUs)
  const contract = placement.placeContract({ random, expiry, atUs })
  const quote = emptyQuote()
  quoter.read(contract, atUs, quote)
  const orderClass = CLASSES[letter] ?? 'single'
  const plan: Plan = {
    letter,
    orderClass,
    sign: floor.drawIsBought(contract, atUs) ? 1 : -1,
    size: drawSize(random, letter),
    contract,
    quote,
  }
  const isMarket = orderClass === 'single' || orderClass === 'extended'
  if (isMarket) printMarketOrder(floor, plan, atUs)
  else printOther(floor, plan, atUs)
}

function drawSize(random: Random, letter: string): number {
  if (letter === 'a' || letter === 'b') return random.integer(1, 10)
  if (letter === 'e' || letter === 'c') return drawFloorSize(random)
  // late reports are seldom, and then sometimes the largest order of the day
  if (letter === 'B' || letter === 'D') {
    return random.chance(0.4) ? random.integer(1000, 7000) : drawFloorSize(random)
  }
  return drawSingleSize(random)
}

/** Crosses, auctions, the floor and late reports: one price, one to a few prints. */
function printOther(floor: Floor, plan: Plan, atUs: number): void {
  const { random, tape, world } = floor
  const { letter, orderClass, quote } = plan
  const approach = drawApproach(random, world)
  const spreadPosition =
    orderClass === 'cross'
      ? 0.4 * random.normal()
      : orderClass === 'auction'
        ? leanInside(floor, approach.spreadPosition)
        : approach.spreadPosition
  const cents = priceInside(quote, plan.sign * Math.max(-1, Math.min(1, spreadPosition)))
  const parent = tape.parents.push(makeParent(plan, cents, approach.isInitiated)) - 1
  const isLate = orderClass === 'late'
  const parts = isLate ? random.integer(3, 9) : orderClass === 'floor' ? random.integer(1, 3) : 1
  let time = isLate ? reportTime(floor, atUs) : atUs
  for (const size of split(random, plan.size, parts)) {
    const timeUs = Math.floor(time)
    tape.add({ timeUs, contract: plan.contract, size, cents, letter, parent, leg: 0, fill: 1 })
    time += orderClass === 'floor' ? random.exponential(150_000) : random.exponential(7_000)
  }
}

/** Share of the orders that take the quote which take just what is shown. */
const TAKES_SHOWN_SHARE = 0.08

/** An order against the quotes: a sweep through the levels, a mid fill, or a resting order hit. */
function printMarketOrder(floor: Floor, plan: Plan, atUs: number): void {
  const { random, tape, world } = floor
  const { sign, contract, letter, quote } = plan
  const approach = drawApproach(random, world)
  const isTaking = approach.spreadPosition > 0.5
  const spreadPosition = isTaking
    ? 1
    : approach.spreadPosition < -0.4
      ? -1
      : leanInside(floor, approach.spreadPosition)
  // a bid that does not exist cannot be traded with
  const canTrade = quote.bid > 0 || sign * spreadPosition > 0
  const cents = priceInside(quote, canTrade ? sign * spreadPosition : -sign * spreadPosition)
  const shownSize = sign > 0 ? quote.askSize : quote.bidSize
  const takesShown = isTaking && shownSize > 0 && random.chance(TAKES_SHOWN_SHARE)
  const size = takesShown ? shownSize : plan.size
  const parent = tape.parents.push(makeParent({ ...plan, size }, cents, approach.isInitiated)) - 1
  const isSweep = isTaking && size > shownSize && shownSize > 0 && !random.chance(world.onePiece)
  const parts = isSweep
    ? Math.min(8, 1 + Math.ceil((2 * size) / shownSize))
    : random.chance(0.22) && (!isTaking || size < shownSize)
      ? random.integer(2, 4)
      : 1
  const sizes = split(random, size, parts)
  // an order that waits is the quote itself: what is shown is the order, or the order and others
  const isWaiting = spreadPosition === -1 && canTrade
  const others = random.chance(world.whole) ? 0 : random.integer(1, Math.max(10, size))
  let shown = size + others
  let time = atUs
  let level = cents
  sizes.forEach((part, index) => {
    tape.add({
      timeUs: Math.floor(time),
      contract,
      size: part,
      cents: level,
      letter,
      parent,
      leg: 0,
      fill: 1,
      ...(isWaiting ? { shown } : {}),
    })
    shown -= part
    if (!random.chance(0.55)) time += Math.min(40_000, random.exponential(isSweep ? 400 : 4_000))
    const isNextLevel = isSweep && index % 2 === 1 && random.chance(0.5)
    if (isNextLevel) level = Math.max(5, level + sign * tickCents(sign > 0 ? level : level - 1))
  })
}

/** The position of a price inside the quote, on the customer's side as often as in this world. */
function leanInside({ random, world }: Floor, spreadPosition: number): number {
  return random.chance(world.inside) ? Math.abs(spreadPosition) : -Math.abs(spreadPosition)
}

/** A price on the tick grid between bid (-1) and ask (1). */
function priceInside({ bid, ask }: Quote, spreadPosition: number): number {
  const low = Math.max(5, bid)
  if (spreadPosition >= 1) return ask
  if (spreadPosition <= -1) return low
  const wanted = (bid + ask) / 2 + (spreadPosition * (ask - bid)) / 2
  const tick = tickCents(wanted)
  return Math.max(low, Math.min(ask, Math.round(wanted / tick) * tick))
}

const makeParent = (plan: Plan, cents: number, isInitiated: boolean): Parent => ({
  structure: 'single',
  hasCombo: false,
  orderClass: plan.orderClass,
  hasSide: plan.orderClass !== 'cross',
  isInitiated,
  size: plan.size,
  netCents: plan.sign * cents,
  legs: [{ contract: plan.contract, ratio: 1, sign: plan.sign }],
})
