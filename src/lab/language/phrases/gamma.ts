import { type Phrase, type PhraseContext, phrase } from '../phrase.ts'
import type { CompareOp } from '../spec.ts'
import { compare, inclusive, PER } from './comparing.ts'

const gammaSign = (v: 'positive' | 'negative') =>
  compare('net_gamma', v === 'positive' ? '>' : '<', 0)

/** Sign and size of the dealers' gamma. */
export const GAMMA_PHRASES: readonly Phrase[] = [
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
