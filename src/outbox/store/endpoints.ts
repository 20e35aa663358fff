import type { Kysely, Transaction } from 'kysely'
import { typed } from '../../accounts/accounts.ts'
import { randomBase62 } from '../../accounts/apiKey.ts'
import type { AccountTables } from '../../accounts/schema.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import type { WebhookEndpoint, WebhookEndpointState } from './types.ts'

/** Addresses that events are sent to, and the secrets that sign them. */
export function endpointOperations({ db, reader }: OutboxDatabase) {
  return {
    saveEndpoint: saved => putEndpoint(db, saved),
    removeEndpoint: (accountId, owner) => deleteEndpoint(db, accountId, owner),
    findEndpoint: async (accountId, owner) => {
      const own = reader.selectFrom('hooks').selectAll().where('account_id', '=', accountId)
      const found = await own.where('owner', '=', owner).executeTakeFirst()
      return found ? toEndpoint(found) : null
    },
    listEndpoints: accountId => readEndpoints(reader, accountId),
    listOwnerEndpoints: async owner => {
      const own = reader.selectFrom('hooks').selectAll().where('owner', '=', owner)
      return (await own.orderBy('account_id').execute()).map(toEndpoint)
    },
    putSecret: secret => writeSecret(db, secret, true),
    addSecret: secret => writeSecret(db, secret, false),
    findSecret: async accountId => {
      const own = reader.selectFrom('secrets').select(['sealed', 'made_at as madeAtMs'])
      return (await own.where('account_id', '=', accountId).executeTakeFirst()) ?? null
    },
  } satisfies Partial<Outbox>
}

type SavedEndpoint = Parameters<Outbox['saveEndpoint']>[0]
type NewSecret = Parameters<Outbox['putSecret']>[0]
type Accounts = Kysely<AccountTables> | Transaction<AccountTables>

/** Switches a webhook endpoint on, with no failures; null when there is no such account. */
export async function putEndpoint(
  db: Accounts,
  { accountId, owner, url, atMs }: SavedEndpoint,
): Promise<WebhookEndpoint | null> {
  const row = {
    account_id: accountId,
    owner,
    url,
    state: 'on',
    failed_in_a_row: 0,
    since_at: atMs,
    save_id: randomBase62(12),
  }
  const saved = await db
    .insertInto('hooks')
    .columns(Object.keys(row) as (keyof typeof row)[])
    .expression(
      db
        .selectFrom('accounts')
        .select(Object.entries(row).map(([name, value]) => typed(value).as(name)))
        .where('id', '=', accountId),
    )
    .onConflict(conflict =>
      conflict.columns(['account_id', 'owner']).doUpdateSet({ ...row, reason: null }),
    )
    .returningAll()
    .executeTakeFirst()
  return saved ? toEndpoint(saved) : null
}

/** False when there was none. */
export async function deleteEndpoint(
  db: Accounts,
  accountId: string,
  owner: string,
): Promise<boolean> {
  const own = db.deleteFrom('hooks').where('account_id', '=', accountId)
  return (await own.where('owner', '=', owner).returning('owner').execute()).length === 1
}

/** Webhook endpoints of an account, in the order of their owners. */
export async function readEndpoints(db: Accounts, accountId: string): Promise<WebhookEndpoint[]> {
  const own = db.selectFrom('hooks').selectAll().where('account_id', '=', accountId)
  return (await own.orderBy('owner').execute()).map(toEndpoint)
}

/** Writes the secret of an account; false without such an account, or if the old one stays. */
export async function writeSecret(
  db: Accounts,
  { accountId, sealed, atMs }: NewSecret,
  isReplacing: boolean,
): Promise<boolean> {
  const put = await db
    .insertInto('secrets')
    .columns(['account_id', 'sealed', 'made_at'])
    .expression(
      db
        .selectFrom('accounts')
        .select(['id', typed(sealed).as('sealed'), typed(atMs).as('made_at')])
        .where('id', '=', accountId),
    )
    .onConflict(conflict => {
      const own = conflict.column('account_id')
      return isReplacing ? own.doUpdateSet({ sealed, made_at: atMs }) : own.doNothing()
    })
    .returning('account_id')
    .execute()
  return put.length === 1
}

const toEndpoint = (row: AccountTables['hooks']): WebhookEndpoint => ({
  accountId: row.account_id,
  owner: row.owner,
  url: row.url,
  state: row.state as WebhookEndpointState,
  reason: row.reason,
  failedInARow: row.failed_in_a_row,
  sinceMs: row.since_at,
})
