import { negated } from '../negate.ts'
import { type Phrase, phrase } from '../phrase.ts'
import { compare, sized } from './comparing.ts'

const GAP_SIGN =
  'the direction of the gap is not in the rules, only its size, ' + 'such as "the gap is over 0.5%"'

/** The gap between the close of the session before and the open. */
export const GAP_PHRASES: readonly Phrase[] = [
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
