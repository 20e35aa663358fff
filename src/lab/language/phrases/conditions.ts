import type { RuleItem } from '../items.ts'
import type { Phrase } from '../phrase.ts'
import type { ComparedField } from '../spec.ts'
import { DISTANCE_PHRASES } from './distances.ts'
import { FORMULA_PHRASES } from './formulas.ts'
import { GAMMA_PHRASES } from './gamma.ts'
import { GAP_PHRASES } from './gaps.ts'
import { MOVE_PHRASES } from './moves.ts'
import { OTHER_DISTANCE_PHRASES } from './otherDistances.ts'

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
