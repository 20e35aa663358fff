import { formatMinute, parseMinute } from '../../core/market/calendar.ts'
import type { ExitReason, MissedReason, Trade } from '../engine/trade.ts'
import { LEVEL_REFS, type LevelRef, type RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import { listLegs, maySpecTrade } from '../verdict/leg.ts'
import { endKnownAt, replayIdea, settledAt } from './deskEvents.ts'

/** A session as it is drawn: the values of the picture and of its table, index points. */

export type ViewedOption = {
  readonly type: 'C' | 'P'
  /** 1 bought, -1 sold. */
  readonly sign: number
  readonly strike: number
}

/** Entry or exit time of a trade. */
export type ViewedTime = {
  readonly day: string
  readonly minute: string
  /** Index among the minutes of the session; null: it was in another session. */
  readonly at: number | null
}

export type ViewedTrade = {
  readonly ruleLeg: number
  /** False: a trade of the core alone, which the conditions excluded. */
  readonly isInRule: boolean
  readonly entry: ViewedTime
  readonly options: readonly ViewedOption[]
  /** Positive when received, negative when paid. */
  readonly net: number
  /** Null while the trade is open, or when its end is unknown. */
  readonly exit:
    | (ViewedTime & {
        readonly reason: ExitReason
        readonly net: number | null
        readonly pnlUsd: number | null
        readonly r: number | null
      })
    | null
  /** True when its options have expired and its end is not known. */
  readonly isUnresolved: boolean
}

export type ViewedMiss = {
  readonly ruleLeg: number
  readonly minute: string
  readonly isInRule: boolean
  readonly reason: MissedReason
}

export type LabSessionView = {
  readonly day: string
  readonly isHalfDay: boolean
  /** All minutes of the session, including future ones. */
  readonly minutes: readonly string[]
  /** Number of minutes known so far. */
  readonly known: number
  /** One value per minute; null where it is not known, or not known yet. */
  readonly spot: readonly (number | null)[]
  readonly levels: Readonly<Record<LevelRef, readonly (number | null)[]>>
  /** Ordered by entry. */
  readonly trades: readonly ViewedTrade[]
  readonly missed: readonly ViewedMiss[]
  /** True when the rule does not trade on that weekday. */
  readonly isDayOff: boolean
}

/**
 * Returns the newest session of a market up to a minute of the ET day, with the rule's trades.
 * Nothing that became known after that minute is included: a trade that ends later is open.
 */
export function sessionView(
  market: LabMarket,
  spec: RuleSpec | null,
  untilMinute: number,
): LabSessionView {
  const session = market.sessions.at(-1)!
  const { date, isHalfDay, firstMinute, stateCount } = session
  const until = Math.min(untilMinute, firstMinute + stateCount - 1)
  const known = Math.max(0, until - firstMinute + 1)
  const maskUnknown = (column: Float64Array) =>
    Array.from(column, (value, state) => (state >= known || Number.isNaN(value) ? null : value))
  const { spot, flip, callWall, putWall } = session.market
  return {
    day: date,
    isHalfDay,
    known,
    minutes: Array.from({ length: stateCount }, (_, state) => formatMinute(firstMinute + state)),
    spot: maskUnknown(spot),
    levels: {
      put_wall: maskUnknown(putWall),
      call_wall: maskUnknown(callWall),
      flip: maskUnknown(flip),
    },
    ...(spec ? doneBy(market, spec, untilMinute) : { trades: [], missed: [] }),
    isDayOff: spec !== null && !maySpecTrade(spec, date),
  }
}

function doneBy(market: LabMarket, spec: RuleSpec, until: number) {
  const last = market.sessions.length - 1
  const { trades, missed } = replayIdea(market, spec)
  const isShown = (trade: Trade): boolean =>
    trade.session === last
      ? trade.filledAt <= until
      : trade.isInRule && (trade.exitSession ?? expiresIn(trade, spec)) >= last
  const rank = ({ session, filledAt }: Trade) => session * 1_440 + filledAt
  return {
    trades: trades
      .filter(isShown)
      .sort((a, b) => rank(a) - rank(b) || a.ruleLeg - b.ruleLeg)
      .map(trade => viewed(trade, { market, spec, until })),
    missed: missed
      .filter(({ session, decidedAt }) => session === last && decidedAt <= until)
      .map(({ ruleLeg, decidedAt, isInRule, reason }) => {
        return { ruleLeg, minute: formatMinute(decidedAt), isInRule, reason }
      }),
  }
}

/** Index of the session in which the options of a trade expire. */
const expiresIn = ({ session, ruleLeg }: Trade, spec: RuleSpec): number =>
  session + listLegs(spec)[ruleLeg]!.core.dte

type Seen = { readonly market: LabMarket; readonly spec: RuleSpec; readonly until: number }

function viewed(trade: Trade, { market, spec, until }: Seen): ViewedTrade {
  const { ruleLeg, isInRule, session, filledAt, net, exitReason, exitSession, exitAt } = trade
  const last = market.sessions.length - 1
  const of = market.sessions[last]!
  const toViewedTime = (sessionIndex: number, minute: number): ViewedTime => ({
    day: market.sessions[sessionIndex]!.date,
    minute: formatMinute(minute),
    at: sessionIndex === last ? minute - of.firstMinute : null,
  })
  const endedAt = endKnownAt(trade, market)
  const hasEnded = endedAt !== null && (exitSession! < last || endedAt <= until)
  return {
    ruleLeg,
    isInRule,
    net,
    entry: toViewedTime(session, filledAt),
    options: trade.legs.map(({ type, sign, strike }) => ({ type, sign, strike })),
    exit: hasEnded
      ? {
          ...toViewedTime(exitSession!, exitAt!),
          reason: exitReason,
          net: trade.closeNet,
          pnlUsd: trade.pnlUsd,
          r: trade.r,
        }
      : null,
    isUnresolved: exitSession === null && expiresIn(trade, spec) <= last && until >= settledAt(of),
  }
}

/** Returns the levels that a rule refers to in its strikes or conditions. */
export function levelsOfRule(spec: RuleSpec): readonly LevelRef[] {
  const names = listLegs(spec).flatMap(({ core, when }) => [
    ...('ref' in core.strike ? [core.strike.ref] : []),
    ...when.map(({ f }) => f),
  ])
  return LEVEL_REFS.filter(level =>
    names.some(name => name === level || LEVELS_OF_CONDITIONS[name] === level),
  )
}

const LEVELS_OF_CONDITIONS: Readonly<Record<string, LevelRef>> = {
  spot_minus_flip: 'flip',
  cross_flip: 'flip',
  spot_minus_put_wall: 'put_wall',
  call_wall_minus_spot: 'call_wall',
}

/** Returns the last minute of a day at which a rule may enter. */
export const findLastEntry = (spec: RuleSpec): number =>
  Math.max(
    ...listLegs(spec).map(({ core: { entry } }) =>
      parseMinute('at' in entry ? entry.at : entry.window[1]),
    ),
  )
