import { formatMinute, parseMinute } from '../../core/market/calendar.ts'
import type { DraftLeg, RuleDraft } from './draft.ts'
import type { Findings } from './findings.ts'
import { BOUNDS, type RuleCondition, type RuleEntry } from './spec.ts'

const { firstEntry, lastEntry, lastDefault } = BOUNDS
const OUTSIDE = `entry outside ${firstEntry}-${lastEntry}`
/** Entry of a leg; undefined when it is missing or invalid. */
export function completeEntry(
  leg: DraftLeg,
  when: readonly RuleCondition[],
  found: Findings,
  draft: RuleDraft,
): RuleEntry | undefined {
  const { at, window, every } = leg
  const isCross = when.some(({ f }) => f === 'cross_flip') || leg.open.some(one => 'cross' in one)
  const isOrder =
    when.some(one => one.f === 'order' && !one.not && one.since_min === undefined) ||
    leg.open.some(one => 'order' in one && !one.order.not && one.order.since_min === undefined)
  if (at !== undefined) {
    if (at < firstEntry || at > lastEntry) found.errors.push(OUTSIDE)
    if (isCross) found.errors.push(`two entries: a crossing and ${at}; give one`)
    if (window !== undefined || every !== undefined) found.missing.push('entry time')
    if (leg.isEach) found.errors.push('one entry time is once a session, not each time')
    return { at }
  }
  const [, latest] = defaultWindow(leg)
  // "after 10" has no end of its own
  const [from, to] =
    window && leg.half === 'from' ? [window[0], latest] : (window ?? defaultWindow(leg))
  if (from < firstEntry || to > lastEntry || to < firstEntry) found.errors.push(OUTSIDE)
  else if (from >= to) found.errors.push('the window ends before it begins')
  const isEvent = isCross || isOrder
  if (window === undefined && (every !== undefined || isEvent)) {
    found.assumptions.push({
      field: 'entry',
      value: `${from}-${to}`,
      why: 'no window was named',
    })
  }
  if (every !== undefined) return completeInterval(leg, [from, to], isEvent, found)
  const repeated = leg.isEach ? { times: 'each' as const, ...completeGap(leg, found) } : {}
  if (leg.gap !== undefined && !leg.isEach) {
    found.errors.push('minutes between entries need "each time"')
  }
  if (isEvent) return { window: [from, to], on: isCross ? 'cross' : 'order', ...repeated }
  if (window === undefined || (leg.isLoose && when.length + leg.open.length === 0)) {
    if (!draft.vague.includes('entry time') && !isUnknown(draft)) found.missing.push('entry time')
    return undefined
  }
  const why =
    when.length === 0 ? 'the first minute of the window' : 'the first minute that meets all'
  found.assumptions.push({ field: 'entry', value: `${from}-${to}`, why })
  return { window: [from, to], ...repeated }
}

/** True when the draft states only the wish to trade. */
const isUnknown = (draft: RuleDraft) => draft.vague.includes('what to do')

function completeInterval(
  leg: DraftLeg,
  window: [string, string],
  isEvent: boolean,
  found: Findings,
): RuleEntry {
  const every = leg.every!
  if (every < 1 || every > BOUNDS.everyMax) {
    found.errors.push(`an entry every ${every} minutes: give 1 to ${BOUNDS.everyMax}`)
  }
  if (isEvent) found.errors.push('two entries: an event and an interval; give one')
  if (leg.isEach) found.errors.push('an interval enters each time already')
  return { window, every_min: every }
}

function completeGap(leg: DraftLeg, found: Findings): { gap_min?: number } {
  if (leg.gap === undefined) return {}
  if (leg.gap < 1 || leg.gap > BOUNDS.gapMax) {
    found.errors.push(`entries are 1 to ${BOUNDS.gapMax} minutes apart`)
  }
  return { gap_min: leg.gap }
}

/** Default window, which ends before a trade has to be closed. */
function defaultWindow(leg: DraftLeg): [string, string] {
  const exit = leg.exits.find(one => 'at' in one && one.at !== 'expiry' && !('day' in one))
  const isSameDay = (leg.dte ?? 0) === 0
  const out = isSameDay && exit && 'at' in exit ? exit.at : null
  if (out === null || out > lastDefault || out <= '09:32') return [firstEntry, lastDefault]
  return [firstEntry, formatMinute(parseMinute(out) - 1)]
}
