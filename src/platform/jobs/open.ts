import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { databaseReason, openPostgres } from '../database/postgres.ts'
import { NodeSqliteDialect, openSqlite } from '../database/sqlite.ts'
import { jobOperations } from './operations.ts'
import type { JobQueue } from './queue.ts'
import { createJobTables, type JobTables } from './schema.ts'

/** Connections a process may have open at once. */
const MAX_CONNECTIONS = 4

/** Opens the queue in a file, for processes of one machine. */
export async function openFileQueue(file: string, nowMs: () => number): Promise<JobQueue> {
  mkdirSync(dirname(file), { recursive: true })
  const database = openSqlite(file, 'process', { now_ms: nowMs })
  const db = new Kysely<JobTables>({ dialect: new NodeSqliteDialect(database) })
  await createTables(db, `job database ${file}`)
  return jobOperations({ db, isConcurrent: false, now: () => sql`now_ms()` })
}

/**
 * Opens the queue in a PostgreSQL database, for processes of many machines. Leases are measured by
 * the clock of the server, the same for all of them; `nowMs` replaces it in tests.
 */
export async function openPostgresQueue(url: string, nowMs?: () => number): Promise<JobQueue> {
  const pool = openPostgres(url, MAX_CONNECTIONS)
  const db = new Kysely<JobTables>({ dialect: new PostgresDialect({ pool }) })
  await createTables(db, 'job database (DATABASE_URL)')
  return jobOperations({
    db,
    isConcurrent: true,
    now: nowMs ? () => fixedMs(nowMs()) : () => SERVER_MS,
  })
}

const fixedMs = (nowMs: number) => sql<number>`cast(${nowMs} as bigint)`

/** Time of evaluation, not of the transaction's start. */
const SERVER_MS = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`

/**
 * Creates the tables. Two processes that meet a new database both start: the later one finds them.
 */
async function createTables(db: Kysely<JobTables>, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createJobTables(db)
    } catch (error) {
      if (attempt < 3) continue
      await db.destroy().catch(() => {})
      throw new Error(`${name}: ${databaseReason(error)}.`, { cause: error })
    }
  }
}
