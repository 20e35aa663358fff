import { typed } from '../accounts.ts'
import { randomBase62 } from '../apiKey.ts'
import type { AccountTables } from '../schema.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import type { Hook, HookState } from './types.ts'

/** Addresses that events are sent to, and the secrets that sign them. */
export function hookOperations({ db, reader }: OutboxDatabase) {
  return {
    saveHook: async ({ accountId, owner, url, atMs }) => {
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
    },
    removeHook: async (accountId, owner) => {
      const own = db.deleteFrom('hooks').where('account_id', '=', accountId)
      return (await own.where('owner', '=', owner).returning('owner').execute()).length === 1
    },
    findHook: async (accountId, owner) => {
      const own = reader.selectFrom('hooks').selectAll().where('account_id', '=', accountId)
      const found = await own.where('owner', '=', owner).executeTakeFirst()
      return found ? hookOf(found) : null
    },
    listHooks: async accountId => {
      const own = reader.selectFrom('hooks').selectAll().where('account_id', '=', accountId)
      return (await own.orderBy('owner').execute()).map(hookOf)
    },
    putSecret: async ({ accountId, sealed, atMs }) => {
      const put = await db
        .insertInto('secrets')
        .columns(['account_id', 'sealed', 'made_at'])
        .expression(
          db
            .selectFrom('accounts')
            .select(['id', typed(sealed).as('sealed'), typed(atMs).as('made_at')])
            .where('id', '=', accountId),
        )
        .onConflict(conflict =>
          conflict.column('account_id').doUpdateSet({ sealed, made_at: atMs }),
        )
        .returning('account_id')
        .execute()
      return put.length === 1
    },
    findSecret: async accountId => {
      const own = reader.selectFrom('secrets').select(['sealed', 'made_at as madeAtMs'])
      return (await own.where('account_id', '=', accountId).executeTakeFirst()) ?? null
    },
  } satisfies Partial<Outbox>
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
