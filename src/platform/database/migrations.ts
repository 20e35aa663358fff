import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** Maximum starts of a migration: processes that meet a new database all start at once. */
const ATTEMPTS_MAX = 5

/** Steps already applied; written by Kysely. */
type MigrationTables = { kysely_migration: { name: string } }

const OTHER_PROGRAM =
  'another program keeps its tables here; give Tapefold a database of its own, or a schema of its ' +
  'own: make one, such as tapefold, and add ?options=-csearch_path%3Dtapefold to the address'

/**
 * Applies the migrations that a database has not had, in the order of their names. Processes that
 * start at once wait for each other, and the later ones find it done. In PostgreSQL the tables are made
 * in the first schema of the search path, whatever other schemas hold. Fails, changing nothing, on a
 * database of a newer version, or of another program.
 */
export async function migrate(
  db: Kysely<MigrationTables>,
  migrations: Readonly<Record<string, Migration>>,
  isPostgres: boolean,
): Promise<void> {
  // a database that does not respond is not queried again
  await sql`select 1`.execute(db)
  const schema = isPostgres ? await findOwnSchema(db) : null
  const own = schema === null ? db : db.withSchema(schema)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // a step developed in parallel may be merged after a later one
    allowUnorderedMigrations: true,
    // without it the tables of any schema are taken for these
    ...(schema !== null && { migrationTableSchema: schema }),
  })
  const isOurs = (name: string) => name in migrations
  if (schema !== null) await refuseOther(own, schema, isOurs)
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    const newer = (await doneMigrations(own)).filter(name => !isOurs(name))
    if (newer.length > 0) {
      throw new Error(
        `a newer version of Tapefold has changed it (${newer.join(', ')}); use that version`,
      )
    }
    if (attempt === ATTEMPTS_MAX) throw error
  }
}

/** Returns the schema in which PostgreSQL makes the tables of this connection. */
async function findOwnSchema(db: Kysely<MigrationTables>): Promise<string> {
  const { rows } = await sql<{ schema: string | null; path: string }>`
    select current_schema() as schema, current_setting('search_path') as path`.execute(db)
  const { schema, path } = rows[0]!
  if (schema !== null) return schema
  throw new Error(`its search path is ${path}, and there is no such schema; make it first`)
}

/** Fails where the schema has tables of the same names that another program made. */
async function refuseOther(
  db: Kysely<MigrationTables>,
  schema: string,
  isOurs: (name: string) => boolean,
): Promise<void> {
  // before the record is read: another process may make both now
  const { rows } = await sql`
    select 1 from information_schema.tables
    where table_schema = ${schema} and table_name in ('accounts', 'api_keys')`.execute(db)
  const done = await doneMigrations(db)
  const hasRecord = done.length > 0
  if (hasRecord ? !done.some(isOurs) : rows.length > 0) throw new Error(OTHER_PROGRAM)
}

/** Migrations already applied to a database; none when it has no record of them. */
async function doneMigrations(db: Kysely<MigrationTables>): Promise<string[]> {
  try {
    const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
    return rows.map(row => row.name)
  } catch {
    return []
  }
}
