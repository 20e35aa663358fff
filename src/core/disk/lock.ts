/**
 * Locks of the kernel: a process holds one until it releases it or ends, however long it stands
 * still. Their files stay on the disk, empty.
 */

import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Busy, Refusal } from './refusal.ts'

const POLL_MS = 50

/** SQLite's code for a file that another connection has locked. */
const SQLITE_BUSY = 5

/** Path of a lock of a data folder. Nothing but this module may open it, which would release it. */
export const lockPath = (dataFolder: string, name: string): string =>
  join(dataFolder, 'work', 'locks', name)

/**
 * Runs `work` while no other process, and nothing else in this one, holds the lock. One that is
 * held is waited for, and then refused with `busy`. Fails with a Refusal where the file system has
 * no locks.
 */
export async function withLock<T>(
  path: string,
  busy: string,
  work: () => Promise<T>,
  waitMs = 0,
): Promise<T> {
  mkdirSync(dirname(path), { recursive: true })
  const lock = await takeLock(path, busy, waitMs)
  try {
    return await work()
  } finally {
    lock.close()
  }
}

/** True when a process holds the lock. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false
  const lock = attemptLock(path)
  lock?.close()
  return lock === null
}

async function takeLock(path: string, busy: string, waitMs: number): Promise<DatabaseSync> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const lock = attemptLock(path)
    if (lock) return lock
    // a second attempt in any case: `isLocked` holds a free lock for an instant
    if (waitedMs >= Math.max(waitMs, POLL_MS)) throw new Busy(busy)
    await sleep(POLL_MS)
  }
}

/** Returns the locked file, or null when it is held already. Closing the file releases the lock. */
function attemptLock(path: string): DatabaseSync | null {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    // of two at once, one gets it; with its journal in memory and no commit nothing is written
    file.exec('pragma journal_mode = memory; begin immediate')
    return file
  } catch (error) {
    file?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
    throw new Refusal(`${path} cannot be locked: ${(error as Error).message}.`)
  }
}
