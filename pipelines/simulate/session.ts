import { findTradingSession } from '../../src/core/market/calendar.ts'
import { createArrivals, LEG_SHARE } from './arrivals.ts'
import { type Chain, createChain, isPut } from './chain.ts'
import { createInventory, type Inventory } from './inventory.ts'
import { createMarket, type SimulatedMarket } from './market.ts'
import { buildPreset, type SimulateOptions } from './options.ts'
import { type Floor, printPackage } from './packages.ts'
import { createPlacement } from './placement.ts'
import { createQuoter, emptyQuote, type Quoter, tickCents } from './quotes.ts'
import { createRandom, hashSeed, hashUnit, type Random } from './random.ts'
import { createBuyers, SIDE_WORLDS } from './sideWorlds.ts'
import { printSingle } from './singles.ts'
import { createTape, type Tape } from './tape.ts'

/** About one print in 2,500 is cancelled. */
const CANCEL_SHARE = 0.0004
const REPORT_AGAIN_SHARE = 0.3
const ATTEMPTS_MAX = 40

/**
 * Cancels prints after the fact, some followed by a corrected late report, and returns, for each
 * print, the index of the print it cancels (-1 for an ordinary one).
 *
 * The letter is what OPRA would send: G for the only print of its contract so far, C for the last,
 * E for the first, A for any other. A print is left alone when another one of the same contract has
 * its price and size: the cancel would be ambiguous.
 */
function cancelPrints(tape: Tape, market: SimulatedMarket, seed: number): Int32Array {
  const random = createRandom(seed, 'cancels')
  const { timeUs, contract, size, cents, letter, parent, leg, fill } = tape.columns()
  const printCount = tape.count()
  const ofContract = listByContract(tape)
  const touched = new Set<number>()
  const targets: [cancel: number, target: number][] = []
  const wanted = Math.max(4, Math.round(printCount * CANCEL_SHARE))
  for (let attempt = 0; attempt < wanted * ATTEMPTS_MAX && targets.length < wanted; attempt++) {
    const any = random.integer(0, printCount - 1)
    // the first print of a contract now and then, so that every kind of cancel is seen
    const target = random.chance(0.25) ? ofContract.get(contract[any]!)![0]! : any
    const isRegular = timeUs[target]! >= market.openUs && timeUs[target]! < market.closeUs - 6e7
    const delay = 200_000 + random.exponential(random.chance(0.4) ? 3_000_000 : 240_000_000)
    const at = Math.floor(Math.min(market.closeUs - 4e7, timeUs[target]! + delay))
    if (!isRegular || touched.has(contract[target]!) || at <= timeUs[target]!) continue
    const prints = ofContract.get(contract[target]!)!
    const before = prints.filter(print => timeUs[print]! < at)
    const isTwin = (print: number) =>
      print !== target && size[print] === size[target] && cents[print] === cents[target]
    const isSameTime = (print: number) => print !== target && timeUs[print] === timeUs[target]
    if (prints.some(print => isTwin(print) || isSameTime(print))) continue
    touched.add(contract[target]!)
    const origin = {
      contract: contract[target]!,
      parent: parent[target]!,
      leg: leg[target]!,
      fill: fill[target]!,
    }
    const cancel = tape.add({
      ...origin,
      timeUs: at,
      size: size[target]!,
      cents: cents[target]!,
      letter: cancelLetter(before, target),
    })
    targets.push([cancel, target])
    if (!random.chance(REPORT_AGAIN_SHARE) || letter[target] === LATE_B) continue
    const later = Math.floor(Math.min(market.closeUs - 1e6, at + 1e6 + random.exponential(2e7)))
    const move = random.chance(0.5) ? tickCents(cents[target]!) : 0
    tape.add({
      ...origin,
      timeUs: later,
      size: size[target]!,
      cents: cents[target]! + move,
      letter: random.chance(0.5) ? 'B' : 'D',
    })
  }
  const cancelled = new Int32Array(tape.count()).fill(-1)
  for (const [cancel, target] of targets) cancelled[cancel] = target
  return cancelled
}

const LATE_B = 'B'.charCodeAt(0)

/** Prints of each contract in time order. */
function listByContract(tape: Tape): Map<number, number[]> {
  const { count, contract, timeUs } = tape.columns()
  const lists = new Map<number, number[]>()
  for (let print = 0; print < count; print++) {
    const list = lists.get(contract[print]!)
    if (list) list.push(print)
    else lists.set(contract[print]!, [print])
  }
  for (const list of lists.values()) {
    list.sort((one, other) => timeUs[one]! - timeUs[other]! || one - other)
  }
  return lists
}

function cancelLetter(before: readonly number[], target: number): string {
  if (before.length === 1) return 'G'
  if (before.at(-1) === target) return 'C'
  return before[0] === target ? 'E' : 'A'
}

/** A whole simulated session in memory. */
export type SimulatedSession = {
  readonly market: SimulatedMarket
  readonly chain: Chain
  readonly quoter: Quoter
  readonly inventory: Inventory
  readonly tape: Tape
  /** Index of the cancelled print for each print, or -1. */
  readonly cancelled: Int32Array
  /** Prints in the order of the tape. */
  readonly order: Uint32Array
}

/** Share of prints that compression makes, after the close. */
const COMPRESSION_SHARE = 0.0003
/** Orders that follow another within milliseconds are mostly of its kind. */
const SAME_KIND = 0.85
const BURST_MEAN_US = 2_500

/** Simulates a session: the market first, then its customers. */
export function simulateSession(options: SimulateOptions): SimulatedSession {
  const { seed, prints } = options
  const session = findTradingSession(options.date)
  if (!session) throw new Error(`${options.date} is not a trading day.`)
  const market = createMarket(session, seed)
  const chain = createChain(market, options.contracts, seed)
  const quoter = createQuoter(market, chain, seed)
  const inventory = createInventory(market, chain, options)
  const tape = createTape(Math.ceil(prints * 1.02) + 4000)
  const world = SIDE_WORLDS[options.world]
  const buyersShare = createBuyers(market, world, seed)
  const isToday = (contract: number) =>
    chain.expiries[chain.expiryByContract[contract]!]!.sessionsAhead === 0
  const random = createRandom(seed, 'orders')
  const floor: Floor = {
    random,
    offGrid: createRandom(seed, 'off the grid'),
    preset: buildPreset(options),
    world,
    drawIsBought: (contract, atUs) =>
      random.chance(buyersShare(isPut(contract), isToday(contract), atUs)),
    placement: createPlacement(market, chain),
    quoter,
    tape,
    closeUs: market.closeUs,
    isRegular: atUs => atUs >= market.openUs && atUs < market.closeUs,
  }
  const compressionCount = Math.max(6, Math.round(prints * COMPRESSION_SHARE))
  printOrders({ floor, market, options, until: prints - compressionCount })
  compress(floor, { market, chain, count: compressionCount })
  const cancelled = cancelPrints(tape, market, seed)
  return { market, chain, quoter, inventory, tape, cancelled, order: sortPrints(tape, seed) }
}

type Orders = {
  readonly floor: Floor
  readonly market: SimulatedMarket
  readonly options: SimulateOptions
  readonly until: number
}

/** Orders arrive alone or in bursts, until the tape holds enough prints. */
function printOrders({ floor, market, options, until }: Orders): void {
  const { tape, preset } = floor
  const random = createRandom(options.seed, 'arrivals')
  const arrivals = createArrivals(market, options, preset)
  let legPrints = 0
  while (tape.count() < until) {
    let at = arrivals.draw(random)
    let isPackage = legPrints < LEG_SHARE * (tape.count() + 1)
    do {
      const before = tape.count()
      if (isPackage) printPackage(floor, at)
      else printSingle(floor, at)
      if (isPackage) legPrints += tape.count() - before
      at += 1 + random.exponential(BURST_MEAN_US)
      if (!random.chance(SAME_KIND)) isPackage = !isPackage
    } while (tape.count() < until && random.chance(preset.burstShare))
  }
}

type Compression = {
  readonly market: SimulatedMarket
  readonly chain: Chain
  readonly count: number
}

/** Dealers net old positions after the close at end-of-day prices. No customer is in it. */
function compress({ random, placement, quoter, tape }: Floor, options: Compression): void {
  const { market, chain, count } = options
  const atUs = market.closeUs + 30 * 60_000_000
  const quote = emptyQuote()
  for (let i = 0; i < count; i++) {
    const expiry = drawLiving(random, chain)
    const contract = placement.placeContract({ random, expiry, atUs })
    quoter.read(contract, market.closeUs, quote)
    const cents = Math.max(1, Math.round((quote.bid + quote.ask) / 2))
    const size = random.integer(1, 400)
    const parent =
      tape.parents.push({
        structure: 'single',
        hasCombo: false,
        orderClass: 'compression',
        hasSide: false,
        isInitiated: false,
        size,
        netCents: cents,
        legs: [{ contract, ratio: 1, sign: 1 }],
      }) - 1
    const timeUs = atUs + Math.floor(i / 20) * 1_000
    tape.add({ timeUs, contract, size, cents, letter: 'u', parent, leg: 0, fill: 1 })
  }
}

function drawLiving(random: Random, { expiries }: Chain): number {
  const first = expiries.findIndex(expiry => expiry.sessionsAhead > 0)
  return random.integer(first, expiries.length - 1)
}

/** Sorts by time; the order of prints of one microsecond is independent of their parents. */
function sortPrints(tape: Tape, seed: number): Uint32Array {
  const { count, timeUs } = tape.columns()
  const noise = hashSeed(seed, 'ties')
  const key = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    key[i] = timeUs[i]! * 65_536 + Math.floor(hashUnit(noise, i, 0) * 65_536)
  }
  return Uint32Array.from({ length: count }, (_, i) => i).sort(
    (one, other) => key[one]! - key[other]! || one - other,
  )
}
