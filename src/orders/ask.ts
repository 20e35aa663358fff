import type { z } from 'zod'
import type { WantedSession } from '../archive/ask.ts'
import {
  findTradingSession,
  instantMs,
  isMinute,
  neighbourSession,
  wallTimeEt,
} from '../core/market/calendar.ts'
import { type Catalog, describeAbsence, type Found } from '../data/published/catalog.ts'
import { damagedDay } from '../platform/http/damaged.ts'
import { badTime, givenMinute, neededDay } from '../platform/http/dayAndMinute.ts'
import { shown } from '../platform/http/request.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import type { Sessions, WireLedger, WireOrder } from './schema.ts'

/** Queries of orders for other areas; each fails as the Orders API does. */
export type OrdersAsk = {
  /** Orders of a session. */
  readonly findOrders: (wanted: WantedSession, by: OrderSearch) => Promise<FoundOrders>
  /** The same orders as CSV, in the columns of the Orders API. */
  readonly formatCsv: (wanted: WantedSession, by: OrderSearch) => Promise<Uint8Array>
  /** One order with all its details; null when the session has none of that name. */
  readonly findOrder: (wanted: WantedSession, id: string) => Promise<DetailedOrder | null>
  /** Days with a ledger, oldest first. */
  readonly listDays: () => readonly string[]
  /** Orders of a ledger, current or as of a minute. */
  readonly searchLedger: (wanted: LedgerQuery, by: OrderSearch) => Promise<LedgerReply<FoundOrders>>
  /** Totals of the same ledger. */
  readonly summarizeLedger: (wanted: LedgerQuery) => Promise<LedgerReply<LedgerSummary>>
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
  readonly orders: readonly WireOrder[]
  /** Filter values, the most frequent first. */
  readonly kinds: readonly string[]
  readonly exps: readonly string[]
  /** Counts of the whole ledger. */
  readonly stats: OrderCounts | null
}

export type OrderCounts = NonNullable<WireLedger['stats']>

/** A requested ledger, as the unparsed texts. */
export type LedgerQuery = {
  /** Null: the newest session. */
  readonly day: string | null
  /** Null: the current state. */
  readonly asof: string | null
  readonly requester: Requester
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
  readonly up: readonly WireOrder[]
  readonly down: readonly WireOrder[]
}

export type DetailedOrder = {
  readonly revision: string
  readonly simulated: boolean
  /** Problem of the whole ledger, if any. */
  readonly note?: string | undefined
  readonly order: WireOrder
  readonly legs: readonly OrderLeg[]
  readonly prints: readonly OrderPrint[]
  /** True when prices of prints may be shown. */
  readonly hasPrices: boolean
  readonly revisions: readonly OrderRevision[]
  /** Why there is no flip at its minute, and the convention's flip, index points. */
  readonly flipReason?: string | null
  readonly conventionFlip?: number | null
  /** Value over the index at its minute, half the way to its first expiration, and at that. */
  readonly payoff?: readonly PayoffLine[]
}

/** Value of an order at one time, as its customer holds it, over levels of the index. */
export type PayoffLine = {
  /** Share of the time to the first expiration that has gone: 0, 0.5 or 1. */
  readonly elapsed_share: number
  /** The index at the minute of the order. */
  readonly spot: number | null
  readonly points: readonly number[]
  /** $M; null where a leg has no volatility or no sign. */
  readonly values_musd: readonly (number | null)[]
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

/** Ledger queries by value, shared by the API and the command line. */
export type OrdersQueryDeps = {
  readonly catalog: Catalog
  readonly nowMs: () => number
}

/** The requested ledger. */
export type WantedLedger = {
  readonly day: string
  /** Null when the day has no ledger: then `note` states the reason. */
  readonly found: Found | null
  readonly note: string | null
  /** Only what was known before this instant; null is the whole ledger. */
  readonly asofMs: number | null
}

/**
 * Finds the ledger of a day, as known now or at an ET minute. Both parameters are lists, as in a
 * query string. Fails with `bad_day`, `bad_time` or `damaged`.
 */
export function findDayLedger(
  { catalog, nowMs }: OrdersQueryDeps,
  days: readonly string[],
  asofs: readonly string[],
): WantedLedger {
  const day = neededDay(days)
  const asofMs = parseAsof(asofs, day)
  const found = catalog.find(day)
  if (found && asofMs !== null) refuseToCome(found, asofMs)
  if (found) return wantLedger(found, asofMs)
  if (catalog.unreadable().includes(day)) throw damagedDay(day)
  return { day, found, note: formatNote(day, { catalog, nowMs }), asofMs: null }
}

/** Finds the ledger of the newest session. Fails with `damaged`. */
export function findLatestLedger({ catalog, nowMs }: OrdersQueryDeps): WantedLedger {
  const newest = catalog.newest()
  // falling back to an older session would go back in time
  const hidden = catalog.unreadable().at(-1)
  if (hidden !== undefined && hidden > (newest?.manifest.session_date ?? '')) {
    throw damagedDay(hidden)
  }
  if (newest) return wantLedger(newest, null)
  const day = catalog.replayed.sessions().at(-1) ?? begunSession(nowMs())
  return { day, found: null, note: formatNote(day, { catalog, nowMs }), asofMs: null }
}

/** Lists the days that have a ledger, oldest first. */
export function listSessions(catalog: Catalog): z.infer<typeof Sessions> {
  const sessions = [...catalog.sessions()]
  return { sessions, first: sessions[0] ?? null, last: sessions.at(-1) ?? null }
}

/** A running session is known up to its newest minute. */
const wantLedger = (found: Found, asofMs: number | null): WantedLedger => ({
  day: found.manifest.session_date,
  found,
  note: null,
  asofMs: asofMs ?? found.knownBeforeMs ?? null,
})

/** Fails for a future minute of a running session: the response would change. */
function refuseToCome({ manifest, knownBeforeMs }: Found, asofMs: number): void {
  if (knownBeforeMs === undefined || asofMs <= knownBeforeMs) return
  const [asof, latest] = [asofMs, knownBeforeMs].map(atMs => wallTimeEt(atMs).minute)
  throw badTime(`asof is ${asof}; the latest minute of ${manifest.session_date} is ${latest}.`)
}

/** The instant of `asof`, or null without one. */
function parseAsof(values: readonly string[], day: string): number | null {
  const value = givenMinute('asof', values)
  if (value === null) return null
  const session = findTradingSession(day)
  const atMs = isMinute(value) ? instantMs(day, value) : null
  if (session && atMs !== null && atMs >= session.opensAtMs && atMs <= session.closesAtMs) {
    return atMs
  }
  // a day without a session has no minute that could be wrong
  if (!session && atMs !== null) return atMs
  const last = session ? wallTimeEt(session.closesAtMs).minute : '16:15'
  const range = `an ET minute from 09:30 to ${last}`
  throw badTime(`asof is ${shown(value)}; give ${range}, such as asof=10:37.`)
}

function formatNote(day: string, { catalog, nowMs }: OrdersQueryDeps): string {
  const session = findTradingSession(day)
  if (!session) return `${day} is not a trading day: it has no ledger.`
  if (session.opensAtMs > nowMs()) return `The session of ${day} has not begun: no ledger yet.`
  const newest = catalog.sessions().at(-1)
  const there = newest === undefined ? '' : `; the newest session is ${newest}`
  const isReplayed = catalog.replayed.find(day) !== null
  return `${isReplayed ? describeAbsence(catalog, day) : `${day} is not built yet`}${there}.`
}

/** The newest session that has begun. */
function begunSession(nowMs: number): string {
  const today = findTradingSession(wallTimeEt(nowMs).date)
  if (today && today.opensAtMs <= nowMs) return today.date
  return neighbourSession(wallTimeEt(nowMs).date, -1).date
}
