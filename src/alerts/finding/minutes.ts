import type { MinuteEt, SessionDate } from '../../core/market/calendar.ts'
import type { Book } from '../../data/published/books.ts'
import type { PublishedManifest } from '../../data/published/manifest.ts'

/** Data of a session's minute in which alerts are found. */

/** The index and the levels of a book at a minute, computed from everything known before it. */
export type StateRow = {
  readonly minute_et: MinuteEt
  readonly book_basis: Book
  readonly spot: number | null
  readonly net_gamma_musd_per_point: number | null
  readonly flip: number | null
  /** Every zero of net gamma near the index, ascending. */
  readonly flip_roots: readonly number[]
  readonly flip_lo: number | null
  readonly flip_hi: number | null
  readonly call_wall: number | null
  readonly put_wall: number | null
  /** Why a level is null. */
  readonly reason: string | null
}

/** A version of an order of the ledger. Premiums are USD. */
export type OrderRow = {
  /** Instant of the first state that includes it. UTC milliseconds. */
  readonly state_ms: number
  readonly visible_us: number
  readonly order_id: string
  readonly revision_number: number
  readonly minute_et: MinuteEt
  readonly structure: string
  readonly legs_text: string
  readonly main_expiry: SessionDate | null
  readonly size: number
  readonly gross_premium_usd: number
  readonly net_premium_usd: number | null
  readonly dealer_gamma_musd_per_point: number | null
  /** Index and flip at its minute, as known before it printed. */
  readonly spot: number | null
  readonly flip: number | null
  readonly fold_confidence: number
}

/** A minute: the state known before it, and the orders that became known in the minute before. */
export type MarketMinute = {
  readonly day: SessionDate
  readonly minute: MinuteEt
  /** HH:MM:00. UTC milliseconds. */
  readonly atMs: number
  /** Null for a book without a state at this minute. */
  readonly books: Readonly<Record<Book, StateRow | null>>
  readonly orders: readonly OrderRow[]
}

/** The published data of a session that have been read. */
export type SessionMinutes = {
  readonly manifest: PublishedManifest
  /** The last known minute; null before the first. UTC milliseconds. */
  readonly untilMs: number | null
  readonly minuteAt: (atMs: number) => MarketMinute
  /** Returns the state of an earlier minute, for an event of an order of that minute. */
  readonly findState: (minute: MinuteEt, book: Book) => StateRow | null
  /** Every version read of an order, oldest first. */
  readonly listVersions: (orderId: string) => readonly OrderRow[]
}
