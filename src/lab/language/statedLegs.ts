import { WITH_WINGS } from './farLeg.ts'
import type { NamedStrike, RuleItem, StatedItem } from './items.ts'
import type { RuleAction, RuleStructure } from './spec.ts'

type LegItem = Extract<RuleItem, { k: 'leg' }>
type Side = LegItem['side']

const NO_STRUCTURE = 'these legs are none of the structures: two are a vertical, four a condor'
const NOT_ALIKE = 'both sides are as far from the index: give one distance'

/**
 * Puts the legs of a message together, each given by its own strike: two of one side are a
 * vertical, four a condor or a butterfly, and a put with a call a strangle or a straddle. One
 * alone is the leg that is traded, or the far one of a trade that is named.
 */
export function joinLegs(items: readonly RuleItem[]): readonly RuleItem[] {
  const legs = items.flatMap(item => (item.k === 'leg' ? [item] : []))
  const [first] = legs
  if (!first) return items
  const others = items.filter(item => item.k !== 'leg')
  const named = others.find(item => item.k === 'action')?.v
  const joined = legs.length === 1 ? ofOne(first, named) : ofAll(legs, named)
  const structure = others.find(item => item.k === 'structure')
  // what has a name already is not named again
  const stated = joined.flatMap((item): StatedItem[] => {
    if (item.k === 'action' && named !== undefined) return []
    if (item.k !== 'structure' || structure?.k !== 'structure') return [item]
    if (structure.v !== 'spread') {
      const isNamed = structure.v === item.v || WITH_WINGS[item.v] === structure.v
      return isNamed ? [] : [{ k: 'bad', reason: NO_STRUCTURE }]
    }
    const side = item.v === 'put_spread' ? 'put' : 'call'
    return [
      item.v.endsWith('_spread') ? { k: 'side', v: side } : { k: 'bad', reason: NO_STRUCTURE },
    ]
  })
  const { from, to, text, field } = first
  const added = stated.map(item => ({ ...item, from, to, text, field }) as RuleItem)
  return items.flatMap(item => (item === first ? added : item.k === 'leg' ? [] : [item]))
}

const strike = (v: NamedStrike): StatedItem => ({ k: 'strike', v })

function ofOne({ action, side, v }: LegItem, named: RuleAction | undefined): StatedItem[] {
  if (named !== undefined && named !== action) {
    const points = v.ref === 'spot' ? countPoints(v) : null
    return points === null
      ? [{ k: 'vague', slot: 'width' }]
      : [{ k: 'far', v: points, isOfSpot: true }]
  }
  return [{ k: 'action', v: action }, { k: 'side', v: side }, strike(v)]
}

/** Points from the level that it is counted from; null without any. */
const countPoints = (v: NamedStrike): number | null => ('points' in v ? v.points : null)

function ofAll(legs: readonly LegItem[], named: RuleAction | undefined): StatedItem[] {
  const sides = new Set(legs.map(({ side }) => side))
  const ofSide = (side: Side) => legs.filter(leg => leg.side === side)
  const [puts, calls] = [ofSide('put'), ofSide('call')]
  if (sides.size === 1) return vertical(legs, named) ?? [{ k: 'bad', reason: NO_STRUCTURE }]
  if (puts.length !== calls.length || legs.length > 4) return [{ k: 'bad', reason: NO_STRUCTURE }]
  const isAlike = puts.every(put => calls.some(call => isMirrored(put, call)))
  if (!isAlike) return [{ k: 'bad', reason: NOT_ALIKE }]
  const [put] = puts
  if (puts.length === 1) {
    const isAtMoney = countPoints(put!.v) === 0
    const structure = isAtMoney ? 'straddle' : 'strangle'
    return [{ k: 'action', v: put!.action }, { k: 'structure', v: structure }, outward(put!.v)]
  }
  const wing = vertical(puts, named)
  if (!wing) return [{ k: 'bad', reason: NO_STRUCTURE }]
  return wing.map((item): StatedItem => {
    if (item.k === 'strike') return outward(item.v)
    const isAtMoney = wing.some(one => one.k === 'strike' && countPoints(one.v) === 0)
    const v: RuleStructure = isAtMoney ? 'iron_butterfly' : 'iron_condor'
    return item.k === 'structure' ? { k: 'structure', v } : item
  })
}

/** The distance of a put as one of both sides. */
const outward = (v: NamedStrike): StatedItem =>
  strike('points' in v && v.points > 0 ? { ...v, side: 'out' } : v)

const isMirrored = (put: LegItem, call: LegItem): boolean => {
  const [a, b] = [put.v, call.v]
  const isFar = 'points' in a && 'points' in b ? a.points === b.points && a.ref === b.ref : false
  const isDelta = a.ref === 'delta' && b.ref === 'delta' && a.value === b.value
  return put.action === call.action && (isFar || isDelta)
}

/** The near leg is the traded one, unless the message says otherwise; null: no vertical. */
function vertical(legs: readonly LegItem[], named: RuleAction | undefined): StatedItem[] | null {
  const [one, two, ...others] = legs
  if (!one || !two || others.length > 0 || one.action === two.action) return null
  const [a, b] = [countPoints(one.v), countPoints(two.v)]
  const isSameRef = one.v.ref === two.v.ref
  const nearer = a !== null && b !== null && isSameRef && a > b ? two : one
  const traded = named === undefined ? nearer : one.action === named ? one : two
  const width: StatedItem =
    a === null || b === null || !isSameRef
      ? { k: 'vague', slot: 'width' }
      : { k: 'width', v: Math.abs(a - b) }
  return [
    { k: 'action', v: traded.action },
    { k: 'structure', v: `${one.side}_spread` },
    strike(traded.v),
    width,
  ]
}
