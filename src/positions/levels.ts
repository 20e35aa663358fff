import type { LevelsAround } from './levelsSchema.ts'
import { roundedOrNull } from './rounded.ts'

/** Distances of a minute's levels from a point, as SQL computes them. */
export type LevelDistances = {
  readonly case_id: number
  /** The point: the index, the short put or the short call. */
  readonly leg: 'index' | 'sp' | 'sc'
  readonly flip_points: number | null
  readonly flip_points_lo: number | null
  readonly flip_points_hi: number | null
  readonly call_wall_points: number | null
  readonly put_wall_points: number | null
  readonly flip_reason: string | null
  readonly bar_reason: string | null
  readonly call_wall_reason: string | null
  readonly put_wall_reason: string | null
  /** One standard deviation of an index by put-call parity, points; null of any other point. */
  readonly point_error: number | null
}

/** Returns the levels around a point of a case, in the format of the API. */
export function levelsAround(
  distances: readonly LevelDistances[],
  leg: LevelDistances['leg'],
): LevelsAround {
  const found = distances.find(each => each.leg === leg)
  if (!found) throw new Error(`no level distances of ${leg}, only of ${distances.length} others`)
  return {
    flip: {
      points: roundedOrNull(found.flip_points),
      points_lo: roundedOrNull(found.flip_points_lo),
      points_hi: roundedOrNull(found.flip_points_hi),
      reason: found.flip_reason,
      bar_reason: found.bar_reason,
    },
    call_wall: {
      points: roundedOrNull(found.call_wall_points),
      reason: found.call_wall_reason,
    },
    put_wall: { points: roundedOrNull(found.put_wall_points), reason: found.put_wall_reason },
    ...(found.point_error !== null && { spot_error: roundedOrNull(found.point_error)! }),
  }
}
