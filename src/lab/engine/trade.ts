/** Records of a backtest: every trade of the core, and every chance without a trade. */

/** Assumptions of a test besides the rule. */
export type Assumptions = {
  /** Minutes from the decision to the fill. */
  readonly delayMin: number
  /** Share of the half spread paid on each leg. */
  readonly spreadFactor: number
  /** USD per contract and side; settlement is free. */
  readonly feeUsd: number
}
export const ASSUMED: Assumptions = { delayMin: 0, spreadFactor: 1, feeUsd: 1.3 }

export const EXIT_REASONS = ['time', 'profit', 'stop', 'settlement', 'unresolved'] as const
export type ExitReason = (typeof EXIT_REASONS)[number]

export const MISSED_REASONS = [
  'no_price',
  'wing_not_listed',
  'no_credit',
  'half_day',
  'no_reference',
  'no_expiry',
  'after_hours',
] as const
export type MissedReason = (typeof MISSED_REASONS)[number]

export type PriceSource = 'quote' | 'smile'

/** Price of one option at one state; index points. */
export type LegPrice = {
  /** Null when the price comes from the smile. */
  readonly bid: number | null
  readonly ask: number | null
  readonly mid: number
  readonly halfSpread: number
  readonly source: PriceSource
}

export type TradeLeg = {
  readonly type: 'C' | 'P'
  /** Contracts per unit: 1 bought, -1 sold. */
  readonly sign: 1 | -1
  readonly targetStrike: number
  readonly strike: number
  readonly entry: LegPrice
  /** Null when it settled, or is unresolved. */
  readonly exit: LegPrice | null
}

/** Outcome of a condition at the minute of the decision. */
export type WhenValue = {
  /** Null for conditions that compare no value, and when it was not known. */
  readonly value: number | null
  /** Null: not known, which counts as not holding. */
  readonly holds: boolean | null
}

/** Money is for the whole trade, `qty` units of 100; points are per unit. */
export type Trade = {
  /** Index of the {core, when} pair in the rule: 0 or 1. */
  readonly ruleLeg: number
  /** Index in the market's sessions. */
  readonly session: number
  /** Minutes of the ET day at which it was decided and filled. */
  readonly decidedAt: number
  readonly filledAt: number
  /** Slot of the core in the session: the minute, or the nearest of a window's 8. */
  readonly slot: number
  /** True for a fixed slot of the core; false for a window's trigger alone. */
  readonly isFixed: boolean
  /** True when the conditions held. */
  readonly isInRule: boolean
  readonly conditions: readonly WhenValue[]
  readonly legs: readonly TradeLeg[]
  /** Positive when received, negative when paid; after half spreads and rounding. */
  readonly net: number
  readonly exitReason: ExitReason
  /** Index of the session of the exit; null: unresolved. */
  readonly exitSession: number | null
  readonly exitAt: number | null
  /** True when a missing price at the exit minute delayed the exit. */
  readonly isLate: boolean
  /** Proceeds of closing or settling, negative when paid; null: unresolved. */
  readonly closeNet: number | null
  readonly settlement: number | null
  readonly feesUsd: number
  /** After spreads and fees; null: unresolved. */
  readonly pnlUsd: number | null
  /** Maximum loss; else the distance of the stop; else the credit. */
  readonly riskUsd: number
  /** pnlUsd / riskUsd. */
  readonly r: number | null
  /** Maximum loss of an unresolved trade, when it is bounded. */
  readonly worstUsd: number | null
}

export type Missed = {
  readonly ruleLeg: number
  readonly session: number
  readonly decidedAt: number
  /** True when the conditions held. */
  readonly isInRule: boolean
  readonly reason: MissedReason
}

export type TradeLedger = {
  /** By rule leg, session, minute of the decision. */
  readonly trades: readonly Trade[]
  readonly missed: readonly Missed[]
}
