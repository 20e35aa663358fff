/** Markets that were changed in one known way, for tests of what must follow from it. */

import type {
  LabExpiry,
  LabMarket,
  LabMinutes,
  LabOrders,
  LabSession,
} from '../../src/lab/market/session.ts'
import { NO_QUOTE } from '../../src/lab/market/session.ts'
import { type Dice, findDice } from './randomMarket.ts'

/** The same up to and with a state of one session; all that comes after is something else. */
export function scrambledAfter(
  market: LabMarket,
  {
    index: position,
    state,
    seed,
  }: { readonly index: number; readonly state: number; readonly seed: number },
): LabMarket {
  const dice = findDice(seed)
  const sessions = market.sessions.map((session, index) => {
    if (index < position) return session
    return scrambled(session, index === position ? state + 1 : 0, dice)
  })
  return { ...market, sessions }
}

function scrambled(session: LabSession, from: number, dice: Dice): LabSession {
  return {
    ...session,
    market: mapMinutes(session.market, column => noisy(column, from, dice)),
    orders: scrambledOrders(session.orders, from, dice),
    expiries: session.expiries.map(expiry => expiry && scrambledExpiry(expiry, from, dice)),
    settlement: session.settlement === null ? 5_000 : session.settlement + dice.between(-50, 50),
  }
}

function mapMinutes(
  market: LabMinutes,
  change: (column: Float64Array, name: keyof LabMinutes) => Float64Array,
): LabMinutes {
  const names = Object.keys(market) as (keyof LabMinutes)[]
  const changed = names.map(name => [name, change(market[name], name)] as const)
  return Object.fromEntries(changed) as LabMinutes
}

const noisy = (column: Float64Array, from: number, { between, isHit }: Dice): Float64Array =>
  column.map((value, index) => {
    if (index < from) return value
    if (isHit(0.1)) return Number.NaN
    return (Number.isNaN(value) ? 5_000 : value) * between(0.99, 1.01) + between(-1, 1)
  })

/**
 * Versions that were not known before come at another time with other late data; later ends are
 * moved.
 */
function scrambledOrders(orders: LabOrders, from: number, dice: Dice): LabOrders {
  const isLater = (version: number) => orders.fromState[version]! >= from
  return {
    fromState: orders.fromState.map((value, version) =>
      isLater(version) ? from + dice.whole(0, 100) : value,
    ),
    untilState: orders.untilState.map(value => (value >= from ? from + dice.whole(0, 200) : value)),
    printedState: orders.printedState.map((value, version) =>
      isLater(version) ? from + dice.whole(0, 100) : value,
    ),
    premiumUsd: orders.premiumUsd.map((value, version) =>
      isLater(version) ? dice.between(1e6, 90e6) : value,
    ),
    gamma: orders.gamma.map((value, version) => (isLater(version) ? dice.between(-50, 50) : value)),
  }
}

function scrambledExpiry(expiry: LabExpiry, from: number, dice: Dice): LabExpiry {
  const firstCell = from * expiry.strikes.length
  const firstPoint = expiry.smileFrom[from]!
  const steps = (column: Uint32Array) =>
    column.map((value, cell) => {
      if (cell < firstCell) return value
      return dice.isHit(0.2) ? NO_QUOTE : dice.whole(0, 300)
    })
  const ages = (column: Uint8Array) =>
    column.map((value, cell) => (cell < firstCell ? value : dice.whole(0, 90)))
  return {
    ...expiry,
    listedFrom: expiry.listedFrom.map(state => (state < from ? state : from + dice.whole(0, 50))),
    callBid: steps(expiry.callBid),
    callAsk: steps(expiry.callAsk),
    putBid: steps(expiry.putBid),
    putAsk: steps(expiry.putAsk),
    callAge: ages(expiry.callAge),
    putAge: ages(expiry.putAge),
    forward: noisy(expiry.forward, from, dice),
    discount: expiry.discount.map((value, state) => (state < from ? value : 0.9)),
    smileTotalVariances: expiry.smileTotalVariances.map((value, point) =>
      point < firstPoint ? value : value * dice.between(0.2, 4),
    ),
  }
}

/** Puts for calls and below for above: every level is as far on the other side of a centre. */
export function mirrored(market: LabMarket, centre: number): LabMarket {
  const across = (column: Float64Array) => column.map(value => 2 * centre - value)
  const sessions = market.sessions.map(session => {
    const { callWall, putWall, spot, flip } = session.market
    return {
      ...session,
      market: {
        ...session.market,
        spot: across(spot),
        flip: across(flip),
        callWall: across(putWall),
        putWall: across(callWall),
      },
      expiries: session.expiries.map(expiry => expiry && mirroredExpiry(expiry, across)),
      settlement: session.settlement === null ? null : 2 * centre - session.settlement,
    }
  })
  return { ...market, sessions }
}

function mirroredExpiry(
  expiry: LabExpiry,
  across: (column: Float64Array) => Float64Array,
): LabExpiry {
  const count = expiry.strikes.length
  const turned = <Column extends Uint32Array | Uint8Array>(column: Column) =>
    column.map((_, cell) => {
      const index = cell % count
      return column[cell - index + (count - 1 - index)]!
    }) as Column
  return {
    ...withoutSmiles(expiry),
    strikes: across(expiry.strikes).reverse(),
    listedFrom: expiry.listedFrom.toReversed(),
    callBid: turned(expiry.putBid),
    callAsk: turned(expiry.putAsk),
    putBid: turned(expiry.callBid),
    putAsk: turned(expiry.callAsk),
    callAge: turned(expiry.putAge),
    putAge: turned(expiry.callAge),
  }
}

/** Smiles are of logarithms, which have no mirror: without them quotes alone have a price. */
export const withoutSmiles = (expiry: LabExpiry): LabExpiry => ({
  ...expiry,
  smileFrom: new Int32Array(expiry.smileFrom.length),
  smileStrikes: new Float64Array(),
  smileTotalVariances: new Float64Array(),
})

/** Every expiry of a market changed. */
export const withExpiries = (
  market: LabMarket,
  change: (expiry: LabExpiry) => LabExpiry,
): LabMarket => ({
  ...market,
  sessions: market.sessions.map(session => ({
    ...session,
    expiries: session.expiries.map(expiry => expiry && change(expiry)),
  })),
})

const LEVELS: readonly string[] = ['spot', 'flip', 'callWall', 'putWall']

/** No level as near to two strikes: of two the centre is the lower, which has no mirror. */
export const withoutTies = (market: LabMarket): LabMarket => ({
  ...market,
  sessions: market.sessions.map(session => ({
    ...session,
    market: mapMinutes(session.market, (column, name) =>
      LEVELS.includes(name) ? column.map(value => value + 0.013) : column,
    ),
  })),
})
