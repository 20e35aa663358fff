import { type Phrase, phrase } from '../phrase.ts'
import type { LevelRef } from '../spec.ts'
import { compare } from './comparing.ts'
import {
  above,
  compareToLevel,
  DIST,
  DISTANCES,
  findDistanceField,
  level,
  near,
} from './levelDistances.ts'

const BY = '[by [<cmp:op>] <num:n> [@pt]]'
const NEAR = `
  [very] (near|close to|around|at|next to|by|hugging|pinned to|pinned at|not far from|close|
  right at|touching)
`
/** Distances of the price from the flip and the walls. */
export const DISTANCE_PHRASES: readonly Phrase[] = [
  phrase`price_beside_level distance >when @when,exit,profit,stop,days
    [@when] [@who] [@is] [still] <dir:dir> <level:level> ${BY}`((values, context) =>
    context.mode === 'when' || context.isHead ? level(values, false) : null,
  ),
  phrase`price_is_beside_level distance >when
    (@when [@who] [@is]|@price [@is]|with @price) [still] <dir:dir> <level:level> ${BY}`(values =>
    level(values, false),
  ),
  phrase`price_beside_two_levels distance >when @when,core,days
    [@when] [@who] [@is] [still] <dir:dir> [both] <level:a> and <level:b>
    !(by|minus|@is|within|near)`(({ dir, a, b }, { mode, isHead }) =>
    mode === 'when' || isHead ? [above(a, dir), above(b, dir)] : null,
  ),
  phrase`price_is_beside_two_levels distance >when
    (@when [@who] [@is]|@price [@is]) <dir:dir> [both] <level:a> and <level:b>
    !(by|minus|@is|within|near)`(({ dir, a, b }) => [above(a, dir), above(b, dir)]),
  phrase`price_not_beside_level distance >when
    ([@when] (@who) [@is]|@when [were]) (not|isnt|never) <dir:dir> <level:level>`(
    ({ dir, level: of }) => {
      const { f, above: side } = DISTANCES[of as LevelRef]
      return compare(f, (dir === 'above') === side > 0 ? '<=' : '>=', 0)
    },
  ),
  phrase`price_points_from_level distance >when
    (@when [@who] [@is]|@price [@is]) [still] [by] ${DIST} <dir:dir> <level:level>`(values =>
    level(values, false),
  ),
  phrase`points_beside_level distance @when
    ${DIST} <dir:dir> <level:level>`((values, { isHead, subject }) =>
    isHead && subject !== null ? level(values, false) : null,
  ),
  phrase`price_between_distances distance >when
    (@when [@who] [@is]|@price [@is]) (between <num:a> [@pt] and|<num:a> [@pt] (to|–)| (more
    than| at least) <num:a> [@pt] (but|and) (less than|at most|no more than)) <num:b> [@pt]
    <dir:dir> <level:level>`(({ a, b, dir, level: of }) =>
    [
      compareToLevel(of, dir, a, '>='),
      ...[compareToLevel(of, dir, b, '<=')].flat().slice(1),
    ].flat(),
  ),
  phrase`level_beside_price distance >when
    [@when] <level:level> @is [still] [<cmp:op>] [<num:n> [@pt]] <dir:dir> [@price|
    it|us] [by [<cmp:op2>] <num:n2> [@pt]]`(values =>
    level({ ...values, n: values.n ?? values.n2, op: values.op ?? values.op2 }, true),
  ),
  phrase`level_least_beside_price distance >when
    [@when] <level:level> <cmp:op> <num:n> [@pt] <dir:dir> @price`(values => level(values, true)),
  phrase`within_of_level distance >when
    [@when] [@who] [@is] (within|inside|no more than|at most|less than|not more than) [of]
    <num:n> [@pt] (of|from|to|away from) <level:of>|[@when] <level:of> [@is] (within|inside|no more
    than|at most|less than|closer than) <num:n> [@pt] [of @price|from @price|away|away from @price|
    of it]|[@when] [@who] [@is] (closer|nearer) than <num:n> [@pt] to <level:of>`(({ n, of }) =>
    compare(findDistanceField(of), 'abs<=', n),
  ),
  // not within ten points means further than ten
  phrase`far_from_level distance >when
    [@when] [@who] [@is] (more than|at least|over|further than|farther than|<outside:out>)
    <num:n> [@pt] (from|away from|of|off) <level:of>|[@when] <level:of> [@is] (more than|at least|
    over|further than|farther than|<outside:out>) <num:n> [@pt] (from @price|away|away from @price|
    of @price|off)`(({ n, out, of }) => compare(findDistanceField(of), out ? 'abs>' : 'abs>=', n)),
  phrase`near_level distance >when
    (@when [@who] [@is]|@price [@is]) ${NEAR} <level:of>|[@when] <level:of> [@is] (near|close|close
    by|nearby|near @price|close to @price)|(near|close to) <level:of>`(({ of }) => near(of)),
  phrase`near_wall distance >when
    [@when] [@price|it] [@is] [near|close to|around|<num> [@pt] from] (the|a|either|any) (wall|
    walls)|(@when [@who] [@is]|@price [@is]) (at|by|above|below|under|over|<num> [@pt] (above|
    below|under|over)) (the|a|either|any) (wall|walls)`(near('wall')),
]
