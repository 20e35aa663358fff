import { counted } from '../../core/text/counts.ts'
import type { LabEra, LabLeg } from '../result.ts'
import { GATES, type Gate } from './gates.ts'
import { sayClosed } from './verdict.ts'

/** The part of a holdout that is shown before it is opened: the aggregates of the verdict. */

const SEALED = 'sealed: of the holdout only the figures of the verdict are shown'
const FEW =
  `not shown: on fewer than ${GATES.daysMin} days on each side of the conditions ` +
  'an average gives single trades away'

/** Figures of an era that no gate needs. */
const OTHERS = ['n_eff', 'runs_z', 'prob_loss_20'] as const
const OTHERS_OF_SAMPLE = ['median', 'win', 'sum_usd', 'drawdown_usd', 't'] as const
/** Gates that show an average, or a share of one. */
const OF_AVERAGES: ReadonlySet<string> = new Set(['mean', 'above_core', 'net_rr_t', 'placebo_p'])

/** Returns a leg whose holdout era has the aggregates of its verdict alone. */
export function sealLeg(leg: LabLeg): LabLeg {
  const { eras, verdict, placebo } = leg
  if (!eras.holdout || !verdict) return leg
  const isFew = isFewDays(eras.holdout, verdict)
  return {
    ...leg,
    eras: { ...eras, holdout: sealEra(eras.holdout, isFew) },
    verdict: isFew ? sealVerdict(verdict) : verdict,
    placebo: isFew ? null : placebo,
  }
}

/** True when so few days are on one side that an average is that of single trades. */
function isFewDays({ days }: LabEra, { gates }: NonNullable<LabLeg['verdict']>): boolean {
  const off = gates.find(({ gate }) => gate === 'days_off')
  return days < GATES.daysMin || (off !== undefined && (off.value ?? 0) < GATES.daysMin)
}

function sealEra(era: LabEra, isFew: boolean): LabEra {
  const reasons: Record<string, string> = { ...era.reasons }
  const hide = (name: string, why: string) => {
    reasons[name] ??= why
    return null
  }
  const sample = (name: 'rule' | 'core') => ({
    ...era[name],
    ...Object.fromEntries(OTHERS_OF_SAMPLE.map(one => [one, hide(`${name}.${one}`, SEALED)])),
    mean: isFew ? hide(`${name}.mean`, FEW) : era[name].mean,
  })
  const averages = ['net_rr', 'net_rr_t', 'dof', 'p'] as const
  return {
    ...era,
    ...Object.fromEntries(OTHERS.map(name => [name, hide(name, SEALED)])),
    rule: sample('rule'),
    core: sample('core'),
    ...(isFew ? Object.fromEntries(averages.map(name => [name, hide(name, FEW)])) : {}),
    reasons,
  }
}

function sealVerdict(verdict: NonNullable<LabLeg['verdict']>): NonNullable<LabLeg['verdict']> {
  const gates = verdict.gates.map(gate => (OF_AVERAGES.has(gate.gate) ? hideValue(gate) : gate))
  return {
    ...verdict,
    net_rr_t: null,
    placebo_p: null,
    gates,
    clears_cost: null,
    sentence: sayClosed(gates),
  }
}

const hideValue = (gate: Gate): Gate => ({
  ...gate,
  value: null,
  ok: false,
  says: `The ${NAMES[gate.gate] ?? gate.gate} is not shown: ${counted(GATES.daysMin, 'day')} on each side of the conditions are needed for it.`,
})

const NAMES: Readonly<Record<string, string>> = {
  mean: 'average',
  above_core: 'difference to the trades without the conditions',
  net_rr_t: 'error of that difference',
  placebo_p: 'placebo',
}
