/**
 * Pointers to the current manifests, as rows of PostgreSQL. A pointer is set by compare-and-set, and
 * its `seq` grows in the order of commits, so that a reader misses none.
 */

import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { Busy, CommandError, Refusal } from '../../core/disk/refusal.ts'
import { databaseReason, openPostgres } from '../database/postgres.ts'
import { NETWORK, PublishedMeanwhile, StoreAway } from './faults.ts'
import { describeManifest, type ManifestKind, type ManifestName } from './kinds.ts'

const MAX_CONNECTIONS = 4

/** Wait for another publisher of the same manifest; below the time limit of a statement. */
const LOCK_WAIT_MS = 8_000

/** Time after which the server ends the transaction of a machine that has come to a standstill. */
const STANDSTILL_MS = 30_000

/** Classes of the advisory locks: of one pointer, and of the order of commits. */
const POINTER_LOCK = 7_340_001
const COMMIT_LOCK = 7_340_002

/** Channel on which each change is announced. */
const CHANNEL = 'tapefold_store'

/** Numbers left free by a rebuild: those that a lost table may have used after its last manifest. */
const LOST_NUMBERS = 1_000_000

export type Pointer = ManifestName & {
  /** Hash of the manifest's text. */
  readonly sha256: string
  /** Size of the files that it names. */
  readonly bytes: number
  /** Name of the manifest's object in the store. */
  readonly object: string
  readonly seq: number
}

type Tables = {
  store_garbage: { name: string; marked_at: Date }
  store_pointers: {
    kind: ManifestKind
    key: string
    sha256: string
    bytes: number
    object: string
    seq: number
  }
}

export type PointerChange = ManifestName & {
  /** Hash of the manifest that the new one follows; null: there is none. */
  readonly expected: string | null
  readonly sha256: string
  readonly bytes: number
  /**
   * Stores the manifest under a number higher than that of every earlier one of the pointer; returns
   * the name of its object.
   */
  readonly place: (number: number) => Promise<string>
}

/** Each call fails with StoreAway while the database does not respond. */
export type Pointers = {
  /**
   * Sets a pointer if it is as expected, or already there. Fails with PublishedMeanwhile when
   * another machine has set it, and with Busy when one is about to.
   */
  readonly set: (change: PointerChange) => Promise<Pointer>
  readonly find: (name: ManifestName) => Promise<Pointer | null>
  /** Pointers that changed after a `seq`, oldest change first. */
  readonly listSince: (seq: number) => Promise<Pointer[]>
  /** Replaces all pointers, in the order given; readers see them as changed. */
  readonly replaceAll: (
    pointers: readonly Omit<Pointer, 'seq'>[],
    lastNumber: number,
  ) => Promise<void>
  /** Removes a pointer if it is still at a manifest; false where it is not. */
  readonly remove: (pointer: Pointer) => Promise<boolean>
  /**
   * Takes blobs off the list of garbage: a push does so before it looks whether they are there. It
   * waits for a removal that has begun.
   */
  readonly unmark: (names: readonly string[]) => Promise<void>
  /** Replaces the list of garbage; a blob that is on it already keeps the instant of its mark. */
  readonly markGarbage: (names: readonly string[]) => Promise<void>
  /**
   * Calls `remove` for some blobs that have been on the list for so long, at least, and takes them
   * off it; nobody unmarks them meanwhile. Returns their names; none: there are no more.
   */
  readonly removeGarbage: (
    graceMs: number,
    remove: (names: readonly string[]) => Promise<void>,
  ) => Promise<readonly string[]>
  /**
   * Calls `onChange` for each announced change until the connection ends; then calls `onEnd` once.
   * Returns a function that ends it.
   */
  readonly listen: (onChange: () => void, onEnd: () => void) => Promise<() => void>
  readonly close: () => Promise<void>
}

/** Opens the pointers of a database, and creates their table where it is missing. */
export async function openPointers(url: string): Promise<Pointers> {
  const pool = openPostgres(url, MAX_CONNECTIONS, LOCK_WAIT_MS)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await createTables(db)
  } catch (error) {
    await db.destroy().catch(() => {})
    throw readDatabaseFault(error)
  }

  const listeners = new Set<() => void>()
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw readDatabaseFault(error)
    }
  }

  return {
    set: change =>
      run(async () => {
        try {
          return await db.transaction().execute(trx => setPointer(trx, change))
        } catch (error) {
          if ((error as { code?: string }).code !== LOCK_TIMEOUT) throw error
          const what = describeManifest(change)
          throw new Busy(`Another machine publishes ${what}; run it again.`)
        }
      }),
    find: name => run(() => findPointer(db, name)),
    listSince: seq =>
      run(() =>
        db.selectFrom('store_pointers').selectAll().where('seq', '>', seq).orderBy('seq').execute(),
      ),
    replaceAll: (pointers, lastNumber) =>
      run(() =>
        db.transaction().execute(async trx => {
          await sql`lock table store_pointers in exclusive mode`.execute(trx)
          const start = sql`greatest(nextval('store_seq'), ${lastNumber}::bigint) + ${LOST_NUMBERS}`
          await sql`select setval('store_seq', ${start})`.execute(trx)
          await trx.deleteFrom('store_pointers').execute()
          for (const pointer of pointers) {
            await trx
              .insertInto('store_pointers')
              .values({ ...pointer, seq: nextSeq })
              .execute()
          }
          await announce(trx)
        }),
      ),
    remove: ({ kind, key, sha256 }) =>
      run(async () => {
        const removed = await db
          .deleteFrom('store_pointers')
          .where('kind', '=', kind)
          .where('key', '=', key)
          .where('sha256', '=', sha256)
          .executeTakeFirst()
        return removed.numDeletedRows > 0n
      }),
    unmark: names =>
      run(async () => {
        if (names.length === 0) return
        await sql`delete from store_garbage where name = any(${names})`.execute(db)
      }),
    markGarbage: names =>
      run(() =>
        db.transaction().execute(async trx => {
          await sql`delete from store_garbage where name <> all(${names})`.execute(trx)
          await sql`insert into store_garbage select unnest(${names}::text[]), now()
            on conflict do nothing`.execute(trx)
        }),
      ),
    removeGarbage: (graceMs, remove) =>
      run(() => db.transaction().execute(trx => removeMarked(trx, graceMs, remove))),
    listen: (onChange, onEnd) =>
      run(async () => {
        const client = await pool.connect()
        let isOver = false
        const end = (error?: Error) => {
          if (isOver) return
          isOver = true
          listeners.delete(end)
          client.release(error ?? true)
          onEnd()
        }
        listeners.add(end)
        client.on('notification', onChange)
        client.on('error', end)
        client.on('end', () => end())
        await client.query(`listen ${CHANNEL}`)
        return () => end()
      }),
    close: () => {
      // the pool waits for connections in use
      for (const end of listeners) end()
      return db.destroy()
    },
  }
}

const nextSeq = sql<number>`nextval('store_seq')`

const findPointer = async (
  db: Kysely<Tables>,
  { kind, key }: ManifestName,
): Promise<Pointer | null> =>
  (await db
    .selectFrom('store_pointers')
    .selectAll()
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()) ?? null

/**
 * Compares, stores the manifest, sets the pointer: under the lock of the one pointer, so that a
 * manifest with a higher number is a later one, and that of a refused publisher is never stored.
 */
async function setPointer(trx: Transaction<Tables>, change: PointerChange): Promise<Pointer> {
  const { kind, key, expected, sha256, bytes, place } = change
  const standstill = String(STANDSTILL_MS)
  await sql`select set_config('idle_in_transaction_session_timeout', ${standstill}, true)`.execute(
    trx,
  )
  const lock = sql`hashtext(${`${kind} ${key}`})`
  await sql`select pg_advisory_xact_lock(${POINTER_LOCK}, ${lock})`.execute(trx)
  const current = await findPointer(trx, { kind, key })
  if (current?.sha256 === sha256) return current
  if ((current?.sha256 ?? null) !== expected) {
    throw new PublishedMeanwhile(
      `${describeManifest(change)} was published anew meanwhile; pull it, and run it again.`,
    )
  }
  const { rows } = await sql<{ number: number }>`select ${nextSeq} as number`.execute(trx)
  const object = await place(rows[0]!.number)
  // from here to the commit one publisher at a time: the numbers are in the order of commits
  await sql`select pg_advisory_xact_lock(${COMMIT_LOCK}, 0)`.execute(trx)
  const row = { sha256, bytes, object }
  const pointer = await trx
    .insertInto('store_pointers')
    .values({ kind, key, ...row, seq: nextSeq })
    .onConflict(conflict =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet(({ ref }) => ({ ...row, seq: ref('excluded.seq') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  await announce(trx)
  return pointer
}

/** Blobs that one transaction removes at most: a push of one of them waits for it. */
const REMOVED_AT_ONCE = 200

async function removeMarked(
  trx: Transaction<Tables>,
  graceMs: number,
  remove: (names: readonly string[]) => Promise<void>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from store_garbage
    where marked_at <= now() - make_interval(secs => ${graceMs / 1_000})
    order by name limit ${REMOVED_AT_ONCE} for update`.execute(trx)
  const names = rows.map(({ name }) => name)
  if (names.length === 0) return names
  await remove(names)
  await sql`delete from store_garbage where name = any(${names})`.execute(trx)
  return names
}

const announce = (trx: Transaction<Tables>) => sql`select pg_notify(${CHANNEL}, '')`.execute(trx)

/** Maximum starts: processes that meet a new database create its table at once. */
const ATTEMPTS_MAX = 3

async function createTables(db: Kysely<Tables>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`create sequence if not exists store_seq`.execute(db)
      await db.schema
        .createTable('store_pointers')
        .ifNotExists()
        .addColumn('kind', 'text', column => column.notNull())
        .addColumn('key', 'text', column => column.notNull())
        .addColumn('sha256', 'text', column => column.notNull())
        .addColumn('bytes', 'bigint', column => column.notNull())
        .addColumn('object', 'text', column => column.notNull())
        .addColumn('seq', 'bigint', column => column.notNull())
        .addPrimaryKeyConstraint('store_pointers_key', ['kind', 'key'])
        .execute()
      await db.schema
        .createIndex('store_pointers_seq')
        .ifNotExists()
        .on('store_pointers')
        .column('seq')
        .execute()
      await db.schema
        .createTable('store_garbage')
        .ifNotExists()
        .addColumn('name', 'text', column => column.primaryKey())
        .addColumn('marked_at', 'timestamptz', column => column.notNull())
        .execute()
      return
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error
    }
  }
}

/** SQLSTATE of a wait for a lock that was too long. */
const LOCK_TIMEOUT = '55P03'

/** SQLSTATE classes of connections, resources and shutdowns: the database may be back soon. */
const AWAY = /^(08|53|57P0|25P03)/

/** Converts an error of PostgreSQL into one sentence; any other stays as it is. */
function readDatabaseFault(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof CommandError) return error
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  const isAway =
    AWAY.test(code) || NETWORK.test(code) || /timeout|terminated|not queryable/i.test(message)
  if (!isAway) return error
  return new StoreAway(`the database (DATABASE_URL) is away: ${databaseReason(error)}; try again.`)
}
