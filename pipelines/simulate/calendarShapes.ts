import type { Random } from './random.ts'
import {
  anyType,
  away,
  leg,
  outward,
  outwardDeviations,
  type Shape,
  unequal,
  width,
} from './shapeLegs.ts'
import { ONE_EXPIRY_SHAPES } from './shapes.ts'

const { butterfly, vertical } = ONE_EXPIRY_SHAPES

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

/** Structures of two expiries, and those without a name. */
export const CALENDAR_SHAPES = {
  calendar,
  diagonal,
  ratio_calendar: ratioCalendar,
  ratio_diagonal: ratioDiagonal,
  double_calendar: doubleCalendar,
  double_diagonal: doubleDiagonal,
  vertical_roll: verticalRoll,
  jelly_roll: jellyRoll,
  custom,
} as const
