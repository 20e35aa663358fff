/**
 * Dates late data of a running session: rows that arrive while a minute is built, or after it,
 * count from a later one.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../../core/disk/files.ts'
import { lockPath, withLock } from '../../core/disk/lock.ts'
import { addDays, isDate, type SessionDate } from '../../core/market/calendar.ts'
import type { LateDay } from '../tape/batches.ts'
import { RATES } from '../tape/manifest.ts'
import { CURVE_DAYS } from '../tape/rates.ts'
import { liveFolder, readLiveManifest } from './liveManifest.ts'

/** Far longer than the lock is ever held. */
const LOCK_WAIT_MS = 60_000

/**
 * Runs `work` while no one else reads the tape of a session for a minute, or adds to it: an import
 * is then before a minute or after it, also in another process.
 */
export const withTapeLock = <T>(
  dataFolder: string,
  date: SessionDate,
  work: () => Promise<T>,
): Promise<T> =>
  withLock(
    lockPath(dataFolder, `tape-${date}`),
    `Another process changes the tape of ${date}; run it again.`,
    work,
    LOCK_WAIT_MS,
  )

/** Announces that states up to an instant read the tape as of now, before they are published. */
export function announceStep(dataFolder: string, date: SessionDate, untilMs: number): void {
  if (readKnownFromMs(dataFolder, date) >= untilMs) return
  writeAtomically(announcementPath(dataFolder, date), `${untilMs}\n`)
}

/**
 * Reads the instant from which data imported now is known, for a session or for the yield curves:
 * curves that a running session may use are late data to it. A day without published states has no
 * late data.
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

/** Lists sessions of which any state was begun. */
function announcedSessions(dataFolder: string): SessionDate[] {
  const folder = dirname(announcementPath(dataFolder, ''))
  if (!existsSync(folder)) return []
  const dates = readdirSync(folder).map(name => name.replace(/\.(json|until)$/, ''))
  return [...new Set(dates)].filter(isDate).sort()
}

/** Instant from which data imported now is known; 0 before the first state. UTC milliseconds. */
function readKnownFromMs(dataFolder: string, date: SessionDate): number {
  const path = announcementPath(dataFolder, date)
  const announcedMs = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  return Math.max(announcedMs, readLiveManifest(dataFolder, date)?.live.known_before_ms ?? 0)
}

const announcementPath = (dataFolder: string, date: SessionDate): string =>
  join(liveFolder(dataFolder), 'manifests', `${date}.until`)
