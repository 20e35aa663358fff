/** Names leg sets by the table of structures, written apart from the code under test. */

export type NamedLeg = {
  /** Sorts by expiry, AM before PM. */
  readonly expiry: string
  readonly type: string
  readonly strike: number
  /** Signed contracts of one unit, bought above zero. */
  readonly quantity: number
}

/** Name of a package as the customer traded it; a futures-like C/P pair is looked through. */
export function structureName(legs: readonly NamedLeg[]): { name: string; hasCombo: boolean } {
  const name = plainName(legs)
  if (name !== 'custom') return { name, hasCombo: false }
  const pairs = legs
    .filter(leg => leg.type === 'C')
    .flatMap(call =>
      legs
        .filter(put => put.type === 'P' && put.strike === call.strike)
        .filter(put => put.expiry === call.expiry && put.quantity === -call.quantity)
        .map(put => [call, put]),
    )
  if (pairs.length !== 1) return { name, hasCombo: false }
  const rest = plainName(legs.filter(leg => !pairs[0]!.includes(leg)))
  if (rest === 'custom' || rest === 'synthetic') return { name, hasCombo: false }
  return { name: rest, hasCombo: true }
}

function plainName(legs: readonly NamedLeg[]): string {
  const sorted = [...legs].sort(
    (a, b) => a.expiry.localeCompare(b.expiry) || a.strike - b.strike || (a.type < b.type ? -1 : 1),
  )
  const expiries = [...new Set(sorted.map(leg => leg.expiry))]
  if (expiries.length === 1) return oneExpiry(sorted)
  if (expiries.length > 2) return 'custom'
  const front = sorted.filter(leg => leg.expiry === expiries[0])
  const back = sorted.filter(leg => leg.expiry === expiries[1])
  return twoExpiries(front, back)
}

function oneExpiry(legs: readonly NamedLeg[]): string {
  const puts = legs.filter(leg => leg.type === 'P')
  const calls = legs.filter(leg => leg.type === 'C')
  const sizes = new Set(legs.map(leg => Math.abs(leg.quantity)))
  const isEqual = sizes.size === 1
  const isPure = puts.length === 0 || calls.length === 0
  if (legs.length === 1) return 'single'
  if (legs.length === 2) return isPure ? pureTwo(legs, isEqual) : mixedTwo(puts[0]!, calls[0]!)
  if (legs.length === 3) return isPure ? pureThree(legs, isEqual) : mixedThree(puts, calls, isEqual)
  if (legs.length !== 4) return 'custom'
  if (isPure) return isEqual ? pureFour(legs) : 'custom'
  return puts.length === 2 ? twoByTwo(puts, calls, isEqual) : 'custom'
}

const isVertical = (legs: readonly NamedLeg[]) =>
  legs.length === 2 && legs[0]!.type === legs[1]!.type && legs[0]!.quantity === -legs[1]!.quantity
const signs = (legs: readonly NamedLeg[]) =>
  legs.map(leg => (leg.quantity > 0 ? '+' : '-')).join('')
/** The same or the opposite pattern. */
const isPattern = (legs: readonly NamedLeg[], pattern: string) =>
  signs(legs) === pattern ||
  signs(legs.map(leg => ({ ...leg, quantity: -leg.quantity }))) === pattern

function pureTwo(legs: readonly NamedLeg[], isEqual: boolean): string {
  if (!isPattern(legs, '+-')) return 'custom'
  if (isEqual) return 'vertical'
  return legs[0]!.quantity + legs[1]!.quantity < 0 ? 'ratio_spread' : 'back_spread'
}

function mixedTwo(put: NamedLeg, call: NamedLeg): string {
  const isEqual = Math.abs(put.quantity) === Math.abs(call.quantity)
  const isSame = put.quantity * call.quantity > 0
  if (put.strike === call.strike) {
    if (isSame) return isEqual ? 'straddle' : 'ratio_straddle'
    return isEqual ? 'synthetic' : 'custom'
  }
  if (!isSame) return isEqual ? 'risk_reversal' : 'ratio_risk_reversal'
  if (put.strike < call.strike) return isEqual ? 'strangle' : 'ratio_strangle'
  return isEqual ? 'guts' : 'custom'
}

function pureThree(legs: readonly NamedLeg[], isEqual: boolean): string {
  const [a, b, c] = legs.map(leg => Math.abs(leg.quantity)) as [number, number, number]
  if (isEqual) return isPattern(legs, '+--') || isPattern(legs, '++-') ? 'ladder' : 'custom'
  if (!isPattern(legs, '+-+') || b !== a + c) return 'custom'
  const low = legs[1]!.strike - legs[0]!.strike
  const high = legs[2]!.strike - legs[1]!.strike
  if (a === c) return low === high ? 'butterfly' : 'broken_wing_butterfly'
  const isTree = [a, c].sort().join() === '1,2' && a * low === c * high
  return isTree ? 'christmas_tree' : 'broken_wing_butterfly'
}

function mixedThree(
  puts: readonly NamedLeg[],
  calls: readonly NamedLeg[],
  isEqual: boolean,
): string {
  const pair = puts.length === 2 ? puts : calls
  if (!isVertical(pair) || !isEqual) return 'custom'
  const [call] = calls
  const isCollar = signs(puts) === '-+' && call!.quantity < 0 && call!.strike > puts[1]!.strike
  return puts.length === 2 && isCollar ? 'put_spread_collar' : 'three_way'
}

function pureFour(legs: readonly NamedLeg[]): string {
  const [a, b, c, d] = legs.map(leg => leg.strike) as [number, number, number, number]
  if (isPattern(legs, '+--+')) return b - a === d - c ? 'condor' : 'broken_wing_condor'
  return isPattern(legs, '++--') || isPattern(legs, '+-+-') ? 'double_vertical' : 'custom'
}

function twoByTwo(puts: readonly NamedLeg[], calls: readonly NamedLeg[], isEqual: boolean): string {
  if (!isVertical(puts) || !isVertical(calls)) return 'custom'
  const isSameStrikes = puts.every((put, i) => put.strike === calls[i]!.strike)
  const isOpposite = signs(puts) !== signs(calls)
  if (isSameStrikes) return isEqual && isOpposite ? 'box' : 'custom'
  if (isEqual && isOpposite && puts[1]!.strike === calls[0]!.strike) return 'iron_butterfly'
  if (isEqual && isOpposite && puts[1]!.strike < calls[0]!.strike) return 'iron_condor'
  return 'double_vertical'
}

function twoExpiries(front: readonly NamedLeg[], back: readonly NamedLeg[]): string {
  if (front.length === 1 && back.length === 1) {
    const [near, far] = [front[0]!, back[0]!]
    if (near.type !== far.type || near.quantity * far.quantity > 0) return 'custom'
    const name = near.strike === far.strike ? 'calendar' : 'diagonal'
    return near.quantity === -far.quantity ? name : `ratio_${name}`
  }
  if (front.length !== 2 || back.length !== 2) return 'custom'
  if (new Set([...front, ...back].map(leg => Math.abs(leg.quantity))).size > 1) return 'custom'
  if (isVertical(front) && isVertical(back)) {
    if (signs(front) === signs(back)) return 'double_vertical'
    return front[0]!.type === back[0]!.type ? 'vertical_roll' : 'custom'
  }
  const of = (legs: readonly NamedLeg[], type: string) => legs.find(leg => leg.type === type)
  const [nearPut, nearCall] = [of(front, 'P'), of(front, 'C')]
  const [farPut, farCall] = [of(back, 'P'), of(back, 'C')]
  if (!nearPut || !nearCall || !farPut || !farCall) return 'custom'
  if (nearPut.quantity !== -farPut.quantity || nearCall.quantity !== -farCall.quantity) {
    return 'custom'
  }
  if (nearPut.quantity === nearCall.quantity) {
    const isSame = nearPut.strike === farPut.strike && nearCall.strike === farCall.strike
    return isSame ? 'double_calendar' : 'double_diagonal'
  }
  const areSynthetic = nearPut.strike === nearCall.strike && farPut.strike === farCall.strike
  return areSynthetic ? 'jelly_roll' : 'custom'
}
