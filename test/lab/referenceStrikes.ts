/** Strikes of a trade, for the second backtest. */

import type { MissedReason } from '../../src/lab/engine/trade.ts'
import type { RuleCore } from '../../src/lab/language/spec.ts'
import { deltaSize, moveLeft } from './referencePrices.ts'
import type { OptionType, PlainExpiry, PlainSession } from './referenceRows.ts'

export type PickedLeg = {
  readonly type: OptionType
  readonly sign: 1 | -1
  readonly requested: number
  readonly strike: number
}

type Side = 'put' | 'call' | 'centre'
type Picked = { readonly requested: number; readonly strike: number }
type Asking = {
  readonly core: RuleCore
  readonly session: PlainSession
  readonly expiry: PlainExpiry
  readonly minute: number
}

/** The legs that a rule specifies at a minute, or why there are none. */
export function pickLegs(asking: Asking): readonly PickedLeg[] | MissedReason {
  const { structure, action, width } = asking.core
  const near = action === 'sell' ? -1 : 1
  const far = action === 'sell' ? 1 : -1
  const legs: PickedLeg[] = []
  const isLacking = new Set<MissedReason>()
  const add = (type: OptionType, picked: Picked | null, hasWing: boolean, strikeSide: number) => {
    if (!picked) {
      isLacking.add('no_reference')
      return
    }
    legs.push({ type, sign: near, ...picked })
    if (!hasWing) return
    const wing = picked.strike + strikeSide * width!
    if (!listedAt(asking).includes(wing)) isLacking.add('wing_not_listed')
    legs.push({ type, sign: far, requested: wing, strike: wing })
  }
  const hasWing = width !== undefined
  if (structure === 'put_spread') add('P', pickOne(asking, 'put'), hasWing, -1)
  else if (structure === 'call_spread') add('C', pickOne(asking, 'call'), hasWing, 1)
  else if (structure === 'straddle' || structure === 'iron_butterfly') {
    const centre = pickOne(asking, 'centre')
    add('P', centre, hasWing, -1)
    add('C', centre, hasWing, 1)
  } else {
    add('P', pickMirrored(asking, 'put'), hasWing, -1)
    add('C', pickMirrored(asking, 'call'), hasWing, 1)
  }
  if (isLacking.has('no_reference')) return 'no_reference'
  return isLacking.has('wing_not_listed') ? 'wing_not_listed' : legs
}

const listedAt = ({ expiry, minute }: Asking): number[] =>
  expiry.listed.filter(({ from }) => from <= minute).map(({ strike }) => strike)

/** Where the rule wants the strike of a structure with one side or one centre. */
function requestedAt({ core, session, expiry, minute }: Asking): number | null {
  const { strike } = core
  const { spot, ...levels } = session.minute(minute)
  if (strike.ref === 'delta') throw new Error('a delta is no level')
  if (strike.ref === 'em') {
    const move = moveLeft(expiry, minute)
    if (spot === null || move === null) return null
    return spot + strike.mult * move
  }
  const level = strike.ref === 'spot' ? spot : levels[strike.ref]
  return level === null ? null : level + strike.offset
}

function pickOne(asking: Asking, side: Side): Picked | null {
  if (asking.core.strike.ref === 'delta') return pickByDelta(asking, side)
  return nearest(asking, requestedAt(asking), side)
}

/** Both sides as far from the spot as the specified one. */
function pickMirrored(asking: Asking, side: 'put' | 'call'): Picked | null {
  if (asking.core.strike.ref === 'delta') return pickByDelta(asking, side)
  const { spot } = asking.session.minute(asking.minute)
  const one = requestedAt(asking)
  if (spot === null || one === null) return null
  const distance = Math.abs(one - spot)
  return nearest(asking, side === 'put' ? spot - distance : spot + distance, side)
}

/** The listed strike nearest to a number: of two as near, the one further out. */
function nearest(asking: Asking, requested: number | null, side: Side): Picked | null {
  if (requested === null) return null
  const strike = best(asking, side, one => Math.abs(one - requested))
  return strike === null ? null : { requested, strike }
}

function pickByDelta(asking: Asking, side: Side): Picked | null {
  const { strike, structure } = asking.core
  if (strike.ref !== 'delta' || side === 'centre') throw new Error(`no delta in a ${structure}`)
  const type = side === 'put' ? 'P' : 'C'
  const found = best(asking, side, one => {
    const size = deltaSize(asking.expiry, asking.minute, { type, strike: one })
    return size === null ? null : Math.abs(size - strike.value)
  })
  return found === null ? null : { requested: found, strike: found }
}

/** The listed strike with the least distance, the furthest out of those that share it. */
function best(
  asking: Asking,
  side: Side,
  findDistance: (strike: number) => number | null,
): number | null {
  const outward = listedAt(asking).sort((a, b) => (side === 'call' ? b - a : a - b))
  let least: { strike: number; distance: number } | null = null
  for (const strike of outward) {
    const distance = findDistance(strike)
    if (distance === null) return null
    if (!least || distance < least.distance) least = { strike, distance }
  }
  return least?.strike ?? null
}
