/**
 * A market as LAB replays it: typed columns by state minute, read from what was published. NaN is
 * the null of a column of doubles; nothing here is made up for it.
 */

/** Days that cannot be tested on, by why. */
export const LEFT_OUT_REASONS = ['not_published', 'damaged', 'bad_tape', 'no_minutes'] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

/** What else is published, of which nothing is used: by why. `real_` are days that cannot be. */
export const PASSED_OVER_REASONS = [
  ...(['simulated', 'real_bad_tape', 'real_no_minutes', 'real_damaged', 'other_symbol'] as const),
] as const
export type PassedOver = {
  readonly reason: (typeof PASSED_OVER_REASONS)[number]
  readonly sessions: number
}

/** The furthest expiry that is kept of a session, in sessions from it. */
export const DTE_MAX = 5

/** Sessions of one kind, never both. */
export type LabMarket = {
  readonly kind: 'real' | 'simulated'
  /** Oldest first; a trade of dte 1 goes on in the next one where that is the next trading day. */
  readonly sessions: readonly LabSession[]
  /** Every other trading day between the first and the last one. */
  readonly leftOut: readonly { readonly day: string; readonly reason: LeftOutReason }[]
  /** Absent where there is nothing else. */
  readonly passedOver?: readonly PassedOver[]
  /** SHA-256 of the revisions of the sessions, hex. */
  readonly hash: string
}

export type LabSession = {
  readonly date: string
  readonly isHalfDay: boolean
  /** Minute of the ET day of state 0: 571 is 09:31. State i knows all before firstMinute + i. */
  readonly firstMinute: number
  /** States up to that of the PM close, with it: 390 of a whole day (09:31 to 16:00), else 210. */
  readonly stateCount: number
  readonly market: LabMinutes
  readonly orders: LabOrders
  /** By dte, 0 to DTE_MAX; null: no quote and no smile of that expiry was published. */
  readonly expiries: readonly (LabExpiry | null)[]
  /** Value at which contracts of this session settle, index points; null: not known. */
  readonly settlement: number | null
  readonly settlementSource: string | null
}

/** One value a state; index points unless said otherwise. */
export type LabMinutes = {
  readonly spot: Float64Array
  readonly open: Float64Array
  readonly previousClose: Float64Array
  /** What remains of the session's move: the at-the-money straddle, undiscounted. */
  readonly expectedMove: Float64Array
  /** The same as it was at 09:31. */
  readonly sessionExpectedMove: Float64Array
  /** $M per index point. */
  readonly netGamma: Float64Array
  readonly flip: Float64Array
  readonly callWall: Float64Array
  readonly putWall: Float64Array
}

/** Versions of the large orders, by the state from which they count; one value a version. */
export type LabOrders = {
  /** First state that knows it: visible_at < its minute. */
  readonly fromState: Int32Array
  /** First state that knows better; stateCount where it stands. */
  readonly untilState: Int32Array
  /** State minute after its first print, as a state: printed in the minute before it. */
  readonly printedState: Int32Array
  readonly premiumUsd: Float64Array
  /** Dealer gamma it added, $M per point; NaN: not known. */
  readonly gamma: Float64Array
}

/** Quotes and smiles of one PM expiry. Planes have a value at state * strikes.length + place. */
export type LabExpiry = {
  readonly expiry: string
  /** Years to its expiry at each state, ACT/365 by seconds; 0 from its expiry on. */
  readonly years: Float64Array
  /** Rising. */
  readonly strikes: Float64Array
  /** First state at which each strike was listed: quoted at it or before. */
  readonly listedFrom: Int32Array
  /** Index points of a step of the quotes: 0.05 or 0.01. */
  readonly tick: number
  /** Steps; NO_QUOTE or 0: there was none. */
  readonly callBid: Uint32Array
  readonly callAsk: Uint32Array
  readonly putBid: Uint32Array
  readonly putAsk: Uint32Array
  /** Seconds, rounded up; NO_AGE from 255 on. */
  readonly callAge: Uint8Array
  readonly putAge: Uint8Array
  /** One value a state. */
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
