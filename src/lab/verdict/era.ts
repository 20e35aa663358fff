import { MISSED_REASONS, type Missed, type Trade } from '../engine/trade.ts'
import type { LabEra } from '../result.ts'
import { effectiveCount, testDifference } from './clustered.ts'
import { createDraws } from './draws.ts'
import type { Stretch } from './plan.ts'
import {
  countDays,
  isResolved,
  listSessions,
  type ResolvedTrade,
  summarizeTrades,
} from './sample.ts'
import { tooFew } from './words.ts'

/**
 * Runs test of wins and losses (Wald and Wolfowitz), without a correction for continuity: below
 * zero they cluster, above zero they alternate. Null when all are on one side.
 */
export function runsZ(r: readonly number[]): number | null {
  const n = r.length
  const wins = r.filter(value => value > 0).length
  const losses = n - wins
  if (wins === 0 || losses === 0) return null
  const runs = r.filter((value, index) => index === 0 || value > 0 !== r[index - 1]! > 0).length
  const product = 2 * wins * losses
  const variance = (product * (product - n)) / (n * n * (n - 1))
  // one win and one loss can only alternate
  return variance === 0 ? null : (runs - (product / n + 1)) / Math.sqrt(variance)
}

/** Trades per series, and the number of series drawn. */
const SERIES = 20
const DRAWN = 10_000
/** Tolerance within which a sum of results is zero: rounding noise, not a loss. */
const ROUNDING = 1e-9

/**
 * Probability that a series of 20 trades loses: sessions are drawn with all their trades, in order,
 * until there are 20. `bySession` has the results of each session with a trade; at least one.
 */
export function probLoss20(bySession: readonly (readonly number[])[], seed: bigint): number {
  const draws = createDraws(seed)
  let losses = 0
  for (let series = 0; series < DRAWN; series++) {
    let [sum, left] = [0, SERIES]
    while (left > 0) {
      for (const value of bySession[draws.index(bySession.length)]!) {
        if (left-- === 0) break
        sum += value
      }
    }
    if (sum < -ROUNDING) losses += 1
  }
  return losses / DRAWN
}

/** Minimum sample for each reported figure. */
export const NEEDED = {
  sessionsOfT: 2,
  /** Below this number of sessions a t is reported as rough. */
  sessionsOfGoodT: 20,
  runs: { trades: 20, aSide: 5 },
  loss: { trades: 20, days: 10 },
} as const

/** One leg of a rule: the core's trades, and the chances without a trade. */
export type LegRecord = {
  readonly trades: readonly Trade[]
  readonly missed: readonly Missed[]
  readonly hasConditions: boolean
}

/**
 * Computes the figures of a leg over a range of sessions. A figure without enough data is null,
 * with a reason.
 */
export function computeEra(options: {
  readonly record: LegRecord
  readonly stretch: Stretch
  /** Sessions that do not count; null or absent: all do. At least one session is left. */
  readonly without?: Stretch | null
  readonly dates: readonly { readonly date: string }[]
  readonly seed: bigint
}): LabEra {
  const { record, stretch, without = null, dates, seed } = options
  const indexes = listOpenIndexes(stretch, without)
  const counted = new Set(indexes)
  const inside = <Row extends { readonly session: number }>(rows: readonly Row[]) =>
    rows.filter(({ session }) => counted.has(session))
  const all = inside(record.trades)
  const core = all.filter(isResolved)
  const rule = core.filter(({ isInRule }) => isInRule)
  const r = rule.map(trade => trade.r)
  const days = countDays(rule)
  const whyNo = { runs: whyNoRuns(r), loss: whyNoLoss(r.length, days), coreDays: countDays(core) }
  const difference = testDifference(
    core.map(trade => trade.r),
    listSessions(core),
    core.map(({ isInRule }) => isInRule),
  )
  const era = {
    from: dates[indexes[0]!]!.date,
    to: dates[indexes.at(-1)!]!.date,
    sessions: indexes.length,
    days,
    n: rule.length,
    n_eff: effectiveCount(r, listSessions(rule)),
    runs_z: whyNo.runs === null ? runsZ(r) : null,
    prob_loss_20: whyNo.loss === null ? computeLossChance(rule, seed) : null,
    rule: summarizeTrades(rule),
    core: summarizeTrades(core),
    net_rr: difference.value,
    net_rr_t: difference.t,
    dof: difference.dof,
    p: difference.p,
    unresolved: all.filter(trade => trade.isInRule && !isResolved(trade)).length,
    missed: countMissed(inside(record.missed).filter(({ isInRule }) => isInRule)),
  }
  return { ...era, reasons: listReasons(era, record.hasConditions, whyNo) }
}

/** Session indexes of a stretch that are not in another, in order. */
export const listOpenIndexes = (stretch: Stretch, without: Stretch | null): number[] =>
  Array.from({ length: stretch.to - stretch.from }, (_, index) => stretch.from + index).filter(
    index => without === null || index < without.from || index >= without.to,
  )

const computeLossChance = (rule: readonly ResolvedTrade[], seed: bigint): number =>
  probLoss20(
    [...Map.groupBy(rule, ({ session }) => session).values()].map(trades => trades.map(t => t.r)),
    seed,
  )

function whyNoRuns(r: readonly number[]): string | null {
  const { trades, aSide } = NEEDED.runs
  const wins = r.filter(value => value > 0).length
  if (r.length < trades) return tooFew(r.length, 'trade', trades)
  if (wins < aSide) return tooFew(wins, 'winning trade', aSide)
  return r.length - wins < aSide ? tooFew(r.length - wins, 'losing trade', aSide) : null
}

function whyNoLoss(n: number, days: number): string | null {
  const { trades, days: needed } = NEEDED.loss
  if (n < trades) return tooFew(n, 'trade', trades)
  return days < needed ? tooFew(days, 'day', needed) : null
}

function countMissed(missed: readonly Missed[]): Record<string, number> {
  const counts = MISSED_REASONS.map(
    reason => [reason, missed.filter(one => one.reason === reason).length] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** Reasons for the null figures of an era, by name. */
function listReasons(
  era: Omit<LabEra, 'reasons'>,
  hasConditions: boolean,
  whyNo: { readonly runs: string | null; readonly loss: string | null; readonly coreDays: number },
): Record<string, string> {
  const { days, rule, core } = era
  const noT = whyNoT(days)
  const isOwnCore = days >= NEEDED.sessionsOfT && rule.n === core.n
  const noDifference = hasConditions ? (isOwnCore ? ALWAYS_HELD : noT) : NO_CONDITIONS
  const figures: readonly (readonly [string, number | null, string | null])[] = [
    ...ofSample('rule', rule, noT),
    ...ofSample('core', core, whyNoT(whyNo.coreDays)),
    ['n_eff', era.n_eff, noT],
    ['runs_z', era.runs_z, whyNo.runs],
    ['prob_loss_20', era.prob_loss_20, whyNo.loss],
    ['net_rr', era.net_rr, tooFew(rule.n, 'trade', 1)],
    ['net_rr_t', era.net_rr_t, noDifference],
    ['dof', era.dof, noT],
    ['p', era.p, noDifference],
  ]
  return Object.fromEntries(
    figures.filter(([, value]) => value === null).map(([name, , why]) => [name, why ?? SAME]),
  )
}

const ofSample = (name: string, { n, mean, median, win, t }: LabEra['rule'], noT: string) => {
  const none = tooFew(n, 'trade', 1)
  return [
    [`${name}.mean`, mean, none],
    [`${name}.median`, median, none],
    [`${name}.win`, win, none],
    [`${name}.t`, t, noT],
  ] as const
}

const whyNoT = (days: number) =>
  days < NEEDED.sessionsOfT ? tooFew(days, 'day', NEEDED.sessionsOfT) : SAME

const SAME = 'nothing differs from session to session'
const ALWAYS_HELD = 'the conditions always held: there is nothing to compare with'
const NO_CONDITIONS = 'the rule has no conditions: there is nothing to compare with'
