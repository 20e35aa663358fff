import type { MinuteEt, SessionDate } from '../../core/market/calendar.ts'
import type { AlertBook } from '../kinds.ts'

/** Inputs of the rules: the known data of a session at a minute. */

/** The levels of one book at a state: a row of the dataset `levels`, in index points. */
export type BookState = {
  readonly minute: MinuteEt
  readonly spot: number | null
  /** The root nearest to the spot. */
  readonly flip: number | null
  /** Confidence interval of the flip; null when it is not known. */
  readonly flipLo: number | null
  readonly flipHi: number | null
  /** Every zero of net gamma near the spot, ascending. */
  readonly roots: readonly number[]
  readonly callWall: number | null
  readonly putWall: number | null
  /** $M per index point. */
  readonly netGamma: number | null
}

/** A version of an order, as it became visible. */
export type SeenOrder = {
  readonly oid: string
  /** ET minute of its first print. */
  readonly t: MinuteEt
  /** Its structure, as the ledger names it. */
  readonly kind: string
  /** The contracts in words. */
  readonly legs: string
  /** The expiry with most of its gamma; null when it is not known. */
  readonly expiry: SessionDate | null
  readonly size: number
  readonly grossPremiumUsd: number
  readonly netPremiumUsd: number | null
  /** Dealer gamma it added, $M per index point. Never in bodies: its sign reveals the side. */
  readonly gamma: number | null
  /** From the fold, 0 to 1: confidence that its prints are one order. */
  readonly confidence: number
  /** Index of the order's minute, and the levels of the measured book then. */
  readonly spot: number | null
  readonly flip: number | null
  readonly callWall: number | null
  readonly putWall: number | null
}

/** Data of a state: the levels of each book, and the orders of the minute before it. */
export type MinuteInput = {
  readonly day: SessionDate
  readonly minute: MinuteEt
  readonly books: Readonly<Record<AlertBook, BookState>>
  /** Versions that became visible in [minute - 1, minute). */
  readonly orders: readonly SeenOrder[]
}
