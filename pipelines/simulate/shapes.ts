import type { Random } from './random.ts'
import {
  anyType,
  away,
  leg,
  outward,
  outwardDeviations,
  type Shape,
  type ShapeLeg,
  unequal,
  width,
} from './shapeLegs.ts'

const vertical = (random: Random): Shape => {
  const type = anyType(random)
  const [near, far] = outwardDeviations(random, type, 2) as [number, number]
  return [leg(type, near, 1), leg(type, far, -1)]
}

const ratioSpread = (random: Random): Shape => unequal(vertical(random), random)

const middle = (random: Random) => 0.15 * random.normal()

const straddle = (random: Random): Shape => {
  const deviations = middle(random)
  return [leg('C', deviations, 1, { key: 'k' }), leg('P', deviations, 1, { key: 'k' })]
}

const strangle = (random: Random): Shape => [leg('P', -away(random), 1), leg('C', away(random), 1)]

const guts = (random: Random): Shape => [
  leg('C', -away(random) / 2, 1),
  leg('P', away(random) / 2, 1),
]

const ratioStraddle = (random: Random): Shape => unequal(straddle(random), random)
const ratioStrangle = (random: Random): Shape => unequal(strangle(random), random)

const riskReversal = (random: Random): Shape => [
  leg('P', -away(random), -1),
  leg('C', away(random), 1),
]

const ratioRiskReversal = (random: Random): Shape => unequal(riskReversal(random), random)

const synthetic = (random: Random): Shape => {
  const deviations = 0.4 * random.normal()
  return [leg('C', deviations, 1, { key: 'k' }), leg('P', deviations, -1, { key: 'k' })]
}

/** Three strikes: the third is `step` widths from the first, on the side of the second. */
function wings(random: Random, ratios: readonly [number, number, number], step: number): Shape {
  const type = anyType(random)
  const [near, far] = outwardDeviations(random, type, 2) as [number, number]
  const mirror = { from: 0, to: 1, step }
  return [
    leg(type, near, 1, { ratio: ratios[0] }),
    leg(type, far, -1, { ratio: ratios[1] }),
    leg(type, far, 1, { ratio: ratios[2], mirror }),
  ]
}

const butterfly = (random: Random): Shape => wings(random, [1, 2, 1], 2)
const brokenWingButterfly = (random: Random): Shape =>
  random.chance(0.8)
    ? wings(random, [1, 2, 1], random.pick([3, 3, 4]))
    : wings(random, [1, 3, 2], 2)
const christmasTree = (random: Random): Shape => {
  // 1:3:2 with widths 2:1, so that size x width balances
  const [first, second, third] = wings(random, [1, 3, 2], 1.5) as [ShapeLeg, ShapeLeg, ShapeLeg]
  return [first, { ...second, deviations: second.deviations * 1.3 }, third]
}

const ladder = (random: Random): Shape => {
  const type = anyType(random)
  const deviations = outwardDeviations(random, type, 3) as [number, number, number]
  return [leg(type, deviations[0], 1), leg(type, deviations[1], -1), leg(type, deviations[2], -1)]
}

/** One type, four strikes: the last width is `step - 2` times the first. */
function fourStrikes(random: Random, last: { readonly step: number }): Shape {
  const type = anyType(random)
  const [near, far] = outwardDeviations(random, type, 2) as [number, number]
  const at = (step: number) => ({ mirror: { from: 0, to: 1, step } })
  return [
    leg(type, near, 1),
    leg(type, far, -1),
    leg(type, far, -1, at(2)),
    leg(type, far, 1, at(last.step)),
  ]
}

const condor = (random: Random): Shape => fourStrikes(random, { step: 3 })
const brokenWingCondor = (random: Random): Shape => fourStrikes(random, { step: 4 })

const ironCondor = (random: Random): Shape => {
  const put = away(random) + 0.2
  const call = away(random) + 0.2
  return [
    leg('P', -put - width(random), -1),
    leg('P', -put, 1),
    leg('C', call, 1),
    leg('C', call + width(random), -1),
  ]
}

const ironButterfly = (random: Random): Shape => {
  const centre = middle(random)
  const wing = width(random) + 0.3
  return [
    leg('P', centre - wing, -1),
    leg('P', centre, 1, { key: 'k' }),
    leg('C', centre, 1, { key: 'k' }),
    leg('C', centre + wing, -1),
  ]
}

const doubleVertical = (random: Random): Shape => {
  const put = away(random) + 0.1
  const call = away(random) + 0.1
  const puts = [leg('P', -put - width(random), -1), leg('P', -put, 1)] as const
  const calls = [leg('C', call, -1), leg('C', call + width(random), 1)] as const
  if (random.chance(0.7)) return [...puts, ...calls]
  // an iron condor with unequal sides
  const ratio = random.pick([2, 3])
  const unequalCalls = calls.map(one => ({ ...one, sign: -one.sign as -1 | 1, ratio }))
  return [...puts, ...unequalCalls]
}

const box = (random: Random): Shape => {
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
const putSpreadCollar = (random: Random): Shape => {
  const put = away(random)
  return [leg('P', -put, 1), leg('P', -put - width(random), -1), leg('C', away(random), -1)]
}

/** A call spread bought, a put sold below it. */
const threeWay = (random: Random): Shape => {
  const call = away(random)
  return [leg('C', call, 1), leg('C', call + width(random), -1), leg('P', -away(random), -1)]
}

const calendar = (random: Random): Shape => {
  const type = anyType(random)
  const deviations = outward(type) * away(random) * 0.7
  return [leg(type, deviations, -1, { key: 'k' }), leg(type, deviations, 1, { month: 1, key: 'k' })]
}

const diagonal = (random: Random): Shape => {
  const type = anyType(random)
  const [near, far] = outwardDeviations(random, type, 2) as [number, number]
  return [leg(type, near, -1), leg(type, far, 1, { month: 1 })]
}

const ratioCalendar = (random: Random): Shape => unequal(calendar(random), random)
const ratioDiagonal = (random: Random): Shape => unequal(diagonal(random), random)

const doubleCalendar = (random: Random): Shape => {
  const put = -away(random)
  const call = away(random)
  return [
    leg('P', put, -1, { key: 'put' }),
    leg('P', put, 1, { month: 1, key: 'put' }),
    leg('C', call, -1, { key: 'call' }),
    leg('C', call, 1, { month: 1, key: 'call' }),
  ]
}

const doubleDiagonal = (random: Random): Shape => {
  const put = -away(random)
  const call = away(random)
  return [
    leg('P', put, -1),
    leg('P', put - width(random), 1, { month: 1 }),
    leg('C', call, -1),
    leg('C', call + width(random), 1, { month: 1 }),
  ]
}

const verticalRoll = (random: Random): Shape => {
  const type = anyType(random)
  const [near, far] = outwardDeviations(random, type, 2) as [number, number]
  const shift = random.chance(0.5) ? 0 : 0.2 * random.normal()
  return [
    leg(type, near, 1),
    leg(type, far, -1),
    leg(type, near + shift, -1, { month: 1, ...(shift === 0 ? { key: 'near' } : {}) }),
    leg(type, far + shift, 1, { month: 1 }),
  ]
}

const jellyRoll = (random: Random): Shape => {
  const deviations = 0.15 * random.normal()
  const back = random.chance(0.6) ? 'k' : 'back'
  return [
    leg('C', deviations, -1, { key: 'k' }),
    leg('P', deviations, 1, { key: 'k' }),
    leg('C', deviations, 1, { month: 1, key: back }),
    leg('P', deviations, -1, { month: 1, key: back }),
  ]
}

/** Four to six legs that no name fits. */
const custom = (random: Random): Shape => {
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
  return outwardDeviations(random, type, 5).map((deviations, i) =>
    leg(type, deviations, i % 4 === 0 ? 1 : -1),
  )
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

/**
 * Structures that customers trade, each with its weight: mostly verticals and their ratios,
 * calendars and diagonals; straddles and strangles are a small share of complex trades (Li, Musto
 * and Pearson, SSRN 4389657).
 */
export const SHAPES = {
  vertical: [vertical, 34],
  ratio_spread: [ratioSpread, 6],
  straddle: [straddle, 3],
  strangle: [strangle, 3.5],
  guts: [guts, 0.3],
  ratio_straddle: [ratioStraddle, 0.5],
  ratio_strangle: [ratioStrangle, 0.7],
  risk_reversal: [riskReversal, 4],
  ratio_risk_reversal: [ratioRiskReversal, 0.8],
  synthetic: [synthetic, 2],
  butterfly: [butterfly, 7],
  broken_wing_butterfly: [brokenWingButterfly, 4],
  christmas_tree: [christmasTree, 0.9],
  ladder: [ladder, 1.2],
  condor: [condor, 2.5],
  broken_wing_condor: [brokenWingCondor, 1.2],
  iron_condor: [ironCondor, 9],
  iron_butterfly: [ironButterfly, 3],
  double_vertical: [doubleVertical, 1.5],
  box: [box, 0.9],
  three_way: [threeWay, 1.5],
  put_spread_collar: [putSpreadCollar, 1.2],
  calendar: [calendar, 5],
  diagonal: [diagonal, 4],
  ratio_calendar: [ratioCalendar, 0.6],
  ratio_diagonal: [ratioDiagonal, 0.6],
  double_calendar: [doubleCalendar, 0.8],
  double_diagonal: [doubleDiagonal, 0.8],
  vertical_roll: [verticalRoll, 1.5],
  jelly_roll: [jellyRoll, 0.4],
  custom: [custom, 0.3],
} as const satisfies Readonly<
  Record<string, readonly [draw: (random: Random) => Shape, weight: number]>
>
