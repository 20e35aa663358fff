import type { RuleItem } from '../items.ts'
import { negated } from '../negate.ts'
import { type Phrase, type PhraseContext, phrase } from '../phrase.ts'
import type { ComparedField, CompareOp, LevelRef } from '../spec.ts'
import { compare, inclusive, OPPOSITE, PER, sized } from './comparing.ts'
import { DISTANCE_PHRASES } from './distances.ts'
import { above, DIST, DISTANCES, findDistanceField, level, near } from './levelDistances.ts'
import { MOVE_PHRASES } from './moves.ts'

const gammaSign = (v: 'positive' | 'negative') =>
  compare('net_gamma', v === 'positive' ? '>' : '<', 0)

/** Sign and size of the dealers' gamma. */
const GAMMA_PHRASES: readonly Phrase[] = [
  phrase`gamma_sign net_gamma >when
    [@when] [@gamma] [@is] <signed:v> [gamma] !(<num>|k|m|@pt|/)|[@when] [@price|we|it] [@is] [in]
    [a] <sign:v> gamma [regime|environment|territory]|with <sign:v> gamma`(({ v }, context) =>
    gammaFrom(context, v),
  ),
  phrase`when_sign net_gamma >when
    @when [it|its] [@is] <signed:v> [gamma]`(({ v }) => gammaSign(v)),
  phrase`gamma_subject net_gamma >when
    [@when] @gamma [@is] (<signed:v>|<sign:v> [gamma])|<sign:v> [net|dealer] gamma`(({ v }) =>
    gammaSign(v),
  ),
  phrase`gamma_not net_gamma >when
    [@when] @gamma [@is] (not|isnt|is not) <signed:v>|@when [@price|we|we are|were|it is] (not|isnt|
    arent) [in] [a] <signed:v> gamma`(({ v }) =>
    compare('net_gamma', v === 'negative' ? '>=' : '<=', 0),
  ),
  phrase`gamma_days net_gamma >when
    [on|only on|in|@when] [a|an] (<sign:on>) (gamma|gex) (days|day|sessions|regime|regimes|
    environment| environments|territory) [only]|(not|never|skip|avoid|except|no trade|no
    trades|dont trade) [on|in] [a] <sign:off> (gamma|gex)
    (days|day|sessions|regime|environment|territory)`(({ on, off }) =>
    on ? gammaSign(on) : compare('net_gamma', off === 'positive' ? '<=' : '>=', 0),
  ),
  // for gamma a bare number may be millions or billions
  phrase`gamma_no_unit net_gamma >when
    [@when] @gamma [@is] [<cmp:op>|<sym:op>] [$] #-?(?!0 )\\d+(?:\\.\\d+)?# !(%|percent|@em|x|
    @money)`(({ op }) => {
    const given: CompareOp = op ?? '>='
    return given.startsWith('abs') ? null : { k: 'when_open', v: { gamma: given } }
  }),
  phrase`gamma_value net_gamma >when
    [@when] @gamma [@is] [at|of] <cmp:op> <money:m> ${PER}|[@when] @gamma [@is] <cmp:op>
    <num:m> !(%|percent|@em|x)`(({ op, m }) => gammaValue(op, m)),
  phrase`gamma_range net_gamma >when
    [@when] @gamma [@is] (between <money:a> and|<money:a> (to|–)) <money:c> ${PER}`(({ a, c }) => [
    compare('net_gamma', '>=', a),
    compare('net_gamma', '<=', c),
  ]),
  phrase`gamma_per_percent net_gamma >when
    [@when] @gamma [@is] <cmp> [$] (<money>|<num>) (per|/|a|for a|for each) (<pct>|%|percent)
    [move]`({
    k: 'bad',
    reason: 'net gamma is in $M per index point, such as "over $50M per point", not per 1%',
  }),
  phrase`gamma_again net_gamma @when
    [@is] <cmp:op> <money:m> ${PER}`(({ op, m }, { subject }) =>
    subject === 'net_gamma' ? gammaValue(op, m) : null,
  ),
  phrase`gamma_vague net_gamma >when
    [@when] @gamma @is [very|really] (high|strong|big|large|extreme|<small:low>)`(({ low }) => ({
    k: 'when_open',
    v: { gamma: low ? '<=' : '>=' },
  })),
  phrase`mapping action >when
    (depending|depends|based) (on|upon) (@gamma|the sign of @gamma|the gamma sign|<level>|@gap)`({
    k: 'mapping',
  }),
]

function gammaFrom({ subject, isHead, mode }: PhraseContext, sign: 'positive' | 'negative') {
  // a bare word counts only after a word such as "when", or when gamma was the subject
  const isMeant = isHead || subject === 'net_gamma' || mode === 'when'
  return isMeant ? gammaSign(sign) : null
}

function gammaValue(op: CompareOp, v: number) {
  if (op.startsWith('abs')) return null
  return compare('net_gamma', v === 0 ? op : inclusive(op), v)
}

const NO_PERCENT = 'a distance from a level is in points, not in percent'
const NO_FIXED = 'no fixed levels: the price is compared with the flip, a wall or the open'

/** Positions between levels, or relative to the level just named, and those that are invalid. */
const OTHER_DISTANCE_PHRASES: readonly Phrase[] = [
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

const GAP_SIGN =
  'the direction of the gap is not in the rules, only its size, ' + 'such as "the gap is over 0.5%"'

/** The gap between the close of the session before and the open. */
const GAP_PHRASES: readonly Phrase[] = [
  phrase`gap_size abs_gap >when
    [@when] (@gap [@is]|@who (gaps|gapped|gap)|[@who] opened (with|on) a gap|there [is|was] a gap) [of|at] <cmp:op> <pct:n>
    [either way|up or down|in either direction]`(({ op, n }) => sized('abs_gap', op, n)),
  phrase`no_gap_size abs_gap >when
    [@when] [there is|there was|with] no gap [of] <cmp:op> <pct:n>`(({ op, n }) => {
    const v = negated(sized('abs_gap', op, n).v)
    return v && { k: 'when', v }
  }),
  phrase`gap_range abs_gap >when
    [@when] (@gap [@is]|@who (gaps|gapped|gap)) [of] (between <pct:a> and|from <pct:a> to|
    <pct:a> (to|–)|between <num:a> (and|to)) <pct:n>`(({ a, n }) => [
    compare('abs_gap', '>=', a),
    compare('abs_gap', '<=', n),
  ]),
  phrase`gap_points abs_gap >when
    [@when] (@gap [@is]|@who (gaps|gapped|gap)) [of] [<cmp>] <num> @pt`({
    k: 'bad',
    reason: 'a gap is in percent, such as "the gap is over 0.5%"',
  }),
  phrase`gap_no_unit abs_gap >when
    [@when] @gap [@is] (<cmp:op>|<sym:op>) <num> !(%|percent|pct|@pt|bps|bp|@em)`(({ op }) => ({
    k: 'when_open',
    v: { size: 'abs_gap', op: op },
  })),
  phrase`gap_again abs_gap @when
    [@is] <cmp:op> <pct:n>`(({ op, n }, { subject }) =>
    subject === 'abs_gap' || subject === 'move_from_open' ? sized(subject, op, n) : null,
  ),
  phrase`gap_signed abs_gap >when
    [@when] (@gap [@is] (up|down|positive|negative)|@who (gaps|gapped|gap) (up|down|
    higher|lower)|[on] [a] gap (up|down)) [days|day] [by] [<cmp>] [<pct>]`({
    k: 'bad',
    reason: GAP_SIGN,
  }),
  phrase`gap_vague abs_gap >when
    [@when] (@gap @is (big|large|<small:a>)|there (is|was) [a] [big|large|<small:a>]
    gap| (there (is|was)|@when|with) <no:a> [big|large] gap|[a] (big|large|<small:a>) gap|
    (it|@price) (gaps| gapped))`(({ a }) => ({
    k: 'when_open',
    v: { size: 'abs_gap', op: a ? '<' : '>' },
  })),
]

const UNIT_WORDS = '[@pt|@em|%|percent|vol points|vol point|vols|$]'

/** Name of each field in a formula, with any comparison: every rule can be stated this way. */
const FORMULA_WORDS: Readonly<Record<ComparedField, string>> = {
  spot_minus_flip: 'spot minus flip',
  spot_minus_put_wall: 'spot minus put wall',
  call_wall_minus_spot: 'call wall minus spot',
  net_gamma: '@gamma',
  abs_gap: 'size of the gap',
  abs_move_from_open: 'size of the move from the open',
  move_from_open: 'move from the open',
  atm_iv_change: 'change of iv from the open',
}

/** Conditions as a field, a sign and a number. */
const FORMULA_PHRASES: readonly Phrase[] = (
  Object.entries(FORMULA_WORDS) as [ComparedField, string][]
).map(([f, words]) =>
  phrase`formula_${f} ${f} >when
    [@when] ${words} <sym:op> (<money:m> ${PER}|<num:n> ${UNIT_WORDS})|[@when] size of ${words}
    <sym:op2> <num:n2> ${UNIT_WORDS}`(({ op, m, n, op2, n2 }) =>
    // gamma without a unit raises a question
    f === 'net_gamma' && (n ?? n2)
      ? null
      : op2 === undefined
        ? compare(f, op, m ?? n)
        : compare(f, `abs${op2}` as CompareOp, n2),
  ),
)

/** All conditions at the minute of an entry. */
export const CONDITION_PHRASES: readonly Phrase[] = [
  // first: of equal matches, a sign is taken literally
  ...FORMULA_PHRASES,
  ...DISTANCE_PHRASES,
  ...OTHER_DISTANCE_PHRASES,
  ...GAMMA_PHRASES,
  ...GAP_PHRASES,
  ...MOVE_PHRASES,
]

/** Field of a condition, for the words that follow: "and under the put wall". */
export function findSubject(item: RuleItem): ComparedField | 'spot' | null {
  if (item.k !== 'when') return item.k === 'when_open' && 'near' in item.v ? 'spot' : null
  const { f } = item.v
  if (f === 'order') return null
  return f === 'cross_flip' || f.startsWith('spot') || f.startsWith('call')
    ? 'spot'
    : (f as ComparedField)
}
