import type { Random } from './random.ts'

/** One leg before it has a strike: its place is in standard deviations of its front expiry. */
export type ShapeLeg = {
  readonly type: 'C' | 'P'
  /** Deviations above the forward; below when negative. */
  readonly place: number
  /** 0 = front expiry, 1 = back expiry. */
  readonly month: 0 | 1
  readonly ratio: number
  readonly sign: -1 | 1
  /** Legs with one key share a strike, whatever the grid does to their places. */
  readonly key?: string
  /**
   * A strike measured from two earlier legs: strike[from] + step x (strike[to] - strike[from]),
   * so that equal widths stay equal on the strike grid.
   */
  readonly mirror?: { readonly from: number; readonly to: number; readonly step: number }
}

export type Shape = readonly ShapeLeg[]

type Type = 'C' | 'P'

const leg = (
  type: Type,
  place: number,
  sign: -1 | 1,
  more: Partial<Omit<ShapeLeg, 'type' | 'place' | 'sign'>> = {},
): ShapeLeg => ({ type, place, sign, month: 0, ratio: 1, ...more })

const anyType = (random: Random): Type => (random.chance(0.5) ? 'P' : 'C')
/** Distance of the main strike: out of the money as a rule. */
const away = (random: Random) => 0.05 + Math.abs(0.75 * random.normal())
const outward = (type: Type) => (type === 'P' ? -1 : 1)
const width = (random: Random) => 0.06 + 0.5 * random.uniform()

/** Strikes at `count` steps outwards from a start, the first nearest the money. */
function outwardPlaces(random: Random, type: Type, count: number): number[] {
  const start = away(random)
  const step = width(random)
  return Array.from({ length: count }, (_, index) => outward(type) * (start + index * step))
}

export const vertical = (random: Random): Shape => {
  const type = anyType(random)
  const [near, far] = outwardPlaces(random, type, 2) as [number, number]
  return [leg(type, near, 1), leg(type, far, -1)]
}

export const ratioSpread = (random: Random): Shape => unequal(vertical(random), random)

const middle = (random: Random) => 0.15 * random.normal()

export const straddle = (random: Random): Shape => {
  const place = middle(random)
  return [leg('C', place, 1, { key: 'k' }), leg('P', place, 1, { key: 'k' })]
}

export const strangle = (random: Random): Shape => [
  leg('P', -away(random), 1),
  leg('C', away(random), 1),
]

export const guts = (random: Random): Shape => [
  leg('C', -away(random) / 2, 1),
  leg('P', away(random) / 2, 1),
]

const unequal = (shape: Shape, random: Random): Shape => {
  const [first, second] = shape as [ShapeLeg, ShapeLeg]
  const [one, other] = random.pick([
    [1, 2],
    [2, 1],
    [1, 3],
    [2, 3],
  ]) as [number, number]
  return [
    { ...first, ratio: one },
    { ...second, ratio: other },
  ]
}

export const ratioStraddle = (random: Random): Shape => unequal(straddle(random), random)
export const ratioStrangle = (random: Random): Shape => unequal(strangle(random), random)

export const riskReversal = (random: Random): Shape => [
  leg('P', -away(random), -1),
  leg('C', away(random), 1),
]

export const ratioRiskReversal = (random: Random): Shape => unequal(riskReversal(random), random)

export const synthetic = (random: Random): Shape => {
  const place = 0.4 * random.normal()
  return [leg('C', place, 1, { key: 'k' }), leg('P', place, -1, { key: 'k' })]
}

/** Three strikes: the third is `step` widths from the first, on the side of the second. */
function wings(random: Random, ratios: readonly [number, number, number], step: number): Shape {
  const type = anyType(random)
  const [near, far] = outwardPlaces(random, type, 2) as [number, number]
  const mirror = { from: 0, to: 1, step }
  return [
    leg(type, near, 1, { ratio: ratios[0] }),
    leg(type, far, -1, { ratio: ratios[1] }),
    leg(type, far, 1, { ratio: ratios[2], mirror }),
  ]
}

export const butterfly = (random: Random): Shape => wings(random, [1, 2, 1], 2)
export const brokenWingButterfly = (random: Random): Shape =>
  random.chance(0.8)
    ? wings(random, [1, 2, 1], random.pick([3, 3, 4]))
    : wings(random, [1, 3, 2], 2)
export const christmasTree = (random: Random): Shape => {
  // 1:3:2 with widths 2:1, so that size x width balances
  const [first, second, third] = wings(random, [1, 3, 2], 1.5) as [ShapeLeg, ShapeLeg, ShapeLeg]
  return [first, { ...second, place: second.place * 1.3 }, third]
}

export const ladder = (random: Random): Shape => {
  const type = anyType(random)
  const places = outwardPlaces(random, type, 3) as [number, number, number]
  return [leg(type, places[0], 1), leg(type, places[1], -1), leg(type, places[2], -1)]
}

/** One type, four strikes: the last width is `step - 2` times the first. */
function fourStrikes(random: Random, last: { readonly step: number }): Shape {
  const type = anyType(random)
  const [near, far] = outwardPlaces(random, type, 2) as [number, number]
  const at = (step: number) => ({ mirror: { from: 0, to: 1, step } })
  return [
    leg(type, near, 1),
    leg(type, far, -1),
    leg(type, far, -1, at(2)),
    leg(type, far, 1, at(last.step)),
  ]
}

export const condor = (random: Random): Shape => fourStrikes(random, { step: 3 })
export const brokenWingCondor = (random: Random): Shape => fourStrikes(random, { step: 4 })

export const ironCondor = (random: Random): Shape => {
  const put = away(random) + 0.2
  const call = away(random) + 0.2
  return [
    leg('P', -put - width(random), -1),
    leg('P', -put, 1),
    leg('C', call, 1),
    leg('C', call + width(random), -1),
  ]
}

export const ironButterfly = (random: Random): Shape => {
  const centre = middle(random)
  const wing = width(random) + 0.3
  return [
    leg('P', centre - wing, -1),
    leg('P', centre, 1, { key: 'k' }),
    leg('C', centre, 1, { key: 'k' }),
    leg('C', centre + wing, -1),
  ]
}

export const doubleVertical = (random: Random): Shape => {
  const put = away(random) + 0.1
  const call = away(random) + 0.1
  const puts = [leg('P', -put - width(random), -1), leg('P', -put, 1)] as const
  const calls = [leg('C', call, -1), leg('C', call + width(random), 1)] as const
  if (random.chance(0.5)) return [...puts, ...calls]
  // an iron condor with unequal sides
  const ratio = random.pick([2, 3])
  const unequalCalls = calls.map(one => ({ ...one, sign: -one.sign as -1 | 1, ratio }))
  return [...puts, ...unequalCalls]
}

export const box = (random: Random): Shape => {
  const low = -away(random)
  const high = away(random)
  return [
    leg('C', low, 1, { key: 'low' }),
    leg('P', low, -1, { key: 'low' }),
    leg('C', high, -1, { key: 'high' }),
    leg('P', high, 1, { key: 'high' }),
  ]
}

/** A put spread bought below, a call sold above it. */
export const putSpreadCollar = (random: Random): Shape => {
  const put = away(random)
  return [leg('P', -put, 1), leg('P', -put - width(random), -1), leg('C', away(random), -1)]
}

/** A call spread bought, a put sold below it. */
export const threeWay = (random: Random): Shape => {
  const call = away(random)
  return [leg('C', call, 1), leg('C', call + width(random), -1), leg('P', -away(random), -1)]
}

export const calendar = (random: Random): Shape => {
  const type = anyType(random)
  const place = outward(type) * away(random) * 0.7
  return [leg(type, place, -1, { key: 'k' }), leg(type, place, 1, { month: 1, key: 'k' })]
}

export const diagonal = (random: Random): Shape => {
  const type = anyType(random)
  const [near, far] = outwardPlaces(random, type, 2) as [number, number]
  return [leg(type, near, -1), leg(type, far, 1, { month: 1 })]
}

export const ratioCalendar = (random: Random): Shape => unequal(calendar(random), random)
export const ratioDiagonal = (random: Random): Shape => unequal(diagonal(random), random)

export const doubleCalendar = (random: Random): Shape => {
  const put = -away(random)
  const call = away(random)
  return [
    leg('P', put, -1, { key: 'put' }),
    leg('P', put, 1, { month: 1, key: 'put' }),
    leg('C', call, -1, { key: 'call' }),
    leg('C', call, 1, { month: 1, key: 'call' }),
  ]
}

export const doubleDiagonal = (random: Random): Shape => {
  const put = -away(random)
  const call = away(random)
  return [
    leg('P', put, -1),
    leg('P', put - width(random), 1, { month: 1 }),
    leg('C', call, -1),
    leg('C', call + width(random), 1, { month: 1 }),
  ]
}

export const verticalRoll = (random: Random): Shape => {
  const type = anyType(random)
  const [near, far] = outwardPlaces(random, type, 2) as [number, number]
  const shift = random.chance(0.5) ? 0 : 0.2 * random.normal()
  return [
    leg(type, near, 1),
    leg(type, far, -1),
    leg(type, near + shift, -1, { month: 1, ...(shift === 0 ? { key: 'near' } : {}) }),
    leg(type, far + shift, 1, { month: 1 }),
  ]
}

export const jellyRoll = (random: Random): Shape => {
  const place = middle(random)
  const back = random.chance(0.6) ? 'k' : 'back'
  return [
    leg('C', place, -1, { key: 'k' }),
    leg('P', place, 1, { key: 'k' }),
    leg('C', place, 1, { month: 1, key: back }),
    leg('P', place, -1, { month: 1, key: back }),
  ]
}

/** Four to six legs that no name fits. */
export const custom = (random: Random): Shape => {
  const draw = random.uniform()
  if (draw < 0.35) return stretchedCondor(random)
  if (draw < 0.65) return doubleCondor(random)
  const base = butterfly(random)
  if (draw < 0.8) {
    const type = base[0]!.type === 'P' ? 'C' : 'P'
    return [...base, leg(type, outward(type) * away(random), -1)]
  }
  return [...base, ...vertical(random).map(one => ({ ...one, month: 1 as const }))]
}

/** Five strikes of one type: two wings around three sold legs. */
function stretchedCondor(random: Random): Shape {
  const type = anyType(random)
  return outwardPlaces(random, type, 5).map((place, i) => leg(type, place, i % 4 === 0 ? 1 : -1))
}

/** Two sold legs on either side, one wing each. */
function doubleCondor(random: Random): Shape {
  const put = away(random) + 0.1
  const call = away(random) + 0.1
  const step = width(random)
  return [
    leg('P', -put, -1),
    leg('P', -put - step, -1),
    leg('P', -put - 2 * step, 1),
    leg('C', call, -1),
    leg('C', call + step, -1),
    leg('C', call + 2 * step, 1),
  ]
}
