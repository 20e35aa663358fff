import { type Phrase, phrase } from '../phrase.ts'
import type { CompareOp, LevelRef } from '../spec.ts'
import { compare, OPPOSITE } from './comparing.ts'
import { above, DIST, DISTANCES, findDistanceField, level, near } from './levelDistances.ts'

const NO_PERCENT = 'a distance from a level is in points, not in percent'
const NO_FIXED = 'no fixed levels: the price is compared with the flip, a wall or the open'

/** Positions between levels, or relative to the level just named, and those that are invalid. */
export const OTHER_DISTANCE_PHRASES: readonly Phrase[] = [
  // ambiguous: at most that near, or at least that far
  phrase`far_open distance >when @when,days,core
    [@when] [@who] [@is] [very] (far|well|way) <dir:side> <level:a>| [@when] [@who] [@is] [very]
    (far|far away|well away|a long way) (from|away from|off) <level:a2>| [@when] [@who] [@is]
    [[<cmp>] <num> [@pt]] (from|away from|off) <level:b>`(
    ({ a, a2, side, b }, { mode, isHead }) => {
      if (a !== undefined) {
        return mode === 'when' || isHead
          ? { k: 'when_open', v: { near: a, isFar: true, side } }
          : null
      }
      if (a2 !== undefined) return near(a2, true)
      return mode === 'when' || isHead ? near(b) : null
    },
  ),
  phrase`between_levels distance >when
    [@when] [@who] [@is] (between|in between) <level:a> and <level:b>|[@when] [@who] [@is]
    (between| in between|inside) [the] [two|2] walls`(({ a = 'put_wall', b = 'call_wall' }) => {
    const [low, high] = a === 'call_wall' || b === 'put_wall' ? [b, a] : [a, b]
    return low === high ? null : [above(low, 'above'), above(high, 'below')]
  }),
  phrase`far_from_both_walls distance >when
    [@when] [@who] [@is] (at least|more than|over|further than) <num:n> [@pt] (from|away from|off)
    (both [of the]|the two|either) walls`(({ n }) =>
    (['put_wall', 'call_wall'] as const).map(of => compare(findDistanceField(of), 'abs>=', n)),
  ),
  // "it" is the one level that was named
  phrase`price_from_it distance >when
    (@when [@who] [@is]|@price [@is]) [by] ${DIST} <dir:dir> (it|that)|(@when [@who]
    [@is]| @price [@is]) within <num:near> [@pt] [of (it|that)]`(
    ({ near: points, ...values }, { level: named }) => {
      if (!named) return null
      if (points !== undefined) return compare(findDistanceField(named), 'abs<=', points)
      return level({ ...values, level: named }, false)
    },
  ),
  phrase`it_is_points_away distance >when
    @when (it|its) [@is] (at least|more than|over|further than) <num:n> [@pt] (away|off)
    [from @price]`(({ n }, { level: named }) =>
    named ? compare(findDistanceField(named), 'abs>=', n) : null,
  ),
  phrase`wall_is_points_away distance >when
    [@when] the wall [@is] ${DIST} <dir:dir> [@price|it|us]`((values, { level: named }) =>
    named && named !== 'flip' ? level({ ...values, level: named }, true) : null,
  ),
  phrase`level_is_points_away distance >when
    (@when|with) <level:level> [@is] ${DIST} <dir:dir> [@price|it|us]`(values =>
    level(values, true),
  ),
  phrase`clause_beside_level distance >when
    [@when] <dir:dir> <level:level> [,] !(!(<action>))`(({ dir, level: of }, { isStart }) =>
    isStart ? above(of, dir) : null,
  ),
  phrase`formula_beside_level distance >when
    [@when] @price <sym:op> <level:level> [<offset:by>] [@pt]`(({ op, level: of, by = 0 }) => {
    const { f, above: side } = DISTANCES[of as LevelRef]
    return compare(f, side > 0 ? op : OPPOSITE[op as CompareOp], side * by)
  }),
  phrase`level_percent distance @when,days,core
    [@when] [@who] [@is] [<cmp>] <pct> (of|from|<dir>|away from) <level>|[@when] [@who] [@is]
    [<cmp>] <num> @em (of|from|<dir>|away from) <level>`((_, { mode, isHead }) =>
    mode === 'when' || isHead ? { k: 'bad', reason: NO_PERCENT } : null,
  ),
  phrase`price_fixed distance >when
    (@when [@who] [@is]|@price [@is]) (<dir>|at|between|near|<sym>) [the] #[2-9]\\d{3}# [(and|
    to) #[2-9]\\d{3}#]`({ k: 'bad', reason: NO_FIXED }),
]
