import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** Maximum starts of a migration: processes that meet a new database all start at once. */
const ATTEMPTS_MAX = 5

/** Steps already applied; written by Kysely. */
type MigrationTables = { kysely_migration: { name: string } }

/**
 * Applies the migrations that a database has not had, in the order of their names. Processes that
 * start at once wait for each other, and the later ones find it done. Fails, changing nothing, on a
 * database of a newer version.
 */
export async function migrate(
  db: Kysely<MigrationTables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // a step developed in parallel may be merged after a later one
    allowUnorderedMigrations: true,
  })
  // a database that does not respond is not queried again
  await sql`select 1`.execute(db)
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    const newer = (await doneMigrations(db)).filter(name => !(name in migrations))
    if (newer.length > 0) {
      throw new Error(
        `a newer version of Tapefold has changed it (${newer.join(', ')}); use that version`,
      )
    }
    if (attempt === ATTEMPTS_MAX) throw error
  }
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
