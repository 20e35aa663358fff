import { counted } from '../../core/text/counts.ts'
import type { LabLeg } from '../result.ts'
import { testMean } from './clustered.ts'
import {
  GATES,
  type Gate,
  heldOutGate,
  type JudgedLeg,
  listGates,
  sayPlacebo,
  sayT,
} from './gates.ts'
import { isResolved, listSessions } from './sample.ts'
import { chance, signedPercent, signedPercentDistinctFrom } from './words.ts'

type Verdict = NonNullable<LabLeg['verdict']>

/** Maximum placebo p: the more looks and legs, the stricter, since more luck can be found. */
export const computeThreshold = (familyLooks: number, legs: number): number =>
  GATES.luckMax / (Math.max(1, familyLooks) * legs)

/** Verdict of a leg with conditions: interesting when every gate passes. */
export function judge(judged: JudgedLeg): Verdict {
  const gates = listGates(judged)
  const interesting = gates.every(({ ok }) => ok)
  return {
    interesting,
    net_rr_t: judged.era.net_rr_t,
    placebo_p: judged.placebo?.p ?? null,
    bar: judged.threshold,
    gates,
    clears_cost: null,
    sentence: interesting ? sayInteresting(judged) : sayClosed(gates),
  }
}

/** Verdict when no session is held out. */
export function judgeNothing(threshold: number, why: string): Verdict {
  const gates = [heldOutGate(0, why)]
  return {
    interesting: false,
    net_rr_t: null,
    placebo_p: null,
    bar: threshold,
    gates,
    clears_cost: null,
    sentence: sayClosed(gates),
  }
}

/** Verdict of a rule without conditions: profit after costs, with no core to beat. */
export function judgeCore({
  era,
  trades,
  threshold,
}: Omit<JudgedLeg, 'placebo' | 'isReal'>): Verdict {
  const rule = trades.filter(isResolved)
  const { value, t, p } = testMean(
    rule.map(({ r }) => r),
    listSessions(rule),
  )
  const gate = {
    gate: 'conditions',
    value: 0,
    need: 'at least 1',
    ok: false,
    says: 'The rule has no conditions, so there is nothing to compare it with.',
  }
  return {
    interesting: false,
    net_rr_t: null,
    placebo_p: null,
    bar: threshold,
    gates: [heldOutGate(era.sessions), gate],
    clears_cost: { mean: value, t, p },
    sentence: `Not interesting. ${gate.says} ${sayMean(value, t, p)}`,
  }
}

function sayMean(mean: number | null, t: number | null, p: number | null): string {
  if (mean === null) return 'It made no trade on the holdout.'
  const made = `On the holdout a trade made ${signedPercent(mean)} of its risk after costs`
  if (t === null || p === null) return `${made}; that has no error bar.`
  return `${made}; that is ${t.toFixed(2)} times its error, p ${chance(p)}.`
}

/** Sentence of a verdict that is not interesting: what each failed gate says. */
export const sayClosed = (gates: readonly Gate[]): string =>
  ['Not interesting.', ...gates.filter(({ ok }) => !ok).map(({ says }) => says)].join(' ')

function sayInteresting({ era, placebo, threshold }: JudgedLeg): string {
  const { days, rule, core, net_rr_t: t } = era
  return (
    `Interesting. On ${counted(days, 'day')} of the holdout a trade made ` +
    `${signedPercentDistinctFrom(rule.mean!, core.mean!)} of its risk after costs, against ` +
    `${signedPercentDistinctFrom(core.mean!, rule.mean!)} without the conditions; ` +
    `that difference is ${sayT(t!)} times its error. ` +
    sayPlacebo(placebo!.p!, threshold)
  )
}
