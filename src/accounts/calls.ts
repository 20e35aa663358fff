import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { oncePerArrival } from '../core/turn.ts'
import { hashApiKey, isWellFormedApiKey } from './apiKey.ts'
import type { AccountProduct } from './products.ts'
import type { AccountTables } from './schema.ts'
import type { AccountStore, CallBatch, KeyHolder, KeyUse, KeyUsed } from './types.ts'

/** Runs a statement that Kysely compiled before and returns its rows. */
type RunStatement = (
  text: string,
  values: readonly (string | number)[],
) => Promise<readonly unknown[]>

/** Direct access to the database; reads never wait for writers. */
export type CallDatabase = {
  readonly read: RunStatement
  readonly write: RunStatement
  /**
   * Returns a number that changes with every commit but those of `write`; absent for a database that
   * has none.
   */
  readonly readVersion?: () => number
}

/**
 * Account queries of every call. The statements are compiled once and go to the driver directly: a
 * file responds in microseconds, less than Kysely takes to compile one.
 */
export function callOperations(callDatabase: CallDatabase, db: Kysely<AccountTables>) {
  const holder = holderStatement(db)
  const holders = openHolders(callDatabase)
  const prepareCount = compiledOnce(batchCount => countStatement(db, batchCount))
  const prepareUse = compiledOnce(useCount => useStatement(db, useCount))
  return {
    findHolder: async apiKey => {
      if (!isWellFormedApiKey(apiKey)) return null
      const hash = hashApiKey(apiKey)
      const { known, keep } = holders.find(hash)
      if (known) return known
      const found = toKeyHolder((await callDatabase.read(holder, [hash])) as HolderRow[])
      if (found) keep(found)
      return found
    },
    countCalls: async batches => {
      if (batches.length === 0) return []
      // in a fixed order: two processes that lock the same rows never deadlock
      const ordered = batches.toSorted((a, b) => (batchKey(a) < batchKey(b) ? -1 : 1))
      const values = ordered.flatMap(batch => [
        batch.accountId,
        batch.product,
        batch.dayEt,
        batch.calls,
      ])
      const counted = (await callDatabase.write(prepareCount(batches.length), values)) as CountRow[]
      const totals = new Map(
        counted.map(row => [`${row.account_id} ${row.product} ${row.day_et}`, row.calls]),
      )
      return batches.map(batch => totals.get(batchKey(batch))!)
    },
    useKeys: async uses => {
      if (uses.length === 0) return []
      // in a fixed order, as above
      const ordered = uses.toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1))
      const values = ordered.flatMap(({ keyId, minute, calls, hour, addressHash }) => [
        keyId,
        minute,
        calls,
        hour,
        addressHash,
      ])
      const counted = (await callDatabase.write(prepareUse(uses.length), values)) as UseRow[]
      const rows = new Map(counted.map(row => [row.key_id, row]))
      return uses.map(use => toKeyUsed(rows.get(use.keyId)!, use))
    },
    keyCounts: async accountId => {
      const rows = await db
        .selectFrom('key_uses')
        .innerJoin('api_keys', 'api_keys.id', 'key_uses.key_id')
        .selectAll('key_uses')
        .select('api_keys.name')
        .where('api_keys.account_id', '=', accountId)
        .where('api_keys.revoked_at', 'is', null)
        .orderBy('api_keys.name')
        .orderBy('api_keys.id')
        .execute()
      return rows.map(row => ({
        name: row.name,
        minute: Number(row.minute),
        calls: Number(row.calls),
        hour: Number(row.hour),
        addressCount: listAddressHashes(row).length,
      }))
    },
    callsOn: async (accountId, dayEt) => {
      const counts = db.selectFrom('call_counts').select(['product', 'calls'])
      const own = counts.where('account_id', '=', accountId).where('day_et', '=', dayEt)
      return (await own.execute()) as Pick<CallBatch, 'product' | 'calls'>[]
    },
    markKeysUsed: async (keyIds, usedAtMs) => {
      if (keyIds.length === 0) return
      await db
        .updateTable('api_keys')
        .set({ last_used_at: usedAtMs })
        .where('id', 'in', keyIds)
        .execute()
    },
  } satisfies Partial<AccountStore>
}

const HOLDERS_MAX_COUNT = 10_000

/**
 * Caches holders by the hash of their key until anything else is committed to the database: a
 * revoked key, or a changed plan, is seen by the next call in every process.
 */
function openHolders({ readVersion }: CallDatabase) {
  const recent = new LRUCache<string, KeyHolder>({ max: HOLDERS_MAX_COUNT })
  const readArrivalVersion = readVersion && oncePerArrival(readVersion)
  let version: number | null = null
  return {
    /** Returns a cached holder, and a function that caches the one that is read after this call. */
    find: (
      hash: string,
    ): { readonly known?: KeyHolder; readonly keep: (read: KeyHolder) => void } => {
      if (!readArrivalVersion) return { keep: () => {} }
      const now = readArrivalVersion()
      if (now !== version) recent.clear()
      version = now
      const known = recent.get(hash)
      if (known) return { known, keep: () => {} }
      const keep = (read: KeyHolder) => {
        // it may have been read before what another call has seen since
        if (now === version) recent.set(hash, read)
      }
      return { keep }
    },
  }
}

const batchKey = ({ accountId, product, dayEt }: CallBatch) => `${accountId} ${product} ${dayEt}`

type UseRow = Pick<
  AccountTables['key_uses'],
  'key_id' | 'calls' | 'place_1' | 'place_2' | 'place_3'
>

function toKeyUsed(row: UseRow, { addressHash }: KeyUse): KeyUsed {
  const addressHashes = listAddressHashes(row)
  return {
    calls: row.calls,
    addressCount: addressHashes.length,
    isAddressKnown: addressHashes.includes(addressHash),
  }
}

const listAddressHashes = ({ place_1, place_2, place_3 }: Omit<UseRow, 'key_id' | 'calls'>) =>
  [place_1, place_2, place_3].filter(addressHash => addressHash !== null)

/** Caches statements that differ only in their number of rows. */
function compiledOnce(compile: (rowCount: number) => string) {
  const statements = new Map<number, string>()
  return (rowCount: number): string => {
    const known = statements.get(rowCount) ?? compile(rowCount)
    statements.set(rowCount, known)
    return known
  }
}

type CountRow = {
  readonly account_id: string
  readonly product: string
  readonly day_et: string
  readonly calls: number
}

/** A key joined to each product of its account, or to nulls when that holds none. */
type HolderRow = Omit<KeyHolder, 'products' | 'isForAddresses'> &
  AccountProduct & { readonly isForAddresses: number }

function toKeyHolder(rows: readonly HolderRow[]): KeyHolder | null {
  const [first] = rows
  if (!first) return null
  const { keyId, accountId, scope, name } = first
  const held = rows.filter(row => row.product !== null)
  const products = held.map(({ product, plan, fromMs, untilMs }) => {
    return { product, plan, fromMs, untilMs }
  })
  return { keyId, accountId, scope, name, isForAddresses: first.isForAddresses === 1, products }
}

/** Parameter: the hash of a key. */
const holderStatement = (db: Kysely<AccountTables>): string =>
  db
    .selectFrom('api_keys')
    .leftJoin('account_products as held', 'held.account_id', 'api_keys.account_id')
    .select(['api_keys.id as keyId', 'api_keys.account_id as accountId'])
    .select(['api_keys.scope as scope', 'held.product as product', 'held.plan as plan'])
    .select(['api_keys.name as name', 'api_keys.is_for_addresses as isForAddresses'])
    .select(['held.from_at as fromMs', 'held.until_at as untilMs'])
    .where('api_keys.hash', '=', '')
    .where('api_keys.revoked_at', 'is', null)
    .compile().sql

/** Parameters: account, product, day and calls of each batch. */
const countStatement = (db: Kysely<AccountTables>, batchCount: number): string =>
  db
    .insertInto('call_counts')
    .values(new Array(batchCount).fill({ account_id: '', product: '', day_et: '', calls: 0 }))
    .onConflict(conflict =>
      conflict.columns(['account_id', 'product', 'day_et']).doUpdateSet({
        calls: sql<number>`call_counts.calls + excluded.calls`,
      }),
    )
    .returningAll()
    .compile().sql

const NO_USE = { key_id: '', minute: 0, calls: 0, hour: 0, place_1: '' }

/**
 * Parameters: key, minute, calls, hour and client address of each key. A clock that is a minute
 * behind that of another server counts in that one's minute and hour; one further behind was set
 * back, and starts counting again. Every right side sees the row as it was.
 */
function useStatement(db: Kysely<AccountTables>, useCount: number): string {
  const isPutBack = sql`excluded.minute < key_uses.minute - 1`
  const isNewMinute = sql`(excluded.minute > key_uses.minute or ${isPutBack})`
  const isNewHour = sql`(excluded.hour > key_uses.hour
    or (excluded.hour < key_uses.hour and ${isPutBack}))`
  const isKnown = sql`excluded.place_1 in (
    key_uses.place_1, coalesce(key_uses.place_2, ''), coalesce(key_uses.place_3, '')
  )`
  const isFull = sql`key_uses.place_3 is not null`
  const isRefused = sql`not (${isNewHour}) and not (${isKnown}) and ${isFull}`
  return db
    .insertInto('key_uses')
    .values(Array.from({ length: useCount }, () => NO_USE))
    .onConflict(conflict =>
      conflict.column('key_id').doUpdateSet({
        minute: sql<number>`case when ${isNewMinute}
          then excluded.minute else key_uses.minute end`,
        calls: sql<number>`case when ${isNewMinute} then 0
          else key_uses.calls end + case when ${isRefused} then 0 else excluded.calls end`,
        hour: sql<number>`case when ${isNewHour} then excluded.hour else key_uses.hour end`,
        place_1: sql<string>`case when ${isNewHour} then excluded.place_1
          else key_uses.place_1 end`,
        place_2: sql<string | null>`case when ${isNewHour} then null
          when key_uses.place_2 is null and not (${isKnown}) then excluded.place_1
          else key_uses.place_2 end`,
        place_3: sql<string | null>`case when ${isNewHour} then null
          when key_uses.place_2 is not null and key_uses.place_3 is null and not (${isKnown})
          then excluded.place_1 else key_uses.place_3 end`,
      }),
    )
    .returning(['key_id', 'calls', 'place_1', 'place_2', 'place_3'])
    .compile().sql
}
