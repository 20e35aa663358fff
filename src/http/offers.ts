import type { Book } from '../published/books.ts'

/** What areas answer to the pages of others, by contract: values in, values out. */

/** What areas answer to the pages of others: each question is one area's. */
export type Offers = {
  /** How old the data are, as anybody may be told. */
  readonly state: () => DataState
  /** Finished sessions, oldest first. */
  readonly sessions: () => Promise<readonly OfferedSession[]>
  /** A session by minute; fails as the archive does. */
  readonly levels: (wanted: WantedSession) => Promise<OfferedLevels>
  /** The curve of each minute; fails as the archive does. */
  readonly curves: (wanted: WantedSession, book: Book) => Promise<OfferedCurves>
  /** The ladder of each minute, or of those of a minute's half hour; fails as the archive does. */
  readonly ladders: (
    wanted: WantedSession,
    of: { readonly book: Book; readonly time: string | null },
  ) => Promise<OfferedLadders>
  /** What was released into a session, by now; null where that cannot be read. */
  readonly releases: (wanted: WantedSession) => Promise<readonly OfferedRelease[] | null>
  /** What was measured of the tape of a finished session; null where older code kept nothing. */
  readonly tape: (day: string) => Promise<Readonly<Record<string, unknown>> | null>
  /** Orders of a session; fails as the Orders API does. */
  readonly orders: (wanted: WantedSession, by: OrderSearch) => Promise<FoundOrders>
  /** The same orders as CSV, in the columns of the Orders API. */
  readonly ordersCsv: (wanted: WantedSession, by: OrderSearch) => Promise<Uint8Array>
  /** One order with all that is known of it; null where the session has none of that name. */
  readonly order: (wanted: WantedSession, id: string) => Promise<OfferedOrder | null>
}

export type DataState = {
  readonly status: 'green' | 'amber' | 'red'
  readonly problems: readonly string[]
  /** The newest session there is, and up to which ET time it is known; null where there is none. */
  readonly newest: {
    readonly day: string
    readonly isFinished: boolean
    readonly lastMinute: string | null
  } | null
}

/**
 * A session that is asked for. A session of today is told only to who may see it: `mayBeOpen` is
 * true once the page knows that. Then it is told as it is known by now.
 */
export type WantedSession = { readonly day: string; readonly mayBeOpen: boolean }

/** A session of the list. Index points. */
export type OfferedSession = {
  readonly day: string
  readonly revision: string
  /** How far its tape can be trusted; null where nobody judged it. */
  readonly grade: string | null
  readonly simulated: boolean
  readonly orders: number | null
  readonly open: number | null
  readonly close: number | null
  readonly flip_close: number | null
  /** Why the four are null; null where they are known. */
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
  /** When it came out, ET: 'HH:MM', with its day where that is not the session's. */
  readonly time: string
  readonly known_at: string
  /** The first minute of the levels that could know it; null outside of their hours. */
  readonly minute: string | null
  readonly url: string | null
  readonly simulated: boolean
}

/** A list a level, an entry a minute. Index points; net gamma in $M per point. */
export type BookLevels = {
  readonly [Name in LevelName]: readonly (number | null)[]
} & { readonly reason: readonly (string | null)[] }

export type OfferedCurves = {
  readonly minutes: readonly string[]
  /** The grid: index points. */
  readonly from: number | null
  readonly step: number | null
  /** A list a minute; null where the scan does not reach. */
  readonly net: readonly (readonly (number | null)[])[]
}

/** Gamma of the calls and of the puts of each strike, $M per point. */
export type OfferedLadders = {
  readonly minutes: readonly string[]
  /** Rising; null where there are none, and `reason` says why. */
  readonly strikes: readonly number[] | null
  /** A list a minute, in the order of the strikes; null where the book has nothing of one. */
  readonly calls: readonly (readonly (number | null)[])[]
  readonly puts: readonly (readonly (number | null)[])[]
  readonly reason: 'not_published' | 'empty_book' | null
}

export const ORDER_SORTS = ['effect', 'time', 'premium', 'contracts', 'flip'] as const
export type OrderSort = (typeof ORDER_SORTS)[number]

/** What is wanted of a ledger. A filter that is null lets everything through. */
export type OrderSearch = {
  readonly kind: string | null
  /** What the customer did with the first leg; `none`: nobody can tell. */
  readonly side: 'bought' | 'sold' | 'none' | null
  readonly exp: string | null
  /** Net premium, $M, at least. */
  readonly minPremium: number | null
  /** Dealer gamma without its sign, $M per index point, at least; left out, any. */
  readonly minGamma?: number | null
  readonly sort: OrderSort
  /** The first and how many. */
  readonly start: number
  readonly count: number
}

export type FoundOrders = {
  /** Names this answer's ledger. */
  readonly revision: string
  readonly asof: string | null
  readonly simulated: boolean
  /** What is wrong with the whole ledger, where anything is. */
  readonly note?: string | undefined
  /** Of the whole ledger, and what passed the filter. */
  readonly total: number
  readonly matched: number
  readonly orders: readonly OfferedLedgerOrder[]
  /** What there is to choose from, the most frequent first. */
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

/** An order in the words of the Orders API. */
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
  /** What is wrong with the whole ledger, where anything is. */
  readonly note?: string | undefined
  readonly order: OfferedLedgerOrder
  readonly legs: readonly OrderLeg[]
  readonly prints: readonly OrderPrint[]
  /** Whether prices of prints may be told. */
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
  /** Index points; null where prices are not told. */
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
  /** Index points; null where prices are not told, or there is none. */
  readonly price: number | null
  readonly best_bid: number | null
  readonly best_ask: number | null
}

/** How the order was known before. */
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
