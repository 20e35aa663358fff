import { type Kysely, sql } from 'kysely'
import { hashApiKey, isWellFormedApiKey } from './apiKey.ts'
import type { AccountProduct } from './products.ts'
import type { AccountTables } from './schema.ts'
import type { AccountStore, CallBatch, KeyHolder } from './types.ts'

/** Rows of a statement that Kysely compiled before. */
type Ask = (text: string, values: readonly (string | number)[]) => Promise<readonly unknown[]>

/** Asks the database itself: reading never waits for who writes. */
export type AskDatabase = { readonly read: Ask; readonly write: Ask }

/**
 * What every call asks of the account database. The statements are compiled once and asked of the
 * driver itself: a file answers in microseconds, less than Kysely takes to compile one.
 */
export function callOperations(ask: AskDatabase, db: Kysely<AccountTables>) {
  const holder = holderStatement(db)
  const counts = new Map<number, string>()
  const countStatementOf = (batchCount: number) => {
    const known = counts.get(batchCount)
    if (known !== undefined) return known
    const statement = countStatement(db, batchCount)
    counts.set(batchCount, statement)
    return statement
  }
  return {
    findHolder: async apiKey => {
      if (!isWellFormedApiKey(apiKey)) return null
      return holderOf((await ask.read(holder, [hashApiKey(apiKey)])) as HolderRow[])
    },
    countCalls: async batches => {
      if (batches.length === 0) return []
      // in one order: two processes that lock the same rows never wait for each other
      const ordered = batches.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      const values = ordered.flatMap(batch => [
        ...[batch.accountId, batch.product, batch.dayEt],
        batch.calls,
      ])
      const counted = (await ask.write(countStatementOf(batches.length), values)) as CountRow[]
      const totals = new Map(
        counted.map(row => [`${row.account_id} ${row.product} ${row.day_et}`, row.calls]),
      )
      return batches.map(batch => totals.get(keyOf(batch))!)
    },
    markKeysUsed: async (keyIds, usedAtMs) => {
      if (keyIds.length === 0) return
      await db
        .updateTable('api_keys')
        .set({ last_used_at: usedAtMs })
        .where('id', 'in', keyIds)
        .execute()
    },
  } satisfies Partial<AccountStore>
}

const keyOf = ({ accountId, product, dayEt }: CallBatch) => `${accountId} ${product} ${dayEt}`

type CountRow = {
  readonly account_id: string
  readonly product: string
  readonly day_et: string
  readonly calls: number
}

/** A key beside each product of its account, or beside nulls where that holds none. */
type HolderRow = Omit<KeyHolder, 'products'> & AccountProduct

function holderOf(rows: readonly HolderRow[]): KeyHolder | null {
  const [first] = rows
  if (!first) return null
  const { keyId, accountId, scope } = first
  const held = rows.filter(row => row.product !== null)
  const products = held.map(({ product, plan, fromMs, untilMs }) => {
    return { product, plan, fromMs, untilMs }
  })
  return { keyId, accountId, scope, products }
}

/** Takes the hash of a key. */
const holderStatement = (db: Kysely<AccountTables>): string =>
  db
    .selectFrom('api_keys')
    .leftJoin('account_products as held', 'held.account_id', 'api_keys.account_id')
    .select(['api_keys.id as keyId', 'api_keys.account_id as accountId'])
    .select(['api_keys.scope as scope', 'held.product as product', 'held.plan as plan'])
    .select(['held.from_at as fromMs', 'held.until_at as untilMs'])
    .where('api_keys.hash', '=', '')
    .where('api_keys.revoked_at', 'is', null)
    .compile().sql

/** Takes account, product, day and calls of each batch. */
const countStatement = (db: Kysely<AccountTables>, batchCount: number): string =>
  db
    .insertInto('call_counts')
    .values(new Array(batchCount).fill({ account_id: '', product: '', day_et: '', calls: 0 }))
    .onConflict(conflict =>
      conflict.columns(['account_id', 'product', 'day_et']).doUpdateSet({
        calls: sql<number>`call_counts.calls + excluded.calls`,
      }),
    )
    .returningAll()
    .compile().sql
