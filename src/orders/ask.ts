import type { z } from 'zod'
import {
  findTradingSession,
  instantMs,
  isMinute,
  neighbourSession,
  wallTimeEt,
} from '../core/market/calendar.ts'
import type { Catalog, Found } from '../data/published/catalog.ts'
import { damagedDay } from '../platform/http/damaged.ts'
import { badTime, givenMinute, neededDay } from '../platform/http/dayAndMinute.ts'
import { shown } from '../platform/http/request.ts'
import type { Sessions } from './schema.ts'

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
  const day = begunSession(nowMs())
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
  return `${day} is not built yet${there}.`
}

/** The newest session that has begun. */
function begunSession(nowMs: number): string {
  const today = findTradingSession(wallTimeEt(nowMs).date)
  if (today && today.opensAtMs <= nowMs) return today.date
  return neighbourSession(wallTimeEt(nowMs).date, -1).date
}
