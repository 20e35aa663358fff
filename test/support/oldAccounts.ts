// An account database as the version before products left it, on either engine.

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { hashApiKey, makeApiKey } from '../../src/accounts/apiKey.ts'
import { isPostgresUrl, openPostgres } from '../../src/platform/database/postgres.ts'
import { NodeSqliteDialect, openSqlite } from '../../src/platform/database/sqlite.ts'
import { MIGRATIONS } from '../../src/server/accountSchema.ts'

const PLANS = ['none', 'orders', 'orders_team'] as const

export type OldAccount = { readonly id: string; readonly plan: string; readonly apiKey: string }

/**
 * Makes it with accounts of every plan, each with a key, counts, a position and a stored
 * response.
 */
export async function makeOldAccounts(index: string): Promise<OldAccount[]> {
  const db = open(index)
  await migrateTo(db, '002_positions')
  const made: OldAccount[] = []
  for (const [index, plan] of PLANS.entries()) {
    const account = { id: `acc_${plan}`, plan, apiKey: makeApiKey('orders') }
    const { id, apiKey } = account
    await sql`insert into accounts (id, name, plan, created_at)
      values (${id}, 'desk', ${plan}, ${1_790_000_000_000 + index})`.execute(db)
    await sql`insert into api_keys
      (id, account_id, scope, name, prefix, last_four, hash, created_at)
      values (${`key_${plan}`}, ${id}, 'orders', 'laptop', 'ordk', ${apiKey.slice(-4)},
        ${hashApiKey(apiKey)}, 2)`.execute(db)
    for (const day of ['2026-10-14', '2026-10-15']) {
      await sql`insert into call_counts (account_id, day_et, calls)
        values (${id}, ${day}, ${100 + index})`.execute(db)
    }
    await sql`insert into positions (id, account_id, number, body, created_at, updated_at)
      values (${`p_${plan}`}, ${id}, 1, '{}', 3, 3)`.execute(db)
    await sql`insert into repeats (account_id, repeat_key, request_hash, answer, created_at)
      values (${id}, 'once', 'x', 'y', 4)`.execute(db)
    made.push(account)
  }
  await db.destroy()
  return made
}

/** Makes the first tables of all, with one account and nothing else. */
export async function makeFirstAccounts(index: string): Promise<void> {
  const db = open(index)
  await migrateTo(db, '001_accounts')
  await sql`insert into accounts values ('acc_first', 'desk', 'orders', 1)`.execute(db)
  await db.destroy()
}

/** Makes the database one that has not had a step, so that who opens it next takes it. */
export async function forgetMigration(index: string, name: string): Promise<void> {
  const db = open(index)
  await sql`delete from kysely_migration where name = ${name}`.execute(db)
  await db.destroy()
}

function open(index: string): Kysely<unknown> {
  if (isPostgresUrl(index)) {
    return new Kysely({ dialect: new PostgresDialect({ pool: openPostgres(index, 1) }) })
  }
  mkdirSync(dirname(index), { recursive: true })
  return new Kysely({ dialect: new NodeSqliteDialect(openSqlite(index, 'power')) })
}

async function migrateTo(db: Kysely<unknown>, name: string): Promise<void> {
  const known = Object.entries(MIGRATIONS).filter(([one]) => one <= name)
  const provider = { getMigrations: async () => Object.fromEntries(known) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
}
