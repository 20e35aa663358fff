import type { Kysely, Transaction } from 'kysely'
import { wallTimeEt } from '../market/calendar.ts'
import { type LabDatabase, lockAccount } from './labIdeas.ts'
import type { CreditAudit, CreditBalance, LabStore } from './labTypes.ts'
import type { AccountTables } from './schema.ts'

/**
 * Credits by double entry: every event has two lines, which sum to 0, and counts once. What an
 * account has is the sum of its lines.
 */

type Reading = Kysely<AccountTables> | Transaction<AccountTables>
type CreditEvent = {
  readonly accountId: string
  readonly event: 'grant' | 'purchase' | 'expire'
  readonly ref: string
  readonly from: 'granted' | 'sold' | 'monthly'
  readonly to: 'monthly' | 'purchased' | 'expired'
  readonly credits: number
  readonly atMs: number
}

/** The credits of accounts. */
export function creditOperations({ db, reader, isConcurrent }: LabDatabase) {
  return {
    balance: async ({ accountId, atMs, monthly }) => {
      const month = wallTimeEt(atMs).date.slice(0, 7)
      // all but the first call of a month wait for nobody
      if (await isOfMonth(reader, accountId, month)) return await balanceOf(reader, accountId)
      return await db.transaction().execute(async trx => {
        if (isConcurrent) await lockAccount(trx, accountId)
        if (await isOfMonth(trx, accountId, month)) return await balanceOf(trx, accountId)
        const { monthly: left } = await balanceOf(trx, accountId)
        const own = { accountId, ref: month, atMs }
        if (left > 0) {
          const ended = { from: 'monthly', to: 'expired', credits: left } as const
          await write(trx, { ...own, event: 'expire', ...ended })
        }
        if (monthly !== null && monthly > 0) {
          const given = { from: 'granted', to: 'monthly', credits: monthly } as const
          await write(trx, { ...own, event: 'grant', ...given })
        }
        return await balanceOf(trx, accountId)
      })
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

/** Whether a month's credits were given. */
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

async function balanceOf(db: Reading, accountId: string): Promise<CreditBalance> {
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

/** Both lines of an event; false where it was told before. */
async function write(trx: Transaction<AccountTables>, event: CreditEvent): Promise<boolean> {
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

async function audit(db: Kysely<AccountTables>): Promise<CreditAudit> {
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
