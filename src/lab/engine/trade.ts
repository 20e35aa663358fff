/** What a backtest writes down: every trade of the core, and every chance that was no trade. */

/** What a test takes for granted besides the rule. */
export type Assumptions = {
  /** Minutes from the decision to the fill. */
  readonly delayMin: number
  /** Share of the half spread that is paid on each leg. */
  readonly spreadFactor: number
  /** USD a contract and side; settlement is free. */
  readonly feeUsd: number
}
export const ASSUMED: Assumptions = { delayMin: 0, spreadFactor: 1, feeUsd: 1.3 }

export const EXIT_REASONS = ['time', 'profit', 'stop', 'settlement', 'unresolved'] as const
export type ExitReason = (typeof EXIT_REASONS)[number]

export const MISSED_REASONS = [
  ...(['no_price', 'wing_not_listed', 'no_credit', 'half_day', 'no_reference'] as const),
  ...(['no_expiry', 'after_hours'] as const),
] as const
export type MissedReason = (typeof MISSED_REASONS)[number]

export type PriceSource = 'quote' | 'smile'

/** The price of one option at one state; index points. */
export type LegPrice = {
  /** Null where it comes from the smile. */
  readonly bid: number | null
  readonly ask: number | null
  readonly mid: number
  readonly halfSpread: number
  readonly source: PriceSource
}

export type TradeLeg = {
  readonly type: 'C' | 'P'
  /** Contracts a unit: 1 bought, -1 sold. */
  readonly sign: 1 | -1
  readonly targetStrike: number
  readonly strike: number
  readonly entry: LegPrice
  /** Null when it settled, or is unresolved. */
  readonly exit: LegPrice | null
}

/** What a condition said at the minute of the decision. */
export type WhenValue = {
  /** Null for those that compare no value, and where it was not known. */
  readonly value: number | null
  /** Null: not known, which counts as not holding. */
  readonly holds: boolean | null
}

/** Money is of the whole trade, `qty` units of 100; points are of one unit. */
export type Trade = {
  /** Which {core, when} of the rule: 0 or 1. */
  readonly ruleLeg: number
  /** Place in the market's sessions. */
  readonly session: number
  /** Minute of the ET day at which it was decided, and at which it was filled. */
  readonly decidedAt: number
  readonly filledAt: number
  /** Which of the core's places of a session it is: the minute, or the nearest of 8 of a window. */
  readonly slot: number
  /** Whether it is one of the core's fixed places; a trigger of a window alone is not. */
  readonly isFixed: boolean
  /** Whether the conditions held. */
  readonly isInRule: boolean
  readonly conditions: readonly WhenValue[]
  readonly legs: readonly TradeLeg[]
  /** Received above zero, paid below, after half spreads and rounding. */
  readonly net: number
  readonly exitReason: ExitReason
  /** Place of the session of the exit; null: unresolved. */
  readonly exitSession: number | null
  readonly exitAt: number | null
  /** Whether no price at the minute of the exit made it later. */
  readonly isLate: boolean
  /** Received above zero, paid below, when it was closed or settled; null: unresolved. */
  readonly closeNet: number | null
  readonly settlement: number | null
  readonly feesUsd: number
  /** After spreads and fees; null: unresolved. */
  readonly pnlUsd: number | null
  /** Maximum loss; else the distance of the stop; else the credit. */
  readonly riskUsd: number
  /** pnlUsd / riskUsd. */
  readonly r: number | null
  /** Of one that is unresolved: the most it can have lost, where that has a bound. */
  readonly worstUsd: number | null
}

export type Missed = {
  readonly ruleLeg: number
  readonly session: number
  readonly decidedAt: number
  /** Whether the conditions held. */
  readonly isInRule: boolean
  readonly reason: MissedReason
}

export type TradeLedger = {
  /** By rule leg, session, minute of the decision. */
  readonly trades: readonly Trade[]
  readonly missed: readonly Missed[]
}
