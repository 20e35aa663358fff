import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tables of runs: requests to the engine, and the idea on the conveyor. */
export type LabRunTables = {
  /** At most one idea per account. */
  lab_conveyor: {
    account_id: string
    idea_id: string
  }
  /** Every run of the engine; those of deleted ideas stay, since they count as trials. */
  lab_runs: {
    id: string
    account_id: string
    /** Null for a struct, which has no idea. */
    idea_id: string | null
    kind: string
    /** queued, running, done or failed. */
    state: string
    /**
     * Messages of the idea at the start of the run: with more of them it has to be tested again.
     */
    messages: number
    spec: string
    say: string
    rule_hash: string
    /** JSON of the assumptions. */
    assume: string
    /** Family of its trades: action, structure and dte; and that of a second leg. */
    family: string
    family_more: string | null
    /** JSON: earlier tests of the idea and of all of its family, this run included. */
    lineage: string
    /** First session of the sealed part, and newest session at the first test; null: none yet. */
    holdout_from: string | null
    first_tested_to: string | null
    /** Kind of sessions of those two, real or simulated; null: none yet, or not recorded. */
    sealed_kind: string | null
    /** Number of rules tested. */
    variants: number
    done: number
    total: number
    error: string | null
    /** 1: the engine refused the rule, so that a retry does not help. */
    is_refusal: number
    refunded: number
    /** Process that computes it; its lease expires unless it is renewed. */
    worker: string | null
    leased_until: number | null
    /** Number of starts. */
    tries: number
    created_at: number
    ended_at: number | null
    /** SHA-256 of the file of its trades, hex. */
    trades_sha256: string | null
    /** JSON of the few figures that lists show. */
    summary: string | null
  }
  /** Results of completed runs: much longer than the rest of their rows. */
  lab_results: {
    run_id: string
    /** JSON. */
    result: string
  }
}

export const LAB_RUNS_MIGRATION: Migration = {
  up: async (db: Kysely<unknown>) => {
    await addIdeaColumns(db)
    await db.schema
      .createTable('lab_conveyor')
      .addColumn('account_id', 'text', column => column.primaryKey().references('accounts.id'))
      .addColumn('idea_id', 'text', column => column.notNull().references('lab_ideas.id'))
      .execute()
    await createRuns(db)
  },
}

/** A seal on simulated sessions does not bind real ones. */
export const SEALED_KIND_MIGRATION: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const table of ['lab_ideas', 'lab_runs']) {
      await db.schema.alterTable(table).addColumn('sealed_kind', 'text').execute()
    }
  },
}

async function addIdeaColumns(db: Kysely<unknown>): Promise<void> {
  const ideas = () => db.schema.alterTable('lab_ideas')
  await ideas()
    .addColumn('is_on', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
  await ideas().addColumn('on_at', 'bigint').execute()
  for (const name of ['draw', 'alert']) {
    await ideas()
      .addColumn(name, 'text', column => column.notNull().defaultTo('off'))
      .execute()
  }
  for (const name of ['holdout_from', 'first_tested_to']) {
    await ideas().addColumn(name, 'text').execute()
  }
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('lab_runs')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
    .addColumn('idea_id', 'text', column => column.references('lab_ideas.id'))
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('messages', 'bigint', column => column.notNull())
    .addColumn('spec', 'text', column => column.notNull())
    .addColumn('say', 'text', column => column.notNull())
    .addColumn('rule_hash', 'text', column => column.notNull())
    .addColumn('assume', 'text', column => column.notNull())
    .addColumn('family', 'text', column => column.notNull())
    .addColumn('family_more', 'text')
    .addColumn('lineage', 'text', column => column.notNull())
    .addColumn('holdout_from', 'text')
    .addColumn('first_tested_to', 'text')
    .addColumn('variants', 'bigint', column => column.notNull())
    .addColumn('done', 'bigint', column => column.notNull())
    .addColumn('total', 'bigint', column => column.notNull())
    .addColumn('error', 'text')
    .addColumn('is_refusal', 'bigint', column => column.notNull())
    .addColumn('refunded', 'bigint', column => column.notNull())
    .addColumn('worker', 'text')
    .addColumn('leased_until', 'bigint')
    .addColumn('tries', 'bigint', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('trades_sha256', 'text')
    .addColumn('summary', 'text')
    .execute()
  await db.schema
    .createTable('lab_results')
    .addColumn('run_id', 'text', column => column.primaryKey().references('lab_runs.id'))
    .addColumn('result', 'text', column => column.notNull())
    .execute()
  const ofAccount = ['account_id', 'created_at']
  await db.schema.createIndex('lab_runs_of_account').on('lab_runs').columns(ofAccount).execute()
  // few are open at any time, and workers poll for them all day
  await sql`create index lab_runs_open on lab_runs (state, created_at)
    where state in ('queued', 'running')`.execute(db)
}
