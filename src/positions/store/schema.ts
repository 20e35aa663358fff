import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { AccountTables } from '../../accounts/schema.ts'

/** Table of the positions of accounts. */
export type PositionTables = {
  positions: {
    id: string
    account_id: string
    /** Increases with every position of an account: their order. */
    number: number
    /** JSON; only the positions area knows its form. */
    body: string
    created_at: number
    updated_at: number
  }
}

/** The table of positions, and those that its rows refer to. */
export type PositionDatabaseTables = AccountTables & PositionTables

export const POSITION_TABLES = ['positions'] as const satisfies readonly (keyof PositionTables)[]

export const POSITIONS_STEP: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('positions')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('number', 'bigint', column => column.notNull())
      .addColumn('body', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addColumn('updated_at', 'bigint', column => column.notNull())
      .addUniqueConstraint('positions_order', ['account_id', 'number'])
      .execute()
  },
}
