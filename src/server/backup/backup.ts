import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../../core/disk/refusal.ts'
import { databaseReason, isPostgresUrl } from '../../platform/database/postgres.ts'
import { copySqlite } from '../../platform/database/sqlite.ts'
import { checkCopy, isSame, put, refusal, refuseOpen, withTemporaryCopy } from './backupFile.ts'
import { readPostgres, writePostgres } from './transfer.ts'

export type CopyOptions = {
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
