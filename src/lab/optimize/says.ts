import { counted } from '../../core/text/counts.ts'
import type { LabResult } from '../result.ts'
import { chance } from '../verdict/words.ts'

export type LabOptimized = NonNullable<LabResult['optimize']>

/** Facts about a list of variants besides its figures. */
export type ListFacts = {
  /** Trials of the rule's whole family, including these variants. */
  readonly trials: number
  /** Number of combinations that are not valid rules. */
  readonly impossible: number
  readonly hasHoldout: boolean
}

/** Describes a list of variants, and states that it picks none. */
export function sayOptimize(
  found: Omit<LabOptimized, 'says'>,
  { trials, impossible, hasHoldout }: ListFacts,
): string[] {
  const { variants_tried: variantCount, luck_t: luck, deflated_sharpe: sharpe, pbo } = found
  const reality = found.reality_check_p
  const { reasons } = found
  return [
    `With ${counted(variantCount, 'variant')} the best t expected from luck is about ${luck.toFixed(2)}.`,
    'All variants are listed in the order of their values. None is picked: the best of a list ' +
      'looks better than it is.',
    hasHoldout
      ? 'They were run on the sessions before the holdout alone.'
      : 'They were run on all sessions: there is no holdout.',
    ...(found.is_full_grid
      ? []
      : ['Not every combination was run: only changes of one number, and of two at a time.']),
    ...(impossible === 0
      ? []
      : [
          `${counted(impossible, 'combination')} left out as no rule, such as an exit ` +
            'before the entry.',
        ]),
    sharpe === null
      ? `The deflated Sharpe ratio is not told: ${reasons.deflated_sharpe}.`
      : `Counting ${counted(trials, 'trial')} of its kind, the chance that the gain of the rule ` +
        `itself is more than luck is ${chance(sharpe)}.`,
    pbo === null
      ? `The chance of overfitting is not told: ${reasons.pbo}.`
      : `Picked on one half of the sessions, the best variant was in the lower half on the other ` +
        `in ${chance(pbo)} of the splits.`,
    reality === null
      ? `The reality check is not told: ${reasons.reality_check_p}.`
      : `Luck alone makes the best variant beat its trades without conditions as far in ` +
        `${reality === 0 ? 'under 0.05%' : chance(reality)} of the cases.`,
  ]
}
