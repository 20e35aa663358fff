/**
 * What an import may still say of a running session: rows that come while a minute is built, or
 * after it, are news of a later one.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../disk/files.ts'
import { withLock } from '../disk/lock.ts'
import { addDays, isDate, type SessionDate } from '../market/calendar.ts'
import { liveFolder, readLiveManifest } from '../published/liveManifest.ts'
import { RATES } from './manifest.ts'
import { CURVE_DAYS } from './rates.ts'

/** Far longer than anybody holds it. */
const LOCK_WAIT_MS = 60_000

/**
 * Runs `work` while nobody else looks what the tape of a session holds for a minute, or adds to
 * it: an import is then before a minute or after it, also in another process.
 */
export const withTapeLock = <T>(
  dataFolder: string,
  date: SessionDate,
  work: () => Promise<T>,
): Promise<T> =>
  withLock(
    join(dataFolder, 'work', `tape-${date}.lock`),
    `Another process changes the tape of ${date}; run it again.`,
    work,
    LOCK_WAIT_MS,
  )

/** Says that states up to an instant look at the tape as it is now, before they are published. */
export function announceStep(dataFolder: string, date: SessionDate, untilMs: number): void {
  if (readKnownFromMs(dataFolder, date) >= untilMs) return
  writeAtomically(announcementPath(dataFolder, date), `${untilMs}\n`)
}

/** Rows of a day that are imported now, and from when on they are known. */
export type LateDay = {
  readonly date: SessionDate
  /** UTC milliseconds. */
  readonly fromMs: number
}

/**
 * From when on what is imported now of a session is known, or of the yield curves: those that a
 * running session may use are news to it. Nothing of a day that is not told is news.
 */
export function readLateDays(dataFolder: string, key: string): readonly LateDay[] {
  if (key !== RATES) {
    const fromMs = readKnownFromMs(dataFolder, key)
    return fromMs > 0 ? [{ date: key, fromMs }] : []
  }
  const lateDays = new Map<SessionDate, number>()
  for (const session of announcedSessions(dataFolder)) {
    const fromMs = readKnownFromMs(dataFolder, session)
    for (let age = 1; age <= CURVE_DAYS; age++) {
      const date = addDays(session, -age)
      lateDays.set(date, Math.max(fromMs, lateDays.get(date) ?? 0))
    }
  }
  return [...lateDays].map(([date, fromMs]) => ({ date, fromMs }))
}

/** Sessions of which any state was begun. */
function announcedSessions(dataFolder: string): SessionDate[] {
  const folder = dirname(announcementPath(dataFolder, ''))
  if (!existsSync(folder)) return []
  const dates = readdirSync(folder).map(name => name.replace(/\.(json|until)$/, ''))
  return [...new Set(dates)].filter(isDate).sort()
}

/** From when on what is imported now is known; 0 before the first state. UTC milliseconds. */
function readKnownFromMs(dataFolder: string, date: SessionDate): number {
  const path = announcementPath(dataFolder, date)
  const announcedMs = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  return Math.max(announcedMs, readLiveManifest(dataFolder, date)?.live.known_before_ms ?? 0)
}

const announcementPath = (dataFolder: string, date: SessionDate): string =>
  join(liveFolder(dataFolder), 'manifests', `${date}.until`)
