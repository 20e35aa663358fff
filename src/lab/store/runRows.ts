import type { Kysely, Transaction } from 'kysely'
import type { Lineage, RunKind, RunState, SessionKind, StoredRun } from './runTypes.ts'
import type { LabDatabaseTables } from './schema.ts'

type Reading = Kysely<LabDatabaseTables> | Transaction<LabDatabaseTables>

/** Selects runs, without their results. */
export const runRows = (db: Reading) =>
  db
    .selectFrom('lab_runs')
    .select(['id', 'account_id', 'idea_id', 'kind', 'state', 'spec', 'say', 'rule_hash'])
    .select(['assume', 'lineage', 'holdout_from', 'first_tested_to', 'sealed_kind'])
    .select(['done', 'total', 'error'])
    .select(['is_refusal', 'refunded', 'worker', 'tries', 'created_at', 'ended_at'])
    .select(['trades_sha256', 'summary', 'sealed_to'])

type RunRow = Awaited<ReturnType<ReturnType<typeof runRows>['executeTakeFirstOrThrow']>>

/** Reads a run by its id; null when there is none. */
export async function readRun(db: Reading, id: string): Promise<StoredRun | null> {
  const row = await runRows(db).where('id', '=', id).executeTakeFirst()
  return row ? toRun(row) : null
}

/** Reads the queued or running run of an idea of the account; null when there is none. */
export async function readOpenRun(db: Reading, accountId: string): Promise<StoredRun | null> {
  const row = await runRows(db)
    .where('account_id', '=', accountId)
    .where('idea_id', 'is not', null)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return row ? toRun(row) : null
}

/** Returns the idea of the account that holds the conveyor; null when none does. */
export async function readConveyorHolder(db: Reading, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('lab_conveyor')
    .select('idea_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.idea_id ?? null
}

/** Takes an idea off the conveyor, if it is on it. */
export async function freeConveyor(
  trx: Transaction<LabDatabaseTables>,
  accountId: string,
  ideaId: string,
): Promise<void> {
  const own = trx.deleteFrom('lab_conveyor').where('account_id', '=', accountId)
  await own.where('idea_id', '=', ideaId).execute()
}

/** Number of messages of an idea. */
export async function messageCount(db: Reading, ideaId: string): Promise<number> {
  const { last } = await db
    .selectFrom('lab_messages')
    .select(({ fn }) => fn.max<number | null>('n').as('last'))
    .where('idea_id', '=', ideaId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** Maps a row to a run. */
export function toRun(row: RunRow): StoredRun {
  const { id, kind, state, assume, error, worker, tries: attempts, summary, done, total } = row
  return {
    id,
    assume,
    error,
    worker,
    attempts,
    summary,
    accountId: row.account_id,
    ideaId: row.idea_id,
    kind: kind as RunKind,
    state: state as RunState,
    rule: { spec: row.spec, say: row.say, ruleHash: row.rule_hash },
    lineage: JSON.parse(row.lineage) as Lineage,
    holdoutFrom: row.holdout_from,
    firstTestedTo: row.first_tested_to,
    sealedKind: row.sealed_kind as SessionKind | null,
    progress: { done, total },
    sealedTo: row.sealed_to,
    isRefusal: row.is_refusal === 1,
    isRefunded: row.refunded === 1,
    createdAtMs: row.created_at,
    endedAtMs: row.ended_at,
    tradesSha256: row.trades_sha256,
  }
}
