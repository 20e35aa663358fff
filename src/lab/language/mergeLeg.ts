import { type DraftLeg, exitKind } from './draft.ts'
import type { NamedExit, NamedStrike, OpenCondition } from './items.ts'
import type { RuleCondition } from './spec.ts'

export type MergeOptions = {
  /** True when new conditions are added to those of the same field instead of replacing them. */
  readonly isAlso: boolean
  /** True when what is stated stands in place of all of its kind. */
  readonly isInstead: boolean
}

/** Applies the changes of a message to a leg. Parts that depend on a changed part are dropped. */
export function mergeLeg(base: DraftLeg, patch: DraftLeg, options: MergeOptions): DraftLeg {
  const entry = mergeEntry(base, patch)
  const structure = mergeStructure(base, patch)
  return {
    ...withoutEntry(base),
    ...entry,
    ...without(patch, ['when', 'open', 'exits', ...ENTRY_KEYS]),
    ...structure,
    exits: mergeExits(base, patch, options),
    ...mergeConditions(base, patch, options),
  }
}

const ENTRY_KEYS = ['at', 'window', 'isLoose', 'half', 'every', 'isEach', 'gap'] as const

function without(leg: DraftLeg, keys: readonly (keyof DraftLeg)[]): Partial<DraftLeg> {
  const unchanged = Object.entries(leg).filter(([key]) => !keys.includes(key as keyof DraftLeg))
  return Object.fromEntries(unchanged)
}

const withoutEntry = (leg: DraftLeg) => without(leg, ENTRY_KEYS)

const isEvent = ({ when }: DraftLeg) =>
  when.some(
    one => one.f === 'cross_flip' || (one.f === 'order' && !one.not && one.since_min === undefined),
  )

/** A new time replaces windows and intervals, a new window or event replaces a time. */
function mergeEntry(base: DraftLeg, patch: DraftLeg): Partial<DraftLeg> {
  const own = pickEntry(patch)
  if (patch.at !== undefined) return own
  const unchanged = pickEntry(base)
  // the premium of an order that was named before is no new entry
  const isNewEvent = isEvent(patch) && !base.open.some(one => 'order' in one)
  const endsTime =
    patch.window !== undefined || patch.every !== undefined || patch.isEach || isNewEvent
  if (endsTime) delete unchanged.at
  if (patch.window !== undefined) delete unchanged.isLoose
  if (isEvent(patch)) delete unchanged.every
  // "not before 11" moves one end alone
  const [from, to] = [patch.half === 'to' ? base.window?.[0] : undefined, base.window?.[1]]
  if (own.window && base.window && patch.half) {
    own.window = [from ?? own.window[0], patch.half === 'from' ? to! : own.window[1]]
  }
  delete own.half
  return { ...unchanged, ...own }
}

const pickEntry = (leg: DraftLeg): { -readonly [K in keyof DraftLeg]?: DraftLeg[K] } =>
  Object.fromEntries(ENTRY_KEYS.flatMap(key => (leg[key] === undefined ? [] : [[key, leg[key]]])))

const HAS_NO_WIDTH: readonly unknown[] = ['strangle', 'straddle']

/** Another structure retains its distance on its own side; a single strike has none. */
function mergeStructure(base: DraftLeg, patch: DraftLeg): Partial<DraftLeg> {
  const sold = patch.sold ?? (patch.action === undefined ? base.sold : undefined)
  const named = sold === undefined ? {} : { sold }
  const structure = patch.structure ?? switched(base.structure, patch.side)
  const isOther = structure !== base.structure
  const isNamed = structure !== 'spread' && structure !== undefined
  const side = isNamed ? undefined : (patch.side ?? base.side)
  const strike = patch.strike ?? (isOther ? strikeFor(base.strike, structure) : base.strike)
  const width = patch.width ?? (HAS_NO_WIDTH.includes(structure) ? undefined : base.width)
  const levelSide = patch.levelSide ?? (patch.strike ? undefined : base.levelSide)
  const action = patch.action ?? (patch.sold === undefined ? base.action : undefined)
  // undefined here removes the value of the base
  return { ...named, structure, side, strike, width, levelSide, action } as Partial<DraftLeg>
}

/** "make it a call" of a put spread is a call spread. */
function switched(structure: DraftLeg['structure'], side: DraftLeg['side']) {
  const isSpread = structure === 'put_spread' || structure === 'call_spread'
  return side && isSpread ? (`${side}_spread` as const) : structure
}

function strikeFor(
  strike: NamedStrike | undefined,
  structure: DraftLeg['structure'],
): NamedStrike | undefined {
  if (!strike || structure === 'straddle' || structure === 'iron_butterfly') return undefined
  if (strike.ref === 'delta' || strike.side === 'at') return strike
  if (strike.ref !== 'spot' && strike.ref !== 'em') return undefined
  return { ...strike, side: 'out' }
}

/** A new exit replaces that of its kind; "hold it instead" all of them. */
function mergeExits(base: DraftLeg, patch: DraftLeg, { isInstead }: MergeOptions): NamedExit[] {
  const isHeld = patch.exits.some(one => 'at' in one && one.at === 'expiry')
  const before = base.exits.find(one => 'stop' in one)
  // "stop at 4x" has the unit of the stop before
  const own = patch.exits.map(one =>
    'stop' in one && one.unit === null && before && 'stop' in before
      ? { ...one, unit: before.unit }
      : one,
  )
  if (isHeld && isInstead) return own
  return [...base.exits.filter(one => !own.some(mine => exitKind(mine) === exitKind(one))), ...own]
}

function mergeConditions(base: DraftLeg, patch: DraftLeg, { isAlso }: MergeOptions) {
  const fields = new Set(patch.when.map(({ f }) => f))
  const unchanged = isAlso ? base.when : base.when.filter(({ f }) => !fields.has(f))
  const stillOpen = base.open.filter(open => !isResolved(open, patch))
  // "only if it adds gamma" adds to the existing order
  const more = patch.open.flatMap(open => ('order' in open ? [open.order] : []))
  const isThere = [...unchanged, ...stillOpen].some(
    one => 'order' in one || ('f' in one && one.f === 'order'),
  )
  const withMore = <T extends object>(one: T): T => Object.assign({}, one, ...more)
  return {
    when: [
      ...unchanged.map(one => (one.f === 'order' ? withMore(one) : one)),
      ...patch.when.map(one => completed(one, base.open)),
    ],
    open: [
      ...stillOpen.map(one => ('order' in one ? { order: withMore(one.order) } : one)),
      ...patch.open.filter(one => !('order' in one && isThere)),
    ],
  }
}

/** Fills in the part of an order or a crossing that an open condition already had. */
function completed(one: RuleCondition, open: readonly OpenCondition[]): RuleCondition {
  if (one.f === 'order') {
    const known = open.find(each => 'order' in each)
    return known ? { ...known.order, ...one } : one
  }
  if (one.f !== 'cross_flip') return one
  const known = open.find(each => 'cross' in each)
  return known && one.nth === 1 ? { ...one, nth: known.cross } : one
}

const DISTANCES: Readonly<Record<string, string>> = {
  flip: 'spot_minus_flip',
  put_wall: 'spot_minus_put_wall',
  call_wall: 'call_wall_minus_spot',
}

function isResolved(open: OpenCondition, patch: DraftLeg): boolean {
  const fields: readonly string[] = patch.when.map(({ f }) => f)
  if ('order' in open) return fields.includes('order')
  if ('cross' in open) return fields.includes('cross_flip')
  if ('size' in open) return fields.includes(open.size)
  if ('gamma' in open) return fields.includes('net_gamma')
  if (open.near !== 'wall') return fields.includes(DISTANCES[open.near]!)
  const isNamed = patch.open.some(one => 'near' in one)
  return isNamed || fields.includes(DISTANCES.put_wall!) || fields.includes(DISTANCES.call_wall!)
}
