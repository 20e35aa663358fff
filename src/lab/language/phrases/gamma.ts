import { type Phrase, type PhraseContext, phrase } from '../phrase.ts'
import type { CompareOp } from '../spec.ts'
import { compare, inclusive, PER } from './comparing.ts'

const gammaSign = (v: 'positive' | 'negative') =>
  compare('net_gamma', v === 'positive' ? '>' : '<', 0)

/** Sign and size of the dealers' gamma. */
export const GAMMA_PHRASES: readonly Phrase[] = [
  phrase`gamma_positive net_gamma >when
    [@when] [@gamma] [@is] (positive|above (zero|0)|over (zero|0)|gt 0) [gamma] !(<num>|
    k|m|@pt|/)|[@when] [@price|we|it] [@is] [in] [a] (positive|long) gamma [regime|
    environment|territory]|with (positive|long) gamma`((_, context) =>
    gammaFrom(context, 'positive'),
  ),
  phrase`when_positive net_gamma >when
    @when [it|its] [@is] positive [gamma]`(gammaSign('positive')),
  phrase`when_negative net_gamma >when
    @when [it|its] [@is] negative [gamma]`(gammaSign('negative')),
  phrase`gamma_negative net_gamma >when
    [@when] [@gamma] [@is] (negative|below (zero|0)|under (zero|0)|lt 0) [gamma]
    !(<num>|k|m|@pt|/)|[@when] [@price|we|it] [@is] [in] [a] (negative|short) gamma [regime|
    environment|territory]|with (negative|short) gamma`((_, context) =>
    gammaFrom(context, 'negative'),
  ),
  phrase`gamma_subject_positive net_gamma >when
    [@when] @gamma [@is] (positive|long [gamma]|above (zero|0)|over (zero|0))|(positive|long)
    [net|dealer] gamma`(gammaSign('positive')),
  phrase`gamma_subject_negative net_gamma >when
    [@when] @gamma [@is] (negative|short [gamma]|below (zero|0)|under (zero|0))|(negative| short)
    [net|dealer] gamma`(gammaSign('negative')),
  phrase`gamma_not_negative net_gamma >when
    [@when] @gamma [@is] (not|isnt|is not) negative|@when [@price|we|we are|were|it is] (not|
    isnt|arent) [in] [a] negative gamma`(compare('net_gamma', '>=', 0)),
  phrase`gamma_not_positive net_gamma >when
    [@when] @gamma [@is] (not|isnt|is not) positive|@when [@price|we|we are|were|it is] (not|
    isnt|arent) [in] [a] positive gamma`(compare('net_gamma', '<=', 0)),
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
