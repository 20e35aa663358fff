import type { Kysely, Transaction } from 'kysely'
import type { AccountTables } from './schema.ts'

/** Changes of what an account keeps, each made once however often it is asked for. */

/** How long an answer is kept for who asks again. */
const REPEAT_MS = 24 * 3_600_000

/** By what a change is known when it is asked for again: hashes, hex. */
export type Repeat = { readonly key: string; readonly requestHash: string }

export type ChangeResponse = {
  readonly response: string
  /** True when the change was made earlier, and its answer is given again. */
  readonly isReplay: boolean
}

export type ChangingDatabase = {
  readonly db: Kysely<AccountTables>
  /** The same database, over a connection that never waits for who writes. */
  readonly reader: Kysely<AccountTables>
  /** Whether transactions run beside each other. */
  readonly isConcurrent: boolean
}

export type OneRequest = {
  readonly accountId: string
  readonly atMs: number
  readonly repeat: Repeat | null
}

export type DecidedChange = {
  readonly response: string
  readonly write: () => Promise<void>
}

/**
 * Makes a change in one transaction, one after the other of an account over all processes, and
 * returns its answer. Null when the repeat's key was used for another request, which would have
 * been taken by itself: what is wrong with it is thrown by `decide`.
 */
export function changeOnce(
  { db, isConcurrent }: Pick<ChangingDatabase, 'db' | 'isConcurrent'>,
  request: OneRequest,
  decide: (trx: Transaction<AccountTables>) => Promise<DecidedChange>,
): Promise<ChangeResponse | null> {
  return db.transaction().execute(async trx => {
    if (isConcurrent) await lockAccount(trx, request.accountId)
    const storedResponse = await findStoredResponse(trx, request)
    if (storedResponse && storedResponse.request_hash === request.repeat?.requestHash) {
      return { response: storedResponse.answer, isReplay: true }
    }
    const { response, write } = await decide(trx)
    // what is wrong with the change itself was told first
    if (storedResponse) return null
    await write()
    await storeResponse(trx, request, response)
    return { response, isReplay: false }
  })
}

/** Who changes what the account keeps next waits here; a count of its calls does not. */
async function lockAccount(trx: Transaction<AccountTables>, accountId: string): Promise<void> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
  await account.forNoKeyUpdate().execute()
}

/** The answer to an earlier request with the same key; answers past their time are forgotten. */
export async function findStoredResponse(trx: Transaction<AccountTables>, request: OneRequest) {
  const { accountId, atMs, repeat } = request
  if (!repeat) return undefined
  await forgetRepeats(trx, request)
  return readResponse(trx, { accountId, atMs, repeat })
}

/** Removes the answers of an account that are past their time. */
export async function forgetRepeats(
  trx: Transaction<AccountTables>,
  { accountId, atMs }: Pick<OneRequest, 'accountId' | 'atMs'>,
): Promise<void> {
  const ownRepeats = trx.deleteFrom('repeats').where('account_id', '=', accountId)
  await ownRepeats.where('created_at', '<', atMs - REPEAT_MS).execute()
}

/** Reads the answer to an earlier request with the same key. */
export const readResponse = (
  db: Kysely<AccountTables>,
  { accountId, atMs, repeat }: OneRequest & { readonly repeat: Repeat },
) =>
  db
    .selectFrom('repeats')
    .select(['request_hash', 'answer'])
    .where('account_id', '=', accountId)
    .where('repeat_key', '=', repeat.key)
    .where('created_at', '>=', atMs - REPEAT_MS)
    .executeTakeFirst()

/** Keeps the answer of a change for who asks again. */
export async function storeResponse(
  trx: Transaction<AccountTables>,
  { accountId, atMs, repeat }: OneRequest,
  response: string,
): Promise<void> {
  if (!repeat) return
  const { key, requestHash } = repeat
  await trx
    .insertInto('repeats')
    .values({
      account_id: accountId,
      repeat_key: key,
      request_hash: requestHash,
      answer: response,
      created_at: atMs,
    })
    .execute()
}
