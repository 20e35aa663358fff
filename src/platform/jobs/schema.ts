import type { Kysely } from 'kysely'

/**
 * Tables of the job database, in the subset that SQLite and PostgreSQL share: texts, and integers
 * (instants are milliseconds since the Unix epoch). They hold no market data and nothing that
 * cannot be recovered: built files are known from the manifests.
 */
export type JobTables = {
  jobs: {
    queue: string
    /** Item of work, such as a session date; jobs are claimed in its order. */
    item: string
    /** Item of the same queue that must be done first; null when there is none. */
    after_item: string | null
    /** Worker that holds it; null when none does. */
    leased_by: string | null
    leased_until: number | null
    /** Number of claims. */
    tries: number
    done_at: number | null
    /** One word for the result, such as built; null until it ends. */
    outcome: string | null
    /** Reason of a failure, in one sentence. */
    reason: string | null
    took_ms: number | null
  }
  leases: {
    name: string
    holder: string
    leased_until: number
  }
}

/** Creates missing tables. */
export async function createJobTables(db: Kysely<JobTables>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .ifNotExists()
    .addColumn('queue', 'text', column => column.notNull())
    .addColumn('item', 'text', column => column.notNull())
    .addColumn('after_item', 'text')
    .addColumn('leased_by', 'text')
    .addColumn('leased_until', 'bigint')
    .addColumn('tries', 'bigint', column => column.notNull())
    .addColumn('done_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('reason', 'text')
    .addColumn('took_ms', 'bigint')
    .addPrimaryKeyConstraint('jobs_key', ['queue', 'item'])
    .execute()
  await db.schema
    .createTable('leases')
    .ifNotExists()
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('holder', 'text', column => column.notNull())
    .addColumn('leased_until', 'bigint', column => column.notNull())
    .execute()
}
