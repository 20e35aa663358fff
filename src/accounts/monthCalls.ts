import { type Kysely, sql } from 'kysely'
import type { CallDatabase } from './calls.ts'
import type { MonthStore } from './monthTypes.ts'
import type { AccountTables } from './schema.ts'

/** Counts calls per UTC month. */

/** The statements are compiled once and go to the driver directly, as those of all calls. */
export function monthOperations(callDatabase: CallDatabase, db: Kysely<AccountTables>): MonthStore {
  const counting = countStatement(db)
  const reading = usedStatement(db)
  const ranking = rankStatement(db)
  return {
    count: async ({ accountId, product, monthUtc, limit }) => {
      const values = [accountId, product, monthUtc, 1, limit]
      const [row] = (await callDatabase.write(counting, values)) as { calls: number }[]
      return row ? Number(row.calls) : null
    },
    used: async ({ accountId, product, monthUtc }) => {
      const values = [accountId, product, monthUtc]
      const [row] = (await callDatabase.read(reading, values)) as { calls: number }[]
      return row ? Number(row.calls) : 0
    },
    findKeyRank: async keyId => {
      const rows = (await callDatabase.read(ranking, [keyId])) as {
        id: string
        created_at: number
      }[]
      const own = rows.findIndex(({ id }) => id === keyId)
      return { older: own, all: rows.length }
    },
  }
}

/** Parameters: account, product, month, 1 and the limit: two calls never both take the last one. */
const countStatement = (db: Kysely<AccountTables>): string =>
  db
    .insertInto('month_calls')
    .values({ account_id: '', product: '', month_utc: '', calls: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'product', 'month_utc'])
        .doUpdateSet({ calls: sql<number>`month_calls.calls + 1` })
        .where('month_calls.calls', '<', 0),
    )
    .returning('calls')
    .compile().sql

const usedStatement = (db: Kysely<AccountTables>): string =>
  db
    .selectFrom('month_calls')
    .select('calls')
    .where('account_id', '=', '')
    .where('product', '=', '')
    .where('month_utc', '=', '')
    .compile().sql

/** Parameter: a key. Oldest first. */
const rankStatement = (db: Kysely<AccountTables>): string =>
  db
    .selectFrom('api_keys as own')
    .innerJoin('api_keys as every', join =>
      join.onRef('every.account_id', '=', 'own.account_id').onRef('every.scope', '=', 'own.scope'),
    )
    .select(['every.id as id', 'every.created_at as created_at'])
    .where('own.id', '=', '')
    .where('every.revoked_at', 'is', null)
    .orderBy('every.created_at')
    .orderBy('every.id')
    .compile().sql
