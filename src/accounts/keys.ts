import type { Kysely } from 'kysely'
import { MINUTE_MS } from '../core/market/calendar.ts'
import { typed } from './accounts.ts'
import { hashApiKey, makeApiKey, PREFIX_OF_SCOPE, randomBase62, type Scope } from './apiKey.ts'
import type { AccountTables } from './schema.ts'
import type { AccountStore, ApiKeyRecord } from './types.ts'

/** Operations on keys: make, list, revoke. */
export function keyOperations(db: Kysely<AccountTables>) {
  return {
    addKey: async ({ accountId, scope, name, createdAtMs, isForAddresses = false }) => {
      const apiKey = makeApiKey(scope)
      const row = {
        id: `key_${randomBase62(12)}`,
        account_id: accountId,
        scope,
        name,
        prefix: PREFIX_OF_SCOPE[scope],
        last_four: apiKey.slice(-4),
        hash: hashApiKey(apiKey),
        created_at: createdAtMs,
        is_for_addresses: isForAddresses ? 1 : 0,
      }
      const inserted = await db
        .insertInto('api_keys')
        .columns(Object.keys(row) as (keyof typeof row)[])
        .expression(
          db
            .selectFrom('accounts')
            .select(Object.values(row).map((value, index) => typed(value).as(`v${index}`)))
            .where('id', '=', accountId),
        )
        .returningAll()
        .executeTakeFirst()
      return inserted ? { apiKey, record: keyRecord(inserted) } : null
    },
    listKeys: async accountId => {
      const keys = db
        .selectFrom('api_keys')
        .leftJoin('key_uses', 'key_uses.key_id', 'api_keys.id')
        .selectAll('api_keys')
        .select('key_uses.minute as used_minute')
        .orderBy('created_at')
        .orderBy('id')
      const wanted = accountId === undefined ? keys : keys.where('account_id', '=', accountId)
      return (await wanted.execute()).map(({ used_minute, ...row }) =>
        // a key whose calls are counted per minute has no `last_used_at` of its own
        keyRecord(used_minute === null ? row : { ...row, last_used_at: used_minute * MINUTE_MS }),
      )
    },
    revokeKey: async (keyId, revokedAtMs, accountId) => {
      const good = db
        .updateTable('api_keys')
        .set({ revoked_at: revokedAtMs })
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
      const own = accountId === undefined ? good : good.where('account_id', '=', accountId)
      return (await own.returning('id').execute()).length === 1
    },
  } satisfies Partial<AccountStore>
}

const keyRecord = (row: Omit<AccountTables['api_keys'], 'hash'>): ApiKeyRecord => ({
  id: row.id,
  accountId: row.account_id,
  scope: row.scope as Scope,
  name: row.name,
  prefix: row.prefix,
  lastFour: row.last_four,
  createdAtMs: row.created_at,
  lastUsedAtMs: row.last_used_at,
  revokedAtMs: row.revoked_at,
  isForAddresses: row.is_for_addresses === 1,
})
