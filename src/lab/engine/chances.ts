import { parseMinute } from '../../core/market/calendar.ts'
import type { RuleCondition, RuleEntry } from '../language/spec.ts'
import type { LabMarket, LabSession } from '../market/session.ts'
import { allHold, buildJudges, type JudgedCondition } from './conditions.ts'
import { readCrosses } from './crosses.ts'
import { markNewOrders } from './orders.ts'

/** Minute at which the core may trade. */
export type Chance = {
  /** Minute of the ET day. */
  readonly minute: number
  readonly slot: number
  readonly isFixed: boolean
  /** True when the rule triggers here; null: the conditions are evaluated at that minute. */
  readonly isTrigger: boolean | null
}

export type RuleLeg = { readonly entry: RuleEntry; readonly when: readonly RuleCondition[] }
type WindowEntry = Exclude<RuleEntry, { at: string } | { every_min: number }>

/** Days of a rule, and the sessions whose triggers determine the slots of its core. */
export type ChanceRange = {
  readonly isOn: (session: LabSession) => boolean
  readonly designCount: number
}

/** Number of slots per session for the core of a window or event. */
const SLOT_COUNT = 8

/** Returns a lookup from session index to the chances of that session, by minute. */
export function buildChances(
  market: LabMarket,
  { entry, when }: RuleLeg,
  range: ChanceRange,
): (session: number) => readonly Chance[] {
  if ('at' in entry || 'every_min' in entry) {
    const minutes = 'at' in entry ? [parseMinute(entry.at)] : everyMinute(entry)
    const chances = minutes.map(minute => clockChance(minute))
    return () => chances
  }
  const triggers = new Map<number, readonly number[]>()
  const findTriggers = (sessionIndex: number): readonly number[] => {
    const known = triggers.get(sessionIndex)
    if (known) return known
    const session = market.sessions[sessionIndex]!
    const minutes = range.isOn(session) ? triggerMinutes(session, entry, when) : []
    triggers.set(sessionIndex, minutes)
    return minutes
  }
  const design: number[] = []
  for (
    let sessionIndex = 0;
    sessionIndex < Math.min(range.designCount, market.sessions.length);
    sessionIndex++
  ) {
    design.push(...findTriggers(sessionIndex))
  }
  const slotMinutes = chooseSlotMinutes(design)
  return session => windowChances(slotMinutes, findTriggers(session))
}

const clockChance = (minute: number): Chance => ({
  minute,
  slot: minute,
  isFixed: true,
  isTrigger: null,
})

function everyMinute({
  window: [from, to],
  every_min: step,
}: Extract<RuleEntry, { every_min: number }>) {
  const minutes: number[] = []
  for (let minute = parseMinute(from); minute <= parseMinute(to); minute += step)
    minutes.push(minute)
  return minutes
}

/** Returns the distinct quantiles of the minutes at which the rule enters. */
export function chooseSlotMinutes(minutes: readonly number[]): number[] {
  if (minutes.length === 0) return []
  const sorted = Float64Array.from(minutes).sort()
  const quantiles = Array.from({ length: SLOT_COUNT }, (_, index) => {
    return sorted[Math.floor(((index + 0.5) / SLOT_COUNT) * sorted.length)]!
  })
  return [...new Set(quantiles)]
}

function windowChances(slotMinutes: readonly number[], triggers: readonly number[]): Chance[] {
  const fixed = slotMinutes.map((minute, slot) => ({
    minute,
    slot,
    isFixed: true,
    isTrigger: triggers.includes(minute),
  }))
  const others = triggers
    .filter(minute => !slotMinutes.includes(minute))
    .map(minute => ({
      minute,
      slot: findNearestSlot(slotMinutes, minute),
      isFixed: false,
      isTrigger: true,
    }))
  return [...fixed, ...others].sort((a, b) => a.minute - b.minute)
}

/** Index of the nearest slot, the lower on a tie; 0 when there is none. */
function findNearestSlot(slotMinutes: readonly number[], minute: number): number {
  const distances = slotMinutes.map(slotMinute => Math.abs(slotMinute - minute))
  return Math.max(0, distances.indexOf(Math.min(...distances)))
}

/**
 * Returns the ascending minutes of a session at which the rule enters; only states before the
 * close.
 */
function triggerMinutes(
  session: LabSession,
  entry: WindowEntry,
  when: readonly RuleCondition[],
): number[] {
  const judges = buildJudges(session, when)
  const isCandidate = findCandidates(session, entry, judges)
  const { firstMinute, stateCount } = session
  const first = Math.max(0, parseMinute(entry.window[0]) - firstMinute)
  const last = Math.min(stateCount - 2, parseMinute(entry.window[1]) - firstMinute)
  const isEach = entry.times === 'each'
  const gap = entry.gap_min
  // while conditions continue to hold, only the first minute counts, unless a gap is given
  const isBeginning = isEach && gap === undefined && !('on' in entry)
  const minutes: number[] = []
  let held = false
  let next = first
  for (let state = first; state <= last; state++) {
    const holds = isCandidate(state) && allHold(judges, state)
    if (holds && state >= next && !(isBeginning && held)) {
      minutes.push(firstMinute + state)
      if (!isEach) break
      next = state + (gap ?? 1)
    }
    held = holds
  }
  return minutes
}

/** Returns the states at which the event of an entry happens; all states without an event. */
function findCandidates(
  session: LabSession,
  entry: WindowEntry,
  judges: readonly JudgedCondition[],
): (state: number) => boolean {
  if (!('on' in entry)) return () => true
  const isEvent = new Uint8Array(session.stateCount)
  for (const { condition } of judges) {
    if (entry.on === 'order' && condition.f === 'order' && !condition.not) {
      for (const [state, isNew] of markNewOrders(session, condition).entries()) {
        if (isNew === 1) isEvent[state] = 1
      }
    }
    if (entry.on === 'cross' && condition.f === 'cross_flip') {
      const crosses = readCrosses(session)[condition.dir].slice(condition.nth - 1)
      for (const state of entry.times === 'each' ? crosses : crosses.slice(0, 1)) {
        isEvent[state] = 1
      }
    }
  }
  return state => isEvent[state] === 1
}
