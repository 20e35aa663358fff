import { setTimeout } from 'node:timers/promises'
import { type DatabaseConnection, type Driver, SqliteDriver } from 'kysely'
import { NodeSqliteDialect, type SqliteFile } from './sqlite.ts'

/**
 * Waits for a file that another process holds, off the event loop: SQLite's own wait would block
 * every call of the server, even those that need no file.
 */
export type LockWait = {
  /** Retries until the file is free, or the wait is over: then its error is thrown. */
  readonly run: <Result>(attempt: () => Result | Promise<Result>) => Promise<Result>
  /** True when the last wait timed out and nothing has succeeded since. */
  readonly isLocked: () => boolean
  /** Sets the wait limit from now on. */
  readonly setMaxMs: (maxMs: number) => void
}

const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 25
/** SQLITE_BUSY, the lower byte of its extended codes. */
const BUSY = 5

/**
 * Makes the waits of one file. After a wait that timed out, the next ones attempt once and fail at
 * once, until one succeeds: a queue for a locked file does not add up waits. Time is counted in
 * requested pauses, so that a slow machine does not give up too early.
 */
export function createLockWait(maxMs: number): LockWait {
  let longestMs = maxMs
  let isLocked = false
  return {
    run: async attempt => {
      let pauseMs = FIRST_PAUSE_MS
      for (let waitedMs = 0; ; waitedMs += pauseMs) {
        try {
          const result = await attempt()
          isLocked = false
          return result
        } catch (error) {
          if (!isBusy(error)) throw error
          if (isLocked || waitedMs >= longestMs) {
            isLocked = true
            throw error
          }
        }
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
        await setTimeout(pauseMs)
      }
    },
    isLocked: () => isLocked,
    setMaxMs: ms => {
      longestMs = ms
    },
  }
}

/** True when a statement did nothing because another connection holds the file. */
function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === BUSY
}

/**
 * SQLite as a dialect that waits off the event loop. Every statement may be retried: alone it does
 * all or nothing, and a transaction holds the file from its start.
 */
export class WaitingSqliteDialect extends NodeSqliteDialect {
  readonly #file: SqliteFile
  readonly #wait: LockWait

  constructor(file: SqliteFile, wait: LockWait) {
    super(file)
    this.#file = file
    this.#wait = wait
  }

  override createDriver(): Driver {
    return new WaitingDriver(this.#file, this.#wait)
  }
}

class WaitingDriver extends SqliteDriver {
  readonly #wait: LockWait
  #waiting: DatabaseConnection | null = null

  constructor(file: SqliteFile, wait: LockWait) {
    super({ database: file })
    this.#wait = wait
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    this.#waiting ??= {
      executeQuery: query => this.#wait.run(() => connection.executeQuery(query)),
      streamQuery: (query, size) => connection.streamQuery(query, size),
    }
    return this.#waiting
  }
}
