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

/**
 * Makes a database of the version before seals, with an idea that was tested and holds the conveyor,
 * one on the desk, and a rule that was computed alone.
 */
export async function makeOldIdeas(index: string): Promise<void> {
  const db = open(index)
  await migrateTo(db, '013_lab_sealed_kind')
  await sql`insert into accounts (id, name, created_at) values ('acc_lab', 'lab', 1)`.execute(db)
  for (const [number, stage] of ['tested', 'desk'].entries()) {
    const id = `i_${stage}`
    await sql`insert into lab_ideas (id, account_id, number, name, stage, version, missing,
      created_at, updated_at, holdout_from, first_tested_to, sealed_kind)
      values (${id}, 'acc_lab', ${number}, 'x', ${stage}, 1, '[]', 1, 1, ${`2026-0${6 + number}-01`},
        ${`2026-0${8 + number}-31`}, 'real')`.execute(db)
    await sql`insert into lab_versions (idea_id, version, spec, rule_hash, say, created_at)
      values (${id}, 1, '{}', 'a', 'x', 1)`.execute(db)
  }
  await sql`insert into lab_conveyor (account_id, idea_id) values ('acc_lab', 'i_tested')`.execute(
    db,
  )
  const runs = [
    ['j_tested', 'i_tested', 'backtest'],
    ['j_desk', 'i_desk', 'quant'],
    ['j_alone', null, 'struct'],
  ]
  for (const [id, idea, kind] of runs) {
    await sql`insert into lab_runs (id, account_id, idea_id, kind, state, messages, spec, say,
      rule_hash, assume, family, lineage, variants, done, total, is_refusal, refunded, tries,
      created_at, ended_at, trades_sha256, summary)
      values (${id}, 'acc_lab', ${idea}, ${kind}, 'done', 1, '{}', 'x', ${id}, '{}', 'sell', '{}', 5,
        1, 1, 0, 0, 1, 1, 2, 'ff', '{"legs": []}')`.execute(db)
    await sql`insert into lab_results (run_id, result) values (${id}, '{}')`.execute(db)
  }
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
