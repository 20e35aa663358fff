import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely'
import { makeOwnerOnly, tightenToOwner } from '../../core/disk/ownerOnly.ts'

/** Maximum wait of a statement for another process's write before it fails. */
const BUSY_TIMEOUT_MS = 5_000

/** Maximum prepared statements cached; their texts differ only in how many rows they insert. */
const PREPARED_MAX_COUNT = 100

/** Cache for the pages that a transaction changes: an event for 10,000 accounts. */
const CHANGED_MAX_KIB = 32 * 1024

/**
 * Failures that an acknowledged write survives: `power` a loss of power, at the cost of waiting for
 * the disk; `process` the end of any process, at any time.
 */
export type Durability = 'power' | 'process'

/** An open file: for Kysely, and for the statements of every call. */
export type SqliteFile = SqliteDatabase & {
  /** Rows of a statement that Kysely compiled before; compiling takes longer than running it. */
  readonly all: (text: string, values: readonly SQLInputValue[]) => unknown[]
  /** Returns a number that changes when another connection, of any process, has committed. */
  readonly readVersion: () => number
  /** Makes statements fail at once from now on when another connection holds the file. */
  readonly failWhenBusy: () => void
}

/** Node's own SQLite as a Kysely dialect. */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(file: SqliteFile) {
    super({ database: file })
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/**
 * SQLite can roll tables back; Kysely's own adapter denies that, and migrates without transactions.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** SQLite's own name of a database without a file, which belongs to one connection. */
export const IN_MEMORY = ':memory:'

/** Files of SQLite next to a database; it creates them with the permissions of the database. */
const ENDINGS = ['-wal', '-shm', '-journal']

/** Makes the file of a database, or restricts an existing one to its owner. */
function makeSqliteOwnerOnly(file: string): void {
  makeOwnerOnly(file)
  for (const ending of ENDINGS) tightenToOwner(file + ending)
}

/** Opens a file in WAL mode: readers never wait. Statements call the functions by their names. */
export function openSqlite(
  file: string,
  durability: Durability,
  functions: Readonly<Record<string, () => number>> = {},
): SqliteFile {
  if (file !== IN_MEMORY) makeSqliteOwnerOnly(file)
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  for (const [name, call] of Object.entries(functions)) database.function(name, call)
  database.exec('pragma journal_mode = wal')
  database.exec(`pragma synchronous = ${durability === 'power' ? 'full' : 'normal'}`)
  database.exec('pragma foreign_keys = on')
  // pages of a transaction are written once, at its end, and not in between as well
  if (durability === 'power') database.exec(`pragma cache_size = -${CHANGED_MAX_KIB}`)
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string) => {
    const known = prepared.get(text)
    if (known) return known
    // a read transaction that becomes a writer half-way fails at once when another one wrote
    const statement = database.prepare(text === 'begin' ? 'begin immediate' : text)
    if (prepared.size === PREPARED_MAX_COUNT) prepared.clear()
    prepared.set(text, statement)
    return statement
  }
  return {
    close: () => {
      if (database.isOpen) database.close()
    },
    all: (text, values) => prepare(text).all(...values),
    readVersion: () =>
      (prepare('pragma data_version').get() as { data_version: number }).data_version,
    failWhenBusy: () => database.exec('pragma busy_timeout = 0'),
    prepare: text => {
      const statement = prepare(text)
      return {
        reader: statement.columns().length > 0,
        all: values => statement.all(...(values as SQLInputValue[])),
        run: values => statement.run(...(values as SQLInputValue[])),
        iterate: values => statement.iterate(...(values as SQLInputValue[])),
      }
    },
  }
}

/** Returns why this user cannot open a file for writing; null: permissions are not the reason. */
export function accessReason(file: string): string | null {
  const folder = dirname(file)
  if (!existsSync(file)) {
    if (!existsSync(folder) || mayUse(folder, constants.W_OK)) return null
    return 'it does not exist, and this user may not write to its folder'
  }
  if (!mayUse(file, constants.R_OK)) return 'this user may not read it'
  if (!mayUse(file, constants.W_OK)) return 'this user may read it and not write to it'
  // a write makes a journal next to the file
  return mayUse(folder, constants.W_OK) ? null : 'this user may not write to its folder'
}

function mayUse(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/**
 * Copies a database as of one instant, while others use it, into another file: in one transaction
 * of the existing database, if there is one.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  makeSqliteOwnerOnly(to)
  const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS, readOnly: true })
  try {
    await backup(source, to)
  } catch (error) {
    // Node's message when another process is writing
    const isLocked = (error as Error).message === 'not an error'
    throw isLocked ? new Error('database is locked', { cause: error }) : error
  } finally {
    source.close()
  }
}

/** Checks every page of a closed database and makes one file of it. Fails when one is damaged. */
export function sealSqlite(file: string): void {
  const database = new DatabaseSync(file)
  try {
    const [row] = database.prepare('pragma integrity_check').all()
    if (row?.integrity_check !== 'ok') throw new Error(String(row?.integrity_check))
    database.exec('pragma journal_mode = delete')
  } finally {
    database.close()
  }
}
