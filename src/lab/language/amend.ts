import { formatMinute, parseMinute } from '../../core/market/calendar.ts'
import { assemble } from './assemble.ts'
import { type DraftLeg, exitKind, type RuleDraft } from './draft.ts'
import type { EditSlot, NamedStrike, RuleItem } from './items.ts'
import { type MergeOptions, mergeLeg } from './mergeLeg.ts'
import { above } from './phrases/levelDistances.ts'
import { WEEKDAYS, type Weekday } from './spec.ts'

/** Applies the items of a message to a draft. */
export function amend(base: RuleDraft, items: readonly RuleItem[]): RuleDraft {
  const patch = adjacentLevel(base, assemble(items), items)
  const has = (kind: RuleItem['k']) => items.some(({ k }) => k === kind)
  const options = { isAlso: has('also'), isInstead: has('instead') }
  const merged = mergeLegs(base.legs, patch.legs, options)
  const days = daysAfter(base.days, items)
  const isLegOpen = merged === null
  const changed: RuleDraft = {
    legs: merged ?? base.legs,
    ...(days ? { days } : {}),
    vague: [
      ...base.vague.filter(slot => !isFilled(slot, patch)),
      ...patch.vague,
      ...(isLegOpen ? ['which leg'] : []),
    ],
    ...(isMappingOpen(base, patch) ? { isMapping: true } : {}),
    ...(patch.times ? { times: patch.times } : {}),
    bad: patch.bad,
    notes: [...base.notes, ...patch.notes],
    ...(base.unread ? { unread: base.unread } : {}),
  }
  // "earlier, 9:45" has what it asks for
  const isOpen = (item: RuleItem) =>
    item.k !== 'ask' || !isFilled(QUESTIONED[item.slot] ?? item.slot, patch)
  return items.filter(isOpen).reduce(edited, changed)
}

/** "and above the flip" adds a condition to a rule that already has its strike. */
function adjacentLevel(base: RuleDraft, patch: RuleDraft, items: readonly RuleItem[]): RuleDraft {
  const isMoved = items.some(({ k }) => k === 'set' || k === 'shift' || k === 'instead')
  const hasStrike = base.legs.length > 0 && base.legs.every(({ strike }) => strike !== undefined)
  if (isMoved || !hasStrike) return patch
  return { ...patch, legs: patch.legs.map(leg => withLevelCondition(leg)) }
}

function withLevelCondition({ levelSide, ...leg }: DraftLeg): DraftLeg {
  if (!levelSide || leg.strike) return levelSide ? { ...leg, levelSide } : leg
  return { ...leg, when: [...leg.when, above(levelSide.level, levelSide.side).v] }
}

function isMappingOpen(base: RuleDraft, patch: RuleDraft): boolean {
  const isResolved = patch.legs.some(({ action }) => action !== undefined)
  return patch.isMapping === true || (base.isMapping === true && !isResolved)
}

const hasStated = (leg: DraftLeg): boolean =>
  Object.entries(leg).some(([, value]) => (Array.isArray(value) ? value.length > 0 : value != null))

/** Legs of both; null when it is ambiguous which leg a change applies to. */
function mergeLegs(
  base: readonly DraftLeg[],
  patch: readonly DraftLeg[],
  options: MergeOptions,
): DraftLeg[] | null {
  const [own] = patch
  if (!own || (patch.length === 1 && !hasStated(own))) return [...base]
  if (base.length === 0) return [...patch]
  if (base.length === 1) return patch.map(leg => mergeLeg(base[0]!, leg, options))
  if (patch.length > 1) return base.map((leg, index) => mergeLeg(leg, patch[index]!, options))
  const ofOne = own.action ?? own.structure ?? own.strike ?? own.side
  if (ofOne === undefined) return base.map(leg => mergeLeg(leg, own, options))
  const named = base.filter(({ structure }) => structure === own.structure)
  if (named.length !== 1) return null
  return base.map(leg => (leg === named[0] ? mergeLeg(leg, own, options) : leg))
}

/** "only Mondays" sets, "also Fridays" adds, "no Fridays" removes. */
function daysAfter(
  base: readonly Weekday[] | undefined,
  items: readonly RuleItem[],
): readonly Weekday[] | undefined {
  let days: readonly Weekday[] = base ?? WEEKDAYS
  let isStated = base !== undefined
  let isAlso = false
  for (const item of items) {
    if (item.k === 'also') isAlso = true
    if (item.k === 'drop' && item.slot === 'days') {
      days = WEEKDAYS
      isStated = true
    }
    if (item.k !== 'days') continue
    isStated = true
    const { v } = item
    const how = item.how === 'set' && isAlso ? 'add' : item.how
    days = WEEKDAYS.filter(day => {
      if (how === 'set') return v.includes(day)
      return how === 'add'
        ? days.includes(day) || v.includes(day)
        : days.includes(day) && !v.includes(day)
    })
  }
  return isStated ? days : undefined
}

const FILLED_BY: Readonly<Record<string, (leg: DraftLeg) => boolean>> = {
  strike: leg => leg.strike !== undefined,
  width: leg => leg.width !== undefined,
  'entry time': leg => leg.at !== undefined || leg.window !== undefined || leg.every !== undefined,
  stop: leg => leg.exits.some(one => exitKind(one) === 'stop'),
  'profit target': leg => leg.exits.some(one => exitKind(one) === 'profit'),
  contracts: leg => leg.qty !== undefined,
  'net gamma': leg => leg.when.some(({ f }) => f === 'net_gamma'),
  'direction of the move': leg => leg.when.some(({ f }) => f === 'move_from_open'),
  'what to do': leg => leg.action !== undefined || leg.structure !== undefined,
  'which leg': () => true,
}

const isFilled = (slot: string, patch: RuleDraft): boolean =>
  patch.legs.some(leg => FILLED_BY[slot]?.(leg) ?? false)

const QUESTIONED: Readonly<Record<string, string>> = {
  width: 'width',
  strike: 'strike',
  entry: 'entry time',
  stop: 'stop',
  profit: 'profit target',
  qty: 'contracts',
}

/** Applies one edit in words: drop a part, move a number, or request one. */
function edited(draft: RuleDraft, item: RuleItem): RuleDraft {
  if (item.k === 'ask') return { ...draft, vague: [...draft.vague, QUESTIONED[item.slot]!] }
  if (item.k === 'drop') return dropped(draft, item.slot, item.text)
  if (item.k !== 'shift') return draft
  const { slot, by } = item
  const legs = draft.legs.map(leg => shifted(leg, slot, by))
  if (legs.every(leg => leg !== null)) return { ...draft, legs }
  return { ...draft, vague: [...draft.vague, QUESTIONED[slot] ?? 'exit time'] }
}

/** A leg with one number moved; null when there is none to move. */
function shifted(leg: DraftLeg, slot: string, by: number): DraftLeg | null {
  if (slot === 'width') return leg.width === undefined ? null : { ...leg, width: leg.width + by }
  if (slot === 'entry') return leg.at === undefined ? null : { ...leg, at: later(leg.at, by) }
  if (slot === 'exit') {
    const timed = leg.exits.find(one => 'at' in one && one.at !== 'expiry')
    if (!timed || !('at' in timed)) return null
    const moved = { ...timed, at: later(timed.at, by) }
    return { ...leg, exits: leg.exits.map(one => (one === timed ? moved : one)) }
  }
  const strike = leg.strike ? further(leg.strike, by) : null
  return strike ? { ...leg, strike } : null
}

const later = (minute: string, by: number): string => {
  const at = Math.min(Math.max(parseMinute(minute) + by, 0), 24 * 60 - 1)
  return formatMinute(at)
}

function further(strike: NamedStrike, by: number): NamedStrike | null {
  if (strike.ref === 'delta' || strike.ref === 'em' || strike.side === 'at') return null
  const points = strike.points + (strike.side === 'in' ? -by : by)
  return points < 0 ? null : { ...strike, points }
}

function dropped(draft: RuleDraft, slot: EditSlot, text: string): RuleDraft {
  if (slot === 'days') return draft
  if (slot === 'second') {
    if (draft.legs.length < 2) return { ...draft, bad: [...draft.bad, noSuch(text)] }
    return { ...draft, legs: draft.legs.slice(0, 1) }
  }
  const legs = draft.legs.map(leg => dropFrom(leg, slot))
  const isSame = JSON.stringify(legs) === JSON.stringify(draft.legs)
  return isSame ? { ...draft, bad: [...draft.bad, noSuch(text)] } : { ...draft, legs }
}

const noSuch = (text: string) => `nothing in the rule to drop: ${text.toLowerCase()}`

function dropFrom(leg: DraftLeg, slot: EditSlot): DraftLeg {
  const kinds = {
    stop: ['stop'],
    profit: ['profit'],
    time_exit: ['at'],
    exit: ['stop', 'profit', 'at'],
  }
  const gone = (kinds as Partial<Record<EditSlot, string[]>>)[slot]
  if (gone) return { ...leg, exits: leg.exits.filter(one => !gone.includes(exitKind(one))) }
  if (slot === 'when') return { ...leg, when: [], open: [] }
  const isOpen = (name: EditSlot) =>
    name === 'order' ? 'order' : name === 'cross_flip' ? 'cross' : ''
  return {
    ...leg,
    when: leg.when.filter(({ f }) => f !== slot),
    open: leg.open.filter(one => !(isOpen(slot) in one)),
  }
}
