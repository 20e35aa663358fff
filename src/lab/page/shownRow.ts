import type { ViewedOption } from '../desk/sessionView.ts'
import type { ExitReason } from '../engine/trade.ts'

/** A row of the trades of a test, as pages show it; the files have every column. */
export type ShownRow = {
  readonly session_date: string
  readonly era: string
  readonly in_rule: boolean
  readonly rule_leg: number
  readonly decided_et: string
  readonly filled_et: string | null
  /** Reason why a chance led to no trade; null: it is a trade. */
  readonly missed: string | null
  readonly conditions: readonly { readonly value: number | null; readonly holds: boolean | null }[]
  readonly legs: readonly ShownOption[]
  readonly net: number | null
  readonly exit_reason: ExitReason | null
  readonly exit_date: string | null
  readonly exit_et: string | null
  readonly is_late: boolean | null
  readonly close_net: number | null
  readonly settlement: number | null
  readonly fees_usd: number | null
  readonly pnl_usd: number | null
  readonly risk_usd: number | null
  readonly r: number | null
  readonly worst_usd: number | null
  /** True when nothing is shown that came after the entry. */
  readonly is_sealed: boolean
}

type Price<When extends 'entry' | 'exit'> = {
  readonly [Name in `${When}_${'bid' | 'ask' | 'mid'}`]: number | null
} & { readonly [Name in `${When}_source`]: string | null }

export type ShownOption = {
  readonly option_type: 'C' | 'P'
  readonly sign: number
  readonly asked_strike: number
  readonly strike: number
} & Price<'entry'> &
  Price<'exit'>

/** Converts an option of a row for pictures. */
export const toViewedOption = ({ option_type: type, sign, strike }: ShownOption): ViewedOption => ({
  type,
  sign,
  strike,
})
