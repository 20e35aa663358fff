import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Product } from './products.ts'

/** Calls that are counted by the UTC month, and how many keys an account has. */

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
  /** Counts a call; answers how many there are by now, or null where `limit` are made already. */
  readonly count: (call: MonthOfAccount & { readonly limit: number }) => Promise<number | null>
  /** Calls that were counted. */
  readonly used: (month: MonthOfAccount) => Promise<number>
  /** Working keys of a key's account and scope: those that are older than it, and all of them. */
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
