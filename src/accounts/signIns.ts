import { type Kysely, sql, type Transaction } from 'kysely'
import { typed } from './accounts.ts'
import { randomBase62 } from './apiKey.ts'
import type { AccountTables } from './schema.ts'
import { hashSignInCode, hashSignInSecret, makeSignInCode, makeSignInSecret } from './signInCode.ts'
import type { AccountStore, SignIn } from './types.ts'

/** Validity of a code. */
export const CODE_MS = 15 * 60_000
/** Tolerated difference between clocks of two machines, or of one before and after it was set. */
export const CLOCK_SLACK_MS = 60_000
/** How long an unused browser stays signed in. */
export const SIGN_IN_IDLE_MS = 14 * 86_400_000
/** Maximum browsers signed in to an account; one more ends the one unused for longest. */
export const SIGN_INS_MAX = 50

export type SignInDatabase = {
  readonly db: Kysely<AccountTables>
  /** The same database, over a connection that never waits for writers. */
  readonly reader: Kysely<AccountTables>
}

/** Codes and browsers that open the account page. */
export function signInOperations({ db, reader }: SignInDatabase) {
  const open = (atMs: number) =>
    reader
      .selectFrom('sign_ins')
      .selectAll()
      .where('last_seen_at', '>', atMs - SIGN_IN_IDLE_MS)
  return {
    addSignInCode: async (accountId, atMs) => {
      await db.deleteFrom('sign_in_codes').where('ends_at', '<=', atMs).execute()
      const code = makeSignInCode()
      const row = { hash: hashSignInCode(code)!, account_id: accountId, ends_at: atMs + CODE_MS }
      const values = db
        .selectFrom('accounts')
        .select(Object.entries(row).map(([name, value]) => typed(value).as(name)))
        .where('id', '=', accountId)
      const added = await db
        .insertInto('sign_in_codes')
        .columns(Object.keys(row) as (keyof typeof row)[])
        .expression(values)
        .returning('hash')
        .execute()
      return added.length === 1 ? { code, endsAtMs: row.ends_at } : null
    },
    signIn: async ({ code, browser, atMs }) => {
      const hash = hashSignInCode(code)
      if (hash === null) return null
      return await db.transaction().execute(async trx => {
        // deleting the row uses the code up: no other request finds it
        const used = await trx
          .deleteFrom('sign_in_codes')
          .where('hash', '=', hash)
          .where('ends_at', '>', atMs)
          // after the clock was set back a code would be valid for longer
          .where('ends_at', '<=', atMs + CODE_MS + CLOCK_SLACK_MS)
          .returning('account_id')
          .executeTakeFirst()
        return used ? addSignIn(trx, { accountId: used.account_id, browser, atMs }) : null
      })
    },
    findSignIn: async (secret, atMs) => {
      const hash = hashSignInSecret(secret)
      if (hash === null) return null
      const found = await open(atMs).where('hash', '=', hash).executeTakeFirst()
      return found ? toSignIn(found) : null
    },
    markSignInSeen: async (signInId, atMs) => {
      const own = db.updateTable('sign_ins').set({ last_seen_at: atMs }).where('id', '=', signInId)
      await own.where('last_seen_at', '<', atMs).execute()
    },
    listSignIns: async (accountId, atMs) => {
      const own = open(atMs).where('account_id', '=', accountId)
      const rows = await own.orderBy('last_seen_at', 'desc').orderBy('id').execute()
      return rows.map(toSignIn)
    },
    endSignIns: async (accountId, signInId) => {
      const own = db.deleteFrom('sign_ins').where('account_id', '=', accountId).returning('id')
      const wanted = signInId === undefined ? own : own.where('id', '=', signInId)
      return (await wanted.execute()).length
    },
  } satisfies Partial<AccountStore>
}

type Entering = { readonly accountId: string; readonly browser: string; readonly atMs: number }

async function addSignIn(
  trx: Transaction<AccountTables>,
  { accountId, browser, atMs }: Entering,
): Promise<{ secret: string; signIn: SignIn }> {
  const secret = makeSignInSecret()
  const row = {
    id: `si_${randomBase62(12)}`,
    account_id: accountId,
    hash: hashSignInSecret(secret)!,
    browser,
    created_at: atMs,
    last_seen_at: atMs,
  }
  await trx.insertInto('sign_ins').values(row).execute()
  await trx
    .deleteFrom('sign_ins')
    .where('last_seen_at', '<=', atMs - SIGN_IN_IDLE_MS)
    .execute()
  const retained = trx
    .selectFrom('sign_ins')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy(sql`case when id = ${row.id} then 0 else 1 end`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(SIGN_INS_MAX)
  const own = trx.deleteFrom('sign_ins').where('account_id', '=', accountId)
  await own.where('id', 'not in', retained).execute()
  return { secret, signIn: toSignIn(row) }
}

const toSignIn = (row: AccountTables['sign_ins']): SignIn => ({
  id: row.id,
  accountId: row.account_id,
  browser: row.browser,
  createdAtMs: row.created_at,
  lastSeenAtMs: row.last_seen_at,
})
