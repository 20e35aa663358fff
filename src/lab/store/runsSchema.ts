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
    /** Newest session of its market, and newest sealed one; null: none, or not done. */
    tested_to: string | null
    sealed_to: string | null
  }
  /** Sessions that no idea of an account has seen the trades of, one row a kind of sessions. */
  lab_seals: {
    account_id: string
    /** real or simulated. */
    kind: string
    /** First session of the holdout, fixed by the first test; null: too few sessions yet. */
    holdout_from: string | null
    /** Newest session at the first test, or when the last holdout was opened. */
    first_tested_to: string
    /** Sessions up to this one are opened; null: no holdout ever was. */
    opened_to: string | null
  }
  /** Results of completed runs: much longer than the rest of their rows. */
  lab_results: {
    run_id: string
    /** JSON of what is shown while sessions are sealed. */
    result: string
    /** JSON of the whole result, and the key of the file with all trades; null: nothing is sealed. */
    whole: string | null
    trades_key: string | null
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

/**
 * One seal an account, whose ideas share their holdout: what one shows, no other one is judged on.
 * Results of before show all trades of their holdout: they are removed, and their ideas can be
 * tested again. How often a rule was tried stays.
 */
export const SEALS_MIGRATION: Migration = {
  up: async (given: Kysely<unknown>) => {
    const db = given as Kysely<LabSealTables>
    await db.schema
      .createTable('lab_seals')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('holdout_from', 'text')
      .addColumn('first_tested_to', 'text', column => column.notNull())
      .addColumn('opened_to', 'text')
      .addPrimaryKeyConstraint('lab_seals_key', ['account_id', 'kind'])
      .execute()
    for (const name of ['tested_to', 'sealed_to']) {
      await db.schema.alterTable('lab_runs').addColumn(name, 'text').execute()
    }
    for (const name of ['whole', 'trades_key']) {
      await db.schema.alterTable('lab_results').addColumn(name, 'text').execute()
    }
    // the earliest test of an account fixed its holdout; without a kind it is of any
    await sql`insert into lab_seals (account_id, kind, holdout_from, first_tested_to)
      select account_id, coalesce(sealed_kind, 'real'), min(holdout_from), min(first_tested_to)
      from lab_ideas where first_tested_to is not null
      group by account_id, coalesce(sealed_kind, 'real')`.execute(db)
    const old = db.selectFrom('lab_runs').select('id').where('kind', '!=', 'struct')
    await db.deleteFrom('lab_results').where('run_id', 'in', old).execute()
    await db
      .updateTable('lab_runs')
      .set({ summary: null, trades_sha256: null })
      .where('kind', '!=', 'struct')
      .execute()
    const tested = ['tested', 'ready']
    await db.updateTable('lab_ideas').set({ stage: 'rule' }).where('stage', 'in', tested).execute()
    const open = ['queued', 'running']
    const busy = db.selectFrom('lab_runs').select('idea_id').where('state', 'in', open)
    await db
      .deleteFrom('lab_conveyor')
      .where('idea_id', 'not in', busy.where('idea_id', 'is not', null))
      .execute()
    // a family follows from the rules
    for (const name of ['family', 'family_more']) {
      await db.schema.alterTable('lab_runs').dropColumn(name).execute()
    }
    for (const name of ['holdout_from', 'first_tested_to', 'sealed_kind']) {
      await db.schema.alterTable('lab_ideas').dropColumn(name).execute()
    }
  },
}

type LabSealTables = LabRunTables & {
  readonly lab_ideas: { readonly stage: string }
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
