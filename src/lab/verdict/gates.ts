import { counted } from '../../core/text/counts.ts'
import type { Trade } from '../engine/trade.ts'
import type { LabEra, LabLeg } from '../result.ts'
import { HOLDOUT } from './plan.ts'
import { listSessions } from './sample.ts'
import {
  chanceDistinctFrom,
  fixedDistinctFrom,
  percent,
  percentDistinctFrom,
  signedPercent,
  signedPercentDistinctFrom,
} from './words.ts'

type Verdict = NonNullable<LabLeg['verdict']>
export type Gate = Verdict['gates'][number]

/** Thresholds that a rule must meet to be called interesting. */
export const GATES = {
  tMin: 2,
  daysMin: 20,
  quotesMin: 0.8,
  unresolvedMax: 0.02,
  /** Maximum probability of luck, over all looks of a family and all legs of a rule. */
  luckMax: 0.025,
} as const

export type JudgedLeg = {
  readonly era: LabEra
  /** Trades of the core in the holdout, including unresolved ones. */
  readonly trades: readonly Trade[]
  readonly placebo: LabLeg['placebo']
  readonly threshold: number
  readonly isReal: boolean
  /**
   * True for a rule that enters once its conditions hold, in a window or after an event: its core has
   * fixed trades next to those of the rule on each day.
   */
  readonly hasTriggers?: boolean
}

/** Lists the gates of a leg with conditions, evaluated on the holdout. */
export function listGates({
  era,
  trades,
  placebo,
  threshold,
  isReal,
  hasTriggers = false,
}: JudgedLeg): Gate[] {
  return [
    heldOutGate(era.sessions),
    ...daysGates(era, countDaysOff(trades, hasTriggers)),
    ...gainGates(era),
    errorGate(era),
    placeboGate(placebo?.p ?? null, threshold),
    quotesGate(trades, isReal),
    resolvedGate(era),
  ]
}

/** Gate on the existence of a holdout; `why` explains its absence. */
export const heldOutGate = (sessions: number, why = ''): Gate => ({
  gate: 'holdout',
  value: sessions,
  need: `at least ${HOLDOUT.sessionsMin} sessions`,
  ok: sessions >= HOLDOUT.sessionsMin,
  says:
    sessions >= HOLDOUT.sessionsMin
      ? `Judged on ${counted(sessions, 'session')} kept apart.`
      : why ||
        `Only ${counted(sessions, 'session')} kept apart; ${HOLDOUT.sessionsMin} are needed.`,
})

function daysGates({ days }: LabEra, off: number): Gate[] {
  const least = GATES.daysMin
  const need = `at least ${least} days`
  return [
    {
      gate: 'days_on',
      value: days,
      need,
      ok: days >= least,
      says: `The rule traded on ${counted(days, 'day')} of the holdout; ${least} are needed.`,
    },
    {
      gate: 'days_off',
      value: off,
      need,
      ok: off >= least,
      says: `Its conditions left out trades on ${counted(off, 'day')}; ${least} are needed.`,
    },
  ]
}

/**
 * Counts days on which the core made a trade that the rule excluded. The fixed trades of a window
 * are excluded by their times on a day with a trade of the rule: that day is not left out.
 */
function countDaysOff(trades: readonly Trade[], hasTriggers: boolean): number {
  const inRule = trades.filter(({ isInRule }) => isInRule)
  const on = new Set(hasTriggers ? listSessions(inRule) : [])
  const left = trades.filter(
    ({ isInRule, r, session }) => !isInRule && r !== null && !on.has(session),
  )
  return new Set(left.map(({ session }) => session)).size
}

function gainGates({ rule: { mean }, core, net_rr: more }: LabEra): Gate[] {
  const need = 'above 0'
  return [
    {
      gate: 'mean',
      value: mean,
      need,
      ok: mean !== null && mean > 0,
      says:
        mean === null
          ? 'It made no trade with a known end.'
          : `On average a trade made ${signedPercentDistinctFrom(mean, 0)} of its risk after costs.`,
    },
    {
      gate: 'above_core',
      value: more,
      need,
      ok: more !== null && more > 0,
      says:
        more === null || core.mean === null
          ? 'There is nothing to compare with trades without the conditions.'
          : `Without the conditions it made ${signedPercent(core.mean)}: ` +
            `the difference is ${signedPercentDistinctFrom(more, 0)}.`,
    },
  ]
}

function errorGate({ net_rr_t: t, reasons }: LabEra): Gate {
  return {
    gate: 'net_rr_t',
    value: t,
    need: `at least ${GATES.tMin}`,
    ok: t !== null && t >= GATES.tMin,
    says:
      t === null
        ? `That difference has no error bar: ${reasons.net_rr_t}.`
        : `That difference is ${sayT(t)} times its error; ${GATES.tMin} times are needed.`,
  }
}

/** Formats a t with enough digits to tell it from its threshold. */
export const sayT = (t: number): string => fixedDistinctFrom(t, GATES.tMin, 2)

function placeboGate(p: number | null, threshold: number): Gate {
  return {
    gate: 'placebo_p',
    value: p,
    need: `at most ${Number(threshold.toPrecision(3))}`,
    // the threshold results from a division and may be off by rounding
    ok: p !== null && p <= threshold * (1 + 1e-12),
    says: p === null ? 'It could not be compared with other days.' : sayPlacebo(p, threshold),
  }
}

/** States how often the triggers do as well on other days. */
export const sayPlacebo = (p: number, threshold: number): string =>
  `Put on other days, the same triggers did as well in ${chanceDistinctFrom(p, threshold)} of the cases; ` +
  `at most ${chanceDistinctFrom(threshold, p)} may.`

function quotesGate(trades: readonly Trade[], isReal: boolean): Gate {
  const prices = trades
    .filter(({ isInRule }) => isInRule)
    .flatMap(({ legs }) => legs.flatMap(({ entry, exit }) => (exit ? [entry, exit] : [entry])))
  const quoted = prices.filter(({ source }) => source === 'quote').length
  const share = prices.length === 0 ? null : quoted / prices.length
  const least = percent(GATES.quotesMin)
  const sentence =
    share === null
      ? 'No price was taken'
      : `${percentDistinctFrom(share, GATES.quotesMin)} of the prices were quotes`
  return {
    gate: 'quotes',
    value: share,
    need: isReal ? `at least ${least}` : 'asked of real sessions alone',
    ok: !isReal || (share !== null && share >= GATES.quotesMin),
    says: isReal
      ? `${sentence}; ${least} are needed.`
      : `${sentence}; that is not asked of simulated sessions.`,
  }
}

function resolvedGate({ n, unresolved }: LabEra): Gate {
  const share = n + unresolved === 0 ? null : unresolved / (n + unresolved)
  const most = percent(GATES.unresolvedMax)
  return {
    gate: 'unresolved',
    value: share,
    need: `at most ${most}`,
    ok: share !== null && share <= GATES.unresolvedMax,
    says:
      share === null
        ? 'It made no trade.'
        : `${percentDistinctFrom(share, GATES.unresolvedMax)} of its trades have no known end; ` +
          `at most ${most} may.`,
  }
}
