import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { fsyncFile } from '../../core/disk/files.ts'
import { CommandError } from '../../core/disk/refusal.ts'
import { migrate } from '../../platform/database/migrations.ts'
import { databaseReason } from '../../platform/database/postgres.ts'
import { NodeSqliteDialect, openSqlite, sealSqlite } from '../../platform/database/sqlite.ts'
import { MIGRATIONS, type StoredTables } from '../accountSchema.ts'

/** The single file of a backup: an account database in SQLite, whatever it was made of. */

export const isSame = (one: string, other: string): boolean =>
  existsSync(one) && statSync(one).ino === statSync(other).ino

/** Refuses a database that is open or was left by a kill: its data is not all in its file. */
export function refuseOpen(backup: string): void {
  if (!statSync(`${backup}-wal`, { throwIfNoEntry: false })?.size) return
  throw refusal(`${backup} has changes in ${backup}-wal: it is a database in use, not a backup.`)
}

/** Lends a temporary name next to a file, on the same disk, and deletes what remains of it. */
export async function withTemporaryCopy<Result>(
  path: string,
  work: (copy: string) => Promise<Result>,
) {
  const copy = `${path}.${process.pid}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  try {
    return await work(copy)
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(copy + end, { force: true })
  }
}

/**
 * Verifies a copy, migrates its tables and makes one file of it; returns a summary of the contents.
 */
export async function checkCopy(copy: string, name: string): Promise<string> {
  let db: Kysely<StoredTables> | null = null
  try {
    db = new Kysely<StoredTables>({ dialect: new NodeSqliteDialect(openSqlite(copy, 'power')) })
    // any other database would be migrated into an empty account database
    const accounts = await countRows(db, 'accounts')
    await migrate(db, MIGRATIONS, false)
    const keys = await countRows(db, 'api_keys')
    const positions = await countRows(db, 'positions')
    await db.destroy()
    sealSqlite(copy)
    return `accounts: ${accounts}, keys: ${keys}, positions: ${positions}`
  } catch (cause) {
    await db?.destroy().catch(() => {})
    throw refusal(`${name} is not a complete account database: ${databaseReason(cause)}.`, cause)
  }
}

async function countRows(db: Kysely<StoredTables>, table: 'accounts' | 'api_keys' | 'positions') {
  const counted = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

/** Renames a finished copy to its name, durable also after a loss of power. */
export function put(copy: string, path: string, isReplacing: boolean): void {
  fsyncFile(copy)
  if (isReplacing) renameSync(copy, path)
  // a rename would replace a file that another process just made; the temporary name goes later
  else linkSync(copy, path)
  fsyncFile(dirname(path))
}

export const refusal = (message: string, cause?: unknown) =>
  Object.assign(new CommandError(message, 1), { cause })
