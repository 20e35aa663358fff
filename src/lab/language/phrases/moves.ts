import { type Phrase, type PhraseContext, phrase } from '../phrase.ts'
import type { CompareOp } from '../spec.ts'
import { compare, OPPOSITE, sized, twoWays } from './comparing.ts'

const PCT_OPEN = '[@since_open]'

const MOVED = '[already] (moved|has moved|moves|ranged|travelled|traveled|moved either way)'

/** The move from the open, and the change of volatility. */
export const MOVE_PHRASES: readonly Phrase[] = [
  phrase`move_size abs_move_from_open >when
    [@when] ([the] move [@is]|@price @is [moved]|[@price|it|weve|we have|we|it has|its] ${MOVED})
    [so far] [@since_open] [@is] [by] <cmp:op> (<num:n> [x|times|of] [the|an|its]
    @em|(the|an|one) @em) ${PCT_OPEN} [in either direction|either way]`(({ op, n }) =>
    sized('abs_move_from_open', op, n ?? 1),
  ),
  phrase`move_within abs_move_from_open >when
    [@when] [@who] [@is] (within|inside) (<num:n> [x|times|of] [the|an|its] @em|(the|an|one) @em)
    (of| from) [the|todays] (open|opening price)|[@when] @who [@is] <cmp:op> (<num:x>
    [x|times|of] [the|an] @em|(the|an|one) @em) (of|from|away from) [the|todays] (open|opening
    price)|[@after|@when] [a|an] <num:a> @em move [up or down] [@since_open]`(({ n, a, op, x }) =>
    op !== undefined
      ? sized('abs_move_from_open', op, x ?? 1)
      : a === undefined
        ? compare('abs_move_from_open', '<=', n ?? 1)
        : compare('abs_move_from_open', '>=', a),
  ),
  // symmetric: a smaller move has two bounds, a larger one would have two sides
  phrase`move_small move_from_open >when
    [@when] (@who|[the] move) [has|have] [@is] [${MOVED}] [by] <bound:op> <pct:n> @since_open
    [either way|in either direction]|[@when] @who [@is] within <pct:n> (of|from) [the|todays]
    (open| opening price)|[@when] [@who] [has|have] ${MOVED} [by] <bound:op> <pct:n>`(
    ({ op, n }) => {
      const [by, strict] = [n, op === 'less']
      return [
        compare('move_from_open', strict ? '>' : '>=', -by),
        compare('move_from_open', strict ? '<' : '<=', by),
      ]
    },
  ),
  phrase`move_not_more move_from_open >when
    [@when] [@who] (hasnt|has not|havent|have not|didnt|did not) [yet] (moved|move) [by] (more
    than| over|beyond) (<pct:n>|(<num:x> [x|times|of] [the|an|its] @em|(the|an|one) @em))
    [@since_open] [either way|in either direction|up or down]`(({ n, x }) =>
    n === undefined
      ? compare('abs_move_from_open', '<=', x ?? 1)
      : [compare('move_from_open', '>=', -n), compare('move_from_open', '<=', n)],
  ),
  phrase`move_between move_from_open >when
    [@when] [@who] [has|have] [@is] (<up:up>|<fell:down>) [by] (between <pct:a> and|<pct:a>
    (to|–)| between <num:a> (and|to)|<num:a> (to|–)) <pct:n> ${PCT_OPEN}`(({ up, a, n }) => {
    const [low, sign] = [a, up ? 1 : -1]
    const bounds = [compare('move_from_open', '>=', sign > 0 ? low : -n)]
    return [...bounds, compare('move_from_open', '<=', sign > 0 ? n : -low)]
  }),
  phrase`move_points move_from_open >when
    [@when] [@who] [has|have] [@is] (<up>|<fell>|${MOVED}) [by] [<cmp>] <num> @pt (@since_open|
    on the day|today)`({
    k: 'bad',
    reason: 'a move is in percent, such as "up 0.5% from the open"',
  }),
  phrase`move_flat move_from_open >when
    [@when] @who [@is] (flat|unchanged|little changed) [@since_open]`({
    k: 'bad',
    reason: 'flat has no size: say "if price is within 0.2% of the open"',
  }),
  phrase`move_way move_from_open >when
    [@when] [@who] [has|have] <moved:way> [by] [<cmp:op>] <pct:n> ${PCT_OPEN}|[@when] @price [@is]
    [by] [<cmp:op>] <pct:n> <dir:way> [the] open|[@when] @price [@is] <dir:way> [the] open by
    [<cmp:op>] <pct:n>|[@when] [@who] [has|have] [@is] <moved:way> @since_open by [<cmp:op>] <pct:n>`(
    ({ op, n, way }, context) => moved(context, way === 'above' ? 1 : -1, op, n),
  ),
  phrase`move_any move_from_open >when
    [@when] (@who) [has|have] ([@is] <trend:way> @since_open|[@is] <dir:way> [the|todays] (open|
    opening price))`(({ way }) => compare('move_from_open', way === 'above' ? '>' : '<', 0)),
  phrase`move_sign move_from_open >when
    [@when] @price <sym:op> [the] (open|opening price)`(({ op }) =>
    compare('move_from_open', op, 0),
  ),
  phrase`move_vague move_from_open >when
    [@when] (@price|it) [has] ${MOVED} [a lot|little|much] [<cmp>] [<pct>] ${PCT_OPEN} !(<num>)`({
    k: 'vague',
    slot: 'direction of the move',
  }),
  phrase`iv_change atm_iv_change >when
    [@when] @iv [@is] [has] <turned:way> [by] [<cmp:op>] <num:n> [vol|volatility|iv] [@pt|vols|vol
    points] ${PCT_OPEN} !(%|percent|pct)`(({ op = '>=', n, way }) =>
    way === 'above'
      ? compare('atm_iv_change', op, n)
      : compare('atm_iv_change', OPPOSITE[op as CompareOp], -n),
  ),
  phrase`iv_percent atm_iv_change >when
    [@when] @iv [@is] [has] <turned> [by] [<cmp>] <pct> ${PCT_OPEN}`({
    k: 'bad',
    reason: 'a change of volatility is in points, such as "iv is up 2 points", not in percent',
  }),
  phrase`iv_any atm_iv_change >when
    [@when] @iv [@is] [has] <turned:way> ${PCT_OPEN} !(<num>|<cmp>|by)`(({ way }) =>
    compare('atm_iv_change', way === 'above' ? '>' : '<', 0),
  ),
  phrase`iv_level atm_iv_change >when
    [@when] @iv [@is] (<cmp> <num> [%|percent|@pt|vols]|high|low|elevated|cheap|rich)`({
    k: 'bad',
    reason:
      'the level of volatility is not in the rules, only its change, such as "iv is up 2 points"',
  }),
]

function moved(context: PhraseContext, sign: 1 | -1, op: CompareOp | undefined, n: number) {
  const isProfit = context.mode === 'exit' || context.mode === 'profit' || context.mode === 'stop'
  if (isProfit && !context.isHead) return null
  const given = op ?? '>='
  if (given.startsWith('abs')) return null
  if (given === '<=') return twoWays(sign > 0 ? 'up' : 'down')
  const bound = compare('move_from_open', sign > 0 ? given : OPPOSITE[given], sign * n)
  // "up less than 1 %" still means up
  const isBounded = given === '<'
  return isBounded ? [compare('move_from_open', sign > 0 ? '>' : '<', 0), bound] : bound
}
