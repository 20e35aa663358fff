import type { Row } from '../../src/core/engine/database.ts'
import { findInstant } from './adjacentTapes.ts'
import { listArrivals } from './otherArrivals.ts'
import { listCorrections, type Printed } from './otherCorrections.ts'
import {
  type OtherOrder,
  type OtherPrint,
  packageOrder,
  type Scene,
  singleOrder,
} from './otherFills.ts'
import { type Market, openMarket } from './otherMarket.ts'
import { OTHER_STYLES, type StyleName } from './otherStyle.ts'
import { randomNumbers } from './random.ts'

/**
 * A second maker of tapes whose orders are known, by mechanics that share nothing with the
 * simulator of the product: written from what is public on OPRA and SPX. A model of a tape, not a
 * claim about the market.
 */

export type OtherTapeOptions = {
  readonly seed: number
  readonly style: StyleName
  readonly minutes: number
  /** Minutes after 09:30 ET at which it begins. */
  readonly fromMinute?: number
}

export type PrintTruth = {
  readonly sequence: number
  /** Null of a cancel, which is of no order. */
  readonly parent: number | null
  readonly kind: string
  readonly units: number
  /** Contracts of all legs of the order. */
  readonly contracts: number
  readonly letter: string
  readonly traits: readonly string[]
}

export type OtherTape = {
  /** Rows of `tape.prints`, in the order of their sequence. */
  readonly rows: readonly Row[]
  /** Owner of each row, in the same order. */
  readonly truth: readonly PrintTruth[]
}

type Random = () => number
/** The tape of some minutes of 13 October 2026. */
export function otherTape(options: OtherTapeOptions): OtherTape {
  const market = openMarket(options.seed)
  const orders = listOrders(options, market)
  const printed = orders.flatMap(({ prints }, parent) => prints.map(print => ({ print, parent })))
  const random = randomNumbers(options.seed * 7 + 3)
  const all = inOrder([...printed, ...listCorrections(random, inOrder(printed))])
  const contracts = orders.map(({ prints }) => prints.reduce((sum, { size }) => sum + size, 0))
  const truth = all.map(({ print, parent }, index) => {
    const order = parent === null ? null : orders[parent]!
    return {
      sequence: index + 1,
      parent,
      kind: order?.kind ?? 'cancel',
      units: order?.units ?? 0,
      contracts: parent === null ? 0 : contracts[parent]!,
      letter: print.letter,
      traits: order?.traits ?? [],
    }
  })
  return { rows: all.map(({ print }, index) => findRow(market, print, index + 1)), truth }
}

function listOrders(
  { seed, style: name, minutes, fromMinute = 30 }: OtherTapeOptions,
  market: Market,
) {
  const style = OTHER_STYLES[name]
  const scene = (random: Random, us: number): Scene => ({ random, market, style, us })
  const fromUs = fromMinute * 60e6
  const untilUs = fromUs + minutes * 60e6
  // how many prints an order has, by orders that are not on the tape
  const trial = randomNumbers(99)
  const trials = Array.from({ length: 500 }, () => packageOrder(scene(trial, fromUs)).prints.length)
  const printsEach = trials.reduce((sum, count) => sum + count, 0) / trials.length
  const perSecond = style.legPrintsPerSecond / printsEach
  const random = randomNumbers(seed)
  const pace = { fromUs, untilUs, excited: style.excited, sameBlock: style.sameBlock }
  const packages = listArrivals(random, { ...pace, perSecond }).map(us =>
    packageOrder(scene(random, us)),
  )
  const singlesPerSecond = perSecond * style.singlesPerPackage
  const singles = listArrivals(random, { ...pace, perSecond: singlesPerSecond }).map(us =>
    singleOrder(scene(random, us)),
  )
  return [...packages, ...singles].filter(order => lastUs(order) < untilUs + 60e6)
}

const lastUs = ({ prints }: OtherOrder) => Math.max(...prints.map(({ us }) => us))

const inOrder = (prints: readonly Printed[]) =>
  prints
    .map((printed, index) => ({ printed, index }))
    .sort((a, b) => a.printed.print.us - b.printed.print.us || a.index - b.index)
    .map(({ printed }) => printed)

function findRow(market: Market, print: OtherPrint, sequence: number): Row {
  const { us, contract, size, cents, letter } = print
  const { bid, ask } = market.findQuote(contract, us)
  const at = findInstant(us)
  return {
    session_date: '2026-10-13',
    sequence,
    printed_at: at,
    root: contract.root,
    expiry: contract.expiry,
    strike: contract.strike,
    option_type: contract.type,
    exchange: 'C',
    size,
    price: cents / 100,
    condition: letter,
    best_bid: bid / 100,
    best_ask: ask / 100,
    underlying_price: Math.round(market.spotAt(us) * 100) / 100,
    known_at: at,
  }
}
