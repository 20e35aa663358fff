import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { AccountTables } from '../../accounts/schema.ts'

/** Tables of the alert settings of accounts. */
export type AlertTables = {
  /** One row for each account that has changed its alert settings. */
  alert_settings: {
    account_id: string
    /** JSON of the configured entries; null when there are none. */
    list: string | null
    /** Increases over all accounts with every change of settings. */
    version: number
    updated_at: number
  }
  alert_lines: {
    id: string
    account_id: string
    /** Increases with every line of an account: their order. */
    number: number
    /** `price` or `level`: determines which of the next four are set. */
    kind: string
    price: number | null
    book: string | null
    level: string | null
    /** Index points from the level. */
    offset: number | null
    direction: string
    mode: string
    note: string | null
    created_at: number
    /** When it was set to its current value. */
    set_at: number
  }
  alert_rules: {
    id: string
    account_id: string
    /** Increases with every rule of an account: their order. */
    number: number
    /** JSON. */
    body: string
    created_at: number
    /** Last change. */
    set_at: number
  }
}

/** The tables of alerts, and those that their rows refer to. */
export type AlertDatabaseTables = AccountTables & AlertTables

/** Each after those that its rows refer to. */
export const ALERT_TABLES = [
  'alert_settings',
  'alert_lines',
  'alert_rules',
] as const satisfies readonly (keyof AlertTables)[]

export const ALERTS_STEP: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('alert_settings')
      .addColumn('account_id', 'text', column => column.primaryKey().references('accounts.id'))
      .addColumn('list', 'text')
      .addColumn('version', 'bigint', column => column.notNull().unique())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .execute()
    await db.schema
      .createTable('alert_lines')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('number', 'bigint', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('price', 'double precision')
      .addColumn('book', 'text')
      .addColumn('level', 'text')
      .addColumn('offset', 'double precision')
      .addColumn('direction', 'text', column => column.notNull())
      .addColumn('mode', 'text', column => column.notNull())
      .addColumn('note', 'text')
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('set_at', 'bigint', column => column.notNull())
      .addUniqueConstraint('alert_lines_order', ['account_id', 'number'])
      .execute()
    await db.schema
      .createTable('alert_rules')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('number', 'bigint', column => column.notNull())
      .addColumn('body', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('set_at', 'bigint', column => column.notNull())
      .addUniqueConstraint('alert_rules_order', ['account_id', 'number'])
      .execute()
  },
}
