import type { DamagedFile } from '../data/published/damagedFile.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { marketDamage } from '../data/published/positionTables.ts'

/** Sessions whose files are hashed concurrently: a disk serves several reads sooner. */
const READ_AT_ONCE = 8

/** Reads files of sessions once they match their manifests. Fails with DamagedFile. */
export type VerifiedReader = <T>(
  sessions: readonly PublishedManifest[],
  read: () => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>

/**
 * Compares files with their hashes on first use, as the engine would not notice a difference, and
 * again when reading fails. Fails with DamagedFile.
 */
export function createVerifiedReader(dataFolder: string): VerifiedReader {
  const verified = new Set<string>()
  const verify = async (sessions: readonly PublishedManifest[], signal?: AbortSignal) => {
    const faults = new Map<string, DamagedFile>()
    const unread = sessions.filter(({ revision }) => !verified.has(revision))
    const queue = unread.values()
    const work = async () => {
      for (const session of queue) {
        signal?.throwIfAborted()
        if (faults.size > 0) return
        const damage = await marketDamage(dataFolder, session)
        if (damage === null) verified.add(session.revision)
        else faults.set(session.revision, damage)
      }
    }
    await Promise.all(Array.from({ length: READ_AT_ONCE }, work))
    // report the first in order, as a sequential read would
    const damaged = unread.find(({ revision }) => faults.has(revision))
    if (damaged) throw faults.get(damaged.revision)!
  }
  return async (sessions, read, signal) => {
    await verify(sessions, signal)
    try {
      return await read()
    } catch (error) {
      if (signal?.aborted) throw error
      verified.clear()
      await verify(sessions)
      throw error
    }
  }
}
