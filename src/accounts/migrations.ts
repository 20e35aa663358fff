import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type AccountTables, MIGRATIONS } from './schema.ts'

/** How often a migration is begun: processes that meet a new database all begin at once. */
const ATTEMPTS_MAX = 5

/**
 * Brings an account database up to date. Processes that begin at once wait for each other, and the
 * later ones find the work done. Fails, changing nothing, on a database of a newer version.
 */
export async function migrate(db: Kysely<AccountTables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => MIGRATIONS },
    // a step that was written beside another one may come after it
    allowUnorderedMigrations: true,
  })
  // a database that does not answer is not asked again
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

/** The migrations that a database has had; none when it cannot say. */
async function doneMigrations(db: Kysely<AccountTables>): Promise<string[]> {
  try {
    const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
    return rows.map(row => row.name)
  } catch {
    return []
  }
}
