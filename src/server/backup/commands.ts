import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { CommandContext } from '../../accounts/commandContext.ts'
import type { ACCOUNT } from '../../accounts/commandRows.ts'
import type { Input } from '../../core/commandRow.ts'
import { CommandError } from '../../core/disk/refusal.ts'
import type { Config } from '../../platform/config.ts'
import { migrate } from '../../platform/database/migrations.ts'
import { databaseReason, isPostgresUrl, openPostgres } from '../../platform/database/postgres.ts'
import { copySqlite, NodeSqliteDialect, openSqlite } from '../../platform/database/sqlite.ts'
import { MIGRATIONS, type StoredTables, TABLES } from '../accountSchema.ts'
import { accountFilePath } from '../accountStore.ts'
import { checkCopy, isSame, put, refusal, refuseOpen, withTemporaryCopy } from './backupFile.ts'

/** Rows read and inserted at once; both databases take over 30,000 values, a row has up to 31. */
const ROWS_AT_ONCE = 1_000
/** Same limit for results of LAB runs: up to a MiB each. */
const RESULTS_AT_ONCE = 10

/** PostgreSQL's deadlock code, and the maximum starts of a transaction. */
const DEADLOCK = '40P01'
const ATTEMPTS_MAX = 5

/** Copies the accounts of a PostgreSQL, as of one instant, to a new SQLite file. */
async function readPostgres(url: string, file: string): Promise<void> {
  await between(url, file, async (postgres, sqlite) => {
    await postgres
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(from => sqlite.transaction().execute(to => copyTables(from, to)))
  })
}

/**
 * Replaces the accounts of a PostgreSQL by those of a SQLite file, in one transaction. Fails with a
 * CommandError when it has some already and they may not be replaced.
 */
async function writePostgres(file: string, url: string, isForced: boolean): Promise<void> {
  await between(url, file, (postgres, sqlite) =>
    unlessLocked(postgres, async to => {
      // concurrent changes wait for the end, and then apply to the restored data
      await sql`lock table ${sql.join(TABLES.map(sql.table))} in exclusive mode`.execute(to)
      const [existing] = await to.selectFrom('accounts').select('id').limit(1).execute()
      if (existing && !isForced) {
        throw refusal('the PostgreSQL of DATABASE_URL has accounts; --force replaces all of them.')
      }
      await copyTables(sqlite, to)
    }),
  )
}

/** Retries on a deadlock with changes in progress. */
async function unlessLocked(db: Accounts, work: (trx: Accounts) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const isDeadlock = (error as NodeJS.ErrnoException).code === DEADLOCK
      if (!isDeadlock || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

type Accounts = Kysely<StoredTables>

/** Lends both databases, with migrated tables. */
async function between(
  url: string,
  file: string,
  work: (postgres: Accounts, sqlite: Accounts) => Promise<void>,
): Promise<void> {
  const postgres: Accounts = new Kysely<StoredTables>({
    dialect: new PostgresDialect({ pool: openPostgres(url, 1) }),
  })
  const sqlite: Accounts = new Kysely<StoredTables>({
    dialect: new NodeSqliteDialect(openSqlite(file, 'power')),
  })
  try {
    await migrate(postgres, MIGRATIONS, true)
    await migrate(sqlite, MIGRATIONS, false)
    await work(postgres, sqlite)
  } finally {
    await Promise.all([postgres.destroy(), sqlite.destroy()])
  }
}

/** Replaces all rows; even a new database has some. */
async function copyTables(from: Accounts, to: Accounts): Promise<void> {
  for (const table of TABLES.toReversed()) await to.deleteFrom(table).execute()
  for (const table of TABLES) {
    for await (const rows of readRows(from, table)) {
      await to
        .insertInto(table)
        .values(rows as never)
        .execute()
    }
  }
}

/** All rows of a table, in parts: events may not fit into memory. */
async function* readRows(from: Accounts, table: (typeof TABLES)[number]) {
  const atOnce = table === 'lab_results' ? RESULTS_AT_ONCE : ROWS_AT_ONCE
  if (from.isTransaction) {
    // a single read could exceed PostgreSQL's limit of a statement
    await sql`declare copied cursor for select * from ${sql.table(table)}`.execute(from)
    const next = sql<object>`fetch ${sql.lit(atOnce)} from copied`
    for (;;) {
      const { rows } = await next.execute(from)
      if (rows.length === 0) break
      yield rows
    }
    await sql`close copied`.execute(from)
    return
  }
  let rows: object[] = []
  for await (const row of from.selectFrom(table).selectAll().stream()) {
    if (rows.push(row) < atOnce) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

type CopyOptions = {
  /** The account database: a file, or the URL of a PostgreSQL. */
  readonly location: string
  /** File of the backup. */
  readonly backup: string
  /** True when a target with data may be replaced. */
  readonly isForced: boolean
}

/**
 * Backs up all accounts to one file, while the database is in use: its state of one instant,
 * verified, or nothing. Returns a summary of the contents. Fails with a CommandError.
 */
export async function backUpAccounts({ location, backup, isForced }: CopyOptions): Promise<string> {
  const isFile = !isPostgresUrl(location)
  if (isFile && !existsSync(location)) {
    throw refusal(`${location} does not exist: there are no accounts to back up.`)
  }
  if (existsSync(backup) && !isForced) {
    throw refusal(`${backup} exists; give a new name, or --force to replace it.`)
  }
  if (isFile && isSame(backup, location)) {
    throw refusal(`${backup} is the account database; give another name.`)
  }
  refuseOpen(backup)
  return await withTemporaryCopy(backup, async copy => {
    await (isFile ? copySqlite(location, copy) : readPostgres(location, copy)).catch(cause => {
      const name = describeDatabase(location)
      throw refusal(`${name} cannot be copied: ${databaseReason(cause)}.`, cause)
    })
    const content = await checkCopy(copy, describeDatabase(location))
    put(copy, backup, isForced)
    return content
  })
}

/**
 * Replaces the account database, file or PostgreSQL, by a backup made of either: all of it or
 * nothing, also for the servers that have the database open. Returns a summary of the contents.
 * Fails with a CommandError.
 */
export async function restoreAccounts({
  location,
  backup,
  isForced,
}: CopyOptions): Promise<string> {
  if (!existsSync(backup))
    throw refusal(`${backup} does not exist; give a file that "account backup" wrote.`)
  const isFile = !isPostgresUrl(location)
  if (isFile && existsSync(location) && !isForced) {
    throw refusal(`${location} exists; --force replaces everything in it with the backup.`)
  }
  refuseOpen(backup)
  // temporary copy next to the target file, or else the backup; deleted unless renamed to it
  return await withTemporaryCopy(isFile ? location : backup, async copy => {
    // a backup of an older version may be readable by others, its copy must not be
    await pipeline(createReadStream(backup), createWriteStream(copy, { mode: 0o600 }))
    const content = await checkCopy(copy, backup)
    if (isFile && !existsSync(location)) {
      put(copy, location, false)
      return content
    }
    try {
      // one transaction of the existing database: its users see the old or the new state
      await (isFile ? copySqlite(copy, location) : writePostgres(copy, location, isForced))
    } catch (cause) {
      if (cause instanceof CommandError) throw cause
      const reason = `${describeDatabase(location)} cannot be written (${databaseReason(cause)})`
      throw refusal(`${reason}; stop what uses it, or move it away, and restore again.`, cause)
    }
    return content
  })
}

/** Names a database in messages: its URL contains a password. */
const describeDatabase = (location: string): string =>
  isPostgresUrl(location) ? 'the PostgreSQL of DATABASE_URL' : location

type Copying = Input<typeof ACCOUNT, 'account backup'>

const locate = ({ databaseUrl, dataFolder }: Config) => databaseUrl ?? accountFilePath(dataFolder)

/** Runs `tapefold account backup`. */
export async function accountBackupCommand(
  { words: [file], force }: Copying,
  { config, print }: CommandContext,
): Promise<void> {
  const copy = { location: locate(config), backup: file, isForced: force }
  print(`${file} has ${await backUpAccounts(copy)}`)
}

/** Runs `tapefold account restore`. */
export async function accountRestoreCommand(
  { words: [file], force }: Copying,
  { config, print }: CommandContext,
): Promise<void> {
  const location = locate(config)
  const content = await restoreAccounts({ location, backup: file, isForced: force })
  const name = config.databaseUrl === null ? location : 'the PostgreSQL of DATABASE_URL'
  print(`${name} has ${content}`)
  print(
    'Keys that were revoked, and browsers that were signed out, after the backup was made are ' +
      'valid again.',
  )
}
