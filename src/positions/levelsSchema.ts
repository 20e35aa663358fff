import { z } from 'zod'
import { number, numberOrNull, textOrNull } from '../platform/http/fields.ts'

/** The levels around a point, as distances: part of a check. */

const Points = numberOrNull(
  'The level less the point, index points: above zero where the level is higher. Null is not ' +
    'zero: `reason` says why it is not known.',
)

const Reason = textOrNull(
  "Why `points` is null: inventory_unknown (the dealers' positions are not known), no_root " +
    '(net gamma is zero nowhere near), no_bound, no_calls, no_puts, empty_book, no_forward, ' +
    'no_spot, no_level; more may come.',
)

const Wall = z.looseObject({ points: Points, reason: Reason }).meta({
  id: 'WallDistance',
  description: 'The strike with the most gamma of calls, or of puts.',
})

const Flip = z
  .looseObject({
    points: Points,
    points_lo: numberOrNull(
      'The same to the lower end of its 90 % interval, with no_root of the stretch where a ' +
        'flip is not ruled out; null: see `bar_reason`.',
    ),
    points_hi: numberOrNull('To the upper end.'),
    reason: Reason,
    bar_reason: textOrNull(
      'Why `points_lo` and `points_hi` are null: no_bar (the session was published before ' +
        'there was one), or as `reason`.',
    ),
  })
  .meta({ id: 'FlipDistance', description: 'Where net dealer gamma changes its sign.' })

export const LevelsAround = z
  .looseObject({
    flip: Flip,
    call_wall: Wall,
    put_wall: Wall,
    spot_error: number(
      'Only of distances from an index that the tape lacks and that follows from the quotes, by ' +
        'put-call parity: one standard deviation of it, index points.',
    ).optional(),
  })
  .meta({
    id: 'LevelsAround',
    description: 'Levels of the measured book as they were known before the minute, as distances.',
  })

export type LevelsAround = z.infer<typeof LevelsAround>

/** Distances of levels that are all known. */
export const levelsExample = (
  [points, points_lo, points_hi]: readonly [number, number, number],
  callWall: number,
  putWall: number,
): LevelsAround => ({
  flip: { points, points_lo, points_hi, reason: null, bar_reason: null },
  call_wall: { points: callWall, reason: null },
  put_wall: { points: putWall, reason: null },
})
