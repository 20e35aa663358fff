import { type SessionDate, weekday } from '../../core/market/calendar.ts'
import { normalQuantile } from '../../core/market/normal.ts'
import { counted } from '../../core/text/counts.ts'
import { EXIT_REASONS, type Trade } from '../engine/trade.ts'
import type { RuleCore } from '../language/spec.ts'
import type { LabFigures, LabSeen } from '../result.ts'
import { computeMean, testDifference, testMean } from './clustered.ts'
import { NEEDED } from './era.ts'
import { GATES } from './gates.ts'
import { isResolved, listSessions, type ResolvedTrade } from './sample.ts'
import { percent, tooFew } from './words.ts'

/** Figures of a leg for a reader who is no statistician, over the trades that are shown. */

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const

type Dates = readonly { readonly date: string }[]

/**
 * Computes wins and losses in USD, how trades ended, results by weekday and month, and the capital
 * that was at risk at once. A figure without data is null, with a reason. `trades` are those of the
 * rule, also unresolved ones.
 */
export function describeTrades(trades: readonly Trade[], core: RuleCore, dates: Dates): LabFigures {
  const known = trades.filter(isResolved)
  const wins = known.filter(({ pnlUsd }) => pnlUsd > 0).map(({ pnlUsd }) => pnlUsd)
  const losses = known.filter(({ pnlUsd }) => pnlUsd < 0).map(({ pnlUsd }) => pnlUsd)
  const [won, lost] = [sum(wins), sum(losses)]
  const isBounded = core.action === 'buy' || core.width !== undefined
  const figures = {
    average_win_usd: computeMean(wins),
    average_loss_usd: computeMean(losses),
    profit_factor: losses.length === 0 ? null : won / -lost,
    largest_win_usd: wins.length === 0 ? null : Math.max(...wins),
    largest_loss_usd: losses.length === 0 ? null : Math.min(...losses),
    capital_usd: isBounded && trades.length > 0 ? findCapital(trades) : null,
  }
  const [noWin, noLoss] = [tooFew(0, 'winning trade', 1), tooFew(0, 'losing trade', 1)]
  const why: Record<keyof typeof figures, string> = {
    average_win_usd: noWin,
    average_loss_usd: noLoss,
    profit_factor: noLoss,
    largest_win_usd: noWin,
    largest_loss_usd: noLoss,
    capital_usd: isBounded ? tooFew(0, 'trade', 1) : UNBOUNDED,
  }
  const date = ({ session }: ResolvedTrade) => dates[session]!.date
  return {
    ...figures,
    exits: EXIT_REASONS.flatMap(reason => {
      const ended = trades.filter(({ exitReason }) => exitReason === reason)
      return ended.length === 0
        ? []
        : [describeGroup(reason, ended.filter(isResolved), ended.length)]
    }),
    weekdays: group(known, trade => DAYS[weekday(date(trade) as SessionDate) - 1]!, [...DAYS]),
    months: group(known, trade => date(trade).slice(0, 7)),
    reasons: Object.fromEntries(
      Object.entries(figures).flatMap(([name, value]) =>
        value === null ? [[name, why[name as keyof typeof figures]]] : [],
      ),
    ),
  }
}

const UNBOUNDED =
  'what a sold straddle or strangle can lose has no bound: the capital is what a broker asks for'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function group(
  trades: readonly ResolvedTrade[],
  findName: (trade: ResolvedTrade) => string,
  names?: readonly string[],
): LabFigures['months'] {
  const groups = Map.groupBy(trades, findName)
  const all = names ?? [...groups.keys()].sort()
  return all.flatMap(name => {
    const own = groups.get(name)
    return own ? [describeGroup(name, own, own.length)] : []
  })
}

const describeGroup = (name: string, known: readonly ResolvedTrade[], n: number) => ({
  name,
  n,
  mean: computeMean(known.map(({ r }) => r)),
  win: computeMean(known.map(({ r }) => (r > 0 ? 1 : 0))),
  sum_usd: sum(known.map(({ pnlUsd }) => pnlUsd)),
})

/**
 * Most USD at risk at one time. A trade is open from its fill to the minute of its exit; one whose
 * end is not known, to the end of its session. At one minute entries come before exits.
 */
function findCapital(trades: readonly Trade[]): number {
  const DAY = 24 * 60
  const changes = trades.flatMap(({ session, filledAt, exitSession, exitAt, riskUsd }) => [
    { at: session * DAY + filledAt, usd: riskUsd },
    { at: (exitSession ?? session) * DAY + (exitAt ?? DAY - 1), usd: -riskUsd },
  ])
  changes.sort((a, b) => a.at - b.at || b.usd - a.usd)
  let [open, most] = [0, 0]
  for (const { usd } of changes) {
    open += usd
    most = Math.max(most, open)
  }
  return most
}

/** Share of the cases in which an effect is to be seen: four of five. */
const POWER = 0.8

/**
 * Computes the smallest effect that the holdout would show in four of five cases, by how far the
 * trades of the design part differ from session to session; and how many sessions it takes to see
 * the effect of the design part, or one half as large as could be seen. With conditions the effect
 * is the mean of the rule less that of its core, else the mean.
 */
export function findSeen(options: {
  /** Resolved trades of the core in the design part. */
  readonly core: readonly ResolvedTrade[]
  readonly hasConditions: boolean
  readonly designCount: number
  /** Sessions of the holdout; of one that is still to come, its minimum. */
  readonly sessions: number
  /** Maximum placebo p. */
  readonly threshold: number
}): LabSeen {
  const { core, hasConditions, designCount, sessions, threshold } = options
  const r = core.map(trade => trade.r)
  const isOn = core.map(({ isInRule }) => isInRule)
  const days = listSessions(core)
  const { value, error, dof } = hasConditions ? testDifference(r, days, isOn) : testMean(r, days)
  const on = new Set(days.filter((_, index) => isOn[index])).size
  const off = new Set(days.filter((_, index) => !isOn[index])).size
  const none = { sessions, effect: null, wanted: null, sessions_needed: null }
  const needed = NEEDED.sessionsOfGoodT
  const least = hasConditions ? Math.min(on, off) : on
  if (value === null || error === null || error === 0 || dof === null || least < needed) {
    const what = `${tooFew(least, 'day', needed)} before the holdout`
    const reason = hasConditions ? `${what}, with the conditions and without` : what
    return { ...none, reason, says: `How small an effect could be seen is not known: ${reason}.` }
  }
  const t = Math.max(GATES.tMin, normalQuantile(1 - threshold)) + normalQuantile(POWER)
  const effect = t * error * Math.sqrt(designCount / sessions)
  const wanted = value > 0 && value < effect ? value : effect / 2
  const forDays = (GATES.daysMin * designCount) / least
  const more = Math.ceil(Math.max(sessions * (effect / wanted) ** 2, forDays))
  const says =
    `With ${counted(sessions, 'session')} an effect of ${percent(effect)} of the risk is seen in 4 of 5 ` +
    `cases; to see ${percent(wanted)}${value === wanted ? ', as before the holdout,' : ''} you need ` +
    `${counted(more, 'session')}.`
  return { sessions, effect, wanted, sessions_needed: more, reason: null, says }
}
