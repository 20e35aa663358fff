/**
 * A market as LAB replays it: typed columns by state minute, read from published data. NaN is the
 * null of a column of doubles; no value is imputed.
 */

/** Reasons why a day cannot be tested on. */
export const LEFT_OUT_REASONS = ['not_published', 'damaged', 'bad_tape', 'no_minutes'] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

/** Reasons why other published sessions are unused. `real_` are real days that cannot be used. */
export const PASSED_OVER_REASONS = [
  'simulated',
  'real_bad_tape',
  'real_no_minutes',
  'real_damaged',
  'other_symbol',
] as const
export type PassedOver = {
  readonly reason: (typeof PASSED_OVER_REASONS)[number]
  readonly sessions: number
}

/** Furthest expiry stored for a session, in sessions from it. */
export const DTE_MAX = 5

/** Sessions of one kind, never both. */
export type LabMarket = {
  readonly kind: 'real' | 'simulated'
  /** Oldest first; a dte 1 trade continues in the next one if that is the next trading day. */
  readonly sessions: readonly LabSession[]
  /** Every other trading day between the first and the last one. */
  readonly leftOut: readonly { readonly day: string; readonly reason: LeftOutReason }[]
  /** Absent when there is nothing else. */
  readonly passedOver?: readonly PassedOver[]
  /** SHA-256 of the revisions of the sessions, hex. */
  readonly hash: string
}

export type LabSession = {
  readonly date: string
  readonly isHalfDay: boolean
  /** Minute of the ET day of state 0: 571 is 09:31. State i knows all before firstMinute + i. */
  readonly firstMinute: number
  /** Number of states through the PM close: 390 on a full day (09:31 to 16:00), else 210. */
  readonly stateCount: number
  /** States at which the dealers' positions are not known; absent where there is none. */
  readonly unknownCount?: number
  /** States whose index is one by put-call parity; absent where there is none. */
  readonly parityCount?: number
  readonly market: LabMinutes
  readonly orders: LabOrders
  /** By dte, 0 to DTE_MAX; null: no quote and no smile of that expiry was published. */
  readonly expiries: readonly (LabExpiry | null)[]
  /** Value at which contracts of this session settle, index points; null: not known. */
  readonly settlement: number | null
  readonly settlementSource: string | null
}

/** One value per state; index points unless stated otherwise. */
export type LabMinutes = {
  readonly spot: Float64Array
  readonly open: Float64Array
  readonly previousClose: Float64Array
  /** Remaining expected move of the session: the at-the-money straddle, undiscounted. */
  readonly expectedMove: Float64Array
  /** Expected move as of 09:31. */
  readonly sessionExpectedMove: Float64Array
  /** $M per index point. */
  readonly netGamma: Float64Array
  readonly flip: Float64Array
  readonly callWall: Float64Array
  readonly putWall: Float64Array
}

/** Versions of the large orders, by the state from which they count; one value per version. */
export type LabOrders = {
  /** First state that knows it: visible_at < its minute. */
  readonly fromState: Int32Array
  /** First state at which it is superseded; stateCount when it never is. */
  readonly untilState: Int32Array
  /** State of the minute after its first print: it printed in the minute before that state. */
  readonly printedState: Int32Array
  readonly premiumUsd: Float64Array
  /** Dealer gamma it added, $M per point; NaN: not known. */
  readonly gamma: Float64Array
}

/**
 * Quotes and smiles of one PM expiry. Planes are indexed by state * strikes.length + strike index.
 */
export type LabExpiry = {
  readonly expiry: string
  /** Years to its expiry at each state, ACT/365 by seconds; 0 from its expiry on. */
  readonly years: Float64Array
  /** Ascending. */
  readonly strikes: Float64Array
  /** First state at which each strike was listed: quoted at or before it. */
  readonly listedFrom: Int32Array
  /** Index points per quote step: 0.05 or 0.01. */
  readonly tick: number
  /** Steps; NO_QUOTE or 0: there was none. */
  readonly callBid: Uint32Array
  readonly callAsk: Uint32Array
  readonly putBid: Uint32Array
  readonly putAsk: Uint32Array
  /** Seconds, rounded up; NO_AGE from 255 on. */
  readonly callAge: Uint8Array
  readonly putAge: Uint8Array
  /** One value per state. */
  readonly forward: Float64Array
  readonly discount: Float64Array
  /** The smile of state i is [smileFrom[i], smileFrom[i + 1]) of the two columns below. */
  readonly smileFrom: Int32Array
  readonly smileStrikes: Float64Array
  /** Implied variance x years. */
  readonly smileTotalVariances: Float64Array
}

export const NO_QUOTE = 0xffffffff
export const NO_AGE = 255
