import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Migration } from 'kysely/migration'
import { Refusal } from '../core/disk/refusal.ts'
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
import { accountOperations } from './accounts.ts'
import { type CallDatabase, callOperations } from './calls.ts'
import { keyOperations } from './keys.ts'
import { monthOperations } from './monthCalls.ts'
import type { ChangingDatabase } from './repeats.ts'
import type { AccountTables } from './schema.ts'
import { signInOperations } from './signIns.ts'
import type { AccountStore, StoreOptions } from './types.ts'

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
