import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { Refusal } from '../core/disk/refusal.ts'
import { MINUTE_MS } from '../core/market/calendar.ts'
import { outboxOperations } from '../outbox/store/operations.ts'
import { createLockWait, WaitingSqliteDialect } from '../platform/database/lockWait.ts'
import { migrate } from '../platform/database/migrations.ts'
import { databaseReason, isPostgresUrl, openPostgres } from '../platform/database/postgres.ts'
import {
  accessReason,
  IN_MEMORY,
  openSqlite,
  type SqliteFile,
} from '../platform/database/sqlite.ts'
import { accountOperations, typed } from './accounts.ts'
import { hashApiKey, makeApiKey, PREFIX_OF_SCOPE, randomBase62, type Scope } from './apiKey.ts'
import { type CallDatabase, callOperations } from './calls.ts'
import type { MonthStore } from './monthTypes.ts'
import type { ChangingDatabase } from './repeats.ts'
import type { AccountTables } from './schema.ts'
import { signInOperations } from './signIns.ts'
import type { AccountStore, ApiKeyRecord, StoreOptions } from './types.ts'

/** Operations on keys: make, list, revoke. */
function keyOperations(db: Kysely<AccountTables>) {
  return {
    addKey: async ({ accountId, scope, name, createdAtMs, isForAddresses = false }) => {
      const apiKey = makeApiKey(scope)
      const row = {
        id: `key_${randomBase62(12)}`,
        account_id: accountId,
        scope,
        name,
        prefix: PREFIX_OF_SCOPE[scope],
        last_four: apiKey.slice(-4),
        hash: hashApiKey(apiKey),
        created_at: createdAtMs,
        is_for_addresses: isForAddresses ? 1 : 0,
      }
      const inserted = await db
        .insertInto('api_keys')
        .columns(Object.keys(row) as (keyof typeof row)[])
        .expression(
          db
            .selectFrom('accounts')
            .select(Object.values(row).map((value, index) => typed(value).as(`v${index}`)))
            .where('id', '=', accountId),
        )
        .returningAll()
        .executeTakeFirst()
      return inserted ? { apiKey, record: keyRecord(inserted) } : null
    },
    listKeys: async accountId => {
      const keys = db
        .selectFrom('api_keys')
        .leftJoin('key_uses', 'key_uses.key_id', 'api_keys.id')
        .selectAll('api_keys')
        .select('key_uses.minute as used_minute')
        .orderBy('created_at')
        .orderBy('id')
      const wanted = accountId === undefined ? keys : keys.where('account_id', '=', accountId)
      return (await wanted.execute()).map(({ used_minute, ...row }) =>
        // a key whose calls are counted per minute has no `last_used_at` of its own
        keyRecord(used_minute === null ? row : { ...row, last_used_at: used_minute * MINUTE_MS }),
      )
    },
    revokeKey: async (keyId, revokedAtMs, accountId) => {
      const good = db
        .updateTable('api_keys')
        .set({ revoked_at: revokedAtMs })
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
      const own = accountId === undefined ? good : good.where('account_id', '=', accountId)
      return (await own.returning('id').execute()).length === 1
    },
  } satisfies Partial<AccountStore>
}

const keyRecord = (row: Omit<AccountTables['api_keys'], 'hash'>): ApiKeyRecord => ({
  id: row.id,
  accountId: row.account_id,
  scope: row.scope as Scope,
  name: row.name,
  prefix: row.prefix,
  lastFour: row.last_four,
  createdAtMs: row.created_at,
  lastUsedAtMs: row.last_used_at,
  revokedAtMs: row.revoked_at,
  isForAddresses: row.is_for_addresses === 1,
})

/** Counts calls per UTC month. */

/** The statements are compiled once and go to the driver directly, as those of all calls. */
function monthOperations(callDatabase: CallDatabase, db: Kysely<AccountTables>): MonthStore {
  const counting = countStatement(db)
  const reading = usedStatement(db)
  const ranking = rankStatement(db)
  return {
    count: async ({ accountId, product, monthUtc, limit }) => {
      const values = [accountId, product, monthUtc, 1, limit]
      const [row] = (await callDatabase.write(counting, values)) as { calls: number }[]
      return row ? Number(row.calls) : null
    },
    used: async ({ accountId, product, monthUtc }) => {
      const values = [accountId, product, monthUtc]
      const [row] = (await callDatabase.read(reading, values)) as { calls: number }[]
      return row ? Number(row.calls) : 0
    },
    findKeyRank: async keyId => {
      const rows = (await callDatabase.read(ranking, [keyId])) as {
        id: string
        created_at: number
      }[]
      const own = rows.findIndex(({ id }) => id === keyId)
      return { older: own, all: rows.length }
    },
  }
}

/** Parameters: account, product, month, 1 and the limit: two calls never both take the last one. */
const countStatement = (db: Kysely<AccountTables>): string =>
  db
    .insertInto('month_calls')
    .values({ account_id: '', product: '', month_utc: '', calls: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'product', 'month_utc'])
        .doUpdateSet({ calls: sql<number>`month_calls.calls + 1` })
        .where('month_calls.calls', '<', 0),
    )
    .returning('calls')
    .compile().sql

const usedStatement = (db: Kysely<AccountTables>): string =>
  db
    .selectFrom('month_calls')
    .select('calls')
    .where('account_id', '=', '')
    .where('product', '=', '')
    .where('month_utc', '=', '')
    .compile().sql

/** Parameter: a key. Oldest first. */
const rankStatement = (db: Kysely<AccountTables>): string =>
  db
    .selectFrom('api_keys as own')
    .innerJoin('api_keys as every', join =>
      join.onRef('every.account_id', '=', 'own.account_id').onRef('every.scope', '=', 'own.scope'),
    )
    .select(['every.id as id', 'every.created_at as created_at'])
    .where('own.id', '=', '')
    .where('every.revoked_at', 'is', null)
    .orderBy('every.created_at')
    .orderBy('every.id')
    .compile().sql

/** Connections a process may have open at once. */
const MAX_CONNECTIONS = 10

/** For commands, and while a database is opened: another command is what blocks it. */
const LOCK_WAIT_MS = 5_000
/** Minimum wait of a statement for a row lock of PostgreSQL. */
const POSTGRES_LOCK_WAIT_MS = 1_000

/**
 * Opens the account database at a location: the path of a SQLite file, whose folder is made, or the
 * URL of a PostgreSQL database. Creates or migrates its tables, those of all areas too. Fails with
 * one sentence that names the file, and never the URL, which contains a password.
 */
export async function openAccountDatabase(
  location: string,
  migrations: Readonly<Record<string, Migration>>,
  { lockWaitMs = LOCK_WAIT_MS }: StoreOptions = {},
): Promise<{ readonly accounts: AccountStore; readonly database: ChangingDatabase }> {
  const opened = await openMigrated(location, migrations, lockWaitMs)
  const { db, reader, callDatabase, isLocked, close } = opened
  const database = { db, reader, isConcurrent: isPostgresUrl(location) }
  const accounts = {
    ...accountOperations(db),
    ...keyOperations(db),
    ...callOperations(callDatabase, db),
    ...signInOperations({ db, reader }),
    months: monthOperations(callDatabase, db),
    outbox: outboxOperations(database),
    check: async () => {
      await reader.selectFrom('accounts').select('id').limit(1).execute()
      return { isLocked: await isLocked() }
    },
    close,
  }
  return { accounts, database }
}

type AccountEngine = {
  readonly db: Kysely<AccountTables>
  readonly reader: Kysely<AccountTables>
  readonly callDatabase: CallDatabase
  readonly isLocked: () => Promise<boolean>
  /** Called once the tables exist. */
  readonly setLockWait: (ms: number) => void
  readonly close: () => Promise<void>
}

async function openMigrated(
  location: string,
  migrations: Readonly<Record<string, Migration>>,
  lockWaitMs: number,
): Promise<AccountEngine> {
  const isPostgres = isPostgresUrl(location)
  let engine: AccountEngine | null = null
  try {
    engine = isPostgres ? openPostgresEngine(location, lockWaitMs) : openFileEngine(location)
    await migrate(engine.db, migrations, isPostgres)
    engine.setLockWait(lockWaitMs)
    return engine
  } catch (error) {
    await engine?.close().catch(() => {})
    const name = isPostgres ? '(DATABASE_URL)' : location
    const reason = (isPostgres ? null : accessReason(location)) ?? databaseReason(error)
    throw new Refusal(`account database ${name}: ${reason}.`, { cause: error })
  }
}

/** Opens the same file three times: reads, counts and changes do not wait for each other. */
function openFileEngine(file: string): AccountEngine {
  const isInMemory = file === IN_MEMORY
  if (!isInMemory) mkdirSync(dirname(file), { recursive: true })
  const writing = createLockWait(LOCK_WAIT_MS)
  const reading = createLockWait(LOCK_WAIT_MS)
  const changes = openSqlite(file, 'power')
  // a count lost in a power cut is a free call; waiting for the disk at every call would delay all
  // of them
  const calls = isInMemory ? changes : openSqlite(file, 'process')
  const reads = isInMemory ? changes : openSqlite(file, 'process')
  for (const opened of [changes, calls, reads]) opened.failWhenBusy()
  const db = new Kysely<AccountTables>({ dialect: new WaitingSqliteDialect(changes, writing) })
  const reader = isInMemory
    ? db
    : new Kysely<AccountTables>({ dialect: new WaitingSqliteDialect(reads, reading) })
  return {
    db,
    reader,
    callDatabase: {
      read: (text, values) => reading.run(() => reads.all(text, values)),
      write: (text, values) => writing.run(() => calls.all(text, values)),
      // in memory, all statements share one connection, whose own commits change no version
      ...(isInMemory ? {} : { readVersion: calls.readVersion }),
    },
    isLocked: async () => {
      // only a write shows that the file is free again, and there may be none
      if (writing.isLocked()) await writing.run(() => attemptWrite(calls)).catch(() => {})
      return writing.isLocked()
    },
    setLockWait: ms => {
      writing.setMaxMs(ms)
      reading.setMaxMs(ms)
    },
    close: async () => {
      await Promise.all([db.destroy(), reader.destroy()])
      // Kysely closes only connections that it used
      for (const opened of [changes, calls, reads]) opened.close()
    },
  }
}

/** Locks the file as a write does, and changes nothing. */
function attemptWrite(file: SqliteFile): void {
  file.all('begin immediate', [])
  file.all('rollback', [])
}

function openPostgresEngine(url: string, lockWaitMs: number): AccountEngine {
  // several servers that count one account wait for each other's commits
  const pool = openPostgres(url, MAX_CONNECTIONS, Math.max(lockWaitMs, POSTGRES_LOCK_WAIT_MS))
  const db = new Kysely<AccountTables>({ dialect: new PostgresDialect({ pool }) })
  const runStatement: CallDatabase['read'] = async (text, values) =>
    (await pool.query(text, [...values])).rows
  return {
    db,
    reader: db,
    callDatabase: { read: runStatement, write: runStatement },
    isLocked: async () => false,
    setLockWait: () => {},
    close: () => db.destroy(),
  }
}
