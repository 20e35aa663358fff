import {
  findTradingSession,
  instantMs,
  MINUTE_MS,
  type MinuteEt,
  minutesAfter,
  neighbourSession,
  type SessionDate,
  wallTimeEt,
} from '../core/market/calendar.ts'
import { type Catalog, describeAbsence, type Found } from '../data/published/catalog.ts'
import {
  FIRST_MINUTE,
  isOpen,
  lastJudgedMinute,
  latestMinute,
} from '../data/published/stateMinutes.ts'
import { damagedDay, orDamaged } from '../platform/http/damaged.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import type { StoredColumns } from './columns.ts'
import type { ReadDataset } from './datasets.ts'
import { liveError } from './errors.ts'
import type { Sessions } from './sessions.ts'

/** Resolves the session and state that a query reads. */

export type LevelsDeps = {
  readonly catalog: Catalog
  readonly sessions: Sessions
  readonly nowMs: () => number
  readonly requester: Requester
}

export type Wanted = { readonly day: SessionDate | null; readonly time: MinuteEt | null }

export type StateAsOf = {
  /** Null when no session is published and none was requested. */
  readonly day: SessionDate | null
  readonly minute: MinuteEt | null
  readonly found: Found | null
  /** The newest available minute of the session; null: none yet. */
  readonly newest: MinuteEt | null
  /** Reason why there is no reading; null when there is one. */
  readonly lack: string | null
  /** Seconds until the next request is worthwhile; null: no session is known to come. */
  readonly wait: number | null
  /** Time at which the next state is available, UTC; null unless the newest state was requested. */
  readonly nextUpdateAt: string | null
  /**
   * True for the newest state of a running session, requested as such. A query that names its
   * minute always has the same response.
   */
  readonly isLive: boolean
}

/** Delay after the end of a minute until its state is available. */
const REPORTED_AFTER_MS = 3_000
/** A past session that lacks something may be rebuilt: retry once an hour. */
const PAST_WAIT_S = 3_600

/** Returns the newest or expected session: the day against which a time is read. */
export function dayOfTime({ catalog, nowMs }: Pick<LevelsDeps, 'catalog' | 'nowMs'>): SessionDate {
  return catalog.newest()?.manifest.session_date ?? wallTimeEt(nowMs()).date
}

/** Resolves the requested state. Fails with `damaged`. */
export async function findAsOf(deps: LevelsDeps, { day, time }: Wanted): Promise<StateAsOf> {
  const { catalog, nowMs } = deps
  const found = findSession(catalog, day)
  const foundDay = found?.manifest.session_date ?? day
  const none = { day: foundDay, minute: time, isLive: false, nextUpdateAt: null }
  if (!found) return { ...none, found: null, newest: null, ...lackOfDay(catalog, day, nowMs()) }
  const bound = latestMinute(found, nowMs())
  const levels = bound === null ? null : await readDatasetOfSession(deps, found, 'levels')
  const minutes = levels?.get('measured')?.minute_et ?? []
  const newest = minutes.findLast(minute => minute <= bound!) ?? null
  const minute = time ?? newest
  const wait = computeWait(found, time, nowMs())
  const { session_date: session } = found.manifest
  if (newest === null || minute === null || minute > newest || !minutes.includes(minute)) {
    return { ...none, found, newest, wait, lack: lackOfMinute(session, time) }
  }
  const isNewestRequested = day === null && time === null
  const nextUpdateAt = isNewestRequested ? nextUpdate(session, minute, nowMs()) : null
  const isLive = isNewestRequested && found.knownBeforeMs !== undefined
  return { day: session, found, minute, newest, isLive, nextUpdateAt, wait, lack: null }
}

type StampWanted = { readonly day: SessionDate | null; readonly hasFuture: boolean }

/** Returns `formatStamp`, computed once per turn of the event loop for concurrent calls. */
export function openStamps(deps: Pick<LevelsDeps, 'catalog' | 'nowMs'>) {
  const seen = new Map<string, string | null>()
  return (wanted: StampWanted): string | null => {
    const key = `${wanted.day} ${wanted.hasFuture}`
    const known = seen.get(key)
    if (known !== undefined) return known
    if (seen.size === 0) setImmediate(() => seen.clear())
    const stamp = formatStamp(deps, wanted)
    seen.set(key, stamp)
    return stamp
  }
}

/**
 * Returns everything that a response depends on besides the query; null when there is no session.
 * The previous session determines the contract of a future.
 */
function formatStamp(
  { catalog, nowMs }: Pick<LevelsDeps, 'catalog' | 'nowMs'>,
  { day: wanted, hasFuture }: StampWanted,
): string | null {
  const found = findSession(catalog, wanted)
  if (found === null) return null
  const { session_date: day, revision } = found.manifest
  const earlier = hasFuture ? catalog.find(neighbourSession(day, -1).date) : null
  const before = earlier?.manifest.revision
  const isLive = found.knownBeforeMs !== undefined
  // a session that others should have followed names the next; null: late too
  const next = wanted === null ? nextOfLate(day, nowMs()) : undefined
  return [day, revision, before, isLive, latestMinute(found, nowMs()), next].map(String).join(' ')
}

/** Returns a dataset of a session, or a minute of it; null when it has none. Fails with `damaged`. */
export const readDatasetOfSession = <Name extends ReadDataset>(
  { catalog, sessions, requester }: LevelsDeps,
  { manifest }: Pick<Found, 'manifest'>,
  dataset: Name,
  minute: MinuteEt | null = null,
): Promise<StoredColumns[Name] | null> =>
  orDamaged(catalog, () => sessions.read(manifest, dataset, requester, minute))

/** Error for a minute without a reading. */
export const noData = ({ lack, wait }: Pick<StateAsOf, 'lack' | 'wait'>) =>
  liveError('no_data', { message: `${lack}.`, extras: { next_update_s: wait } })

function findSession(catalog: Catalog, day: SessionDate | null): Found | null {
  if (day !== null) {
    const found = catalog.find(day)
    if (!found && catalog.unreadable().includes(day)) throw damagedDay(day)
    return found
  }
  const newest = catalog.newest()
  // falling back to an older session would go back in time
  const hidden = catalog.unreadable().at(-1)
  if (hidden !== undefined && hidden > (newest?.manifest.session_date ?? '')) {
    throw damagedDay(hidden)
  }
  return newest
}

function lackOfDay(catalog: Catalog, day: SessionDate | null, nowMs: number) {
  const today = wallTimeEt(nowMs).date
  if (day === null) {
    const session = findTradingSession(today)
    const isDue = isOpen(session, nowMs)
    const at = isDue ? nextMinute(nowMs) : firstState(neighbourSession(today, 1).date)
    return { lack: 'no session is published yet', wait: secondsUntil(at, nowMs) }
  }
  if (!findTradingSession(day)) return { lack: `${day} is not a trading day`, wait: null }
  return { lack: describeAbsence(catalog, day), wait: PAST_WAIT_S }
}

const lackOfMinute = (day: SessionDate, time: MinuteEt | null): string =>
  time === null ? `${day} has no reading yet` : `${day} has no reading of ${time}`

/** Returns the seconds until a missing state may be available. */
function computeWait(found: Found, time: MinuteEt | null, nowMs: number): number | null {
  const { session_date: day } = found.manifest
  const session = findTradingSession(day)!
  if (!isOpen(session, nowMs)) {
    const isToday = found.isNewest && day >= wallTimeEt(nowMs).date
    return isToday ? secondsUntil(firstState(neighbourSession(day, 1).date), nowMs) : PAST_WAIT_S
  }
  const wanted = time === null ? 0 : instantMs(day, time) + REPORTED_AFTER_MS
  const at = Math.max(wanted, nextMinute(nowMs))
  const last = instantMs(day, lastJudgedMinute(session)) + REPORTED_AFTER_MS
  if (at > last) return secondsUntil(firstState(neighbourSession(day, 1).date), nowMs)
  return secondsUntil(Math.max(at, firstState(day)), nowMs)
}

/** Returns when the next state is due, as text; null when it should have come on an earlier day. */
function nextUpdate(day: SessionDate, minute: MinuteEt, nowMs: number): string | null {
  const late = nextOfLate(day, nowMs)
  return late === undefined ? isoText(nextState(day, minute)) : late
}

/**
 * Returns the first state after now when the newest session is of an earlier day, as text; null
 * when that of today's session is overdue, undefined for a session of today.
 */
function nextOfLate(day: SessionDate, nowMs: number): string | null | undefined {
  const today = wallTimeEt(nowMs).date
  if (day >= today) return undefined
  const next = findTradingSession(today) ? today : neighbourSession(today, 1).date
  const atMs = firstState(next)
  return atMs > nowMs ? isoText(atMs) : null
}

/** Returns when the state after a minute is available, or else the next session's first. */
function nextState(day: SessionDate, minute: MinuteEt): number {
  if (minute >= lastJudgedMinute(findTradingSession(day)!))
    return firstState(neighbourSession(day, 1).date)
  return instantMs(day, minutesAfter(minute, 1)) + REPORTED_AFTER_MS
}

const nextMinute = (nowMs: number) =>
  (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS + REPORTED_AFTER_MS
const firstState = (day: SessionDate) => instantMs(day, FIRST_MINUTE) + REPORTED_AFTER_MS
const secondsUntil = (atMs: number, nowMs: number) => Math.max(1, Math.ceil((atMs - nowMs) / 1000))
const isoText = (atMs: number) => new Date(atMs).toISOString().replace('.000Z', 'Z')
