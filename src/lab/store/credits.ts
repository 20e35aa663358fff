import type { Kysely, Transaction } from 'kysely'
import { accountProduct } from '../../accounts/accounts.ts'
import { planAt } from '../../accounts/products.ts'
import { changeAccount } from '../../accounts/repeats.ts'
import { wallTimeEt } from '../../core/market/calendar.ts'
import type { LabDatabase } from './ideas.ts'
import type { LabDatabaseTables } from './schema.ts'
import type { CreditAudit, CreditBalance, LabStore } from './types.ts'

/**
 * Credits by double entry: every event has two lines, which sum to 0, and counts once. The balance
 * of an account is the sum of its lines.
 */

type Reading = Kysely<LabDatabaseTables> | Transaction<LabDatabaseTables>
type CreditEvent = {
  readonly accountId: string
  readonly event: 'grant' | 'purchase' | 'expire' | 'spend' | 'refund'
  readonly ref: string
  readonly from: 'granted' | 'sold' | 'monthly' | 'purchased' | 'spent'
  readonly to: 'monthly' | 'purchased' | 'expired' | 'spent'
  readonly credits: number
  readonly atMs: number
}

/** Operations on the credits of accounts. */
export function creditOperations(database: LabDatabase) {
  const { db, reader } = database
  return {
    balance: async ({ accountId, atMs, monthly }) => {
      const month = wallTimeEt(atMs).date.slice(0, 7)
      // only the first call of a month waits for others
      if (await isOfMonth(reader, accountId, month)) return await readBalance(reader, accountId)
      return await changeAccount(database, accountId, trx =>
        beginMonth(trx, { accountId, atMs, monthly }),
      )
    },
    addCredits: ({ accountId, credits, ref, atMs }) =>
      db.transaction().execute(async trx => {
        const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
        if (!(await account.executeTakeFirst())) return 'no_account'
        const bought = { from: 'sold', to: 'purchased', credits } as const
        const isNew = await write(trx, { accountId, event: 'purchase', ref, ...bought, atMs })
        return isNew ? 'added' : 'known'
      }),
    auditCredits: () => audit(db),
  } satisfies Partial<LabStore>
}

type AtMonth = {
  readonly accountId: string
  readonly atMs: number
  readonly monthly: number | null
}

/** Expires the rest of last month's credits and grants this month's, once; returns the balance. */
async function beginMonth(
  trx: Transaction<LabDatabaseTables>,
  { accountId, atMs, monthly }: AtMonth,
): Promise<CreditBalance> {
  const month = wallTimeEt(atMs).date.slice(0, 7)
  const before = await readBalance(trx, accountId)
  if (await isOfMonth(trx, accountId, month)) return before
  const own = { accountId, ref: month, atMs }
  if (before.monthly > 0) {
    const ended = { from: 'monthly', to: 'expired', credits: before.monthly } as const
    await write(trx, { ...own, event: 'expire', ...ended })
  }
  if (monthly !== null && monthly > 0) {
    const given = { from: 'granted', to: 'monthly', credits: monthly } as const
    await write(trx, { ...own, event: 'grant', ...given })
  }
  return await readBalance(trx, accountId)
}

type OfRun = { readonly accountId: string; readonly runId: string; readonly atMs: number }

/** Returns the credits that an account can spend at an instant, this month's included. */
export async function creditsAt(
  trx: Transaction<LabDatabaseTables>,
  at: { readonly accountId: string; readonly atMs: number },
): Promise<CreditBalance> {
  return await beginMonth(trx, { ...at, monthly: await readMonthlyCredits(trx, at) })
}

/** Spends a credit on a run, monthly ones first. */
export async function spendCredit(
  trx: Transaction<LabDatabaseTables>,
  { accountId, runId, atMs }: OfRun,
  { monthly }: CreditBalance,
): Promise<void> {
  const from = monthly > 0 ? 'monthly' : 'purchased'
  const spent = { event: 'spend', from, to: 'spent', credits: 1 } as const
  await write(trx, { accountId, ref: runId, atMs, ...spent })
}

/** Refunds the credit of a run once, to the bucket it came from, in the current month. */
export async function refundCredit(
  trx: Transaction<LabDatabaseTables>,
  { accountId, runId, atMs }: OfRun,
): Promise<void> {
  // before the refund, or it would expire with the last month
  await creditsAt(trx, { accountId, atMs })
  const source = await trx
    .selectFrom('lab_credit_lines')
    .select('bucket')
    .where('account_id', '=', accountId)
    .where('event', '=', 'spend')
    .where('ref', '=', runId)
    .where('bucket', 'in', ['monthly', 'purchased'])
    .executeTakeFirstOrThrow()
  const to = source.bucket as 'monthly' | 'purchased'
  const given = { event: 'refund', from: 'spent', to, credits: 1 } as const
  await write(trx, { accountId, ref: runId, atMs, ...given })
}

/** Monthly credits of an account's plan; null without one. */
async function readMonthlyCredits(
  trx: Transaction<LabDatabaseTables>,
  { accountId, atMs }: { readonly accountId: string; readonly atMs: number },
): Promise<number | null> {
  const rows = trx.selectFrom('account_products').selectAll().where('account_id', '=', accountId)
  const products = (await rows.execute()).map(accountProduct)
  return planAt(products, 'lab', atMs)?.monthlyCredits ?? null
}

/** True when a month's credits were granted. */
async function isOfMonth(db: Reading, accountId: string, month: string): Promise<boolean> {
  const row = await db
    .selectFrom('lab_credit_lines')
    .select('event')
    .where('account_id', '=', accountId)
    .where('event', '=', 'grant')
    .where('ref', '=', month)
    .executeTakeFirst()
  return row !== undefined
}

async function readBalance(db: Reading, accountId: string): Promise<CreditBalance> {
  const sums = await db
    .selectFrom('lab_credit_lines')
    .select(['bucket', ({ fn }) => fn.sum<number | string>('amount').as('total')])
    .where('account_id', '=', accountId)
    .where('bucket', 'in', ['monthly', 'purchased'])
    .groupBy('bucket')
    .execute()
  const total = (bucket: string) => Number(sums.find(row => row.bucket === bucket)?.total ?? 0)
  return { monthly: total('monthly'), purchased: total('purchased') }
}

/** Writes both lines of an event; false when it was recorded before. */
async function write(trx: Transaction<LabDatabaseTables>, event: CreditEvent): Promise<boolean> {
  const { accountId, event: kind, ref, from, to, credits, atMs } = event
  const line = { account_id: accountId, event: kind, ref, at: atMs }
  const written = await trx
    .insertInto('lab_credit_lines')
    .values([
      { ...line, bucket: from, amount: -credits },
      { ...line, bucket: to, amount: credits },
    ])
    .onConflict(conflict => conflict.columns(['account_id', 'event', 'ref', 'bucket']).doNothing())
    .returning('bucket')
    .execute()
  return written.length > 0
}

async function audit(db: Kysely<LabDatabaseTables>): Promise<CreditAudit> {
  const events = await db
    .selectFrom('lab_credit_lines')
    .select(['account_id', 'event', 'ref'])
    .select(({ fn }) => [
      fn.sum<number | string>('amount').as('total'),
      fn.countAll<number | string>().as('count'),
    ])
    .groupBy(['account_id', 'event', 'ref'])
    .orderBy('account_id')
    .orderBy('event')
    .orderBy('ref')
    .execute()
  const sums = await db
    .selectFrom('lab_credit_lines')
    .select(['account_id', 'bucket'])
    .select(({ fn }) => fn.sum<number | string>('amount').as('total'))
    .where('bucket', 'in', ['monthly', 'purchased'])
    .groupBy(['account_id', 'bucket'])
    .orderBy('account_id')
    .execute()
  const isOdd = ({ total, count }: (typeof events)[number]) =>
    Number(total) !== 0 || Number(count) !== 2
  return {
    lines: events.reduce((sum, { count }) => sum + Number(count), 0),
    events: events.length,
    unbalanced: events.filter(isOdd).map(row => `${row.account_id} ${row.event} ${row.ref}`),
    overdrawn: sums.filter(({ total }) => Number(total) < 0).map(row => row.account_id),
  }
}
