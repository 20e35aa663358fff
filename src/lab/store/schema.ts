import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { AccountTables } from '../../accounts/schema.ts'
import {
  LAB_RUNS_MIGRATION,
  type LabRunTables,
  SEALED_KIND_MIGRATION,
  SEALS_MIGRATION,
} from './runsSchema.ts'

/** The tables of LAB: ideas with their versions and messages, and the lines of credits. */
export type LabTables = LabRunTables & {
  lab_ideas: {
    id: string
    account_id: string
    /** Increases with every idea of an account: their order. */
    number: number
    name: string
    stage: string
    /** Version of its rule; 0 while it has none. */
    version: number
    /** JSON of the draft while a question is open; only the area knows its form. */
    draft: string | null
    /** JSON: the open slots. */
    missing: string
    created_at: number
    updated_at: number
    /** Deleted ideas stay, to count the tests of a rule. */
    deleted_at: number | null
    /** Of a desk idea: 1 when it runs each minute, how charts draw it, where its alerts go. */
    is_on: number
    /** Last time it was turned on; null: never. */
    on_at: number | null
    draw: string
    alert: string
  }
  /** Every version of an idea's rule; immutable. */
  lab_versions: {
    idea_id: string
    version: number
    /** The version it was derived from, which undo goes back to; null: none. */
    parent: number | null
    /** JSON of the rule, by RFC 8785. */
    spec: string
    /** SHA-256 of it, hex. */
    rule_hash: string
    /** The rule in words. */
    say: string
    created_at: number
  }
  lab_messages: {
    idea_id: string
    /** From 1 on. */
    n: number
    at: number
    /** 'you' or 'lab'. */
    sender: string
    text: string
    kind: string | null
    version: number | null
    rule_hash: string | null
    /** JSON lists. */
    missing: string | null
    errors: string | null
  }
  /** Two lines per event, which sum to 0. */
  lab_credit_lines: {
    account_id: string
    /** grant, purchase, expire, spend or refund. */
    event: string
    /** Reference of the event, unique for its kind: a month, a payment, a run. */
    ref: string
    /** monthly, purchased; or the counterpart of the credits: granted, sold, spent, expired. */
    bucket: string
    amount: number
    at: number
  }
}

/** The tables of LAB, and those that their rows refer to. */
export type LabDatabaseTables = AccountTables & LabTables

/** Each after those that its rows refer to. */
export const LAB_TABLES = [
  'lab_ideas',
  'lab_versions',
  'lab_messages',
  'lab_credit_lines',
  'lab_conveyor',
  'lab_runs',
  'lab_results',
  'lab_seals',
] as const satisfies readonly (keyof LabTables)[]

export const LAB_MIGRATIONS: Readonly<Record<string, Migration>> = {
  '008_lab_ideas': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('lab_ideas')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('number', 'bigint', column => column.notNull())
        .addColumn('name', 'text', column => column.notNull())
        .addColumn('stage', 'text', column => column.notNull())
        .addColumn('version', 'bigint', column => column.notNull())
        .addColumn('draft', 'text')
        .addColumn('missing', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('updated_at', 'bigint', column => column.notNull())
        .addColumn('deleted_at', 'bigint')
        .addUniqueConstraint('lab_ideas_order', ['account_id', 'number'])
        .execute()
      await db.schema
        .createTable('lab_versions')
        .addColumn('idea_id', 'text', column => column.notNull().references('lab_ideas.id'))
        .addColumn('version', 'bigint', column => column.notNull())
        .addColumn('parent', 'bigint')
        .addColumn('spec', 'text', column => column.notNull())
        .addColumn('rule_hash', 'text', column => column.notNull())
        .addColumn('say', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('lab_versions_key', ['idea_id', 'version'])
        .execute()
      await db.schema
        .createTable('lab_messages')
        .addColumn('idea_id', 'text', column => column.notNull().references('lab_ideas.id'))
        .addColumn('n', 'bigint', column => column.notNull())
        .addColumn('at', 'bigint', column => column.notNull())
        .addColumn('sender', 'text', column => column.notNull())
        .addColumn('text', 'text', column => column.notNull())
        .addColumn('kind', 'text')
        .addColumn('version', 'bigint')
        .addColumn('rule_hash', 'text')
        .addColumn('missing', 'text')
        .addColumn('errors', 'text')
        .addPrimaryKeyConstraint('lab_messages_key', ['idea_id', 'n'])
        .execute()
    },
  },
  '009_lab_credits': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('lab_credit_lines')
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('event', 'text', column => column.notNull())
        .addColumn('ref', 'text', column => column.notNull())
        .addColumn('bucket', 'text', column => column.notNull())
        .addColumn('amount', 'bigint', column => column.notNull())
        .addColumn('at', 'bigint', column => column.notNull())
        // an event counts once, however often it is recorded
        .addPrimaryKeyConstraint('lab_credit_once', ['account_id', 'event', 'ref', 'bucket'])
        .execute()
    },
  },
  '011_lab_runs': LAB_RUNS_MIGRATION,
  '013_lab_sealed_kind': SEALED_KIND_MIGRATION,
  '014_lab_seals': SEALS_MIGRATION,
}
