import type { RuleCore } from '../language/spec.ts'
import type { LegType } from '../market/quotes.ts'
import type { LabExpiry, LabSession } from '../market/session.ts'
import { findFirstIndexFrom, findStrikeIndex } from '../market/strikes.ts'
import { callDeltas, remainingMove } from './prices.ts'
import type { TradeLeg } from './trade.ts'

/** An option of a trade before it is priced. */
export type ChosenLeg = Omit<TradeLeg, 'entry' | 'exit'>
type Picked = { readonly target: number; readonly strike: number }
export type StrikeFault = 'no_reference' | 'wing_not_listed'

/** State of an expiry at which listed strikes are searched; further out is lower for puts. */
type Listed = { readonly session: LabSession; readonly expiry: LabExpiry; readonly state: number }

/**
 * Chooses the legs of a trade from what is known at a state: by strike, calls before puts. The
 * strike that the rule names is the short one of a sale and the long one of a purchase; the wings
 * are exactly the width further out.
 */
export function chooseLegs(core: RuleCore, at: Listed): readonly ChosenLeg[] | StrikeFault {
  const inner = innerStrikes(core, at)
  if (!inner) return 'no_reference'
  const sign = core.action === 'sell' ? -1 : 1
  const legs: ChosenLeg[] = []
  for (const [type, picked] of inner) {
    legs.push({ type, sign, targetStrike: picked.target, strike: picked.strike })
    if (core.width === undefined) continue
    const strike = picked.strike + (type === 'P' ? -core.width : core.width)
    if (!isListed(at, findStrikeIndex(at.expiry.strikes, strike))) return 'wing_not_listed'
    legs.push({ type, sign: sign === 1 ? -1 : 1, targetStrike: strike, strike })
  }
  return legs.sort((a, b) => a.strike - b.strike || (a.type < b.type ? -1 : 1))
}

/** Returns the strikes that the rule names, by type; null: their reference is not known. */
function innerStrikes(core: RuleCore, at: Listed): [LegType, Picked][] | null {
  const { structure, strike } = core
  const pick = (type: LegType, isLowerFirst: boolean, readTarget: () => number) =>
    strike.ref === 'delta'
      ? byDelta(at, type, strike.value, isLowerFirst)
      : nearest(at, readTarget(), isLowerFirst)
  switch (structure) {
    case 'put_spread':
    case 'call_spread': {
      const isPut = structure === 'put_spread'
      const type = isPut ? 'P' : 'C'
      const picked = pick(type, isPut, () => computeTargetStrike(core, at))
      return picked && [[type, picked]]
    }
    case 'straddle':
    case 'iron_butterfly': {
      const centre = pick('C', true, () => computeTargetStrike(core, at))
      if (!centre) return null
      return [
        ['C', centre],
        ['P', centre],
      ]
    }
    case 'strangle':
    case 'iron_condor': {
      const spot = at.session.market.spot[at.state]!
      const away = () => Math.abs(computeTargetStrike(core, at) - spot)
      const put = pick('P', true, () => spot - away())
      const call = pick('C', false, () => spot + away())
      if (!put || !call) return null
      return [
        ['P', put],
        ['C', call],
      ]
    }
  }
}

/** Target strike of a rule, index points; NaN: not known. */
function computeTargetStrike({ strike }: RuleCore, { session, expiry, state }: Listed): number {
  const { spot, flip, putWall, callWall } = session.market
  switch (strike.ref) {
    case 'delta':
      return Number.NaN
    case 'em':
      return spot[state]! + strike.mult * remainingMove(expiry, state)
    case 'spot':
      return spot[state]! + strike.offset
    case 'flip':
      return flip[state]! + strike.offset
    case 'put_wall':
      return putWall[state]! + strike.offset
    case 'call_wall':
      return callWall[state]! + strike.offset
  }
}

const isListed = ({ expiry, state }: Listed, index: number) =>
  index >= 0 && expiry.listedFrom[index]! <= state

/** Returns the nearest listed strike; on a tie, the one further out. */
function nearest(at: Listed, target: number, isLowerFirst: boolean): Picked | null {
  if (Number.isNaN(target)) return null
  const { strikes } = at.expiry
  let above = findFirstIndexFrom(strikes, target)
  let below = above - 1
  while (above < strikes.length && !isListed(at, above)) above++
  while (below >= 0 && !isListed(at, below)) below--
  const [low, high] = [strikes[below], strikes[above]]
  if (low === undefined && high === undefined) return null
  if (low === undefined) return { target, strike: high! }
  if (high === undefined) return { target, strike: low }
  const [down, up] = [target - low, high - target]
  return { target, strike: down < up || (down === up && isLowerFirst) ? low : high }
}

/** Returns the listed strike with the nearest forward delta; that strike is also the target. */
function byDelta(at: Listed, type: LegType, value: number, isLowerFirst: boolean): Picked | null {
  const { strikes } = at.expiry
  const deltas = callDeltas(at.expiry, at.state)
  let best = -1
  let distance = Number.POSITIVE_INFINITY
  for (let index = 0; index < strikes.length; index++) {
    if (!isListed(at, index)) continue
    const away = Math.abs((type === 'P' ? 1 - deltas[index]! : deltas[index]!) - value)
    if (away < distance || (away === distance && !isLowerFirst)) [best, distance] = [index, away]
  }
  return best < 0 ? null : { target: strikes[best]!, strike: strikes[best]! }
}
