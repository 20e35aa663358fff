import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type AccountTables, MIGRATIONS } from '../../accounts/schema.ts'

/** Maximum starts of a migration: processes that meet a new database all start at once. */
const ATTEMPTS_MAX = 5

/**
 * Migrates an account database. Processes that start at once wait for each other, and the later
 * ones find it done. Fails, changing nothing, on a database of a newer version.
 */
export async function migrate(db: Kysely<AccountTables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => MIGRATIONS },
    // a step developed in parallel may be merged after a later one
    allowUnorderedMigrations: true,
  })
  // a database that does not respond is not queried again
  await sql`select 1`.execute(db)
  for (let attempt = 1; ; attempt++) {
    const { error } = await migrator.migrateToLatest()
    if (!error) return
    const newer = (await doneMigrations(db)).filter(name => !(name in MIGRATIONS))
    if (newer.length > 0) {
      throw new Error(
        `a newer version of Tapefold has changed it (${newer.join(', ')}); use that version`,
      )
    }
    if (attempt === ATTEMPTS_MAX) throw error
  }
}

/** Migrations already applied to a database; none when it has no record of them. */
async function doneMigrations(db: Kysely<AccountTables>): Promise<string[]> {
  try {
    const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
    return rows.map(row => row.name)
  } catch {
    return []
  }
}
