import { lockPath, withLock } from '../../src/core/disk/lock.ts'
import { Busy } from '../../src/core/disk/refusal.ts'
import { withAdvisoryLock } from '../../src/platform/database/advisoryLock.ts'

export type Turn = {
  readonly dataFolder: string
  /** PostgreSQL that machines share, if they do. */
  readonly databaseUrl: string | null
  readonly say: (line: string) => void
}

/**
 * Runs `work` while no other scheduler of the data folder, or of the shared database, works; the
 * lock of one that dies is free at once. Fails with Busy where one works and `isWaiting` is false.
 * `lost` is aborted when another one has taken the lock, which only a database allows.
 */
export async function takeTurn(
  { dataFolder, databaseUrl, say }: Turn,
  isWaiting: boolean,
  work: (lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const busy = 'another scheduler is at work'
  const take = (waits: boolean) => {
    if (databaseUrl !== null) {
      const lock = { url: databaseUrl, name: 'schedule', busy: waits ? null : busy, say }
      return withAdvisoryLock(lock, work)
    }
    const path = lockPath(dataFolder, 'schedule')
    const waitMs = waits ? Number.POSITIVE_INFINITY : 0
    return withLock(path, busy, () => work(new AbortController().signal), waitMs)
  }
  try {
    await take(false)
  } catch (error) {
    if (!(error instanceof Busy) || !isWaiting) throw error
    say(`${busy}; this one takes over when it ends`)
    await take(true)
  }
}
