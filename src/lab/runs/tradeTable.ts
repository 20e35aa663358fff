import { type Data, Table, Vector } from 'apache-arrow'
import { formatMinute } from '../../core/market/calendar.ts'
import {
  type Columns,
  doubles,
  integers,
  lists,
  records,
  recordType,
  signs,
  texts,
  truths,
} from '../../platform/http/columns.ts'
import type { LegPrice, Missed, Trade, TradeLedger, TradeLeg } from '../engine/trade.ts'

/** The trades of a run as one table: one row per trade, and per chance without a trade. */

const LEG_COLUMNS = {
  option_type: texts,
  sign: signs,
  asked_strike: doubles,
  strike: doubles,
  entry_bid: doubles,
  entry_ask: doubles,
  entry_mid: doubles,
  entry_half_spread: doubles,
  entry_source: texts,
  exit_bid: doubles,
  exit_ask: doubles,
  exit_mid: doubles,
  exit_half_spread: doubles,
  exit_source: texts,
} as const satisfies Columns

const CONDITION_COLUMNS = { value: doubles, holds: truths } as const satisfies Columns

/** Columns in order, with the builders of their Arrow data. */
const COLUMNS = {
  rule_leg: integers,
  session_date: texts,
  era: texts,
  decided_et: texts,
  filled_et: texts,
  slot: integers,
  is_fixed: truths,
  in_rule: truths,
  missed: texts,
  conditions: lists(recordType(CONDITION_COLUMNS), records(CONDITION_COLUMNS)),
  legs: lists(recordType(LEG_COLUMNS), records(LEG_COLUMNS)),
  net: doubles,
  exit_reason: texts,
  exit_date: texts,
  exit_et: texts,
  is_late: truths,
  close_net: doubles,
  settlement: doubles,
  fees_usd: doubles,
  pnl_usd: doubles,
  risk_usd: doubles,
  r: doubles,
  worst_usd: doubles,
  is_sealed: truths,
} as const satisfies Record<string, (values: never[]) => Data>

/** Names of the columns, in order. */
export const TRADE_COLUMNS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

export type TradeRow = Readonly<Record<keyof typeof COLUMNS, unknown>>

/** Sessions of the market by index, and the bounds of its parts. */
export type TradeDates = {
  readonly dates: readonly string[]
  /** First and last session of the sealed part; null: there is none. */
  readonly holdout: { readonly from: string; readonly to: string } | null
  /** Newest session at the first test; null: this is the first. */
  readonly firstTestedTo: string | null
}

/** Rows of a ledger by rule leg, session and minute; within a minute, trades first. */
export function tradeRows({ trades, missed }: TradeLedger, at: TradeDates): TradeRow[] {
  const rows = [
    ...trades.map(trade => ({ one: trade, row: ofTrade(trade, at) })),
    ...missed.map(chance => ({ one: chance, row: ofMissed(chance, at) })),
  ]
  // stable sort: equal keys retain the order of the ledger
  rows.sort(
    ({ one: a }, { one: b }) =>
      a.ruleLeg - b.ruleLeg || a.session - b.session || a.decidedAt - b.decidedAt,
  )
  return rows.map(({ row }) => row)
}

/** Columns that give the end of a trade away: fees too, as a settlement has fewer. */
const AFTER_ENTRY = [
  'exit_reason',
  'exit_date',
  'exit_et',
  'is_late',
  'close_net',
  'settlement',
  'fees_usd',
  'pnl_usd',
  'r',
  'worst_usd',
]
const NO_EXIT = toPriceColumns('exit', null)

/** Removes what happened after their entry from rows of the sealed sessions; null: there are none. */
export function sealTradeRows(
  rows: readonly TradeRow[],
  sealed: { readonly from: string; readonly to: string } | null,
): TradeRow[] {
  const hidden = Object.fromEntries(AFTER_ENTRY.map(name => [name, null]))
  return rows.map(row => {
    const date = row.session_date as string
    if (!sealed || date < sealed.from || date > sealed.to) return row
    const legs = (row.legs as readonly object[]).map(leg => ({ ...leg, ...NO_EXIT }))
    return { ...row, ...hidden, legs, is_sealed: true }
  })
}

/** Builds an Arrow table from rows. */
export function tradeTable(rows: readonly TradeRow[]): Table {
  const columns = TRADE_COLUMNS.map(name => {
    const values = rows.map(row => row[name])
    return [name, new Vector([COLUMNS[name](values as never[])])] as const
  })
  return new Table(Object.fromEntries(columns))
}

function findEra(date: string, { holdout, firstTestedTo }: TradeDates): string {
  if (holdout && date >= holdout.from && date <= holdout.to) return 'holdout'
  return firstTestedTo !== null && date > firstTestedTo ? 'since' : 'design'
}

const toKeyColumns = (
  { ruleLeg, session, decidedAt, isInRule }: Trade | Missed,
  at: TradeDates,
) => ({
  rule_leg: ruleLeg,
  session_date: at.dates[session]!,
  era: findEra(at.dates[session]!, at),
  decided_et: formatMinute(decidedAt),
  in_rule: isInRule,
})

function ofTrade(trade: Trade, at: TradeDates): TradeRow {
  const { slot, isFixed, isLate, net, closeNet, settlement, r, exitSession, exitAt } = trade
  return {
    ...toKeyColumns(trade, at),
    filled_et: formatMinute(trade.filledAt),
    slot,
    is_fixed: isFixed,
    missed: null,
    conditions: trade.conditions.map(({ value, holds }) => ({ value, holds })),
    legs: trade.legs.map(toLegRow),
    net,
    exit_reason: trade.exitReason,
    is_late: isLate,
    exit_date: exitSession === null ? null : at.dates[exitSession]!,
    exit_et: exitAt === null ? null : formatMinute(exitAt),
    close_net: closeNet,
    settlement,
    fees_usd: trade.feesUsd,
    pnl_usd: trade.pnlUsd,
    risk_usd: trade.riskUsd,
    r,
    worst_usd: trade.worstUsd,
    is_sealed: false,
  }
}

const ofMissed = (missed: Missed, at: TradeDates): TradeRow => ({
  ...toKeyColumns(missed, at),
  filled_et: null,
  slot: null,
  is_fixed: null,
  missed: missed.reason,
  conditions: [],
  legs: [],
  net: null,
  exit_reason: null,
  exit_date: null,
  exit_et: null,
  is_late: null,
  close_net: null,
  settlement: null,
  fees_usd: null,
  pnl_usd: null,
  risk_usd: null,
  r: null,
  worst_usd: null,
  is_sealed: false,
})

const toLegRow = ({ type, sign, targetStrike, strike, entry, exit }: TradeLeg) => ({
  option_type: type,
  sign,
  asked_strike: targetStrike,
  strike,
  ...toPriceColumns('entry', entry),
  ...toPriceColumns('exit', exit),
})

function toPriceColumns(when: 'entry' | 'exit', price: LegPrice | null) {
  return {
    [`${when}_bid`]: price?.bid ?? null,
    [`${when}_ask`]: price?.ask ?? null,
    [`${when}_mid`]: price?.mid ?? null,
    [`${when}_half_spread`]: price?.halfSpread ?? null,
    [`${when}_source`]: price?.source ?? null,
  }
}
