import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { CommandError } from './commands.ts'
import { migrate } from './migrate.ts'
import { databaseReason } from './postgres.ts'
import type { AccountTables } from './schema.ts'
import { copySqlite, NodeSqliteDialect, openSqlite, sealSqlite } from './sqlite.ts'

export type CopyOptions = {
  /** The account database of the data folder. */
  readonly file: string
  /** The one file that a backup is. */
  readonly backup: string
  /** Whether the file written to may exist, and be replaced. */
  readonly isForced: boolean
}

/**
 * Writes all accounts to one file, while the database is used: its state of one instant, checked,
 * or nothing. Answers what is in it. Fails with a CommandError.
 */
export async function backUpAccounts({ file, backup, isForced }: CopyOptions): Promise<string> {
  if (!existsSync(file)) throw refusal(`${file} does not exist: there are no accounts to back up.`)
  if (existsSync(backup) && !isForced) {
    throw refusal(`${backup} exists; give a new name, or --force to replace it.`)
  }
  if (isSame(backup, file)) throw refusal(`${backup} is the account database; give another name.`)
  refuseOpen(backup)
  return await aside(backup, async copy => {
    await copySqlite(file, copy).catch(cause => {
      throw refusal(`${file} cannot be copied: ${databaseReason(cause)}.`, cause)
    })
    const content = await checkCopy(copy, file)
    put(copy, backup, isForced)
    return content
  })
}

/**
 * Puts a backup in place of the account database: all of it or nothing, also for the servers that
 * have the database open. Answers what is in it. Fails with a CommandError.
 */
export async function restoreAccounts({ file, backup, isForced }: CopyOptions): Promise<string> {
  if (!existsSync(backup)) throw refusal(`${backup} does not exist; give a file of account backup.`)
  if (existsSync(file) && !isForced) {
    throw refusal(`${file} exists; --force replaces all that is in it by the backup.`)
  }
  refuseOpen(backup)
  return await aside(file, async copy => {
    copyFileSync(backup, copy)
    const content = await checkCopy(copy, backup)
    if (!existsSync(file)) {
      put(copy, file, false)
      return content
    }
    try {
      // one transaction of the database that is there: who has it open sees the old or the new
      await copySqlite(copy, file)
    } catch (cause) {
      const reason = `${file} cannot be written (${databaseReason(cause)})`
      throw refusal(`${reason}; stop what uses it, or move it away, and restore again.`, cause)
    }
    return content
  })
}

const isSame = (one: string, other: string): boolean =>
  existsSync(one) && statSync(one).ino === statSync(other).ino

/** A database that is open, or was left by a kill, is more than its file. */
function refuseOpen(backup: string): void {
  if (!statSync(`${backup}-wal`, { throwIfNoEntry: false })?.size) return
  throw refusal(`${backup} has changes in ${backup}-wal: it is a database in use, no backup.`)
}

/** Lends a name beside a file, on the same disk, and takes away what is left of it. */
async function aside<Answer>(path: string, work: (copy: string) => Promise<Answer>) {
  const copy = `${path}.${process.pid}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  try {
    return await work(copy)
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(copy + end, { force: true })
  }
}

/** Checks a copy, brings its tables up to date and makes one file of it; answers what is in it. */
async function checkCopy(copy: string, name: string): Promise<string> {
  let db: Kysely<AccountTables> | null = null
  try {
    db = new Kysely<AccountTables>({ dialect: new NodeSqliteDialect(openSqlite(copy, 'power')) })
    // any other database would be made into an empty one of accounts
    const accounts = await countOf(db, 'accounts')
    await migrate(db)
    const keys = await countOf(db, 'api_keys')
    const positions = await countOf(db, 'positions')
    await db.destroy()
    sealSqlite(copy)
    return `accounts: ${accounts}, keys: ${keys}, positions: ${positions}`
  } catch (cause) {
    await db?.destroy().catch(() => {})
    throw refusal(`${name} is no whole account database: ${databaseReason(cause)}.`, cause)
  }
}

async function countOf(db: Kysely<AccountTables>, table: 'accounts' | 'api_keys' | 'positions') {
  const counted = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

/** Gives a finished copy its name, which stands for it also after a loss of power. */
function put(copy: string, path: string, isReplacing: boolean): void {
  toDisk(copy)
  if (isReplacing) renameSync(copy, path)
  // a rename would replace what another process has just made; the name aside goes afterwards
  else linkSync(copy, path)
  toDisk(dirname(path))
}

function toDisk(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

const refusal = (message: string, cause?: unknown) =>
  Object.assign(new CommandError(message, 1), { cause })
