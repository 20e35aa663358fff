import { type DraftLeg, exitKind } from './draft.ts'
import type { RuleItem } from './items.ts'

/** A leg under construction. */
export type BuildingLeg = { -readonly [key in keyof DraftLeg]: DraftLeg[key] }
/** Findings besides the legs. */
export type Out = { vague: string[]; bad: string[]; times: string[] }

/**
 * Assigns times: one after an exit and a comma is an exit if there is an entry without it, in the
 * leg or before it.
 */
export function fillTimes(
  leg: BuildingLeg,
  items: readonly RuleItem[],
  out: Out,
  isEntered: boolean,
): void {
  const times = items.filter(item => item.k === 'time' || item.k === 'bare_time')
  const sure = times.filter(item => !item.maybeExit)
  const windows = items.flatMap(item => (item.k === 'window' ? [item] : []))
  const own = oneWindow(windows)
  if (own === null) out.bad.push('two windows; give one')
  // "in the last hour, at 15:10": the time is the more exact of the two
  const isExact = own?.isLoose && !own.half && sure.length === 1 && isIn(sure[0]!.v, own.v)
  // "at 10 until 2" gives an end
  if (own?.isUntil && sure.length > 0) leg.exits = [...leg.exits, { at: own.v[1] }]
  else if (own && !isExact) leg.window = own.v
  if (own?.isLoose && leg.window) leg.isLoose = true
  if (own?.half && leg.window) leg.half = own.half
  const isEvent = leg.when.some(({ f }) => f === 'cross_flip')
  const hasEntry = isEntered || sure.length > 0 || windows.length > 0 || isEvent
  const given = new Set<string>()
  for (const { v, maybeExit } of times) {
    const hasExit = leg.exits.some(one => exitKind(one) === 'at')
    if (maybeExit && hasEntry && !hasExit) leg.exits = [...leg.exits, { at: v }]
    else {
      given.add(v)
      leg.at ??= v
    }
  }
  if (given.size > 1) out.times.push(...given)
}

const isIn = (at: string, [from, to]: readonly [string, string]) => from <= at && at <= to

type WindowItem = Extract<RuleItem, { k: 'window' }>

/** Window of a leg; null when there are two. "after 10 and before 14" is one. */
function oneWindow(windows: readonly WindowItem[]): WindowItem | null | undefined {
  const [one, two, ...others] = windows
  if (!one || !two) return one
  const [from, to] = one.half === 'from' ? [one, two] : [two, one]
  if (others.length > 0 || from.half !== 'from' || to.half !== 'to') return null
  const { half: _, isUntil: __, ...both } = from
  return { ...both, v: [from.v[0], to.v[1]] }
}
