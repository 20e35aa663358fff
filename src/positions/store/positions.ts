import type { Kysely, Transaction } from 'kysely'
import { type ChangingDatabase, changeOnce } from '../../accounts/repeats.ts'
import type { AccountTables } from '../../accounts/schema.ts'
import {
  deleteEndpoint,
  putEndpoint,
  readEndpoints,
  writeSecret,
} from '../../outbox/store/endpoints.ts'
import type { Owner } from '../../outbox/store/types.ts'
import type { PositionDatabaseTables } from './schema.ts'
import type { PositionEndpoint, PositionRequest, PositionStore, StoredPosition } from './types.ts'

/** Operations on the positions of accounts. */
export function positionOperations(database: ChangingDatabase<PositionDatabaseTables>) {
  const { reader } = database
  return {
    listPositions: accountId => readPositions(reader, accountId),
    newestPositions: async limit => {
      const newest = reader.selectFrom('positions').select('body').orderBy('updated_at', 'desc')
      const rows = await newest.orderBy('id').limit(limit).execute()
      return rows.map(({ body }) => body)
    },
    alertingPositions: async () => {
      const rows = await reader
        .selectFrom('positions')
        .select(['id', 'body', 'account_id', 'updated_at'])
        // a body is not parsed here: uncertain matches stay
        .where('body', 'not like', '%"alert":{"channel":"off"%')
        .orderBy('id')
        .execute()
      return rows.map(({ account_id: accountId, updated_at: updatedAtMs, ...stored }) => {
        return { ...stored, accountId, updatedAtMs }
      })
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
      changeOnce(database, request, async trx => {
        const stored = await readPositions(trx, request.accountId)
        const endpoints = await readEndpoints(trx, request.accountId)
        const { put, endpoint, removeId, response } = request.decide(stored, endpoints)
        return async () => {
          if (put) await putPosition(trx, request, put)
          if (put && endpoint) await changeEndpoint(trx, request, put.id, endpoint)
          if (removeId === undefined) return response
          const account = trx.deleteFrom('positions').where('account_id', '=', request.accountId)
          await account.where('id', '=', removeId).execute()
          await deleteEndpoint(trx, request.accountId, removeId)
          return response
        }
      }),
  } satisfies PositionStore
}

const readPositions = (
  db: Kysely<PositionDatabaseTables>,
  accountId: string,
): Promise<StoredPosition[]> =>
  db
    .selectFrom('positions')
    .select(['id', 'body'])
    .where('account_id', '=', accountId)
    .orderBy('number')
    .execute()

async function changeEndpoint(
  trx: Transaction<AccountTables>,
  { accountId, atMs }: PositionRequest,
  id: string,
  endpoint: PositionEndpoint | 'remove',
): Promise<void> {
  if (endpoint === 'remove') {
    await deleteEndpoint(trx, accountId, id)
    return
  }
  const { url, firstSecret } = endpoint
  if (firstSecret !== null) {
    await writeSecret(trx, { accountId, sealed: firstSecret, atMs }, false)
  }
  await putEndpoint(trx, { accountId, owner: id as Owner, url, atMs })
}

async function putPosition(
  trx: Transaction<PositionDatabaseTables>,
  { accountId, atMs }: PositionRequest,
  { id, body }: StoredPosition,
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
