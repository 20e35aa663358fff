import { type Clock, parseReplay, replayClock } from '../../core/clock.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import {
  dayReader,
  findTradingSession,
  instantMs,
  MINUTE_MS,
  type SessionDate,
} from '../../core/market/calendar.ts'
import { type Catalog, type Found, finishedBefore, type SessionList } from './catalog.ts'
import { asofMs } from './freshness.ts'
import { type PublishedManifest, readManifest } from './manifest.ts'

/** Orders are known up to two minutes after their last print: then a session has ended. */
const SETTLE_MS = 3 * MINUTE_MS
/** Delay after the close by which a session is shown as it was published whole. */
const AFTER_CLOSE_MS = 30 * MINUTE_MS

/**
 * The catalog as of an earlier time. Later sessions are hidden; the session of the clock's day is
 * there from its open on, as it was known at each minute, and as it was published once its last
 * message is three minutes old.
 */
export function replayCatalog(catalog: Catalog, nowMs: () => number): Catalog {
  const readToday = dayReader()
  const selectShown = (dates: readonly SessionDate[], atMs: number) => {
    const today = readToday(atMs)
    const hasOpened = (findTradingSession(today)?.opensAtMs ?? Number.POSITIVE_INFINITY) <= atMs
    return dates.filter(date => date < today || (date === today && hasOpened))
  }
  const findAt = (all: SessionList, date: SessionDate, atMs: number): Found | null => {
    const [shown] = selectShown([date], atMs)
    const found = shown === undefined ? null : all.find(shown)
    if (!found) return null
    const { manifest } = found
    // the last reports of a day arrive on that day
    const running = date === readToday(atMs) ? runningMinute(manifest, atMs) : null
    const isNewest = running !== null || newestDate(all, atMs) === date
    // a session that was never built whole is known up to its last minute published, at most
    const until = [running, found.knownBeforeMs].filter(each => typeof each === 'number')
    if (until.length === 0) return { manifest, isNewest }
    return { manifest, isNewest, knownBeforeMs: Math.min(...until) }
  }
  const newestDate = (all: SessionList, atMs: number): SessionDate | undefined => {
    const shown = selectShown(all.sessions(), atMs)
    const newest = shown.at(-1)
    // in its first minute nothing is known of a session: the one before is still the newest
    const isFirstMinute =
      newest === readToday(atMs) && atMs < findTradingSession(newest)!.opensAtMs + MINUTE_MS
    return isFirstMinute ? (shown.at(-2) ?? newest) : newest
  }
  const replay = (all: SessionList): SessionList => ({
    sessions: () => selectShown(all.sessions(), nowMs()),
    finished: finishedBefore(all.finished, () => readToday(nowMs())),
    find: date => findAt(all, date, nowMs()),
    newest: () => {
      const atMs = nowMs()
      const date = newestDate(all, atMs)
      return date === undefined ? null : findAt(all, date, atMs)
    },
  })
  return {
    ...catalog,
    ...replay(catalog),
    replayed: replay(catalog.replayed),
    unreadable: () => selectShown(catalog.unreadable(), nowMs()),
  }
}

/** Minute of the state that a running session shows; null when it has ended. */
function runningMinute({ session_date: date, asof }: PublishedManifest, atMs: number) {
  const closesAtMs = findTradingSession(date)?.closesAtMs ?? instantMs(date, '16:15')
  if (atMs >= Math.max(closesAtMs, asofMs(date, asof)) + SETTLE_MS) return null
  return Math.floor(atMs / MINUTE_MS) * MINUTE_MS
}

/** Fails with one sentence unless a session is published with the history of its records. */
export function refuseReplay(dataFolder: string, date: SessionDate): void {
  const manifest = readManifest(dataFolder, date)
  if (!manifest) throw new Refusal(`${date} is not published; build it first.`)
  if (!manifest.datasets.revisions) {
    throw new Refusal(`${date} was published without its minute-by-minute history: build it again.`)
  }
}

/** The clock of `serve --clock`; fails with one sentence where there is nothing to replay. */
export function openReplay(dataFolder: string, text: string): Clock {
  const replay = parseReplay(text)
  refuseReplay(dataFolder, replay.date)
  return replayClock(replay)
}

/**
 * The same clock, which stops some minutes after the close: the time after it is no part of a demo.
 */
export function openReplayUntilClose(dataFolder: string, text: string): Clock {
  const replay = parseReplay(text)
  refuseReplay(dataFolder, replay.date)
  const endMs = findTradingSession(replay.date)!.closesAtMs + AFTER_CLOSE_MS
  return replayClock({ ...replay, endMs })
}
