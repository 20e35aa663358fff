/**
 * What an import may still say of a running session: rows that come while a minute is built, or
 * after it, are news of a later one.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionDate } from '../market/calendar.ts'
import { writeAtomically } from './files.ts'
import { liveFolder, readLiveManifest } from './liveState.ts'
import { withLock } from './lock.ts'

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
  if (newsFromMs(dataFolder, date) >= untilMs) return
  writeAtomically(announcementPath(dataFolder, date), `${untilMs}\n`)
}

/** From when on what is imported now is known; 0 before the first state. UTC milliseconds. */
export function newsFromMs(dataFolder: string, date: SessionDate): number {
  const path = announcementPath(dataFolder, date)
  const announcedMs = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  return Math.max(announcedMs, readLiveManifest(dataFolder, date)?.live.known_before_ms ?? 0)
}

const announcementPath = (dataFolder: string, date: SessionDate): string =>
  join(liveFolder(dataFolder), 'manifests', `${date}.until`)
