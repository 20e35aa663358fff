import type { DraftLeg } from './draft.ts'
import type { Findings } from './findings.ts'
import type { NamedStrike, StrikeSide } from './items.ts'
import { BOUNDS, type RuleStrike, type RuleStructure } from './spec.ts'

const isOneStrike = (structure: RuleStructure) =>
  structure === 'straddle' || structure === 'iron_butterfly'
const isTwoSided = (structure: RuleStructure) =>
  structure === 'iron_condor' || structure === 'strangle'

/** Strike of a leg with a known structure: "out" is below for puts, above for calls. */
export function completeStrike(
  leg: DraftLeg,
  structure: RuleStructure | undefined,
  found: Findings,
): RuleStrike | undefined {
  const { strike } = leg
  if (!structure) {
    if (!strike && leg.structure === undefined && !leg.side) return undefined
    // "out" has a side once the structure is known
    if (!strike && leg.structure !== 'butterfly') found.missing.push('strike')
    return undefined
  }
  if (!strike) {
    if (isOneStrike(structure) && !leg.levelSide) {
      found.assumptions.push({ field: 'strike', value: 'at the money', why: 'no strike was named' })
      return { ref: 'spot', offset: 0 }
    }
    found.missing.push('strike')
    return undefined
  }
  if (leg.levelSide) {
    const { level, side } = leg.levelSide
    const words = `${side} the ${level.replace('_', ' ')}`
    found.errors.push(`${words}: say "if price is ${words}", or give the points`)
    return undefined
  }
  const error = findProblem(strike, structure)
  if (error === 'ask') found.missing.push('strike')
  else if (error !== null) found.errors.push(error)
  else return resolved(strike, structure, found)
  return undefined
}

function findProblem(strike: NamedStrike, structure: RuleStructure): string | null {
  if (strike.ref === 'delta') {
    if (isOneStrike(structure)) return 'a straddle or iron butterfly has one strike: no delta'
    const isIn = strike.value >= BOUNDS.deltaMin && strike.value <= BOUNDS.deltaMax
    return isIn ? null : 'a delta is 1 to 95'
  }
  const { side } = strike
  if (strike.ref === 'em') {
    if (isOneStrike(structure))
      return 'a straddle or iron butterfly has one strike: no expected move'
    const isIn = strike.mult >= BOUNDS.multMin && strike.mult <= BOUNDS.multMax
    if (!isIn) return `a strike is ${BOUNDS.multMin} to ${BOUNDS.multMax} expected moves away`
    return isTwoSided(structure) && side === 'below' ? 'ask' : null
  }
  if (strike.points % BOUNDS.widthStep !== 0) {
    return `${strike.points} points is not a multiple of 5`
  }
  if (strike.points > BOUNDS.offsetMax) return `a strike is at most ${BOUNDS.offsetMax} points away`
  if (isTwoSided(structure)) {
    if (side === 'out' && strike.points > 0) return null
    return strike.points === 0
      ? 'both strikes would be the same: that is a straddle'
      : twoSided(side)
  }
  return isOneStrike(structure) && (side === 'out' || side === 'in') && strike.points > 0
    ? 'ask'
    : null
}

/** A stored rule has the distance of both sides as one above the level. */
const twoSided = (side: StrikeSide) => (side === 'above' ? null : 'ask')

function resolved(strike: NamedStrike, structure: RuleStructure, found: Findings): RuleStrike {
  if (strike.ref === 'delta') return { ref: 'delta', value: strike.value }
  const isPut = structure === 'put_spread'
  const outward = isPut ? -1 : 1
  const { side } = strike
  const sign = side === 'below' ? -1 : side === 'above' ? 1 : side === 'in' ? -outward : outward
  if (strike.ref !== 'em') {
    const offset = strike.points === 0 ? 0 : sign * strike.points
    return { ref: strike.ref, offset }
  }
  if (side === 'out' && !isTwoSided(structure)) {
    const value = isPut ? 'below spot' : 'above spot'
    found.assumptions.push({ field: 'strike', value, why: 'out of the money' })
  }
  return { ref: 'em', mult: sign * strike.mult }
}
