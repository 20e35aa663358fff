import type { Requester } from '../fair/desk.ts'
import { damagedDay, orDamaged } from '../http/damaged.ts'
import { liveError } from '../http/errors/live.ts'
import {
  findTradingSession,
  instantMs,
  type MinuteEt,
  minutesAfter,
  neighbourSession,
  type SessionDate,
  wallTimeEt,
} from '../market/calendar.ts'
import type { Catalog, Found } from '../published/catalog.ts'
import { FIRST_MINUTE, isOpen, lastJudgedMinute, latestMinute } from '../published/stateMinutes.ts'
import type { StoredColumns } from './columns.ts'
import type { ReadDataset } from './datasets.ts'
import type { Sessions } from './sessions.ts'

/** Which state of which session is told. */

export type LevelsDeps = {
  readonly catalog: Catalog
  readonly sessions: Sessions
  readonly nowMs: () => number
  readonly requester: Requester
}

export type Wanted = { readonly day: SessionDate | null; readonly time: MinuteEt | null }

export type StateAsOf = {
  /** Null where no session is published and none was asked for. */
  readonly day: SessionDate | null
  readonly minute: MinuteEt | null
  readonly found: Found | null
  /** The newest minute that is told of the session; null: none yet. */
  readonly newest: MinuteEt | null
  /** Why there is no reading; null where there is one. */
  readonly lack: string | null
  /** Seconds after which to ask again; null: no session is known to come. */
  readonly wait: number | null
  /** Of the newest state, asked for as such: when the one after it is told, UTC. Else null. */
  readonly nextUpdateAt: string | null
  /**
   * Whether this is the newest state of a session that runs, asked for as such. A question that
   * names its minute has the same answer then and ever after.
   */
  readonly isLive: boolean
}

/** How long after the end of a minute its state is told. */
const REPORTED_AFTER_MS = 3_000
/** A past session that lacks something may be built again: asked for once an hour. */
const PAST_WAIT_S = 3_600

/** The session that is newest, or would be: the day against which a time is read. */
export function dayOfTime({ catalog, nowMs }: Pick<LevelsDeps, 'catalog' | 'nowMs'>): SessionDate {
  return catalog.newest()?.manifest.session_date ?? wallTimeEt(nowMs()).date
}

/** The moment that is asked for. Fails with `damaged`. */
export async function findAsOf(deps: LevelsDeps, { day, time }: Wanted): Promise<StateAsOf> {
  const { catalog, nowMs } = deps
  const found = findSession(catalog, day)
  const foundDay = found?.manifest.session_date ?? day
  const none = { day: foundDay, minute: time, isLive: false, nextUpdateAt: null }
  if (!found) return { ...none, found: null, newest: null, ...lackOfDay(day, nowMs()) }
  const bound = latestMinute(found, nowMs())
  const levels = bound === null ? null : await readDatasetOfSession(deps, found, 'levels')
  const minutes = levels?.measured.minute_et ?? []
  const newest = minutes.findLast(minute => minute <= bound!) ?? null
  const minute = time ?? newest
  const wait = computeWait(found, time, nowMs())
  const { session_date: session } = found.manifest
  if (newest === null || minute === null || minute > newest || !minutes.includes(minute)) {
    return { ...none, found, newest, wait, lack: lackOfMinute(session, time) }
  }
  const isNewestRequested = day === null && time === null
  const nextUpdateAt = isNewestRequested ? isoText(nextState(session, minute)) : null
  const isLive = isNewestRequested && found.knownBeforeMs !== undefined
  return { day: session, found, minute, newest, isLive, nextUpdateAt, wait, lack: null }
}

type StampWanted = { readonly day: SessionDate | null; readonly hasFuture: boolean }

/** `stampOf`, worked out once in a turn of the event loop for the calls that came together. */
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
 * All that the answer to a question depends on beside the question; null where there is no session.
 * The session before chooses the contract of a future.
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
  return [day, revision, before, isLive, latestMinute(found, nowMs())].join(' ')
}

/** A dataset of a session; null where it has none. Fails with `damaged`. */
export const readDatasetOfSession = <Name extends ReadDataset>(
  { catalog, sessions, requester }: LevelsDeps,
  { manifest }: Pick<Found, 'manifest'>,
  dataset: Name,
): Promise<StoredColumns[Name] | null> =>
  orDamaged(catalog, () => sessions.read(manifest, dataset, requester))

/** The error where a moment has no reading. */
export const noData = ({ lack, wait }: Pick<StateAsOf, 'lack' | 'wait'>) =>
  liveError('no_data', { message: `${lack}.`, extras: { next_update_s: wait } })

function findSession(catalog: Catalog, day: SessionDate | null): Found | null {
  if (day !== null) {
    const found = catalog.find(day)
    if (!found && catalog.unreadable().includes(day)) throw damagedDay(day)
    return found
  }
  const newest = catalog.newest()
  // an older session would be an answer that goes back in time
  const hidden = catalog.unreadable().at(-1)
  if (hidden !== undefined && hidden > (newest?.manifest.session_date ?? '')) {
    throw damagedDay(hidden)
  }
  return newest
}

function lackOfDay(day: SessionDate | null, nowMs: number) {
  const today = wallTimeEt(nowMs).date
  if (day === null) {
    const session = findTradingSession(today)
    const isDue = isOpen(session, nowMs)
    const at = isDue ? nextMinute(nowMs) : firstState(neighbourSession(today, 1).date)
    return { lack: 'no session is published yet', wait: secondsUntil(at, nowMs) }
  }
  if (!findTradingSession(day)) return { lack: `${day} is not a trading day`, wait: null }
  return { lack: `${day} is not published`, wait: PAST_WAIT_S }
}

const lackOfMinute = (day: SessionDate, time: MinuteEt | null): string =>
  time === null ? `${day} has no reading yet` : `${day} has no reading of ${time}`

/** Seconds until a state that is not there may be. */
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

/** When the state after a minute is told; after the last one, that of the next session. */
function nextState(day: SessionDate, minute: MinuteEt): number {
  if (minute >= lastJudgedMinute(findTradingSession(day)!))
    return firstState(neighbourSession(day, 1).date)
  return instantMs(day, minutesAfter(minute, 1)) + REPORTED_AFTER_MS
}

const nextMinute = (nowMs: number) => (Math.floor(nowMs / 60_000) + 1) * 60_000 + REPORTED_AFTER_MS
const firstState = (day: SessionDate) => instantMs(day, FIRST_MINUTE) + REPORTED_AFTER_MS
const secondsUntil = (atMs: number, nowMs: number) => Math.max(1, Math.ceil((atMs - nowMs) / 1000))
const isoText = (atMs: number) => new Date(atMs).toISOString().replace('.000Z', 'Z')
