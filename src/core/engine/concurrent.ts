import type { Database } from './database.ts'

/** Work of one connection, concurrent with that of others. */
export type Work = (connection: Database) => Promise<unknown>

/**
 * Runs several works concurrently: the first on the database's own connection, each other on one of
 * its own. Resolves when all have ended; fails with the error of the first that failed.
 */
export async function runConcurrently(db: Database, works: readonly Work[]): Promise<void> {
  const others = await Promise.all(works.slice(1).map(() => db.openConnection()))
  try {
    await allEnded(works.map((work, index) => work(others[index - 1] ?? db)))
  } finally {
    // a connection is closed only when no query runs on it
    for (const other of others) other.close()
  }
}

/**
 * Runs several works concurrently, each on one thread of the engine: for many small queries, whose
 * threads would only wait for each other. `threads` is the number the engine has again afterwards.
 */
export async function runOnOneThreadEach(
  db: Database,
  threads: number,
  works: readonly Work[],
): Promise<void> {
  await db.run('set threads = 1')
  try {
    await runConcurrently(db, works)
  } finally {
    await db.run(`set threads = ${threads}`)
  }
}

/** Resolves when all have ended; fails with the error of the first that failed. */
export async function allEnded(works: readonly unknown[]): Promise<void> {
  const ends = await Promise.allSettled(works)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Runs `work` for each item, two at a time: one alone leaves a core idle. */
export async function forEachConcurrently<Item>(
  db: Database,
  items: readonly Item[],
  work: (item: Item, connection: Database) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values()
  const hand: Work = async connection => {
    for (const item of waiting) await work(item, connection)
  }
  await runConcurrently(db, [hand, hand])
}

/** A point in one work that a concurrent one waits for. */
export type Milestone = {
  readonly reached: Promise<void>
  readonly markReached: () => void
  /** Runs the work that reaches it: if that fails before, the waiting one fails too. */
  readonly within: <T>(work: () => Promise<T>) => Promise<T>
}

export function milestone(): Milestone {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // there may be no one waiting for it
  promise.catch(() => {})
  return {
    reached: promise,
    markReached: resolve,
    within: async work => {
      try {
        return await work()
      } catch (error) {
        reject(error)
        throw error
      }
    },
  }
}
