/**
 * A second backtest of LAB, for tests: slow, plain and written from the contract alone. It shares
 * with the first one the types and not a line more.
 */

import type {
  Assumptions,
  Missed,
  MissedReason,
  Trade,
  TradeLedger,
} from '../../src/lab/engine/trade.ts'
import type { RuleSpec } from '../../src/lab/language/spec.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import { type PlainSession, plainSessions } from './referenceRows.ts'
import { follow } from './referenceTrade.ts'
import { allHold, judge, listTriggers, minuteNumber, type PlainLeg } from './referenceWhen.ts'

export type ReferenceOptions = {
  readonly assume: Assumptions
  readonly sessions: { readonly from: number; readonly to: number }
  readonly designCount: number
}

/** Every trade and every missed chance of a rule. */
export function referenceBacktest(
  market: LabMarket,
  spec: RuleSpec,
  options: ReferenceOptions,
): TradeLedger {
  const sessions = plainSessions(market)
  const trades: Trade[] = []
  const missed: Missed[] = []
  const legs: PlainLeg[] = [{ core: spec.core, when: spec.when }, ...(spec.more ?? [])]
  for (const [ruleLeg, leg] of legs.entries()) {
    const isDay = ({ weekday }: PlainSession) =>
      spec.days === undefined || (spec.days as string[]).includes(weekday)
    const indexes = listPlaces(sessions.slice(0, options.designCount).filter(isDay), leg)
    for (const session of sessions.slice(options.sessions.from, options.sessions.to)) {
      if (!isDay(session)) continue
      for (const chance of listChances(session, leg, indexes)) {
        const { minute, isInRule, isFixed, slot } = chance
        const outcome: ReturnType<typeof follow> =
          minute >= session.closeMinute
            ? 'half_day'
            : follow({ sessions, session, minute, leg, assume: options.assume })
        const text = { ruleLeg, session: session.index, decidedAt: minute, isInRule }
        if (typeof outcome === 'string') {
          missed.push({ ...text, reason: outcome satisfies MissedReason })
          continue
        }
        const conditions = leg.when.map(one => judge(session, minute, one))
        trades.push({ ...text, slot, isFixed, conditions, ...outcome })
      }
    }
  }
  return { trades, missed }
}

type Chance = {
  readonly minute: number
  readonly isInRule: boolean
  readonly isFixed: boolean
  readonly slot: number
}

const isClock = ({ entry }: PlainLeg['core']) => 'at' in entry || 'every_min' in entry

/** Minutes at quantiles of the triggers of the design sessions; none of a clock entry. */
function listPlaces(design: readonly PlainSession[], leg: PlainLeg): number[] {
  if (isClock(leg.core)) return []
  const minutes = design.flatMap(session => listTriggers(session, leg)).sort((a, b) => a - b)
  if (minutes.length === 0) return []
  const eighths = [0, 1, 2, 3, 4, 5, 6, 7]
  const quantiles = eighths.map(k => minutes[Math.floor(((k + 0.5) / 8) * minutes.length)]!)
  return [...new Set(quantiles)]
}

/** Minutes of a session at which the core decides, in order. */
function listChances(session: PlainSession, leg: PlainLeg, indexes: readonly number[]): Chance[] {
  if (isClock(leg.core)) {
    return listSlots(leg.core).map(minute => {
      const isKnown = minute < session.closeMinute
      const isInRule = leg.when.length === 0 || (isKnown && allHold(session, minute, leg))
      return { minute, isInRule, isFixed: true, slot: minute }
    })
  }
  const triggers = listTriggers(session, leg)
  const minutes = [...new Set([...triggers, ...indexes])].sort((a, b) => a - b)
  return minutes.map(minute => ({
    minute,
    isInRule: leg.when.length === 0 || triggers.includes(minute),
    isFixed: indexes.includes(minute),
    slot: nearestPlace(indexes, minute),
  }))
}

function listSlots({ entry }: PlainLeg['core']): number[] {
  if ('at' in entry) return [minuteNumber(entry.at)]
  if (!('every_min' in entry)) throw new Error('a window has no slots')
  const [from, to] = entry.window.map(minuteNumber) as [number, number]
  const found: number[] = []
  for (let minute = from; minute <= to; minute += entry.every_min) found.push(minute)
  return found
}

function nearestPlace(indexes: readonly number[], minute: number): number {
  const distances = indexes.map(index => Math.abs(index - minute))
  return Math.max(0, distances.indexOf(Math.min(...distances)))
}
