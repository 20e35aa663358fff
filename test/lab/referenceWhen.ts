/** Conditions and triggers of a rule, for the second backtest: minute by minute. */

import type { WhenValue } from '../../src/lab/engine/trade.ts'
import type { RuleCondition, RuleCore } from '../../src/lab/language/spec.ts'
import { varianceAt } from './referencePrices.ts'
import type { PlainOrder, PlainSession } from './referenceRows.ts'

export type PlainLeg = { readonly core: RuleCore; readonly when: readonly RuleCondition[] }
type OrderCondition = Extract<RuleCondition, { f: 'order' }>
type CrossCondition = Extract<RuleCondition, { f: 'cross_flip' }>

export const minuteNumber = (text: string): number => {
  const [hours, minutes] = text.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/** Result of a condition at a minute, from what was known then. */
export function judge(session: PlainSession, minute: number, one: RuleCondition): WhenValue {
  if (one.f === 'order') return { value: null, holds: orderHolds(session, minute, one) }
  if (one.f === 'cross_flip') {
    const happened = crosses(session, one).filter(cross => cross <= minute)
    return { value: null, holds: happened.length >= one.nth }
  }
  const value = measured(session, minute, one.f)
  if (value === null) return { value, holds: null }
  const compared = one.op.startsWith('abs') ? Math.abs(value) : value
  const sign = one.op.replace('abs', '')
  const holds =
    (sign === '<' && compared < one.v) ||
    (sign === '<=' && compared <= one.v) ||
    (sign === '>' && compared > one.v) ||
    (sign === '>=' && compared >= one.v)
  return { value, holds }
}

export const allHold = (session: PlainSession, minute: number, leg: PlainLeg): boolean =>
  leg.when.every(one => judge(session, minute, one).holds === true)

function measured(session: PlainSession, minute: number, field: string): number | null {
  const row = session.minute(minute)
  switch (field) {
    case 'spot_minus_put_wall':
      return less(row.spot, row.put_wall)
    case 'call_wall_minus_spot':
      return less(row.call_wall, row.spot)
    case 'spot_minus_flip':
      return less(row.spot, row.flip)
    case 'net_gamma':
      return row.netGamma
    case 'abs_gap':
      if (row.open === null || row.previousClose === null) return null
      return 100 * Math.abs(row.open / row.previousClose - 1)
    case 'abs_move_from_open':
      if (row.spot === null || row.open === null || row.sessionExpectedMove === null) return null
      return Math.abs(row.spot - row.open) / row.sessionExpectedMove
    case 'move_from_open':
      return row.spot === null || row.open === null ? null : 100 * (row.spot / row.open - 1)
    case 'atm_iv_change': {
      const now = atmVolatility(session, minute)
      const first = atmVolatility(session, session.firstMinute)
      return now === null || first === null ? null : 100 * (now - first)
    }
    default:
      throw new Error(`no such field: ${field}`)
  }
}

const less = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b)

function atmVolatility(session: PlainSession, minute: number): number | null {
  const expiry = session.expiries[0]
  const years = expiry?.years(minute)
  const found = expiry && varianceAt(expiry, minute, null)
  return found && years ? Math.sqrt(found.variance / years) : null
}

function orderHolds(session: PlainSession, minute: number, one: OrderCondition): boolean | null {
  const counting = session.orders.filter(({ from, until }) => from <= minute && minute < until)
  const responses = counting.map(order => fulfils(order, minute, one))
  const holds = responses.includes(true) ? true : responses.includes(null) ? null : false
  return one.not && holds !== null ? !holds : holds
}

/** Null: all but the gamma fits, and the gamma is not known. */
function fulfils(order: PlainOrder, minute: number, one: OrderCondition): boolean | null {
  if (order.premiumUsd === null || order.premiumUsd < one.premium_musd_min * 1e6) return false
  if (one.since_min !== undefined && order.printed <= minute - one.since_min) return false
  if (one.gamma === undefined) return true
  if (order.gamma === null) return null
  return one.gamma === 'adds' ? order.gamma > 0 : order.gamma < 0
}

const stored = new WeakMap<PlainSession, Map<string, number[]>>()

/** Minutes of a session at which the spot crosses the flip in one direction. */
function crosses(session: PlainSession, { dir }: CrossCondition): number[] {
  const ofSession = stored.get(session) ?? new Map<string, number[]>()
  stored.set(session, ofSession)
  const known = ofSession.get(dir)
  if (known) return known
  const found: number[] = []
  ofSession.set(dir, found)
  let before = 0
  for (let minute = session.firstMinute; minute <= session.closeMinute; minute++) {
    const distance = measured(session, minute, 'spot_minus_flip')
    if (distance === null || distance === 0) continue
    const isCross = dir === 'above' ? before < 0 && distance > 0 : before > 0 && distance < 0
    if (isCross) found.push(minute)
    before = distance
  }
  return found
}

/** Minutes of the window of an event or a plain window at which the rule triggers. */
export function listTriggers(session: PlainSession, leg: PlainLeg): number[] {
  const { entry } = leg.core
  if (!('window' in entry) || 'every_min' in entry) throw new Error('a clock entry has no triggers')
  const isEach = entry.times === 'each'
  const from = Math.max(minuteNumber(entry.window[0]), session.firstMinute)
  const to = Math.min(minuteNumber(entry.window[1]), session.closeMinute - 1)
  const found: number[] = []
  let didHold = false
  for (let minute = from; minute <= to; minute++) {
    const holds = isEventAt(session, minute, leg, isEach) && allHold(session, minute, leg)
    const last = found.at(-1)
    const isNext =
      entry.gap_min !== undefined
        ? last === undefined || minute - last >= entry.gap_min
        : 'on' in entry || !didHold
    if (holds && (isEach ? isNext : last === undefined)) found.push(minute)
    didHold = holds
  }
  return found
}

/**
 * True when the event that the window waits for happens at this very minute; always, where it
 * only waits.
 */
function isEventAt(session: PlainSession, minute: number, leg: PlainLeg, isEach: boolean): boolean {
  const { entry } = leg.core
  if (!('on' in entry)) return true
  return leg.when.some(one => {
    if (entry.on === 'order' && one.f === 'order' && !one.not) {
      return session.orders.some(
        order =>
          order.from === minute && minute < order.until && fulfils(order, minute, one) === true,
      )
    }
    if (entry.on !== 'cross' || one.f !== 'cross_flip') return false
    const nth = crosses(session, one).indexOf(minute) + 1
    return isEach ? nth >= one.nth : nth === one.nth
  })
}
