import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Codes sent recently, and an index to find who has proven an address. */
export const CODE_SENDS_MIGRATION: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('code_sends')
      .addColumn('purpose', 'text', column => column.notNull())
      .addColumn('channel', 'text', column => column.notNull())
      .addColumn('address', 'text', column => column.notNull())
      .addColumn('account_id', 'text', column => column.references('accounts.id'))
      .addColumn('sent_at', 'bigint', column => column.notNull())
      .execute()
    await db.schema.createIndex('code_sends_at').on('code_sends').columns(['sent_at']).execute()
    await db.schema
      .createIndex('contacts_at')
      .on('contacts')
      .expression(sql`lower(address)`)
      .execute()
  },
}
