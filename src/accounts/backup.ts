import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../disk/refusal.ts'
import { aside, checkCopy, isSame, put, refusal, refuseOpen } from './backupFile.ts'
import { databaseReason, isPostgresUrl } from './postgres.ts'
import { copySqlite } from './sqlite.ts'
import { readPostgres, writePostgres } from './transfer.ts'

export type CopyOptions = {
  /** The account database: a file, or the address of a PostgreSQL. */
  readonly place: string
  /** The one file that a backup is. */
  readonly backup: string
  /** Whether what is written to may hold something, and be replaced. */
  readonly isForced: boolean
}

/**
 * Writes all accounts to one file, while the database is used: its state of one instant, checked,
 * or nothing. Answers what is in it. Fails with a CommandError.
 */
export async function backUpAccounts({ place, backup, isForced }: CopyOptions): Promise<string> {
  const isFile = !isPostgresUrl(place)
  if (isFile && !existsSync(place)) {
    throw refusal(`${place} does not exist: there are no accounts to back up.`)
  }
  if (existsSync(backup) && !isForced) {
    throw refusal(`${backup} exists; give a new name, or --force to replace it.`)
  }
  if (isFile && isSame(backup, place)) {
    throw refusal(`${backup} is the account database; give another name.`)
  }
  refuseOpen(backup)
  return await aside(backup, async copy => {
    await (isFile ? copySqlite(place, copy) : readPostgres(place, copy)).catch(cause => {
      const name = nameOf(place)
      throw refusal(`${name} cannot be copied: ${databaseReason(cause)}.`, cause)
    })
    const content = await checkCopy(copy, nameOf(place))
    put(copy, backup, isForced)
    return content
  })
}

/**
 * Puts a backup in place of the account database, whichever of the two it was made of: all of it
 * or nothing, also for the servers that have the database open. Answers what is in it. Fails with a
 * CommandError.
 */
export async function restoreAccounts({ place, backup, isForced }: CopyOptions): Promise<string> {
  if (!existsSync(backup))
    throw refusal(`${backup} does not exist; give a file that "account backup" wrote.`)
  const isFile = !isPostgresUrl(place)
  if (isFile && existsSync(place) && !isForced) {
    throw refusal(`${place} exists; --force replaces everything in it with the backup.`)
  }
  refuseOpen(backup)
  // beside the file it becomes; nothing of it stays where it becomes none
  return await aside(isFile ? place : backup, async copy => {
    // a backup of an older version may be read by others, its copy may not
    await pipeline(createReadStream(backup), createWriteStream(copy, { mode: 0o600 }))
    const content = await checkCopy(copy, backup)
    if (isFile && !existsSync(place)) {
      put(copy, place, false)
      return content
    }
    try {
      // one transaction of the database that is there: who has it open sees the old or the new
      await (isFile ? copySqlite(copy, place) : writePostgres(copy, place, isForced))
    } catch (cause) {
      if (cause instanceof CommandError) throw cause
      const reason = `${nameOf(place)} cannot be written (${databaseReason(cause)})`
      throw refusal(`${reason}; stop what uses it, or move it away, and restore again.`, cause)
    }
    return content
  })
}

/** What a message calls a database: an address has a password in it. */
const nameOf = (place: string): string =>
  isPostgresUrl(place) ? 'the PostgreSQL of DATABASE_URL' : place
