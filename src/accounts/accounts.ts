import { type Kysely, sql } from 'kysely'
import { randomBase62 } from './apiKey.ts'
import { type AccountProduct, findProduct } from './products.ts'
import type { AccountTables } from './schema.ts'
import type { Account, AccountStore } from './types.ts'

/** Operations on accounts and the products that they hold. */
export function accountOperations(db: Kysely<AccountTables>) {
  return {
    addAccount: async ({ name, plan, createdAtMs }) => {
      const id = `acc_${randomBase62(12)}`
      await db.transaction().execute(async trx => {
        await trx.insertInto('accounts').values({ id, name, created_at: createdAtMs }).execute()
        if (plan === null) return
        const row = { account_id: id, product: findProduct(plan), plan, from_at: createdAtMs }
        await trx.insertInto('account_products').values(row).execute()
      })
      const held = plan && { product: findProduct(plan), plan, fromMs: createdAtMs, untilMs: null }
      return { id, name, createdAtMs, products: held ? [held] : [] }
    },
    listAccounts: async () => {
      const rows = await accountRows(db).orderBy('created_at').orderBy('id').execute()
      const products = Map.groupBy(await productRows(db).execute(), row => row.account_id)
      return rows.map(row => account(row, products.get(row.id) ?? []))
    },
    findAccount: async accountId => {
      const row = await accountRows(db).where('id', '=', accountId).executeTakeFirst()
      if (!row) return null
      const products = productRows(db).where('account_id', '=', accountId)
      return account(row, await products.execute())
    },
    putProduct: async (accountId, { plan, fromMs, untilMs }) => {
      const row = {
        account_id: accountId,
        product: findProduct(plan),
        plan,
        from_at: fromMs,
        until_at: untilMs,
      }
      const values = db
        .selectFrom('accounts')
        .select(Object.entries(row).map(([name, value]) => typed(value).as(name)))
        .where('id', '=', accountId)
      const put = await db
        .insertInto('account_products')
        .columns(Object.keys(row) as (keyof typeof row)[])
        .expression(values)
        .onConflict(conflict =>
          conflict.columns(['account_id', 'product']).doUpdateSet({
            plan,
            until_at: untilMs,
            from_at: sql<number>`case when account_products.until_at <= excluded.from_at
              then excluded.from_at else account_products.from_at end`,
          }),
        )
        .returning('account_id')
        .execute()
      return put.length === 1
    },
    removeProduct: async (accountId, product) => {
      const removed = await db
        .deleteFrom('account_products')
        .where('account_id', '=', accountId)
        .where('product', '=', product)
        .returning('account_id')
        .execute()
      return removed.length === 1
    },
  } satisfies Partial<AccountStore>
}

/** A value in the select list, typed because PostgreSQL takes an untyped one for text. */
export const typed = (value: string | number | null) =>
  typeof value === 'string' ? sql.val(value) : sql`cast(${value} as bigint)`

type AccountRow = AccountTables['accounts']
type ProductRow = AccountTables['account_products']

const accountRows = (db: Kysely<AccountTables>) => db.selectFrom('accounts').selectAll()

const productRows = (db: Kysely<AccountTables>) =>
  db.selectFrom('account_products').selectAll().orderBy('product')

const account = (row: AccountRow, products: readonly ProductRow[]): Account => ({
  id: row.id,
  name: row.name,
  createdAtMs: row.created_at,
  products: products.map(accountProduct),
})

/** Maps a row to a product that an account holds. */
export const accountProduct = (row: ProductRow) =>
  ({
    product: row.product,
    plan: row.plan,
    fromMs: row.from_at,
    untilMs: row.until_at,
  }) as AccountProduct
