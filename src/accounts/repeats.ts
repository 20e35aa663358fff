import type { Kysely, Transaction } from 'kysely'
import type { AccountTables } from './schema.ts'

/** Idempotent changes to an account's data: each is made once, however often it is requested. */

/** Retention of a response for repeated requests. */
const REPEAT_MS = 24 * 3_600_000

/** Identity of a repeatable change: hashes, hex. */
export type Repeat = { readonly key: string; readonly requestHash: string }

export type ChangeResponse = {
  readonly response: string
  /** True when the change was made earlier and its stored response is returned. */
  readonly isReplay: boolean
}

/** The account database, with the tables of an area where it changes those. */
export type ChangingDatabase<Tables = AccountTables> = {
  readonly db: Kysely<Tables>
  /** The same database, over a connection that never waits for writers. */
  readonly reader: Kysely<Tables>
  /** True when transactions run concurrently. */
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
 * Makes a change in one transaction, serialised per account over all processes, and returns its
 * response. Null when the repeat's key was used for another request and this one is valid in
 * itself: `decide` throws the errors of an invalid one.
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
    // errors of the change itself were reported first
    if (storedResponse) return null
    await write()
    await storeResponse(trx, request, response)
    return { response, isReplay: false }
  })
}

/** Serialises changes to the account's data; counting its calls does not wait. */
export async function lockAccount(
  trx: Transaction<AccountTables>,
  accountId: string,
): Promise<void> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
  await account.forNoKeyUpdate().execute()
}

/** Returns the response to an earlier request with the same key; deletes expired responses. */
export async function findStoredResponse(trx: Transaction<AccountTables>, request: OneRequest) {
  const { accountId, atMs, repeat } = request
  if (!repeat) return undefined
  await forgetRepeats(trx, request)
  return readResponse(trx, { accountId, atMs, repeat })
}

/** Deletes the expired responses of an account. */
export async function forgetRepeats(
  trx: Transaction<AccountTables>,
  { accountId, atMs }: Pick<OneRequest, 'accountId' | 'atMs'>,
): Promise<void> {
  const ownRepeats = trx.deleteFrom('repeats').where('account_id', '=', accountId)
  await ownRepeats.where('created_at', '<', atMs - REPEAT_MS).execute()
}

/** Reads the response to an earlier request with the same key. */
export const readResponse = (
  db: Kysely<AccountTables> | Transaction<AccountTables>,
  { accountId, atMs, repeat }: OneRequest & { readonly repeat: Repeat },
) =>
  db
    .selectFrom('repeats')
    .select(['request_hash', 'answer'])
    .where('account_id', '=', accountId)
    .where('repeat_key', '=', repeat.key)
    .where('created_at', '>=', atMs - REPEAT_MS)
    .executeTakeFirst()

/** Stores the response of a change for repeated requests. */
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
