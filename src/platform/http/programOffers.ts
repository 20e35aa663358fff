import type { LabOffers } from './labOffers.ts'
import type { FoundOrders, OfferedLedgerOrder, Offers, OrderSearch } from './offers.ts'

/** Queries that areas serve to programs acting for an account: values in, values out. */
export type ProgramOffers = {
  /** Days with a ledger, oldest first. */
  readonly ledgerDays: () => readonly string[]
  /** Orders of a ledger, current or as of a minute; fails as the Orders API does. */
  readonly ledger: (wanted: LedgerQuery, by: OrderSearch) => Promise<LedgerReply<FoundOrders>>
  /** Totals of the same ledger. */
  readonly ledgerSummary: (wanted: LedgerQuery) => Promise<LedgerReply<LedgerSummary>>
  /** Stored positions of an account, oldest first, in the format of the Positions API. */
  readonly positions: (accountId: string) => Promise<readonly OfferedPosition[]>
  /** Checks of the positions, or of one, at a minute; fails as the Positions API does. */
  readonly checks: (wanted: ChecksQuery) => Promise<OfferedChecks>
}

/** Queries that areas serve to pages and programs. */
export type AllOffers = Offers & ProgramOffers & LabOffers

/** The account whose share of the schedule a query uses. */
export type OfferRequester = { readonly account: string; readonly signal?: AbortSignal }

/** A requested ledger, as the unparsed texts. */
export type LedgerQuery = {
  /** Null: the newest session. */
  readonly day: string | null
  /** Null: the current state. */
  readonly asof: string | null
  readonly requester: OfferRequester
}

/** Result for a day; `content` is null when it has no ledger, and `note` states why. */
export type LedgerReply<Content> =
  | { readonly day: string; readonly content: Content; readonly note: null }
  | { readonly day: string; readonly content: null; readonly note: string }

export type LedgerSummary = Pick<
  FoundOrders,
  'revision' | 'asof' | 'simulated' | 'note' | 'stats'
> & {
  /** Grade of the tape; null when not graded. */
  readonly grade: string | null
  /** Net premium and gamma in $M (per index point) of the orders where known; most orders first. */
  readonly structures: readonly {
    readonly kind: string
    readonly orders: number
    readonly net: number
    readonly gamma: number
  }[]
  /** Orders that added and removed the most dealer gamma. */
  readonly up: readonly OfferedLedgerOrder[]
  readonly down: readonly OfferedLedgerOrder[]
}

/** A position in the fields of the Positions API. */
export type OfferedPosition = {
  readonly id: string
  readonly kind: string
  readonly legs: Readonly<Record<string, unknown>>
  readonly entry: string
}

export type ChecksQuery = {
  /** Null: all positions of the account. */
  readonly id: string | null
  /** Null: today. */
  readonly day: string | null
  /** Null: the latest minute. */
  readonly t: string | null
  readonly requester: OfferRequester
}

/** A check in the fields of the Positions API. */
export type OfferedCheck = {
  readonly position_id: string
  readonly kind: string
  readonly label: string | null
  readonly error?: string | undefined
  readonly counts: { readonly on: number; readonly off: number; readonly unknown: number }
  readonly shorts: readonly { readonly orders: readonly unknown[] }[]
}

export type OfferedChecks = {
  readonly day: string
  readonly t: string | null
  readonly live: boolean
  readonly checks: readonly OfferedCheck[]
  readonly note?: string | undefined
}
