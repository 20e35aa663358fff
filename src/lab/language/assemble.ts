import { type Assumption, type DraftLeg, EMPTY_LEG, exitKind, type RuleDraft } from './draft.ts'
import { type BuildingLeg, fillTimes, type Out } from './entryTimes.ts'
import { fillFar, splitStrikes } from './farLeg.ts'
import { withoutIdle } from './idle.ts'
import type { OpenCondition, RuleItem } from './items.ts'
import { HEADED, listBehindExit, misjoined, UNLESS_BOUNDS, UNLESS_ONE } from './misjoined.ts'
import { negated, negatedOpen } from './negate.ts'
import { isApart, type Region, splitRegions } from './regions.ts'
import { type RuleCondition, WEEKDAYS, type Weekday } from './spec.ts'
import { joinLegs } from './statedLegs.ts'

/** Assembles the items of a message: its legs, its days, and what is vague or invalid. */
export function assemble(stated: readonly RuleItem[]): RuleDraft {
  const items = joinLegs(withoutIdle(stated))
  const { shared, legs: regions } = splitRegions(items)
  const bad: string[] = [...listBad(items), ...misjoined(items, regions.length)]
  if (regions.length > 2) bad.push('a rule has at most two legs')
  const out = { vague: [] as string[], bad, times: [] as string[] }
  const isEntered = shared.some(({ k }) => ENTERING.includes(k))
  const [first, second] = regions.slice(0, 2).map(one => assembleLeg(one.items, out, isEntered))
  const base = assembleLeg(shared, out)
  const legs = second
    ? twoLegs(base, first!, second, regions, bad)
    : [joined(base, first ?? EMPTY_LEG, out)]
  const days = listDays(items)
  return {
    legs,
    ...(days ? { days } : {}),
    vague: [...new Set(out.vague)],
    ...(items.some(({ k }) => k === 'either' || k === 'mapping') ? { isMapping: true } : {}),
    ...(out.times.length > 1 ? { times: [...new Set(out.times)] } : {}),
    bad,
    notes: [...listNotes(items), ...listBehindExit(items)],
  }
}

const ENTERING: readonly string[] = ['time', 'bare_time', 'window', 'every']

const listBad = (items: readonly RuleItem[]) =>
  items.flatMap(item => (item.k === 'bad' ? [item.reason] : []))

const listNotes = (items: readonly RuleItem[]): Assumption[] =>
  items.flatMap(({ note, field, k, ...item }) => {
    if (note === undefined) return []
    const value = 'v' in item ? String(item.v) : field
    return [
      {
        field: k === 'exit' ? 'exit' : field,
        value: k === 'exit' ? note.slice(-8, -3) : value,
        why: note,
      },
    ]
  })

/**
 * Builds a leg from the items of one region. Contradicting fields are invalid, or raise a question.
 */
function assembleLeg(stated: readonly RuleItem[], out: Out, isEntered = false): DraftLeg {
  const items = splitStrikes(stated)
  const leg: BuildingLeg = { ...EMPTY_LEG }
  let isNegated = false
  let negatedCount = 0
  for (const [index, item] of items.entries()) {
    const isVague = item.k === 'vague' && item.slot === 'direction of the move'
    const isCondition = item.k === 'when' || item.k === 'when_open' || isVague
    if (item.k === 'unless') {
      isNegated = true
      negatedCount = 0
    } else if (isCondition) {
      // "unless the gap is over 1%, if gamma is positive": a second head opens a second condition
      const isSecondBound = items[index - 1]?.from === item.from
      if (negatedCount > 0 && HEADED.test(item.text) && !isSecondBound) isNegated = false
      if (isNegated) negatedCount += 1
      if (negatedCount > 1 && isNegated) {
        out.bad.push(isSecondBound ? UNLESS_BOUNDS : UNLESS_ONE)
        continue
      }
    } else if (item.k === 'if' ? negatedCount > 0 : item.k !== 'break') isNegated = false
    if (item.k === 'when') addCondition(leg, item.v, isNegated, out)
    else if (item.k === 'when_open') addOpen(leg, item.v, isNegated, out)
    else if (isVague && isNegated) out.bad.push(UNLESS_VAGUE)
    else fill(leg, item, out)
  }
  fillTimes(leg, items, out, isEntered)
  joinOrders(leg)
  fillFar(leg, items, out)
  return leg
}

/** "after a $50M order, only if it adds gamma": both describe one order. */
function joinOrders(leg: BuildingLeg): void {
  const more = leg.open.flatMap(open => ('order' in open ? [open.order] : []))
  const orders = leg.when.filter(({ f }) => f === 'order')
  if (more.length === 0 || orders.length !== 1) return
  leg.when = leg.when.map(one => (one.f === 'order' ? Object.assign({}, one, ...more) : one))
  leg.open = leg.open.filter(open => !('order' in open))
}

function addCondition(leg: BuildingLeg, v: RuleCondition, isNegated: boolean, out: Out): void {
  const condition = isNegated ? negated(v) : v
  if (condition) leg.when = [...leg.when, condition]
  else out.bad.push(`unless cannot turn round a condition on ${v.f}`)
}

function addOpen(leg: BuildingLeg, v: OpenCondition, isNegated: boolean, out: Out): void {
  const open = isNegated ? negatedOpen(v) : v
  if (open) leg.open = [...leg.open, open]
  else out.bad.push('unless cannot turn round a crossing')
}

const UNLESS_VAGUE = 'unless needs its number, such as "unless net gamma is above $500M per point"'
function fill(leg: BuildingLeg, item: RuleItem, out: Out): void {
  switch (item.k) {
    case 'action':
    case 'side':
    case 'dte':
    case 'qty':
    case 'every':
    case 'gap':
      setOnce(leg, item.k, item.v, out)
      return
    case 'width':
      setOnce(leg, 'width', item.v, out)
      return
    case 'strike':
      setOnce(leg, 'strike', item.v, out)
      return
    case 'structure':
      if (item.v === 'spread' && leg.structure !== undefined && item.sold === undefined) return
      if (item.sold !== undefined) leg.sold = item.sold
      if (item.isByLegs) leg.isByLegs = true
      setOnce(leg, 'structure', item.v, out)
      return
    case 'level_side':
      leg.levelSide = { level: item.v, side: item.side }
      return
    case 'each':
      leg.isEach = true
      return
    case 'exit': {
      const same = leg.exits.find(one => exitKind(one) === exitKind(item.v))
      if (!same) leg.exits = [...leg.exits, item.v]
      else if (JSON.stringify(same) !== JSON.stringify(item.v))
        out.bad.push(twice(exitKind(item.v)))
      return
    }
    case 'vague':
      out.vague.push(item.slot)
      return
    case 'vague_trade':
      out.vague.push('what to do')
  }
}

const TWICE: Readonly<Record<string, string>> = {
  at: 'two times of exit',
  profit: 'two profit targets',
  stop: 'two stops',
  width: 'two widths',
  strike: 'two strikes',
  dte: 'two expiries',
  qty: 'two numbers of contracts',
  every: 'two intervals',
  structure: 'two structures',
}
const twice = (what: string) => `${TWICE[what] ?? `two of ${what}`}; give one`

function setOnce<K extends keyof BuildingLeg>(
  leg: BuildingLeg,
  key: K,
  value: BuildingLeg[K],
  out: Out,
) {
  const before = leg[key]
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(value)) {
    out.bad.push(twice(key))
  }
  leg[key] = value
}

/** A leg with the items that came before any trade. */
function joined(base: DraftLeg, leg: DraftLeg, out: Out): DraftLeg {
  for (const key of ['width', 'strike', 'dte', 'qty', 'every', 'window'] as const) {
    const [a, b] = [base[key], leg[key]]
    if (a !== undefined && b !== undefined && JSON.stringify(a) !== JSON.stringify(b)) {
      out.bad.push(twice(key))
    }
  }
  if (base.at !== undefined && leg.at !== undefined && base.at !== leg.at) {
    out.times.push(base.at, leg.at)
  }
  for (const exit of leg.exits) {
    if (base.exits.some(one => exitKind(one) === exitKind(exit)))
      out.bad.push(twice(exitKind(exit)))
  }
  return onto(base, leg)
}

/** Merges two legs: the own fields first, the other's where they are missing. */
const onto = (base: DraftLeg, leg: DraftLeg): DraftLeg => ({
  ...base,
  ...leg,
  exits: [
    ...base.exits.filter(one => !leg.exits.some(own => exitKind(own) === exitKind(one))),
    ...leg.exits,
  ],
  when: [...base.when, ...leg.when],
  open: [...base.open, ...leg.open],
})

/** Conditions next to one of two trades, or before both: finds the leg they apply to. */
function ofOneLeg([shared, one, two]: readonly [number, number, number], apart: boolean): string[] {
  if (shared > 0) return apart && two === 0 ? [WHEN_OF_ONE] : []
  return !apart && (one === 0) !== (two === 0) ? [WHEN_OF_ONE] : []
}

const WHEN_OF_ONE =
  'a condition stands by one of the two trades: give one for each, or part the trades with ' +
  'a full stop and put it in that of its trade'
const EXIT_OF_ONE =
  'the way out stands before the second trade: say it at the end for both, or for each trade'
const QTY_OF_ONE = 'one of the two trades has a number of contracts: give it for each'

/** Two legs: time, exit and size of one apply to both, unless both state them. */
function twoLegs(
  base: DraftLeg,
  one: DraftLeg,
  two: DraftLeg,
  regions: readonly Region[],
  bad: string[],
): DraftLeg[] {
  const fields = new Set(two.when.map(({ f }) => f))
  const own = base.when.filter(({ f }) => fields.has(f))
  const both = base.when.filter(({ f }) => !fields.has(f))
  const { isElse } = regions[1]!
  const rest = { ...base, when: [] }
  if (one.exits.length > 0 && two.exits.length === 0) bad.push(EXIT_OF_ONE)
  if (!isElse)
    bad.push(
      ...ofOneLeg(
        [base.when.length, one.when.length, two.when.length],
        isApart(regions[0]!, regions[1]!),
      ),
    )
  const isOwn = one.structure !== undefined && two.structure !== undefined
  if (isOwn && (one.qty === undefined) !== (two.qty === undefined)) bad.push(QTY_OF_ONE)
  const first = onto(rest, { ...one, when: [...both, ...own, ...one.when] })
  const opposite = isElse ? otherwise([...own, ...one.when, ...base.when], bad) : []
  const second = onto(rest, { ...two, when: [...(isElse ? [] : both), ...opposite, ...two.when] })
  return [borrowed(first, second), borrowed(second, first)]
}

function otherwise(conditions: readonly RuleCondition[], bad: string[]): RuleCondition[] {
  const only = conditions.length === 1 ? negated(conditions[0]!) : null
  if (only) return [only]
  bad.push('otherwise needs one condition before it')
  return []
}

function borrowed(leg: DraftLeg, other: DraftLeg): DraftLeg {
  const hasEntry = leg.at ?? leg.window ?? leg.every
  const { at, window, isLoose, every, isEach, gap } = other
  const entry = { at, window, isLoose, every, isEach, gap }
  const isEvent = leg.when.some(({ f }) => f === 'order' || f === 'cross_flip')
  const given = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))
  // another structure has its own strikes
  const isSame = leg.structure === undefined || leg.structure === other.structure
  const isShared =
    isVertical(leg.structure) && isVertical(other.structure) && isOutward(other.strike)
  return {
    ...(hasEntry === undefined && !isEvent ? given : {}),
    ...pick(other, ['dte', 'qty', 'action']),
    ...(hasNoWidth(leg.structure ?? other.structure) ? {} : pick(other, ['width'])),
    ...(isSame ? pick(other, ['structure', 'strike', 'side', 'levelSide']) : {}),
    ...(isShared ? pick(other, ['strike']) : {}),
    ...leg,
    exits: leg.exits.length > 0 ? leg.exits : other.exits,
  }
}

const isVertical = (structure: DraftLeg['structure']) =>
  structure === 'put_spread' || structure === 'call_spread'
/** "30 out" and a delta are below for puts and above for calls: valid for both. */
const isOutward = (strike: DraftLeg['strike']) =>
  strike !== undefined && (strike.ref === 'delta' || strike.side === 'out')

const hasNoWidth = (structure: DraftLeg['structure']) =>
  structure === 'strangle' || structure === 'straddle'

const pick = <K extends keyof DraftLeg>(leg: DraftLeg, keys: readonly K[]): Partial<DraftLeg> =>
  Object.fromEntries(keys.flatMap(key => (leg[key] === undefined ? [] : [[key, leg[key]]])))

/** Days of a message: those it names, without those it excludes. */
function listDays(items: readonly RuleItem[]): Weekday[] | null {
  const stated = items.flatMap(item => (item.k === 'days' ? [item] : []))
  if (stated.length === 0) return null
  const set = stated.filter(({ how }) => how !== 'not').flatMap(({ v }) => v)
  const not = stated.filter(({ how }) => how === 'not').flatMap(({ v }) => v)
  const from = set.length > 0 ? set : WEEKDAYS
  return WEEKDAYS.filter(day => from.includes(day) && !not.includes(day))
}
