import type { Phrase, PhraseContext } from '../phrase.ts'
import type { ComparedField, CompareOp } from '../spec.ts'
import { compare, OPPOSITE } from './comparing.ts'

const GAP_SIGN =
  'the direction of the gap is not in the rules, only its size, ' + 'such as "the gap is over 0.5%"'
const PCT_OPEN = '[@since_open]'
const sized = (f: ComparedField, op: CompareOp, v: number) =>
  op.startsWith('abs') ? compare(f, op === 'abs<=' ? '<=' : '>=', v) : compare(f, op, v)

const FELL = `
  (fell|dropped|declined|sold off|slid|sunk|lost|has fallen|has dropped|is down|falls|drops|
  down|has lost|has sold off|was down|sells off|is lower|lower|off|fallen|dropped by)
`
const ROSE = `
  (rose|gained|rallied|climbed|advanced|has risen|has gained|is up|rises|gains|rallies|up|has
  rallied|was up|climbs|is higher|higher|risen|jumped)
`
const MOVED = '(moved|has moved|moves|ranged|travelled|traveled|moved either way)'

/** The gap, the move from the open, and the change of volatility. */
export const MOVE_PHRASES: readonly Phrase[] = [
  {
    id: 'gap_size',
    field: 'abs_gap',
    phrase: `
      [@when] (@gap [@is]|(it|@price) (gaps|gapped)|there [is|was] a gap) [of] <cmp:op> <pct:n>
      [either way|up or down|in either direction]|[@when] @gap [@is] [of] <pct:n2> or more
    `,
    head: 'when',
    make: ({ op, n, n2 }) => sized('abs_gap', op ?? '>=', n ?? n2),
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
      [@when] (@gap [@is] (up|down|positive|negative)|(it|@price|we) (gaps|gapped|gap) (up|down|
      higher|lower)|gap (up|down)) [by] [<cmp>] [<pct>]
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
      [@when] (@gap @is (big|large|small)|there (is|was) [a|no] [big|large|small] gap|[a] (big|
      large|small) gap|(it|@price) (gaps|gapped))
    `,
    head: 'when',
    make: () => ({ k: 'when_open', v: { size: 'abs_gap', op: '>', sign: 1 } }),
  },
  {
    id: 'move_size',
    field: 'abs_move_from_open',
    phrase: `
      [@when] ([the] move [@is]|@price @is [moved]|(@price|it|weve|we have|we|it has|its)
      ${MOVED}) [so far] [@since_open]
      [@is] [by] <cmp:op> (<num:n> [x|times|of] [the|an|its] @em|(the|an|one) @em) ${PCT_OPEN}
      [in either direction|either way]
    `,
    head: 'when',
    make: ({ op, n }) => sized('abs_move_from_open', op, n ?? 1),
  },
  {
    id: 'move_down',
    field: 'move_from_open',
    phrase: `
      [@when] [@price|it|we|we are] [has|have] ${FELL} [by] [<cmp:op>] <pct:n> [or more]
      ${PCT_OPEN}|[@when] @price [@is] [by] [<cmp:op2>] <pct:n2> [or more] (below|under) the open
    `,
    head: 'when',
    make: ({ op, n, op2, n2 }, context) => moved(context, -1, op ?? op2, n ?? n2),
  },
  {
    id: 'move_up',
    field: 'move_from_open',
    phrase: `
      [@when] [@price|it|we|we are] [has|have] ${ROSE} [by] [<cmp:op>] <pct:n> [or more]
      ${PCT_OPEN}|[@when] @price [@is] [by] [<cmp:op2>] <pct:n2> [or more] (above|over) the open
    `,
    head: 'when',
    make: ({ op, n, op2, n2 }, context) => moved(context, 1, op ?? op2, n ?? n2),
  },
  {
    id: 'move_any_down',
    field: 'move_from_open',
    phrase: `
      [@when] (@price|it|we|we are) [has|have] ([@is] ${FELL} @since_open|[@is] (below|under)
      [the|todays] (open|opening price))
    `,
    head: 'when',
    make: () => compare('move_from_open', '<', 0),
  },
  {
    id: 'move_any_up',
    field: 'move_from_open',
    phrase: `
      [@when] (@price|it|we|we are) [has|have] ([@is] ${ROSE} @since_open|[@is] (above|over)
      [the|todays] (open|opening price))
    `,
    head: 'when',
    make: () => compare('move_from_open', '>', 0),
  },
  {
    id: 'move_vague',
    field: 'move_from_open',
    phrase: `
      [@when] (@price|it) [has] ${MOVED} [a lot|little|much] [<cmp>] [<pct>] ${PCT_OPEN} !(<num>)
    `,
    head: 'when',
    make: () => ({ k: 'vague', slot: 'direction of the move' }),
  },
  {
    id: 'iv_up',
    field: 'atm_iv_change',
    phrase: `
      [@when] @iv [@is] [has] (up|rose|risen|higher|increased|gained|climbed) [by] [<cmp:op>]
      <num:n> [vol|volatility|iv] [@pt|vols|vol points] ${PCT_OPEN} !(%|percent|pct)
    `,
    head: 'when',
    make: ({ op, n }) => compare('atm_iv_change', op ?? '>=', n),
  },
  {
    id: 'iv_down',
    field: 'atm_iv_change',
    phrase: `
      [@when] @iv [@is] [has] (down|fell|fallen|lower|dropped|decreased|lost) [by] [<cmp:op>]
      <num:n> [vol|volatility|iv] [@pt|vols|vol points] ${PCT_OPEN} !(%|percent|pct)
    `,
    head: 'when',
    make: ({ op, n }) => compare('atm_iv_change', OPPOSITE[(op as CompareOp) ?? '>='], -n),
  },
  {
    id: 'iv_percent',
    field: 'atm_iv_change',
    phrase: `
      [@when] @iv [@is] [has] (up|rose|risen|higher|increased|gained|climbed|down|fell|fallen|
      lower|dropped|decreased|lost) [by] [<cmp>] <pct> ${PCT_OPEN}
    `,
    head: 'when',
    make: () => ({
      k: 'bad',
      reason: 'a change of volatility is in points, such as "iv is up 2 points", not in percent',
    }),
  },
  {
    id: 'iv_any',
    field: 'atm_iv_change',
    phrase: `
      [@when] @iv [@is] [has] (up|rose|risen|higher|increased|rising) ${PCT_OPEN} !(<num>|<cmp>|
      by)
    `,
    head: 'when',
    make: () => compare('atm_iv_change', '>', 0),
  },
  {
    id: 'iv_any_down',
    field: 'atm_iv_change',
    phrase: `
      [@when] @iv [@is] [has] (down|fell|fallen|lower|dropped|decreased|falling) ${PCT_OPEN}
      !(<num>|<cmp>|by)
    `,
    head: 'when',
    make: () => compare('atm_iv_change', '<', 0),
  },
  {
    id: 'iv_level',
    field: 'atm_iv_change',
    phrase: '[@when] @iv [@is] (<cmp> <num> [%|percent|@pt|vols]|high|low|elevated|cheap|rich)',
    head: 'when',
    make: () => ({
      k: 'bad',
      reason:
        'the level of volatility is not in the rules, only its change, such as "iv is up 2 points"',
    }),
  },
]

function moved(context: PhraseContext, sign: 1 | -1, op: CompareOp | undefined, n: number) {
  const isProfit = context.mode === 'exit' || context.mode === 'profit' || context.mode === 'stop'
  if (isProfit && !context.isHead) return null
  const given = op ?? '>='
  if (given.startsWith('abs')) return null
  const bound = compare('move_from_open', sign > 0 ? given : OPPOSITE[given], sign * n)
  // "up less than 1 %" is up all the same
  const isBounded = given === '<' || given === '<='
  return isBounded ? [compare('move_from_open', sign > 0 ? '>' : '<', 0), bound] : bound
}
