import type { Phrase, PhraseContext } from '../phrase.ts'
import type { CompareOp } from '../spec.ts'
import { compare, inclusive, PER } from './comparing.ts'

const gammaSign = (v: 'positive' | 'negative') =>
  compare('net_gamma', v === 'positive' ? '>' : '<', 0)

/** Sign and size of the dealers' gamma. */
export const GAMMA_PHRASES: readonly Phrase[] = [
  {
    id: 'gamma_positive',
    field: 'net_gamma',
    phrase: `
        [@when] [@gamma] [@is] (positive|above (zero|0)|over (zero|0)|gt 0) [gamma] !(<num>|
        k|m|@pt|/)|[@when] [@price|we|it] [@is] [in] [a] (positive|long) gamma [regime|
        environment|territory]|with (positive|long) gamma
      `,
    head: 'when',
    make: (_, context) => gammaFrom(context, 'positive'),
  },
  {
    id: 'when_positive',
    field: 'net_gamma',
    phrase: '@when [it|its] [@is] positive [gamma]',
    head: 'when',
    make: () => gammaSign('positive'),
  },
  {
    id: 'when_negative',
    field: 'net_gamma',
    phrase: '@when [it|its] [@is] negative [gamma]',
    head: 'when',
    make: () => gammaSign('negative'),
  },
  {
    id: 'gamma_negative',
    field: 'net_gamma',
    phrase: `
        [@when] [@gamma] [@is] (negative|below (zero|0)|under (zero|0)|lt 0) [gamma]
        !(<num>|k|m|@pt|/)|[@when] [@price|we|it] [@is] [in] [a] (negative|short) gamma [regime|
        environment|territory]|with (negative|short) gamma
      `,
    head: 'when',
    make: (_, context) => gammaFrom(context, 'negative'),
  },
  {
    id: 'gamma_subject_positive',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma [@is] (positive|long [gamma]|above (zero|0)|over (zero|0))|(positive|long)
      [net|dealer] gamma
    `,
    head: 'when',
    make: () => gammaSign('positive'),
  },
  {
    id: 'gamma_subject_negative',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma [@is] (negative|short [gamma]|below (zero|0)|under (zero|0))|(negative|
      short) [net|dealer] gamma
    `,
    head: 'when',
    make: () => gammaSign('negative'),
  },
  {
    id: 'gamma_not_negative',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma [@is] (not|isnt|is not) negative|@when [@price|we|we are|were|it is] (not|
      isnt|arent) [in] [a] negative gamma
    `,
    head: 'when',
    make: () => compare('net_gamma', '>=', 0),
  },
  {
    id: 'gamma_not_positive',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma [@is] (not|isnt|is not) positive|@when [@price|we|we are|were|it is] (not|
      isnt|arent) [in] [a] positive gamma
    `,
    head: 'when',
    make: () => compare('net_gamma', '<=', 0),
  },
  {
    id: 'gamma_days',
    field: 'net_gamma',
    phrase: `
      [on|only on|in|@when] [a|an] (<sign:on>) (gamma|gex) (days|day|sessions|regime|regimes|
      environment|
      environments|territory) [only]|(not|never|skip|avoid|except|no trade|no trades|dont trade)
      [on|in]
      [a] <sign:off> (gamma|gex) (days|day|sessions|regime|environment|territory)
    `,
    head: 'when',
    make: ({ on, off }) =>
      on ? gammaSign(on) : compare('net_gamma', off === 'positive' ? '<=' : '>=', 0),
  },
  {
    id: 'gamma_no_unit',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma [@is] [<cmp:op>|<sym:op2>] [$] #-?(?!0 )\\d+(?:\\.\\d+)?# !(%|percent|@em|x|
      @money)
    `,
    head: 'when',
    // for gamma a bare number may be millions or billions
    make: ({ op, op2 }) => {
      const given: CompareOp = op ?? op2 ?? '>='
      return given.startsWith('abs') ? null : { k: 'when_open', v: { gamma: given } }
    },
  },
  {
    id: 'gamma_value',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma [@is] <cmp:op> <money:m> [or more] ${PER}|[@when] @gamma [@is] <cmp:op2>
      <num:n> !(%|percent|@em|x)
    `,
    head: 'when',
    make: ({ op, m, op2, n }) => gammaValue(op ?? op2, m ?? n),
  },
  {
    id: 'gamma_range',
    field: 'net_gamma',
    phrase: `[@when] @gamma [@is] (between <money:a> and|<money:b> (to|–)) <money:c> ${PER}`,
    head: 'when',
    make: ({ a, b, c }) => [compare('net_gamma', '>=', a ?? b), compare('net_gamma', '<=', c)],
  },
  {
    id: 'gamma_per_percent',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma [@is] <cmp> [$] (<money>|<num>) (per|/|a|for a|for each) (<pct>|%|percent)
      [move]
    `,
    head: 'when',
    make: () => ({
      k: 'bad',
      reason: 'net gamma is in $M per index point, such as "over $50M per point", not per 1%',
    }),
  },
  {
    id: 'gamma_again',
    field: 'net_gamma',
    phrase: `[@is] <cmp:op> <money:m> ${PER}`,
    in: ['when'],
    make: ({ op, m }, { subject }) => (subject === 'net_gamma' ? gammaValue(op, m) : null),
  },
  {
    id: 'gamma_or_more',
    field: 'net_gamma',
    phrase: `[@when] @gamma [@is] [of] <money:m> or (more|higher) ${PER}`,
    head: 'when',
    make: ({ m }) => compare('net_gamma', '>=', m),
  },
  {
    id: 'gamma_vague',
    field: 'net_gamma',
    phrase: `
      [@when] @gamma @is [very|really] (high|strong|big|large|extreme|<small:low>)
    `,
    head: 'when',
    make: ({ low }) => ({ k: 'when_open', v: { gamma: low ? '<=' : '>=' } }),
  },
  {
    id: 'mapping',
    field: 'action',
    phrase:
      '(depending|depends|based) (on|upon) (@gamma|the sign of @gamma|the gamma sign|<level>|@gap)',
    head: 'when',
    make: () => ({ k: 'mapping' }),
  },
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
