import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { hashApiKey, makeApiKey, PREFIX_OF_SCOPE, randomBase62, type Scope } from './api-key.ts'
import { callOperations } from './calls.ts'
import type { Plan } from './plan.ts'
import { type AccountTables, MIGRATIONS } from './schema.ts'
import { NodeSqliteDialect, openSqlite } from './sqlite.ts'

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

/**
 * Accounts, keys and daily counts. Every operation is one statement, so any number of processes
 * may share one database.
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
  /** Fails when the database does not answer. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens the account database of a file, making its folder and its tables, or bringing them up to
 * date. Fails with one sentence that names the file.
 */
export async function openAccountStore(file: string): Promise<AccountStore> {
  mkdirSync(dirname(file), { recursive: true })
  const db = await openMigrated(file)
  // a count that a power cut takes back is a call given away; waiting for the disk at every call
  // would hold up all of them
  const calls = openSqlite(file, 'process')
  return {
    ...accountOperations(db),
    ...keyOperations(db),
    ...callOperations(calls, db),
    check: async () => {
      await db.selectFrom('accounts').select('id').limit(1).execute()
    },
    close: async () => {
      await db.destroy()
      calls.close()
    },
  }
}

async function openMigrated(file: string): Promise<Kysely<AccountTables>> {
  let db: Kysely<AccountTables> | null = null
  try {
    db = new Kysely({ dialect: new NodeSqliteDialect(openSqlite(file, 'power')) })
    await migrate(db)
    return db
  } catch (error) {
    await db?.destroy().catch(() => {})
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`account database ${file}: ${reason}`, { cause: error })
  }
}

function accountOperations(db: Kysely<AccountTables>) {
  return {
    addAccount: async ({ name, plan, createdAtMs }) => {
      const id = `acc_${randomBase62(12)}`
      await db.insertInto('accounts').values({ id, name, plan, created_at: createdAtMs }).execute()
      return { id, name, plan, createdAtMs }
    },
    listAccounts: async () => {
      const rows = await db.selectFrom('accounts').selectAll().orderBy('created_at').execute()
      return rows.map(row => ({
        id: row.id,
        name: row.name,
        plan: row.plan as Plan,
        createdAtMs: row.created_at,
      }))
    },
    setPlan: async (accountId, plan) => {
      const updated = await db
        .updateTable('accounts')
        .set({ plan })
        .where('id', '=', accountId)
        .returning('id')
        .execute()
      return updated.length === 1
    },
  } satisfies Partial<AccountStore>
}

function keyOperations(db: Kysely<AccountTables>) {
  return {
    addKey: async ({ accountId, scope, name, createdAtMs }) => {
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
      }
      const inserted = await db
        .insertInto('api_keys')
        .columns(Object.keys(row) as (keyof typeof row)[])
        .expression(
          db
            .selectFrom('accounts')
            .select(Object.values(row).map((value, index) => sql.val(value).as(`v${index}`)))
            .where('id', '=', accountId),
        )
        .returningAll()
        .executeTakeFirst()
      return inserted ? { apiKey, record: keyRecord(inserted) } : null
    },
    listKeys: async accountId => {
      const keys = db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id')
      const wanted = accountId === undefined ? keys : keys.where('account_id', '=', accountId)
      return (await wanted.execute()).map(keyRecord)
    },
    revokeKey: async (keyId, revokedAtMs) => {
      const revoked = await db
        .updateTable('api_keys')
        .set({ revoked_at: revokedAtMs })
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute()
      return revoked.length === 1
    },
  } satisfies Partial<AccountStore>
}

async function migrate(db: Kysely<AccountTables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  // two processes that meet a new file both begin: the second one finds the work done
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    if (attempt === 3) throw error
  }
}

const keyRecord = (row: {
  id: string
  account_id: string
  scope: string
  name: string
  prefix: string
  last_four: string
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}): ApiKeyRecord => ({
  id: row.id,
  accountId: row.account_id,
  scope: row.scope as Scope,
  name: row.name,
  prefix: row.prefix,
  lastFour: row.last_four,
  createdAtMs: row.created_at,
  lastUsedAtMs: row.last_used_at,
  revokedAtMs: row.revoked_at,
})
