import type { RuleItem } from '../items.ts'
import type { Phrase } from '../phrase.ts'
import type { ComparedField } from '../spec.ts'
import { DISTANCE_PHRASES } from './distances.ts'
import { FORMULA_PHRASES } from './formulas.ts'
import { GAMMA_PHRASES } from './gamma.ts'
import { GAP_PHRASES } from './gaps.ts'
import { MOVE_PHRASES } from './moves.ts'
import { OTHER_DISTANCE_PHRASES } from './otherDistances.ts'

/** Everything that has to hold at the minute of an entry. */
export const CONDITION_PHRASES: readonly Phrase[] = [
  // first: where both read as much, a sign is taken as it stands
  ...FORMULA_PHRASES,
  ...DISTANCE_PHRASES,
  ...OTHER_DISTANCE_PHRASES,
  ...GAMMA_PHRASES,
  ...GAP_PHRASES,
  ...MOVE_PHRASES,
]

/** The field a condition is about, for what follows it: "and under the put wall". */
export function findSubject(item: RuleItem): ComparedField | 'spot' | null {
  if (item.k !== 'when') return item.k === 'when_open' && 'near' in item.v ? 'spot' : null
  const { f } = item.v
  if (f === 'order') return null
  return f === 'cross_flip' || f.startsWith('spot') || f.startsWith('call')
    ? 'spot'
    : (f as ComparedField)
}
