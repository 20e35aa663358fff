import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Scope } from './apiKey.ts'
import { type AskDatabase, callOperations } from './calls.ts'
import { accountOperations, keyOperations } from './keys.ts'
import { createLockWait, WaitingSqliteDialect } from './lockWait.ts'
import { migrate } from './migrations.ts'
import type { Plan } from './plan.ts'
import { positionOperations } from './positions.ts'
import { databaseReason, isPostgresUrl, openPostgres } from './postgres.ts'
import type { AccountTables } from './schema.ts'
import { openSqlite, type SqliteFile } from './sqlite.ts'

/** Connections a process may have open at once. */
const MAX_CONNECTIONS = 10

export type Account = {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  /** Milliseconds since the Unix epoch, like every instant here. */
  readonly createdAtMs: number
}

/** What is kept of a key: never the key. */
export type ApiKeyRecord = {
  readonly id: string
  readonly accountId: string
  readonly scope: Scope
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAtMs: number
  /** To the minute; null when the key was never used. */
  readonly lastUsedAtMs: number | null
  readonly revokedAtMs: number | null
}

/** What a request needs to know about the key it came with. */
export type KeyHolder = {
  readonly keyId: string
  readonly accountId: string
  readonly scope: Scope
  readonly plan: Plan
}

export type CallBatch = {
  readonly accountId: string
  readonly dayEt: string
  readonly calls: number
}

export type KeptPosition = {
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** What becomes of the positions of an account: one is put (added, or replaced) or removed. */
export type PositionChange = {
  readonly put?: KeptPosition
  readonly removeId?: string
  /** What is answered to who asked for it, and to who asks again. */
  readonly answer: string
}

export type ChangeAnswer = {
  readonly answer: string
  /** True when the change was made earlier, and its answer is given again. */
  readonly isReplay: boolean
}

export type PositionRequest = {
  readonly accountId: string
  readonly atMs: number
  /** Set when the client may ask the same again, and then wants the same answer. */
  readonly repeat: { readonly key: string; readonly requestHash: string } | null
  /** Decides on what the account keeps, oldest first. Its error changes nothing and is thrown. */
  readonly decide: (kept: readonly KeptPosition[]) => PositionChange
}

/**
 * Accounts, keys, daily counts and positions. Every operation is one statement or one transaction,
 * so any number of processes may share one database.
 */
export type AccountStore = {
  readonly addAccount: (account: {
    name: string
    plan: Plan
    createdAtMs: number
  }) => Promise<Account>
  readonly listAccounts: () => Promise<Account[]>
  /** False when there is no such account. */
  readonly setPlan: (accountId: string, plan: Plan) => Promise<boolean>
  /** Makes a key and answers it once; null when there is no such account. */
  readonly addKey: (key: {
    accountId: string
    scope: Scope
    name: string
    createdAtMs: number
  }) => Promise<{ apiKey: string; record: ApiKeyRecord } | null>
  /** All keys, revoked ones too, oldest first. */
  readonly listKeys: (accountId?: string) => Promise<ApiKeyRecord[]>
  /** False when there is no such key, or it was revoked before. */
  readonly revokeKey: (keyId: string, revokedAtMs: number) => Promise<boolean>
  /** The holder of a key; null when the key is mistyped (not looked up), unknown or revoked. */
  readonly findHolder: (apiKey: string) => Promise<KeyHolder | null>
  /**
   * Adds to daily counts and answers the new ones, in the order given. On return they survive the
   * end of the process.
   */
  readonly countCalls: (batches: readonly CallBatch[]) => Promise<number[]>
  readonly markKeysUsed: (keyIds: readonly string[], usedAtMs: number) => Promise<void>
  /** What an account keeps, oldest first. */
  readonly listPositions: (accountId: string) => Promise<KeptPosition[]>
  /** Bodies of the positions of all accounts, those changed last first, so many at most. */
  readonly newestPositions: (limit: number) => Promise<string[]>
  /** Null when the account keeps no such position, whoever else does. */
  readonly findPosition: (accountId: string, id: string) => Promise<KeptPosition | null>
  /**
   * Changes what an account keeps, one change after the other over all processes, and returns the
   * answer. Null when the repeat's key was used for another request in the last 24 hours, which
   * would have been taken by itself.
   */
  readonly changePositions: (request: PositionRequest) => Promise<ChangeAnswer | null>
  /** Fails when the database does not answer; says whether it answers, but takes no writes. */
  readonly check: () => Promise<{ readonly isLocked: boolean }>
  readonly close: () => Promise<void>
}

export type StoreOptions = {
  /** How long a write waits for another process that holds the database, before it fails. */
  readonly lockWaitMs?: number | undefined
}

/** For commands, and while a database is opened: what holds it up is another command. */
const LOCK_WAIT_MS = 5_000
/** The least that a statement waits for a row of a PostgreSQL. */
const POSTGRES_LOCK_WAIT_MS = 1_000

/**
 * Opens the account database of a place: the path of a SQLite file, whose folder is made, or the
 * address of a PostgreSQL database. Makes its tables, or brings them up to date. Fails with a few
 * words that name the file, and never the address, which has a password in it.
 */
export async function openAccountStore(
  place: string,
  { lockWaitMs = LOCK_WAIT_MS }: StoreOptions = {},
): Promise<AccountStore> {
  const { db, reader, ask, isLocked, close } = await openMigrated(place, lockWaitMs)
  return {
    ...accountOperations(db),
    ...keyOperations(db),
    ...callOperations(ask, db),
    ...positionOperations({ db, reader, isConcurrent: isPostgresUrl(place) }),
    check: async () => {
      await reader.selectFrom('accounts').select('id').limit(1).execute()
      return { isLocked: await isLocked() }
    },
    close,
  }
}

type Engine = {
  readonly db: Kysely<AccountTables>
  readonly reader: Kysely<AccountTables>
  readonly ask: AskDatabase
  readonly isLocked: () => Promise<boolean>
  /** Is called once the tables are there. */
  readonly setLockWait: (ms: number) => void
  readonly close: () => Promise<void>
}

async function openMigrated(place: string, lockWaitMs: number): Promise<Engine> {
  const isPostgres = isPostgresUrl(place)
  let engine: Engine | null = null
  try {
    engine = isPostgres ? openPostgresEngine(place, lockWaitMs) : openFileEngine(place)
    await migrate(engine.db)
    engine.setLockWait(lockWaitMs)
    return engine
  } catch (error) {
    await engine?.close().catch(() => {})
    const name = isPostgres ? '(DATABASE_URL)' : place
    throw new Error(`account database ${name}: ${databaseReason(error)}`, { cause: error })
  }
}

/** The same file three times: who reads, who counts and who changes do not wait for each other. */
function openFileEngine(file: string): Engine {
  mkdirSync(dirname(file), { recursive: true })
  const writing = createLockWait(LOCK_WAIT_MS)
  const reading = createLockWait(LOCK_WAIT_MS)
  const changes = openSqlite(file, 'power')
  // a count that a power cut takes back is a call given away; waiting for the disk at every call
  // would hold up all of them
  const calls = openSqlite(file, 'process')
  const reads = openSqlite(file, 'process')
  for (const opened of [changes, calls, reads]) opened.failWhenBusy()
  const db = new Kysely<AccountTables>({ dialect: new WaitingSqliteDialect(changes, writing) })
  const reader = new Kysely<AccountTables>({ dialect: new WaitingSqliteDialect(reads, reading) })
  return {
    db,
    reader,
    ask: {
      read: (text, values) => reading.run(() => reads.all(text, values)),
      write: (text, values) => writing.run(() => calls.all(text, values)),
    },
    isLocked: async () => {
      // only a write tells that the file is free again, and there may be none
      if (writing.isLocked()) await writing.run(() => tryWrite(calls)).catch(() => {})
      return writing.isLocked()
    },
    setLockWait: ms => {
      writing.setMaxMs(ms)
      reading.setMaxMs(ms)
    },
    close: async () => {
      await Promise.all([db.destroy(), reader.destroy()])
      // Kysely closes only what it has used
      for (const opened of [changes, calls, reads]) opened.close()
    },
  }
}

/** Takes the file as a write does, and changes nothing. */
function tryWrite(file: SqliteFile): void {
  file.all('begin immediate', [])
  file.all('rollback', [])
}

function openPostgresEngine(url: string, lockWaitMs: number): Engine {
  // several servers that count one account wait for each other's commits
  const pool = openPostgres(url, MAX_CONNECTIONS, Math.max(lockWaitMs, POSTGRES_LOCK_WAIT_MS))
  const db = new Kysely<AccountTables>({ dialect: new PostgresDialect({ pool }) })
  const ask: AskDatabase['read'] = async (text, values) =>
    (await pool.query(text, [...values])).rows
  return {
    db,
    reader: db,
    ask: { read: ask, write: ask },
    isLocked: async () => false,
    setLockWait: () => {},
    close: () => db.destroy(),
  }
}
