import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Product } from './products.ts'

/** Calls counted per UTC month, and the number of an account's keys. */

export type MonthTables = {
  month_calls: {
    account_id: string
    product: string
    /** 'YYYY-MM', the UTC month the calls were made in. */
    month_utc: string
    calls: number
  }
}

type MonthOfAccount = {
  readonly accountId: string
  readonly product: Product
  readonly monthUtc: string
}

export type MonthStore = {
  /** Counts a call; returns the new count, or null when `limit` is used up. */
  readonly count: (call: MonthOfAccount & { readonly limit: number }) => Promise<number | null>
  /** Number of counted calls. */
  readonly used: (month: MonthOfAccount) => Promise<number>
  /** Working keys of a key's account and scope: those older than it, and all of them. */
  readonly findKeyRank: (keyId: string) => Promise<{ readonly older: number; readonly all: number }>
}

export const MONTH_MIGRATION: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('month_calls')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('product', 'text', column => column.notNull())
      .addColumn('month_utc', 'text', column => column.notNull())
      .addColumn('calls', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('month_calls_key', ['account_id', 'product', 'month_utc'])
      .execute()
  },
}
