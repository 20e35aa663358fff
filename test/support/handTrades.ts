// Trades of rules worked out of minute bars alone, by what the documentation says of them. It
// shares no line with the engine, and knows no smile: what is not quoted has no price.

import { type Bar, type LeanDay, listContracts, spotBefore } from './leanBars.ts'

/** A day, its index by minute, and the value at which it settles. */
export type HandDay = {
  readonly day: LeanDay
  readonly index: ReadonlyMap<number, number>
  readonly settlement: number | null
}

type HandExit =
  | { readonly at: string; readonly day?: number }
  | { readonly profit_pct: number }
  | { readonly stop_x_credit: number }
  | { readonly stop_pct_debit: number }

export type HandRule = {
  readonly action: 'sell' | 'buy'
  readonly structure: string
  readonly width?: number
  readonly strike: {
    readonly ref: string
    readonly offset?: number
    readonly mult?: number
    readonly value?: number
  }
  readonly dte: number
  readonly qty: number
  readonly entry: { readonly at: string }
  readonly exit: readonly HandExit[]
}

type HandLeg = { readonly type: 'C' | 'P'; readonly sign: number; readonly strike: number }
type Price = { readonly mid: number; readonly half: number }

/** Numbers of a trade. */
export type HandTrade = {
  readonly legs: readonly string[]
  readonly net: number
  readonly reason: string
  /** Index of the day, and minute; null: its end is not known. */
  readonly out: readonly [number, number] | null
  readonly isLate: boolean
  readonly closeNet: number | null
  readonly settlement: number | null
  readonly feesUsd: number
  readonly pnlUsd: number | null
  readonly riskUsd: number
}

const FIRST = 571
const CLOSE = 960
const FEE_USD = 1.3
const EPSILON = 1e-9

const findMinute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const downToNickel = (points: number) => Math.floor(points * 20 + 2e-8) / 20

/** The trade of a rule on the day at an index of the sessions, or why there is none. */
export function handTrade(
  days: readonly HandDay[],
  sessions: readonly string[],
  position: number,
  rule: HandRule,
): HandTrade | string {
  const minute = findMinute(rule.entry.at)
  const { day, index } = days[position]!
  const expiry = sessions[sessions.indexOf(day.date) + rule.dte]!
  const spot = spotBefore(index, minute)
  if (!listContracts(day, 'SPXW').some(one => one.expiry === expiry)) return 'no_expiry'
  const legs = listLegs(rule, spot, strikesAt(day, expiry, minute))
  if (typeof legs === 'string') return legs
  const entries = legs.map(leg => findPrice(day, expiry, leg, minute))
  if (!entries.every(one => one !== null)) return 'no_price'
  const isSold = rule.action === 'sell'
  const got = downToNickel(signed(legs, entries) * -1 - halves(entries))
  if (isSold && got <= 0) return 'no_credit'
  const net = isSold ? got : Math.min(got, -0.05)
  const risk = findRisk(rule, net)
  if (risk <= 0) return 'no_price'
  const end = findEnd({ days, position, rule, expiry, legs, net, minute })
  const isClosed = end.reason !== 'settlement' && end.reason !== 'unresolved'
  const feesUsd = FEE_USD * legs.length * rule.qty * (isClosed ? 2 : 1)
  const gained = end.closeNet === null ? null : (net + end.closeNet) * 100 * rule.qty
  return {
    legs: legs.map(({ sign, strike, type }) => `${sign > 0 ? '+' : '-'}${strike}${type}`),
    net,
    ...end,
    feesUsd,
    pnlUsd: gained === null ? null : gained - feesUsd,
    riskUsd: risk * 100 * rule.qty,
  }
}

/** Strikes of an expiry that were quoted at some state up to a minute. */
function strikesAt(day: LeanDay, expiry: string, minute: number): number[] {
  const listed = listContracts(day, 'SPXW').filter(
    one => one.expiry === expiry && [...one.bars.keys()].some(start => start + 1 <= minute),
  )
  return [...new Set(listed.map(({ strike }) => strike))].sort((a, b) => a - b)
}

function listLegs(rule: HandRule, spot: number | null, strikes: readonly number[]) {
  const { structure, strike, width } = rule
  // without a smile there is neither an expected move nor a delta; two strikes make no levels
  if (strike.ref !== 'spot' || spot === null || strikes.length === 0) return 'no_reference'
  const requested = spot + strike.offset!
  const away = Math.abs(strike.offset!)
  const inner: [type: 'C' | 'P', strike: number][] =
    structure === 'put_spread'
      ? [['P', nearest(strikes, requested, -1)]]
      : structure === 'call_spread'
        ? [['C', nearest(strikes, requested, 1)]]
        : structure === 'straddle' || structure === 'iron_butterfly'
          ? (['C', 'P'] as const).map(type => [type, nearest(strikes, requested, -1)])
          : [
              ['P', nearest(strikes, spot - away, -1)],
              ['C', nearest(strikes, spot + away, 1)],
            ]
  const sign = rule.action === 'sell' ? -1 : 1
  const legs: HandLeg[] = []
  for (const [type, at] of inner) {
    legs.push({ type, sign, strike: at })
    if (width === undefined) continue
    const wing = type === 'P' ? at - width : at + width
    if (!strikes.includes(wing)) return 'wing_not_listed'
    legs.push({ type, sign: -sign, strike: wing })
  }
  return legs.sort((a, b) => a.strike - b.strike || a.type.localeCompare(b.type))
}

/** The nearest strike; of two as near the one on the side that is further out. */
const nearest = (strikes: readonly number[], requested: number, outward: number): number =>
  strikes.toSorted(
    (a, b) => Math.abs(a - requested) - Math.abs(b - requested) || outward * (b - a),
  )[0]!

/** The bar that ends with the minute, if not crossed; nobody need bid for next to nothing. */
function findPrice(day: LeanDay, expiry: string, leg: HandLeg, minute: number): Price | null {
  const threshold: Bar | undefined = day.quotes
    .get(`SPXW ${expiry} ${leg.strike} ${leg.type}`)
    ?.get(minute - 1)
  if (!threshold?.ask) return null
  const bid = threshold.bid ?? 0
  if (bid > 0 ? threshold.ask < bid : threshold.ask > 0.3) return null
  return { mid: (bid + threshold.ask) / 2, half: (threshold.ask - bid) / 2 }
}

const signed = (legs: readonly HandLeg[], prices: readonly Price[]) =>
  legs.reduce((sum, { sign }, index) => sum + sign * prices[index]!.mid, 0)
const halves = (prices: readonly Price[]) => prices.reduce((sum, { half }) => sum + half, 0)

function findRisk({ action, width, exit }: HandRule, net: number): number {
  if (action === 'buy') return -net
  if (width !== undefined) return width - net
  const stop = exit.find(one => 'stop_x_credit' in one)
  return stop ? (stop.stop_x_credit - 1) * net : net
}

type Held = {
  readonly days: readonly HandDay[]
  readonly position: number
  readonly rule: HandRule
  readonly expiry: string
  readonly legs: readonly HandLeg[]
  readonly net: number
  readonly minute: number
}
type End = Pick<HandTrade, 'reason' | 'out' | 'isLate' | 'closeNet' | 'settlement'>

/** Every later minute is looked at, up to the last before the expiry; then it settles. */
function findEnd(held: Held): End {
  const { days, position: index, rule, expiry, legs } = held
  let isLate = false
  for (let at = index; at < days.length && days[at]!.day.date <= expiry; at++) {
    const isLast = days[at]!.day.date === expiry
    const from = at === index ? held.minute + 1 : FIRST
    for (let minute = from; minute <= (isLast ? CLOSE - 1 : CLOSE); minute++) {
      const isTime = timeReached(rule, at - index, minute)
      const prices = legs.map(leg => findPrice(days[at]!.day, expiry, leg, minute))
      if (!prices.every(one => one !== null)) {
        isLate ||= isTime
        continue
      }
      const closed = judge(held, prices, isTime)
      if (!closed) continue
      const late = closed.reason === 'time' && isLate
      return { ...closed, out: [at, minute], isLate: late, settlement: null }
    }
    if (!isLast) continue
    const { settlement } = days[at]!
    if (settlement === null) break
    const worth = ({ type, strike }: HandLeg) =>
      Math.max(0, type === 'C' ? settlement - strike : strike - settlement)
    const closeNet = legs.reduce((sum, leg) => sum + leg.sign * worth(leg), 0)
    return { reason: 'settlement', out: [at, CLOSE], isLate, closeNet, settlement }
  }
  return { reason: 'unresolved', out: null, isLate: false, closeNet: null, settlement: null }
}

function timeReached({ exit }: HandRule, day: number, minute: number): boolean {
  const limit = exit.find(one => 'at' in one)
  if (!limit || limit.at === 'expiry') return false
  const on = limit.day ?? 0
  return day > on || (day === on && minute >= findMinute(limit.at))
}

/** A time first, then a profit by what closing brings, then a stop by the mid. */
function judge({ rule, legs, net }: Held, prices: readonly Price[], isTime: boolean) {
  const mid = signed(legs, prices)
  const brought = downToNickel(mid - halves(prices))
  const isSold = rule.action === 'sell'
  const closeNet = isSold ? Math.min(0, brought) : Math.max(0, brought)
  if (isTime) return { reason: 'time', closeNet }
  for (const one of rule.exit) {
    if (!('profit_pct' in one)) continue
    const share = one.profit_pct / 100
    const wanted = -net * (isSold ? 1 - share : 1 + share)
    if (closeNet >= wanted - EPSILON) return { reason: 'profit', closeNet }
  }
  for (const one of rule.exit) {
    const limit =
      'stop_x_credit' in one
        ? -net * one.stop_x_credit
        : 'stop_pct_debit' in one
          ? -net * (1 - one.stop_pct_debit / 100)
          : Number.NEGATIVE_INFINITY
    if (mid <= limit + EPSILON) return { reason: 'stop', closeNet }
  }
  return null
}
