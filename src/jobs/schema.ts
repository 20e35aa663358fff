import type { Kysely } from 'kysely'

/**
 * The tables of the job database, in the subset that SQLite and PostgreSQL share: texts, and
 * integers (instants are milliseconds since the Unix epoch). They hold no market data and nothing
 * that cannot be had again: what is built is known from the manifests.
 */
export type JobTables = {
  jobs: {
    queue: string
    /** What is to be done, such as a session date; jobs are claimed in its order. */
    item: string
    /** Not claimed before this item of the same queue is done; null when it waits for none. */
    after_item: string | null
    /** Worker that has it; null when nobody has. */
    leased_by: string | null
    leased_until: number | null
    /** How often it was claimed. */
    tries: number
    done_at: number | null
    /** One word on how it ended, such as built; null until then. */
    outcome: string | null
    /** Why it failed, in one sentence. */
    reason: string | null
    took_ms: number | null
  }
  leases: {
    name: string
    holder: string
    leased_until: number
  }
}

/** Makes the tables where they are missing. */
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
