import type { Phrase } from '../phrase.ts'
import type { CompareOp, LevelRef } from '../spec.ts'
import { compare, OPPOSITE } from './comparing.ts'
import { above, DIST, DISTANCES, findDistanceField, level, near } from './levelDistances.ts'

const NO_PERCENT = 'a distance from a level is in points, not in percent'
const NO_FIXED = 'no fixed levels: the price is compared with the flip, a wall or the open'

/** Positions between levels, or relative to the level just named, and those that are invalid. */
export const OTHER_DISTANCE_PHRASES: readonly Phrase[] = [
  {
    id: 'far_open',
    field: 'distance',
    phrase: `
      [@when] [@who] [@is] [very] (far|well|way) <dir:side> <level:a>|
      [@when] [@who] [@is] [very] (far|far away|well away|a long way) (from|away from|off)
      <level:a2>|
      [@when] [@who] [@is] [[<cmp>] <num> [@pt]] (from|away from|off) <level:b>
    `,
    in: ['when', 'days', 'core'],
    head: 'when',
    // ambiguous: at most that near, or at least that far
    make: ({ a, a2, side, b }, { mode, isHead }) => {
      if (a !== undefined) {
        return mode === 'when' || isHead
          ? { k: 'when_open', v: { near: a, isFar: true, side } }
          : null
      }
      if (a2 !== undefined) return near(a2, true)
      return mode === 'when' || isHead ? near(b) : null
    },
  },
  {
    id: 'between_levels',
    field: 'distance',
    phrase: `
      [@when] [@who] [@is] (between|in between) <level:a> and <level:b>|[@when] [@who] [@is]
      (between|
      in between|inside) [the] [two|2] walls
    `,
    head: 'when',
    make: ({ a = 'put_wall', b = 'call_wall' }) => {
      const [low, high] = a === 'call_wall' || b === 'put_wall' ? [b, a] : [a, b]
      return low === high ? null : [above(low, 'above'), above(high, 'below')]
    },
  },
  {
    id: 'far_from_both_walls',
    field: 'distance',
    phrase: `
      [@when] [@who] [@is] ((at least|more than|over|further than) <num:n> [@pt]|<num:n2> [@pt] or
      more|<num:n3> or more [@pt]) (from|away from|off) (both [of the]|the two|either) walls
    `,
    head: 'when',
    make: ({ n, n2, n3 }) =>
      (['put_wall', 'call_wall'] as const).map(of =>
        compare(findDistanceField(of), 'abs>=', n ?? n2 ?? n3),
      ),
  },
  {
    id: 'price_from_it',
    field: 'distance',
    phrase: `
      (@when [@who] [@is]|@price [@is]) [by] ${DIST} <dir:dir> (it|that) [or more]|(@when [@who]
      [@is]|
      @price [@is]) within <num:near> [@pt] [of (it|that)]
    `,
    head: 'when',
    // "it" is the one level that was named
    make: ({ near: points, ...values }, { level: named }) => {
      if (!named) return null
      if (points !== undefined) return compare(findDistanceField(named), 'abs<=', points)
      return level({ ...values, level: named }, false)
    },
  },
  {
    id: 'it_is_points_away',
    field: 'distance',
    phrase: `
      @when (it|its) [@is] ((at least|more than|over|further than) <num:n> [@pt]|<num:n2> [@pt]
      or more|
      <num:n3> or more [@pt]) (away|off) [from @price]
    `,
    head: 'when',
    make: ({ n, n2, n3 }, { level: named }) =>
      named ? compare(findDistanceField(named), 'abs>=', n ?? n2 ?? n3) : null,
  },
  {
    id: 'wall_is_points_away',
    field: 'distance',
    phrase: `[@when] the wall [@is] ${DIST} <dir:dir> [@price|it|us]`,
    head: 'when',
    make: (values, { level: named }) =>
      named && named !== 'flip' ? level({ ...values, level: named }, true) : null,
  },
  {
    id: 'level_is_points_away',
    field: 'distance',
    phrase: `(@when|with) <level:level> [@is] ${DIST} <dir:dir> [@price|it|us]`,
    head: 'when',
    make: values => level(values, true),
  },
  {
    id: 'clause_beside_level',
    field: 'distance',
    phrase: '[@when] <dir:dir> <level:level> [,] !(!(<action>))',
    head: 'when',
    make: ({ dir, level: of }, { isStart }) => (isStart ? above(of, dir) : null),
  },
  {
    id: 'formula_beside_level',
    field: 'distance',
    phrase: `
      [@when] @price <sym:op> <level:level> [plus <num:up>|minus <num:down>|<neg:off>] [@pt]
    `,
    head: 'when',
    make: ({ op, level: of, up, down, off }) => {
      const by = up ?? off ?? (down === undefined ? 0 : -down)
      const { f, above: side } = DISTANCES[of as LevelRef]
      return compare(f, side > 0 ? op : OPPOSITE[op as CompareOp], side * by)
    },
  },
  {
    id: 'level_percent',
    field: 'distance',
    phrase: `
      [@when] [@who] [@is] [<cmp>] <pct> (of|from|<dir>|away from) <level>|[@when] [@who] [@is]
      [<cmp>] <num> @em (of|from|<dir>|away from) <level>
    `,
    in: ['when', 'days', 'core'],
    make: (_, { mode, isHead }) =>
      mode === 'when' || isHead ? { k: 'bad', reason: NO_PERCENT } : null,
  },
  {
    id: 'price_fixed',
    field: 'distance',
    phrase: `
      (@when [@who] [@is]|@price [@is]) (<dir>|at|between|near|<sym>) [the] #[2-9]\\d{3}# [(and|
      to) #[2-9]\\d{3}#]
    `,
    head: 'when',
    make: () => ({ k: 'bad', reason: NO_FIXED }),
  },
]
