import type { LabOffers } from './labOffers.ts'
import type { FoundOrders, OfferedLedgerOrder, Offers, OrderSearch } from './offers.ts'

/** What areas answer to programs that ask for an account, by contract: values in, values out. */
export type ProgramOffers = {
  /** The days that have a ledger, oldest first. */
  readonly ledgerDays: () => readonly string[]
  /** Orders of a ledger, as it is known or was at a minute; fails as the Orders API does. */
  readonly ledger: (wanted: LedgerQuery, by: OrderSearch) => Promise<LedgerReply<FoundOrders>>
  /** The same ledger added up. */
  readonly ledgerSummary: (wanted: LedgerQuery) => Promise<LedgerReply<LedgerSummary>>
  /** What an account keeps, oldest first, as the Positions API answers it. */
  readonly positions: (accountId: string) => Promise<readonly OfferedPosition[]>
  /** Those judged at a minute, or one of them; fails as the Positions API does. */
  readonly checks: (wanted: ChecksQuery) => Promise<OfferedChecks>
}

/** What areas answer to pages and to programs. */
export type AllOffers = Offers & ProgramOffers & LabOffers

/** In whose turns a question is answered. */
export type OfferRequester = { readonly account: string; readonly signal?: AbortSignal }

/** A ledger that is asked for, by texts as they were given. */
export type LedgerQuery = {
  /** Null: the newest session. */
  readonly day: string | null
  /** Null: as it is known by now. */
  readonly asof: string | null
  readonly requester: OfferRequester
}

/** What a day answers; null where it has no ledger, and `note` says why. */
export type LedgerReply<Content> =
  | { readonly day: string; readonly content: Content; readonly note: null }
  | { readonly day: string; readonly content: null; readonly note: string }

export type LedgerSummary = Pick<
  FoundOrders,
  'revision' | 'asof' | 'simulated' | 'note' | 'stats'
> & {
  /** How far the tape can be trusted; null where nobody judged it. */
  readonly grade: string | null
  /** Net premium and gamma in $M (per index point), what is known of them; most orders first. */
  readonly structures: readonly {
    readonly kind: string
    readonly orders: number
    readonly net: number
    readonly gamma: number
  }[]
  /** The orders that added most dealer gamma, and those that took most away. */
  readonly up: readonly OfferedLedgerOrder[]
  readonly down: readonly OfferedLedgerOrder[]
}

/** A position in the words of the Positions API. */
export type OfferedPosition = {
  readonly id: string
  readonly kind: string
  readonly legs: Readonly<Record<string, unknown>>
  readonly entry: string
}

export type ChecksQuery = {
  /** Null: all that the account keeps. */
  readonly id: string | null
  /** Null: today. */
  readonly day: string | null
  /** Null: the latest minute. */
  readonly t: string | null
  readonly requester: OfferRequester
}

/** A check in the words of the Positions API. */
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
