import type { LabResult } from '../result.ts'
import { chance, counted, percent } from '../verdict/words.ts'

export type LabOptimized = NonNullable<LabResult['optimize']>

/** What a list of variants tells, and that it picks none. */
export function sayOptimize(
  found: Omit<LabOptimized, 'says'>,
  trials: number,
  impossible: number,
): string[] {
  const { variants_tried: tried, luck_t: luck, deflated_sharpe: sharpe, pbo } = found
  const reality = found.reality_check_p
  const { reasons } = found
  return [
    `With ${counted(tried, 'variant')} the best t expected from luck is about ${luck.toFixed(2)}.`,
    'All variants are listed in the order of their values. None is picked: the best of a list ' +
      'looks better than it is.',
    'They were run on the sessions before the holdout alone.',
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
        `in ${percent(pbo)} of the splits.`,
    reality === null
      ? `The reality check is not told: ${reasons.reality_check_p}.`
      : `Luck alone makes the best variant beat its trades without conditions as far in ` +
        `${chance(reality)} of the cases.`,
  ]
}
