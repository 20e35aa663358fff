/**
 * Small markets for tests of LAB, with all that goes wrong in real ones: holes, old, crossed and
 * missing quotes, minutes without a smile, levels and settlements that nobody knows, half days,
 * days left out, strikes listed late, orders that are corrected. Same seed, same market.
 */

import { addDays, isWeekend } from '../../src/core/market/calendar.ts'
import type { LabMarket, LabMinutes, LabOrders } from '../../src/lab/market/session.ts'
import { randomNumbers } from '../support/random.ts'
import { randomExpiry } from './randomExpiry.ts'

export type RandomMarketOptions = {
  readonly seed: number
  readonly sessionCount: number
  /** True when quotes, smiles, levels and days may be absent or wrong; otherwise none are. */
  readonly hasHoles?: boolean
  readonly dteMax?: number
}

/** Source of what is drawn: equal options give equal markets. */
export type Dice = {
  readonly random: () => number
  /** A whole number from `from` to `to`. */
  readonly whole: (from: number, to: number) => number
  /** A number from `from` up to `to`. */
  readonly between: (from: number, to: number) => number
  readonly isHit: (chance: number) => boolean
}

export function findDice(seed: number): Dice {
  const random = randomNumbers(seed)
  return {
    random,
    whole: (from, to) => from + Math.floor(random() * (to - from + 1)),
    between: (from, to) => from + random() * (to - from),
    isHit: chance => random() < chance,
  }
}

const FIRST_MINUTE = 571
const DTE_MAX = 5

export function randomMarket(options: RandomMarketOptions): LabMarket {
  const { seed, sessionCount, hasHoles = true, dteMax = DTE_MAX } = options
  const dice = findDice(seed)
  const hole = (chance: number) => hasHoles && dice.isHit(chance)
  const days = weekdays(dice, sessionCount + Math.ceil(sessionCount / 8) + DTE_MAX + 1)
  const halfDays = new Set(days.filter(() => dice.isHit(0.12)))
  const sessions: LabMarket['sessions'][number][] = []
  const leftOut: LabMarket['leftOut'][number][] = []
  let spot = dice.between(4_000, 6_500)
  for (const [index, date] of days.entries()) {
    if (sessions.length === sessionCount) break
    if (hole(0.06) && sessions.length > 0) {
      leftOut.push({ day: date, reason: 'bad_tape' })
      continue
    }
    const previousClose = spot
    const isHalfDay = halfDays.has(date)
    const stateCount = isHalfDay ? 210 : 390
    const path = randomPath(dice, spot * (1 + dice.between(-0.008, 0.008)), stateCount)
    const expiries = Array.from({ length: DTE_MAX + 1 }, (_, dte) => {
      const expiry = days[index + dte]!
      if (dte > dteMax || hole(0.06)) return null
      const minutesLeft = (halfDays.has(expiry) ? 780 : 960) - FIRST_MINUTE
      return randomExpiry({
        dice,
        hasHoles,
        dte,
        path,
        stateCount,
        expiry,
        secondsAtFirst: daysApart(date, expiry) * 86_400 + minutesLeft * 60,
      })
    })
    const market = randomMinutes({ dice, hasHoles, path, previousClose, expectedMove: 25 })
    spot = path.at(-1)!
    sessions.push({
      date,
      isHalfDay,
      firstMinute: FIRST_MINUTE,
      stateCount,
      market,
      expiries,
      orders: randomOrders(dice, stateCount),
      settlement: hole(0.06) ? null : cents(spot + dice.between(-1, 1)),
      settlementSource: 'index',
    })
  }
  const [first, last] = [sessions[0]!.date, sessions.at(-1)!.date]
  return {
    kind: 'simulated',
    sessions,
    leftOut: leftOut.filter(({ day }) => day > first && day < last),
    hash: seed.toString(16).padStart(64, '0'),
  }
}

const cents = (points: number) => Math.round(points * 100) / 100

const daysApart = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

function weekdays({ whole }: Dice, count: number): string[] {
  const days: string[] = []
  for (let day = addDays('2024-01-02', whole(0, 400)); days.length < count; day = addDays(day, 1)) {
    if (!isWeekend(day)) days.push(day)
  }
  return days
}

/** Quarter points at times, so that two strikes can be as near as each other. */
function randomPath({ between, isHit }: Dice, first: number, count: number): number[] {
  const path: number[] = []
  let spot = first
  for (let state = 0; state < count; state++) {
    path.push(isHit(0.3) ? Math.round(spot * 4) / 4 : cents(spot))
    spot += between(-2.5, 2.5)
  }
  return path
}

type MinutesOptions = {
  readonly dice: Dice
  readonly hasHoles: boolean
  readonly path: readonly number[]
  readonly previousClose: number
  readonly expectedMove: number
}

function randomMinutes(options: MinutesOptions): LabMinutes {
  const { dice, hasHoles, path, previousClose, expectedMove } = options
  const { between, whole, isHit } = dice
  const column = (chance: number, value: (state: number) => number) => {
    const isNever = hasHoles && isHit(0.03)
    const isHole = () => isNever || (hasHoles && isHit(chance))
    return Float64Array.from(path, (_, state) => (isHole() ? Number.NaN : value(state)))
  }
  const [first, middle] = [path[0]!, path[Math.floor(path.length / 2)]!]
  const wall = (side: 1 | -1) => {
    let index = Math.round(middle / 5) * 5 + side * 5 * whole(1, 8)
    return () => {
      if (isHit(0.02)) index += 5 * whole(-2, 2)
      return index
    }
  }
  let flip = middle + between(-8, 8)
  let gamma = between(-900, 900)
  return {
    spot: column(0.02, state => path[state]!),
    open: column(0.01, () => first),
    previousClose: column(0.01, () => cents(previousClose)),
    expectedMove: column(0.02, state => expectedMove * Math.sqrt(1 - state / path.length)),
    sessionExpectedMove: column(0.01, () => expectedMove),
    netGamma: column(0.03, () => {
      gamma += between(-60, 60)
      return isHit(0.01) ? 0 : gamma
    }),
    flip: column(0.04, state => {
      flip += between(-0.8, 0.8)
      // at the spot itself it is on no side
      return isHit(0.02) ? path[state]! : isHit(0.2) ? Math.round(flip * 2) / 2 : flip
    }),
    callWall: column(0.03, wall(1)),
    putWall: column(0.03, wall(-1)),
  }
}

function randomOrders({ whole, between, isHit }: Dice, stateCount: number): LabOrders {
  const versions: { from: number; until: number; printed: number; usd: number; gamma: number }[] =
    []
  let last = 0
  for (let order = whole(0, 18); order > 0; order--) {
    // some come one after the other
    let from = isHit(0.1) ? 0 : isHit(0.25) ? last + 1 : whole(0, stateCount + 5)
    last = from
    const printed = from - whole(0, 12)
    for (let version = isHit(0.7) ? 1 : whole(2, 4); version > 0; version--) {
      const until = version === 1 ? stateCount : from + (isHit(0.3) ? 0 : whole(1, 40))
      const gamma = isHit(0.3) ? Number.NaN : isHit(0.05) ? 0 : between(-40, 40)
      const usd = isHit(0.1) ? 25e6 : Math.round(between(1e6, 60e6))
      versions.push({ from, until, printed, usd, gamma })
      from = until
    }
  }
  return {
    fromState: Int32Array.from(versions, ({ from }) => from),
    untilState: Int32Array.from(versions, ({ until }) => until),
    printedState: Int32Array.from(versions, ({ printed }) => printed),
    premiumUsd: Float64Array.from(versions, ({ usd }) => usd),
    gamma: Float64Array.from(versions, ({ gamma }) => gamma),
  }
}
