import { sql } from 'kysely'
import { hashSignInCode, makeSignInCode } from '../../accounts/signInCode.ts'
import { CODE_MS } from '../../accounts/signIns.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import { takeSend } from './sends.ts'

/** Maximum accounts whose codes one address is sent; those that have it for longest come first. */
export const MAILED_ACCOUNTS_MAX = 5

/** Codes for signing in with a mail address that an account has proven. */
export function mailedCodeOperations({ db, isConcurrent }: OutboxDatabase) {
  return {
    addMailedCodes: ({ address, atMs }) =>
      db.transaction().execute(async trx => {
        const found = await trx
          .selectFrom('contacts')
          .innerJoin('accounts', 'accounts.id', 'contacts.account_id')
          .select(['accounts.id', 'accounts.name', 'contacts.address'])
          .where(sql<string>`lower(contacts.address)`, '=', address.toLowerCase())
          .where('contacts.channel', '=', 'email')
          .where('contacts.proven_at', 'is not', null)
          .orderBy('contacts.created_at')
          .orderBy('contacts.id')
          .limit(MAILED_ACCOUNTS_MAX)
          .execute()
        if (found.length === 0) return []
        const send = { purpose: 'sign_in', channel: 'email', accountId: null } as const
        if (!(await takeSend(trx, { ...send, address, atMs }, isConcurrent))) return []
        await trx.deleteFrom('sign_in_codes').where('ends_at', '<=', atMs).execute()
        const made = found.map(account => ({ ...account, code: makeSignInCode() }))
        await trx
          .insertInto('sign_in_codes')
          .values(
            made.map(({ id, code }) => {
              return { hash: hashSignInCode(code)!, account_id: id, ends_at: atMs + CODE_MS }
            }),
          )
          .execute()
        return made.map(({ id, name, address: written, code }) => {
          return { accountId: id, accountName: name, address: written, code }
        })
      }),
  } satisfies Partial<Outbox>
}
