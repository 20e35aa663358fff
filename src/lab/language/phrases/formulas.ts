import { type Phrase, phrase } from '../phrase.ts'
import type { ComparedField, CompareOp } from '../spec.ts'
import { compare, PER } from './comparing.ts'

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
export const FORMULA_PHRASES: readonly Phrase[] = (
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
