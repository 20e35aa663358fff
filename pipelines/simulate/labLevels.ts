import type { Random } from './random.ts'

/** Levels of a session, one value a state; NaN where they were not known. */
export type LabLevels = {
  readonly netGamma: Float64Array
  readonly flip: Float64Array
  readonly callWall: Float64Array
  readonly putWall: Float64Array
}

/** Daily distance of the index from its flip: it reverts in a week or so. */
const DISTANCE_DEVIATION = 25
const DISTANCE_PERSISTENCE = 0.8
/** Share of the distance to its target that the flip moves in a minute. */
const FLIP_SPEED = 0.01
const WALL_STEP = 5
const OUTAGE_SHARE = 0.05

/** Draws the target of the next session's flip, in points under the index. */
export const nextDistance = (random: Random, last: number): number =>
  DISTANCE_PERSISTENCE * last +
  DISTANCE_DEVIATION * Math.sqrt(1 - DISTANCE_PERSISTENCE ** 2) * random.normal()

/**
 * Simulates flip, walls and net gamma: they follow the index and persist over days, and are drawn
 * independently of its next moves. The same draws up to a state give the same levels up to it,
 * whatever comes after.
 */
export function simulateLevels(random: Random, spots: Float64Array, distance: number): LabLevels {
  const count = spots.length
  const [netGamma, flip, callWall, putWall] = Array.from(
    { length: 4 },
    () => new Float64Array(count),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array]
  const gammaSlope = Math.exp(Math.log(8) + 0.3 * random.normal())
  const up = random.integer(3, 16) * WALL_STEP
  const down = random.integer(3, 16) * WALL_STEP
  const outage = random.chance(OUTAGE_SHARE) ? random.integer(0, count - 1) : count
  const outageEnd = outage + random.integer(1, 20)
  let level = spots[0]! - distance
  let [call, put] = [gridded(spots[0]! + up), gridded(spots[0]! - down)]
  for (let i = 0; i < count; i++) {
    const spot = spots[i]!
    level += FLIP_SPEED * (spot - distance - level) + 0.3 * random.normal()
    if (random.chance(0.02)) call = gridded(spot + up + 8 * random.normal())
    if (random.chance(0.02)) put = gridded(spot - down + 8 * random.normal())
    const isOut = i >= outage && i < outageEnd
    netGamma[i] = isOut ? Number.NaN : gammaSlope * (spot - level)
    flip[i] = isOut ? Number.NaN : level
    callWall[i] = isOut ? Number.NaN : call
    putWall[i] = isOut ? Number.NaN : put
  }
  return { netGamma, flip, callWall, putWall }
}

const gridded = (point: number): number => WALL_STEP * Math.round(point / WALL_STEP)
