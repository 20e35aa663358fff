import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { OutboxTables } from './tables.ts'

/** Creates the tables of events and deliveries. */
export const OUTBOX_MIGRATION: Migration = {
  up: async (db: Kysely<unknown>) => {
    await makeWatchTables(db)
    await makeDestinationTables(db)
    await makeDeliveryTables(db)
  },
}

async function makeWatchTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('watch_runs')
    .addColumn('run', 'text', column => column.notNull())
    .addColumn('day', 'text', column => column.notNull())
    .addColumn('minute', 'text')
    .addColumn('states', 'text')
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('watch_runs_key', ['run', 'day'])
    .execute()
  await db.schema
    .createTable('alert_line_states')
    .addColumn('run', 'text', column => column.notNull())
    .addColumn('line_id', 'text', column => column.notNull())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
    .addColumn('is_armed', 'bigint', column => column.notNull())
    .addColumn('fired_at', 'bigint')
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('alert_line_states_key', ['run', 'line_id'])
    .execute()
  await index(db, 'alert_line_states_of_line', 'alert_line_states', ['account_id', 'line_id'])
  await db.schema
    .createTable('findings')
    .addColumn('id', 'bigint', column => column.primaryKey())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('events')
    .addColumn('seq', 'bigint', column => column.primaryKey())
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('finding_id', 'bigint', column => column.notNull())
    .addColumn('extra', 'text')
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('run', 'text', column => column.notNull())
    .addColumn('day', 'text', column => column.notNull())
    .addColumn('minute', 'text')
    .addColumn('minute_end_at', 'bigint')
    .addColumn('priority', 'bigint', column => column.notNull())
    .addColumn('channels', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await index(db, 'events_of_account', 'events', ['account_id', 'seq'])
  await index(db, 'events_of_finding', 'events', ['finding_id'])
}

async function makeDestinationTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hooks')
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('failed_in_a_row', 'bigint', column => column.notNull())
    .addColumn('since_at', 'bigint', column => column.notNull())
    .addColumn('save_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('hooks_key', ['account_id', 'owner'])
    .execute()
  await db.schema
    .createTable('secrets')
    .addColumn('account_id', 'text', column => column.primaryKey().references('accounts.id'))
    .addColumn('sealed', 'text', column => column.notNull())
    .addColumn('made_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('contacts')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('account_id', 'text', column => column.notNull().references('accounts.id'))
    .addColumn('channel', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('is_for_alerts', 'bigint', column => column.notNull())
    .addColumn('proven_at', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('code_made_at', 'bigint')
    .addColumn('code_tries', 'bigint', column => column.notNull())
    .addUniqueConstraint('contacts_of_account', ['account_id', 'channel', 'address'])
    .execute()
}

async function makeDeliveryTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'bigint', column => column.primaryKey())
    .addColumn('event_seq', 'bigint', column => column.notNull().references('events.seq'))
    .addColumn('account_id', 'text', column => column.notNull())
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('channel', 'text', column => column.notNull())
    .addColumn('contact_id', 'text')
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('priority', 'bigint', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('tries', 'bigint', column => column.notNull())
    .addColumn('attempts', 'bigint', column => column.notNull())
    .addColumn('due_at', 'bigint', column => column.notNull())
    .addColumn('holder', 'text')
    .addColumn('late_at', 'bigint')
    .addColumn('first_try_at', 'bigint')
    .addColumn('has_put_support', 'bigint')
    .addColumn('save_id', 'text')
    .addColumn('queued_at', 'bigint', column => column.notNull())
    .execute()
  await index(db, 'deliveries_due', 'deliveries', ['state', 'due_at'])
  // the next account, and the first delivery of that account
  await index(db, 'deliveries_dealt', 'deliveries', [
    'state',
    'account_id',
    'priority',
    'due_at',
    'id',
  ])
  await index(db, 'deliveries_tried', 'deliveries', ['account_id', 'first_try_at'])
  await index(db, 'deliveries_of_event', 'deliveries', ['event_seq'])
  await db.schema
    .createTable('attempts')
    .addColumn('delivery_id', 'bigint', column => column.notNull().references('deliveries.id'))
    .addColumn('number', 'bigint', column => column.notNull())
    .addColumn('began_at', 'bigint', column => column.notNull())
    .addColumn('result', 'text', column => column.notNull())
    .addColumn('ms', 'bigint')
    .addColumn('status', 'bigint')
    .addColumn('error', 'text')
    .addColumn('address', 'text')
    .addPrimaryKeyConstraint('attempts_key', ['delivery_id', 'number'])
    .execute()
  await db.schema
    .createTable('outbox_counters')
    .addColumn('id', 'bigint', column => column.primaryKey())
    .addColumn('event_seq', 'bigint', column => column.notNull())
    .addColumn('finding_id', 'bigint', column => column.notNull())
    .addColumn('delivery_id', 'bigint', column => column.notNull())
    .execute()
  const first = { id: 1, event_seq: 0, finding_id: 0, delivery_id: 0 }
  await (db as Kysely<OutboxTables>).insertInto('outbox_counters').values(first).execute()
}

const index = (db: Kysely<unknown>, name: string, table: string, columns: string[]) =>
  db.schema.createIndex(name).on(table).columns(columns).execute()
