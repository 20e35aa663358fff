import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Scope } from './api-key.ts'
import { type AskDatabase, callOperations } from './calls.ts'
import { migrate } from './migrate.ts'
import { accountOperations, keyOperations } from './operations.ts'
import type { Plan } from './plan.ts'
import { positionOperations } from './positions.ts'
import { databaseReason, isPostgresUrl, openPostgres } from './postgres.ts'
import type { AccountTables } from './schema.ts'
import { NodeSqliteDialect, openSqlite } from './sqlite.ts'

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
  /** Null when the account keeps no such position, whoever else does. */
  readonly findPosition: (accountId: string, id: string) => Promise<KeptPosition | null>
  /**
   * Changes what an account keeps, one change after the other over all processes, and returns the
   * answer. Null when the repeat's key was used for another request in the last 24 hours.
   */
  readonly changePositions: (request: PositionRequest) => Promise<string | null>
  /** Fails when the database does not answer. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens the account database of a place: the path of a SQLite file, whose folder is made, or the
 * address of a PostgreSQL database. Makes its tables, or brings them up to date. Fails with a few
 * words that name the file, and never the address, which has a password in it.
 */
export async function openAccountStore(place: string): Promise<AccountStore> {
  const { db, ask, close } = await openMigrated(place)
  return {
    ...accountOperations(db),
    ...keyOperations(db),
    ...callOperations(ask, db),
    ...positionOperations(db, isPostgresUrl(place)),
    check: async () => {
      await db.selectFrom('accounts').select('id').limit(1).execute()
    },
    close,
  }
}

type Engine = {
  readonly db: Kysely<AccountTables>
  readonly ask: AskDatabase
  readonly close: () => Promise<void>
}

async function openMigrated(place: string): Promise<Engine> {
  const isPostgres = isPostgresUrl(place)
  let engine: Engine | null = null
  try {
    engine = isPostgres ? openPostgresEngine(place) : openFileEngine(place)
    await migrate(engine.db)
    return engine
  } catch (error) {
    await engine?.close().catch(() => {})
    const name = isPostgres ? '(DATABASE_URL)' : place
    throw new Error(`account database ${name}: ${databaseReason(error)}`, { cause: error })
  }
}

function openFileEngine(file: string): Engine {
  mkdirSync(dirname(file), { recursive: true })
  const db = new Kysely<AccountTables>({
    dialect: new NodeSqliteDialect(openSqlite(file, 'power')),
  })
  // a count that a power cut takes back is a call given away; waiting for the disk at every call
  // would hold up all of them
  const calls = openSqlite(file, 'process')
  return {
    db,
    ask: async (text, values) => calls.all(text, values),
    close: async () => {
      await db.destroy()
      calls.close()
    },
  }
}

function openPostgresEngine(url: string): Engine {
  const pool = openPostgres(url, MAX_CONNECTIONS)
  const db = new Kysely<AccountTables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    ask: async (text, values) => (await pool.query(text, [...values])).rows,
    close: () => db.destroy(),
  }
}
