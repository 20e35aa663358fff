import { Kysely, PostgresDialect, sql } from 'kysely'
import { migrate } from '../../platform/database/migrations.ts'
import { openPostgres } from '../../platform/database/postgres.ts'
import { NodeSqliteDialect, openSqlite } from '../../platform/database/sqlite.ts'
import { MIGRATIONS, type StoredTables, TABLES } from '../accountSchema.ts'
import { refusal } from './backupFile.ts'

/** Rows read and inserted at once; both databases take over 30,000 values, a row has up to 31. */
const ROWS_AT_ONCE = 1_000
/** Same limit for results of LAB runs: up to a MiB each. */
const RESULTS_AT_ONCE = 10

/** PostgreSQL's deadlock code, and the maximum starts of a transaction. */
const DEADLOCK = '40P01'
const ATTEMPTS_MAX = 5

/** Copies the accounts of a PostgreSQL, as of one instant, to a new SQLite file. */
export async function readPostgres(url: string, file: string): Promise<void> {
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
export async function writePostgres(file: string, url: string, isForced: boolean): Promise<void> {
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
