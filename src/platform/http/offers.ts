import type { Book } from '../../data/published/books.ts'

/** Queries that areas serve to pages of others, by contract: values in, values out. */

/** Queries that areas serve to pages of others; one area serves each. */
export type Offers = {
  /** Age of the data, in the form that is public. */
  readonly state: () => DataState
  /** Finished sessions, oldest first. */
  readonly sessions: () => Promise<readonly OfferedSession[]>
  /** A session by minute; fails as the archive does. */
  readonly levels: (wanted: WantedSession) => Promise<OfferedLevels>
  /** The curve of each minute; fails as the archive does. */
  readonly curves: (wanted: WantedSession, book: Book) => Promise<OfferedCurves>
  /** The ladder of each minute, or of the half hour of a minute; fails as the archive does. */
  readonly ladders: (
    wanted: WantedSession,
    of: { readonly book: Book; readonly time: string | null },
  ) => Promise<OfferedLadders>
  /** Current releases during a session; null when they cannot be read. */
  readonly releases: (wanted: WantedSession) => Promise<readonly OfferedRelease[] | null>
  /** Quality measures of the tape of a finished session; null when older code stored none. */
  readonly tape: (day: string) => Promise<Readonly<Record<string, unknown>> | null>
  /** Orders of a session; fails as the Orders API does. */
  readonly orders: (wanted: WantedSession, by: OrderSearch) => Promise<FoundOrders>
  /** The same orders as CSV, in the columns of the Orders API. */
  readonly ordersCsv: (wanted: WantedSession, by: OrderSearch) => Promise<Uint8Array>
  /** One order with all its details; null when the session has none of that name. */
  readonly order: (wanted: WantedSession, id: string) => Promise<OfferedOrder | null>
}

export type DataState = {
  readonly status: 'green' | 'amber' | 'red'
  readonly problems: readonly string[]
  /** The newest session, and the ET time up to which it is known; null when there is none. */
  readonly newest: {
    readonly day: string
    readonly isFinished: boolean
    readonly lastMinute: string | null
  } | null
}

/**
 * A requested session. Today's session is served only to visitors who may see it: the page sets
 * `mayBeOpen` once it has checked that. It is then served as currently known.
 */
export type WantedSession = { readonly day: string; readonly mayBeOpen: boolean }

/** A listed session. Index points. */
export type OfferedSession = {
  readonly day: string
  readonly revision: string
  /** Grade of its tape; null when not graded. */
  readonly grade: string | null
  readonly simulated: boolean
  readonly orders: number | null
  readonly open: number | null
  readonly close: number | null
  readonly flip_close: number | null
  /** Reason why the four are null; null when they are known. */
  readonly reason: 'not_kept' | 'damaged' | null
}

type Gap = { readonly from: string; readonly to: string; readonly minutes: number }

export type OfferedLevels = {
  readonly day: string
  readonly revision: string
  readonly simulated: boolean
  readonly asof: string | null
  readonly min_premium?: number | undefined
  readonly tape?:
    | {
        readonly grade?: string | undefined
        readonly reasons?: readonly string[] | undefined
        readonly gaps?: readonly Gap[] | undefined
      }
    | undefined
  readonly note?: string | undefined
  readonly minutes: readonly string[]
  readonly books: Readonly<Record<Book, BookLevels>>
}

type LevelName = 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall' | 'net_gamma'

/** Published statistics. */
export type OfferedRelease = {
  readonly label: string
  /** ISO 3166. */
  readonly country: string
  /** Time of release, ET: 'HH:MM', with its day when that is not the session's. */
  readonly time: string
  readonly known_at: string
  /** First minute whose levels could include it; null outside of their hours. */
  readonly minute: string | null
  readonly url: string | null
  readonly simulated: boolean
}

/** A list per level, an entry per minute. Index points; net gamma in $M per point. */
export type BookLevels = {
  readonly [Name in LevelName]: readonly (number | null)[]
} & { readonly reason: readonly (string | null)[] }

export type OfferedCurves = {
  readonly minutes: readonly string[]
  /** The grid: index points. */
  readonly from: number | null
  readonly step: number | null
  /** A list per minute; null outside the scanned range. */
  readonly net: readonly (readonly (number | null)[])[]
}

/** Gamma of the calls and of the puts of each strike, $M per point. */
export type OfferedLadders = {
  readonly minutes: readonly string[]
  /** Ascending; null when there are none, and `reason` states why. */
  readonly strikes: readonly number[] | null
  /** A list per minute, in the order of the strikes; null for a strike not in the book. */
  readonly calls: readonly (readonly (number | null)[])[]
  readonly puts: readonly (readonly (number | null)[])[]
  readonly reason: 'not_published' | 'empty_book' | null
}

export const ORDER_SORTS = ['effect', 'time', 'premium', 'contracts', 'flip'] as const
export type OrderSort = (typeof ORDER_SORTS)[number]

/** Filters of a ledger. A null filter matches everything. */
export type OrderSearch = {
  readonly kind: string | null
  /** The customer's side of the first leg; `none`: undetermined. */
  readonly side: 'bought' | 'sold' | 'none' | null
  readonly exp: string | null
  /** Minimum net premium, $M. */
  readonly minPremium: number | null
  /** Minimum absolute dealer gamma, $M per index point; any when left out. */
  readonly minGamma?: number | null
  readonly sort: OrderSort
  /** Index of the first and number of orders. */
  readonly start: number
  readonly count: number
}

export type FoundOrders = {
  /** Identifies the ledger of this response. */
  readonly revision: string
  readonly asof: string | null
  readonly simulated: boolean
  /** Problem of the whole ledger, if any. */
  readonly note?: string | undefined
  /** Counts of the whole ledger and of the matching orders. */
  readonly total: number
  readonly matched: number
  readonly orders: readonly OfferedLedgerOrder[]
  /** Filter values, the most frequent first. */
  readonly kinds: readonly string[]
  readonly exps: readonly string[]
  /** Counts of the whole ledger. */
  readonly stats: OrderCounts | null
}

export type OrderCounts = {
  readonly n: number
  readonly net: number
  readonly no_side: number
  readonly no_gamma: number
  readonly gamma_up: number
  readonly gamma_dn: number
  readonly gamma_flat: number
}

/** An order in the fields of the Orders API. */
export type OfferedLedgerOrder = {
  readonly oid: string
  readonly t: string
  readonly g: number | null
  readonly g_null?: string | null | undefined
  readonly kind: string
  readonly legs: string
  readonly lg: readonly (readonly [number, 'C' | 'P', -1 | 0 | 1])[]
  readonly exp: string | null
  readonly size: number | null
  readonly contracts: number | null
  readonly net: number | null
  readonly flip: number | null
  readonly side: 'over' | 'under' | null
  readonly confidence: number | null
  readonly fold: string
  readonly flags: readonly string[]
  readonly p?: number | null | undefined
  readonly sign_null?: string | null | undefined
  readonly rule?: string | undefined
  readonly prints?: number | undefined
}

export type OfferedOrder = {
  readonly revision: string
  readonly simulated: boolean
  /** Problem of the whole ledger, if any. */
  readonly note?: string | undefined
  readonly order: OfferedLedgerOrder
  readonly legs: readonly OrderLeg[]
  readonly prints: readonly OrderPrint[]
  /** True when prices of prints may be shown. */
  readonly hasPrices: boolean
  readonly revisions: readonly OrderRevision[]
}

export type OrderLeg = {
  readonly leg_number: number
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly option_type: string
  readonly ratio: number
  readonly contracts: number
  readonly customer_sign: number
  /** Index points; null when prices may not be shown. */
  readonly average_price: number | null
  readonly implied_vol: number | null
  readonly gamma: number | null
  readonly side_probability: number | null
}

export type OrderPrint = {
  readonly sequence: number
  readonly leg_number: number
  /** ET, 'HH:MM:SS.ffffff'. */
  readonly printed_et: string
  readonly size: number
  readonly exchange: string | null
  readonly condition: string | null
  /** Index points; null when prices may not be shown, or there is none. */
  readonly price: number | null
  readonly best_bid: number | null
  readonly best_ask: number | null
}

/** An earlier version of the order. */
export type OrderRevision = {
  readonly revision_number: number
  readonly visible_et: string
  readonly superseded_et: string
  readonly superseded_by: string
  readonly structure: string
  readonly legs_text: string
  readonly contracts: number
  readonly sign: number
  /** $M per index point. */
  readonly gamma: number | null
  readonly legs: readonly OrderLeg[]
}
