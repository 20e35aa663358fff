import { join } from 'node:path'
import { systemClock } from '../../src/core/clock.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { accessReason } from '../../src/platform/database/sqlite.ts'
import { openFileQueue, openPostgresQueue } from '../../src/platform/jobs/open.ts'
import type { JobQueue } from '../../src/platform/jobs/queue.ts'
import { environmentConfig } from '../command/command.ts'

export type SharedQueue = {
  readonly queue: JobQueue
  /** True when other machines may share it; a file belongs to one machine. */
  readonly isShared: boolean
}

/**
 * The job queue of a data folder: in PostgreSQL where DATABASE_URL names one, else in a file. The
 * address has a password, so it is never on a command line: each process reads it for itself.
 */
export async function openQueue(dataFolder: string): Promise<SharedQueue> {
  const { databaseUrl } = environmentConfig()
  const file = join(dataFolder, 'jobs.sqlite')
  try {
    if (databaseUrl) return { queue: await openPostgresQueue(databaseUrl), isShared: true }
    return { queue: await openFileQueue(file, systemClock.nowMs), isShared: false }
  } catch (error) {
    const reason = databaseUrl ? null : accessReason(file)
    if (reason === null) throw new Refusal((error as Error).message)
    throw new Refusal(`job database ${file}: ${reason}.`)
  }
}
