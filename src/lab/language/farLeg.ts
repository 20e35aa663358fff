import type { BuildingLeg, Out } from './entryTimes.ts'
import type { NamedStrike, RuleItem } from './items.ts'
import type { RuleStructure } from './spec.ts'

const HEAD = /^(?:(?:with|and|at|the|a|my|its|both) )*(shorts?|longs?|sold|bought)\b/i

type StrikeItem = Extract<RuleItem, { k: 'strike' }>
type Headed = { readonly item: StrikeItem; readonly isSold: boolean }

/**
 * "short strikes 40 away, long strikes 60 away": of two strikes the one that is not traded is the
 * far leg. Without an action the nearer one is the traded one.
 */
export function splitStrikes(items: readonly RuleItem[]): readonly RuleItem[] {
  const headed = items.flatMap((item): Headed[] => {
    if (item.k !== 'strike') return []
    const word = HEAD.exec(item.text.replace(/\s+/g, ' '))?.[1]?.toLowerCase()
    return word === undefined ? [] : [{ item, isSold: word.startsWith('short') || word === 'sold' }]
  })
  const [one, two, ...others] = headed
  if (!one || !two || others.length > 0 || one.isSold === two.isSold) return items
  const [a, b] = [countPoints(one.item.v), countPoints(two.item.v)]
  if (a === null || b === null || a === b) return items
  const named = items.find(item => item.k === 'action')
  const nearer = a < b ? one : two
  const traded = named ? (one.isSold === (named.v === 'sell') ? one : two) : nearer
  const far = traded === one ? two : one
  const split = items.map(item => (item === far.item ? asFar(far.item) : item))
  if (named) return split
  const { from, to, text } = traded.item
  const action = { k: 'action', v: traded.isSold ? 'sell' : 'buy', field: 'action', from, to, text }
  return [action as RuleItem, ...split]
}

const countPoints = (strike: NamedStrike): number | null =>
  'points' in strike && strike.ref === 'spot' ? strike.points : null

const asFar = (item: StrikeItem): RuleItem =>
  ({ ...item, k: 'far', v: countPoints(item.v)!, isOfSpot: true, field: 'width' }) as RuleItem

/** Structure of two legs with wings. */
export const WITH_WINGS: Readonly<Partial<Record<string, RuleStructure>>> = {
  straddle: 'iron_butterfly',
  strangle: 'iron_condor',
}

/** Width of a leg whose far strike has a distance of its own; unclear ones raise a question. */
export function fillFar(leg: BuildingLeg, items: readonly RuleItem[], out: Out): void {
  for (const item of items) {
    if (item.k !== 'far') continue
    const width = findWidth(leg.strike, item)
    if (width === null) out.vague.push('width')
    else if (leg.width !== undefined && leg.width !== width) {
      out.bad.push('the far leg and the width differ; give one')
    } else leg.width = width
  }
  const winged = WITH_WINGS[leg.structure ?? '']
  if (leg.isByLegs && leg.width !== undefined && winged) leg.structure = winged
}

function findWidth(
  near: NamedStrike | undefined,
  { v, isOfSpot }: { readonly v: number; readonly isOfSpot?: true },
): number | null {
  if (!near) return null
  if (!('points' in near) || near.ref !== 'spot') return isOfSpot ? null : v
  if (v > near.points) return v - near.points
  // nearer than the near leg: it can only be counted from there
  return isOfSpot ? null : v
}
