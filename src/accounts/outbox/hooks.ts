import type { Kysely } from 'kysely'
import { typed } from '../accounts.ts'
import { randomBase62 } from '../apiKey.ts'
import type { AccountTables } from '../schema.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import type { Hook, HookState } from './types.ts'

/** Addresses that events are sent to, and the secrets that sign them. */
export function hookOperations({ db, reader }: OutboxDatabase) {
  return {
    saveHook: saved => putHook(db, saved),
    removeHook: (accountId, owner) => dropHook(db, accountId, owner),
    findHook: async (accountId, owner) => {
      const own = reader.selectFrom('hooks').selectAll().where('account_id', '=', accountId)
      const found = await own.where('owner', '=', owner).executeTakeFirst()
      return found ? hookOf(found) : null
    },
    listHooks: accountId => readHooks(reader, accountId),
    listOwnerHooks: async owner => {
      const own = reader.selectFrom('hooks').selectAll().where('owner', '=', owner)
      return (await own.orderBy('account_id').execute()).map(hookOf)
    },
    putSecret: secret => writeSecret(db, secret, true),
    addSecret: secret => writeSecret(db, secret, false),
    findSecret: async accountId => {
      const own = reader.selectFrom('secrets').select(['sealed', 'made_at as madeAtMs'])
      return (await own.where('account_id', '=', accountId).executeTakeFirst()) ?? null
    },
  } satisfies Partial<Outbox>
}

type SavedHook = Parameters<Outbox['saveHook']>[0]
type NewSecret = Parameters<Outbox['putSecret']>[0]
type Accounts = Kysely<AccountTables>

/** Puts a hook on, with no failures; null when there is no such account. */
export async function putHook(
  db: Accounts,
  { accountId, owner, url, atMs }: SavedHook,
): Promise<Hook | null> {
  const row = {
    ...{ account_id: accountId, owner, url, state: 'on' },
    ...{ failed_in_a_row: 0, since_at: atMs, save_id: randomBase62(12) },
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
  return saved ? hookOf(saved) : null
}

/** False when there was none. */
export async function dropHook(db: Accounts, accountId: string, owner: string): Promise<boolean> {
  const own = db.deleteFrom('hooks').where('account_id', '=', accountId)
  return (await own.where('owner', '=', owner).returning('owner').execute()).length === 1
}

/** The hooks of an account, in the order of their owners. */
export async function readHooks(db: Accounts, accountId: string): Promise<Hook[]> {
  const own = db.selectFrom('hooks').selectAll().where('account_id', '=', accountId)
  return (await own.orderBy('owner').execute()).map(hookOf)
}

/** Writes the secret of an account; false when there is no such account, or one stays. */
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

const hookOf = (row: AccountTables['hooks']): Hook => ({
  accountId: row.account_id,
  owner: row.owner,
  url: row.url,
  state: row.state as HookState,
  reason: row.reason,
  failedInARow: row.failed_in_a_row,
  sinceMs: row.since_at,
})
