import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { OutboxTables } from '../outbox/store/tables.ts'
import { MONTH_MIGRATION, type MonthTables } from './monthTypes.ts'

/**
 * Tables of the account database, in the subset that SQLite and PostgreSQL share: ids are text made
 * here, instants are integers (milliseconds since the Unix epoch), nothing is boolean.
 */
export type AccountTables = MonthTables &
  OutboxTables & {
    accounts: {
      id: string
      name: string
      created_at: number
    }
    /** Products of an account, each on one plan. */
    account_products: {
      account_id: string
      product: string
      plan: string
      from_at: number
      /** The first instant at which it is over; null when it has no end. */
      until_at: number | null
    }
    api_keys: {
      id: string
      account_id: string
      scope: string
      name: string
      prefix: string
      last_four: string
      /** SHA-256 of the whole key, hex. */
      hash: string
      created_at: number
      /** To the minute; null when the key was never used. */
      last_used_at: number | null
      revoked_at: number | null
      /** 1: it may be part of a URL, and opens nothing from a header. */
      is_for_addresses: number
    }
    /** Codes that open the account page once; used ones are deleted. */
    sign_in_codes: {
      /** SHA-256 of the code, hex. */
      hash: string
      account_id: string
      /** The first instant at which it is over. */
      ends_at: number
    }
    /** Browsers that are signed in to the account page. */
    sign_ins: {
      id: string
      account_id: string
      /** SHA-256 of the secret in the browser's cookie, hex. */
      hash: string
      /** Short description of the browser. */
      browser: string
      created_at: number
      /** To the minute. */
      last_seen_at: number
    }
    call_counts: {
      account_id: string
      product: string
      /** 'YYYY-MM-DD', the ET day the calls were made on. */
      day_et: string
      calls: number
    }
    /** Responses to changes that carried an Idempotency-Key, for repeated requests. */
    repeats: {
      account_id: string
      /** SHA-256 of the client's own, hex. */
      repeat_key: string
      /** SHA-256 of the request, hex. */
      request_hash: string
      answer: string
      created_at: number
    }
    /** Recent usage of each key, where its product limits it. */
    key_uses: {
      key_id: string
      /** The UTC minute that `calls` were made in, minutes since the Unix epoch. */
      minute: number
      calls: number
      /** The UTC hour of the client addresses, hours since the Unix epoch. */
      hour: number
      /** Client addresses of its calls in the hour, as keyed hashes that reveal no address. */
      place_1: string
      place_2: string | null
      place_3: string | null
    }
    /** Steps already applied; written by Kysely. */
    kysely_migration: {
      name: string
    }
  }

/** Each after those that its rows refer to. */
export const ACCOUNT_TABLES = [
  'accounts',
  'account_products',
  'api_keys',
  'sign_in_codes',
  'sign_ins',
  'call_counts',
  'repeats',
  'key_uses',
  'month_calls',
] as const satisfies readonly (keyof AccountTables)[]

/** Part of a step whose other part are the positions. */
export const REPEATS_STEP: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('repeats')
      .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
      .addColumn('repeat_key', 'text', column => column.notNull())
      .addColumn('request_hash', 'text', column => column.notNull())
      .addColumn('answer', 'text', column => column.notNull())
      .addColumn('created_at', 'bigint', column => column.notNull())
      .addPrimaryKeyConstraint('repeats_key', ['account_id', 'repeat_key'])
      .execute()
  },
}

export const ACCOUNT_MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_accounts': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('accounts')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('name', 'text', column => column.notNull())
        .addColumn('plan', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .execute()
      await db.schema
        .createTable('api_keys')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('scope', 'text', column => column.notNull())
        .addColumn('name', 'text', column => column.notNull())
        .addColumn('prefix', 'text', column => column.notNull())
        .addColumn('last_four', 'text', column => column.notNull())
        .addColumn('hash', 'text', column => column.notNull().unique())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('last_used_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .execute()
      await db.schema
        .createTable('call_counts')
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('day_et', 'text', column => column.notNull())
        .addColumn('calls', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('call_counts_key', ['account_id', 'day_et'])
        .execute()
    },
  },
  '003_products': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('account_products')
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('product', 'text', column => column.notNull())
        .addColumn('plan', 'text', column => column.notNull())
        .addColumn('from_at', 'bigint', column => column.notNull())
        .addColumn('until_at', 'bigint')
        .addPrimaryKeyConstraint('account_products_key', ['account_id', 'product'])
        .execute()
      // an account had one plan, of the Orders API or none
      await sql`insert into account_products (account_id, product, plan, from_at)
        select id, 'orders', plan, created_at from accounts
        where plan in ('orders', 'orders_team')`.execute(db)
      await db.schema.alterTable('accounts').dropColumn('plan').execute()

      // SQLite cannot change the key of a table
      await db.schema.alterTable('call_counts').renameTo('call_counts_before').execute()
      await db.schema
        .createTable('call_counts')
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('product', 'text', column => column.notNull())
        .addColumn('day_et', 'text', column => column.notNull())
        .addColumn('calls', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('call_counts_of_day', ['account_id', 'product', 'day_et'])
        .execute()
      await sql`insert into call_counts (account_id, product, day_et, calls)
        select account_id, 'orders', day_et, calls from call_counts_before`.execute(db)
      await db.schema.dropTable('call_counts_before').execute()
    },
  },
  '004_key_uses': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('api_keys')
        .addColumn('is_for_addresses', 'bigint', column => column.notNull().defaultTo(0))
        .execute()
      await db.schema
        .createTable('key_uses')
        .addColumn('key_id', 'text', column => column.primaryKey().references('api_keys.id'))
        .addColumn('minute', 'bigint', column => column.notNull())
        .addColumn('calls', 'bigint', column => column.notNull())
        .addColumn('hour', 'bigint', column => column.notNull())
        .addColumn('place_1', 'text', column => column.notNull())
        .addColumn('place_2', 'text')
        .addColumn('place_3', 'text')
        .execute()
    },
  },
  '005_sign_ins': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('sign_in_codes')
        .addColumn('hash', 'text', column => column.primaryKey())
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('ends_at', 'bigint', column => column.notNull())
        .execute()
      await db.schema
        .createTable('sign_ins')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
        .addColumn('hash', 'text', column => column.notNull().unique())
        .addColumn('browser', 'text', column => column.notNull())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('last_seen_at', 'bigint', column => column.notNull())
        .execute()
      await db.schema
        .createIndex('sign_ins_of_account')
        .on('sign_ins')
        .columns(['account_id', 'last_seen_at'])
        .execute()
    },
  },
  '012_geo': MONTH_MIGRATION,
}
