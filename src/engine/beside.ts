import type { Database } from './database.ts'

/** What one connection does while another does something else. */
export type Work = (connection: Database) => Promise<unknown>

/**
 * Runs works at the same time: the first on the database's own connection, each other one on its
 * own. Ends when all have ended; fails as the first of them that failed.
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

/** Ends when all have ended; fails as the first of them that failed. */
export async function allEnded(works: readonly unknown[]): Promise<void> {
  const ends = await Promise.allSettled(works)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** Does the same to each item, two at a time: one alone leaves a core idle. Ends as `runBeside`. */
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

/** A point in one work that another one, beside it, waits for. */
export type Milestone = {
  readonly reached: Promise<void>
  readonly markReached: () => void
  /** Does the work that reaches it: where that fails before, so does who waits. */
  readonly within: <T>(work: () => Promise<T>) => Promise<T>
}

export function milestone(): Milestone {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // nobody may wait for it
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
