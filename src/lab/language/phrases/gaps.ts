import { negated } from '../negate.ts'
import type { Phrase } from '../phrase.ts'
import { compare, sized } from './comparing.ts'

const GAP_SIGN =
  'the direction of the gap is not in the rules, only its size, ' + 'such as "the gap is over 0.5%"'

/** The gap between the close of the session before and the open. */
export const GAP_PHRASES: readonly Phrase[] = [
  {
    id: 'gap_size',
    field: 'abs_gap',
    phrase: `
      [@when] (@gap [@is]|@who (gaps|gapped|gap)|there [is|was] a gap) [of] <cmp:op> <pct:n>
      [either way|up or down|in either direction]|[@when] @gap [@is] [of] <pct:n2> or more
    `,
    head: 'when',
    make: ({ op, n, n2 }) => sized('abs_gap', op ?? '>=', n ?? n2),
  },
  {
    id: 'no_gap_size',
    field: 'abs_gap',
    phrase: '[@when] [there is|there was|theres|with] no gap [of] <cmp:op> <pct:n>',
    head: 'when',
    make: ({ op, n }) => {
      const v = negated(sized('abs_gap', op, n).v)
      return v && { k: 'when', v }
    },
  },
  {
    id: 'gap_range',
    field: 'abs_gap',
    phrase: `
      [@when] (@gap [@is]|@who (gaps|gapped|gap)) [of] (between <pct:a> and|from <pct:b> to|
      <pct:c> (to|–)|between <num:d> (and|to)) <pct:n>
    `,
    head: 'when',
    make: ({ a, b, c, d, n }) => [
      compare('abs_gap', '>=', a ?? b ?? c ?? d),
      compare('abs_gap', '<=', n),
    ],
  },
  {
    id: 'gap_points',
    field: 'abs_gap',
    phrase: '[@when] (@gap [@is]|@who (gaps|gapped|gap)) [of] [<cmp>] <num> @pt',
    head: 'when',
    make: () => ({ k: 'bad', reason: 'a gap is in percent, such as "the gap is over 0.5%"' }),
  },
  {
    id: 'gap_no_unit',
    field: 'abs_gap',
    phrase: '[@when] @gap [@is] (<cmp:op>|<sym:op2>) <num> !(%|percent|pct|@pt|bps|bp|@em)',
    head: 'when',
    make: ({ op, op2 }) => ({ k: 'when_open', v: { size: 'abs_gap', op: op ?? op2 } }),
  },
  {
    id: 'gap_again',
    field: 'abs_gap',
    phrase: '[@is] <cmp:op> <pct:n>',
    in: ['when'],
    make: ({ op, n }, { subject }) =>
      subject === 'abs_gap' || subject === 'move_from_open' ? sized(subject, op, n) : null,
  },
  {
    id: 'gap_signed',
    field: 'abs_gap',
    phrase: `
      [@when] (@gap [@is] (up|down|positive|negative)|@who (gaps|gapped|gap) (up|down|
      higher|lower)|[on] [a] gap (up|down)) [days|day] [by] [<cmp>] [<pct>]
    `,
    head: 'when',
    make: () => ({
      k: 'bad',
      reason: GAP_SIGN,
    }),
  },
  {
    id: 'gap_vague',
    field: 'abs_gap',
    phrase: `
      [@when] (@gap @is (big|large|<small:a>)|(there (is|was)|theres) [a] [big|large|<small:b>] gap|
      (there (is|was)|theres|@when|with) <no:c> [big|large] gap|[a] (big|large|<small:d>) gap|
      (it|@price)
      (gaps|
      gapped))
    `,
    head: 'when',
    make: ({ a, b, c, d }) => ({
      k: 'when_open',
      v: { size: 'abs_gap', op: (a ?? b ?? c ?? d) ? '<' : '>' },
    }),
  },
]
