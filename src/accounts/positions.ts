import type { Kysely, Transaction } from 'kysely'
import type { AccountTables } from './schema.ts'
import type { AccountStore, KeptPosition, PositionRequest } from './types.ts'

/** How long an answer is kept for who asks again. */
const REPEAT_MS = 24 * 3_600_000

export type PositionDatabase = {
  readonly db: Kysely<AccountTables>
  /** The same database, over a connection that never waits for who writes. */
  readonly reader: Kysely<AccountTables>
  /** Whether transactions run beside each other. */
  readonly isConcurrent: boolean
}

/** The positions of accounts. */
export function positionOperations({ db, reader, isConcurrent }: PositionDatabase) {
  return {
    listPositions: accountId => readPositions(reader, accountId),
    newestPositions: async limit => {
      const newest = reader.selectFrom('positions').select('body').orderBy('updated_at', 'desc')
      const rows = await newest.orderBy('id').limit(limit).execute()
      return rows.map(({ body }) => body)
    },
    findPosition: async (accountId, id) => {
      const found = await reader
        .selectFrom('positions')
        .select(['id', 'body'])
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst()
      return found ?? null
    },
    changePositions: request =>
      db.transaction().execute(async trx => {
        if (isConcurrent) await lockAccount(trx, request.accountId)
        const answered = await findAnswer(trx, request)
        if (answered && answered.request_hash === request.repeat?.requestHash) {
          return { answer: answered.answer, isReplay: true }
        }
        const kept = await readPositions(trx, request.accountId)
        const { put, removeId, answer } = request.decide(kept)
        // what is wrong with the change itself was told first
        if (answered) return null
        if (put) await putPosition(trx, request, put)
        if (removeId !== undefined) {
          const account = trx.deleteFrom('positions').where('account_id', '=', request.accountId)
          await account.where('id', '=', removeId).execute()
        }
        await keepAnswer(trx, request, answer)
        return { answer, isReplay: false }
      }),
  } satisfies Partial<AccountStore>
}

/** Who changes an account's positions next waits here; a count of its calls does not. */
async function lockAccount(trx: Transaction<AccountTables>, accountId: string): Promise<void> {
  const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
  await account.forNoKeyUpdate().execute()
}

const readPositions = (db: Kysely<AccountTables>, accountId: string): Promise<KeptPosition[]> =>
  db
    .selectFrom('positions')
    .select(['id', 'body'])
    .where('account_id', '=', accountId)
    .orderBy('number')
    .execute()

async function putPosition(
  trx: Transaction<AccountTables>,
  { accountId, atMs }: PositionRequest,
  { id, body }: KeptPosition,
): Promise<void> {
  const { last } = await trx
    .selectFrom('positions')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('positions')
    .values({
      id,
      account_id: accountId,
      number: (last ?? 0) + 1,
      body,
      created_at: atMs,
      updated_at: atMs,
    })
    .onConflict(conflict =>
      conflict
        .column('id')
        .doUpdateSet({ body, updated_at: atMs })
        .where('positions.account_id', '=', accountId),
    )
    .execute()
}

/** The answer to an earlier request with the same key; answers past their time are forgotten. */
async function findAnswer(
  trx: Transaction<AccountTables>,
  { accountId, atMs, repeat }: PositionRequest,
) {
  if (!repeat) return undefined
  const ownRepeats = trx.deleteFrom('repeats').where('account_id', '=', accountId)
  await ownRepeats.where('created_at', '<', atMs - REPEAT_MS).execute()
  return trx
    .selectFrom('repeats')
    .select(['request_hash', 'answer'])
    .where('account_id', '=', accountId)
    .where('repeat_key', '=', repeat.key)
    .executeTakeFirst()
}

async function keepAnswer(
  trx: Transaction<AccountTables>,
  { accountId, atMs, repeat }: PositionRequest,
  answer: string,
): Promise<void> {
  if (!repeat) return
  const { key, requestHash } = repeat
  await trx
    .insertInto('repeats')
    .values({
      account_id: accountId,
      repeat_key: key,
      request_hash: requestHash,
      answer,
      created_at: atMs,
    })
    .execute()
}
