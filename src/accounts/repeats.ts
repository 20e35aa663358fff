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
  /** Set when the client may repeat the request and expects the same response. */
  readonly repeat: Repeat | null
}

/** Writes a change in the transaction that decided it, and returns its response. */
export type Write = () => Promise<string>

type OneDatabase<Tables extends AccountTables> = Pick<
  ChangingDatabase<Tables>,
  'db' | 'isConcurrent'
>

/**
 * Makes a change in one transaction, serialised per account over all processes, and returns its
 * response, or the refusal that `decide` returns instead of a write. Null when the repeat's key was
 * used for another request and this one is valid in itself: `decide` throws the errors of an
 * invalid one.
 */
export const changeOnce = <Tables extends AccountTables, Decided extends Write | string | object>(
  database: OneDatabase<Tables>,
  request: OneRequest,
  decide: (trx: Transaction<Tables>) => Promise<Decided>,
): Promise<ChangeResponse | Exclude<Decided, Write> | null> =>
  changeAccount(database, request.accountId, async changing => {
    const trx = changing as unknown as Transaction<AccountTables>
    await forgetRepeats(trx, request)
    const earlier = await readResponse(trx, request)
    if (earlier && earlier !== 'reused') return earlier
    const write = await decide(changing)
    if (typeof write !== 'function') return write as Exclude<Decided, Write>
    // errors of the change itself were reported first
    if (earlier) return null
    const response = await write()
    await storeResponse(trx, request, response)
    return { response, isReplay: false }
  })

/** Runs a transaction that no other process runs for the account; counting calls does not wait. */
export const changeAccount = <Tables extends AccountTables, Result>(
  { db, isConcurrent }: OneDatabase<Tables>,
  accountId: string,
  change: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async trx => {
    if (isConcurrent) {
      const accounts = (trx as unknown as Transaction<AccountTables>).selectFrom('accounts')
      await accounts.select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
    }
    return await change(trx)
  })

/** Deletes the expired responses of the account of a repeatable request. */
async function forgetRepeats(
  trx: Transaction<AccountTables>,
  { accountId, atMs, repeat }: OneRequest,
): Promise<void> {
  if (!repeat) return
  const ownRepeats = trx.deleteFrom('repeats').where('account_id', '=', accountId)
  await ownRepeats.where('created_at', '<', atMs - REPEAT_MS).execute()
}

/** Reads the response to the same request; `reused` when its key came with another one. */
export async function readResponse(
  db: Kysely<AccountTables>,
  { accountId, atMs, repeat }: OneRequest,
): Promise<ChangeResponse | 'reused' | null> {
  if (!repeat) return null
  const stored = await db
    .selectFrom('repeats')
    .select(['request_hash', 'answer'])
    .where('account_id', '=', accountId)
    .where('repeat_key', '=', repeat.key)
    .where('created_at', '>=', atMs - REPEAT_MS)
    .executeTakeFirst()
  if (!stored) return null
  if (stored.request_hash !== repeat.requestHash) return 'reused'
  return { response: stored.answer, isReplay: true }
}

/** Stores the response of a change for repeated requests. */
async function storeResponse(
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
