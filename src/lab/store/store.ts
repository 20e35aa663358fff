import { sql } from 'kysely'
import { changeAccount, changeOnce } from '../../accounts/repeats.ts'
import type { AccountStore } from '../../accounts/types.ts'
import { chatOperations } from './chat.ts'
import { creditOperations } from './credits.ts'
import { applyAction, endOpenRun } from './ends.ts'
import { ideaOperations, type LabDatabase } from './ideas.ts'
import { readConveyorHolder, readOpenRun, readRun, runRows, toRun } from './runRows.ts'
import { type LabRunStore, RUN_ATTEMPTS_MAX, RUN_LEASE_MS } from './runTypes.ts'
import { takeRun } from './starts.ts'
import type { DeskIdea, LabStore } from './types.ts'

/** Operations on the runs of LAB. Changes to those of an account are serialised. */
function runOperations(database: LabDatabase) {
  const { reader } = database
  return {
    ...claimOperations(database),
    ...readOperations(database),
    startRun: async start => {
      const taken = await changeOnce(database, start, trx => takeRun(trx, start))
      if (taken === null) return { kind: 'reused' }
      if ('kind' in taken) return taken
      // a run is never deleted, so its id is a complete response
      const run = (await readRun(reader, taken.response))!
      return { kind: taken.isReplay ? 'replayed' : 'started', run }
    },
    endRun: async ended => {
      const run = await readRun(reader, ended.id)
      if (!run) return null
      return await changeAccount(database, run.accountId, trx => endOpenRun(trx, ended))
    },
    changeIdea: change =>
      changeAccount(database, change.accountId, trx => applyAction(trx, change)),
  } satisfies LabRunStore
}

function claimOperations({ db, isConcurrent }: LabDatabase) {
  const heldBy = ({ id, worker }: { id: string; worker: string }) => {
    const held = db.updateTable('lab_runs').where('id', '=', id).where('worker', '=', worker)
    return held.where('state', '=', 'running')
  }
  return {
    claimRun: async ({ worker, atMs, only }) => {
      const underWay = sql<number>`(select count(*) from lab_runs as beside
        where beside.account_id = next.account_id and beside.state = 'running')`
      const first = db
        .selectFrom('lab_runs as next')
        .select('next.id')
        .where(({ or, and, eb }) =>
          or([
            eb('next.state', '=', 'queued'),
            and([
              eb('next.state', '=', 'running'),
              eb('next.leased_until', '<=', atMs),
              eb('next.tries', '<', RUN_ATTEMPTS_MAX),
            ]),
          ]),
        )
        .$if(only !== undefined, query => query.where('next.id', '=', only!))
        .orderBy(underWay)
        .orderBy('next.created_at')
        .orderBy('next.id')
        .limit(1)
        // two concurrent claims get two runs: neither waits for the other's row
        .$if(isConcurrent, query => query.forUpdate('next').skipLocked())
      const claimed = await db
        .updateTable('lab_runs')
        .set({ state: 'running', worker, leased_until: atMs + RUN_LEASE_MS })
        .set({ tries: sql`tries + 1`, done: 0, total: 0 })
        .where('id', '=', first)
        .returning('id')
        .executeTakeFirst()
      return claimed ? await readRun(db, claimed.id) : null
    },
    extendLease: async ({ atMs, progress, ...held }) => {
      const renewal = heldBy(held).set({ ...progress, leased_until: atMs + RUN_LEASE_MS })
      return (await renewal.returning('id').execute()).length === 1
    },
    leaveRun: async left => {
      await heldBy(left).set({ leased_until: 0 }).execute()
    },
  } satisfies Partial<LabRunStore>
}

type ResultSeal = {
  readonly sealed_to: string | null
  readonly opened_to: string | null
  readonly stage: string | null
}

/** True when all that a run found may be shown: its idea is on the desk, and its seal is opened. */
const isOpened = ({ sealed_to: sealed, opened_to: opened, stage }: ResultSeal): boolean =>
  sealed === null || (stage === 'desk' && opened !== null && opened >= sealed)

function readOperations({ reader }: LabDatabase) {
  const ofAccount = (accountId: string) => runRows(reader).where('account_id', '=', accountId)
  const resultRow = (accountId: string, id: string) =>
    reader
      .selectFrom('lab_results')
      .innerJoin('lab_runs', 'lab_runs.id', 'lab_results.run_id')
      .leftJoin('lab_ideas', 'lab_ideas.id', 'lab_runs.idea_id')
      .leftJoin('lab_seals', join =>
        join
          .onRef('lab_seals.account_id', '=', 'lab_runs.account_id')
          .onRef('lab_seals.kind', '=', 'lab_runs.sealed_kind'),
      )
      .select(['result', 'whole', 'trades_key', 'sealed_to', 'opened_to', 'stage'])
      .where('lab_runs.id', '=', id)
      .where('lab_runs.account_id', '=', accountId)
      .executeTakeFirst()
  return {
    openRuns: async () => {
      const open = runRows(reader).where('state', 'in', ['queued', 'running'])
      return (await open.orderBy('created_at').orderBy('id').execute()).map(toRun)
    },
    lapsedRuns: async atMs => {
      const rows = await runRows(reader)
        .where('state', '=', 'running')
        .where('leased_until', '<=', atMs)
        .where('tries', '>=', RUN_ATTEMPTS_MAX)
        .orderBy('created_at')
        .execute()
      return rows.map(toRun)
    },
    findRun: async (accountId, id) => {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst()
      return row ? toRun(row) : null
    },
    findDone: async (accountId, ideaId, kind) => {
      const row = await ofAccount(accountId)
        .where('idea_id', '=', ideaId)
        .where('kind', '=', kind)
        .where('state', '=', 'done')
        // results of before the seals are removed
        .where('summary', 'is not', null)
        .orderBy('ended_at', 'desc')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row ? toRun(row) : null
    },
    readResult: async (accountId, id) => {
      const row = await resultRow(accountId, id)
      return row ? ((isOpened(row) ? row.whole : null) ?? row.result) : null
    },
    findTradesKey: async (accountId, id) => {
      const row = await resultRow(accountId, id)
      return row && isOpened(row) ? row.trades_key : null
    },
    listStructs: async (accountId, { start, count }) => {
      const counted = await reader
        .selectFrom('lab_runs')
        .select(({ fn }) => fn.countAll<number | string>().as('total'))
        .where('account_id', '=', accountId)
        .where('kind', '=', 'struct')
        .executeTakeFirstOrThrow()
      const newest = ofAccount(accountId).where('kind', '=', 'struct').orderBy('created_at', 'desc')
      const rows = await newest.orderBy('id', 'desc').offset(start).limit(count).execute()
      return { total: Number(counted.total), runs: rows.map(toRun) }
    },
    listDone: async accountId => {
      const rows = await ofAccount(accountId)
        .where('state', '=', 'done')
        .where('summary', 'is not', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('lab_ideas')
              .innerJoin('lab_versions', join =>
                join
                  .onRef('lab_versions.idea_id', '=', 'lab_ideas.id')
                  .onRef('lab_versions.version', '=', 'lab_ideas.version'),
              )
              .select('lab_ideas.id')
              .whereRef('lab_ideas.id', '=', 'lab_runs.idea_id')
              .whereRef('lab_versions.rule_hash', '=', 'lab_runs.rule_hash')
              .where('lab_ideas.deleted_at', 'is', null),
          ),
        )
        .orderBy('ended_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(toRun)
    },
    conveyor: async accountId => ({
      holder: await readConveyorHolder(reader, accountId),
      run: await readOpenRun(reader, accountId),
    }),
  } satisfies Partial<LabRunStore>
}

/** Accounts, with the ideas, runs and credits of LAB. */
export type LabAccounts = AccountStore & { readonly lab: LabStore & LabRunStore }

/** All operations on the ideas, runs and credits of LAB. */
export const labOperations = (database: LabDatabase): LabAccounts['lab'] => ({
  ...ideaOperations(database),
  ...chatOperations(database),
  ...runOperations(database),
  ...creditOperations(database),
  ...deskOperations(database),
})

/** Operations on the desk ideas of all accounts. */
function deskOperations({ reader }: LabDatabase) {
  return {
    listDeskIdeas: async atMs => {
      const rows = await reader
        .selectFrom('lab_ideas')
        .innerJoin('lab_versions', join =>
          join
            .onRef('lab_versions.idea_id', '=', 'lab_ideas.id')
            .onRef('lab_versions.version', '=', 'lab_ideas.version'),
        )
        .innerJoin('account_products as held', join =>
          join.onRef('held.account_id', '=', 'lab_ideas.account_id').on('held.product', '=', 'lab'),
        )
        .select(['lab_ideas.id', 'lab_ideas.account_id', 'alert', 'on_at'])
        .select(['spec', 'rule_hash', 'say'])
        .where('stage', '=', 'desk')
        .where('is_on', '=', 1)
        .where('deleted_at', 'is', null)
        .where('held.from_at', '<=', atMs)
        .where(({ or, eb }) => or([eb('held.until_at', 'is', null), eb('until_at', '>', atMs)]))
        .orderBy('lab_ideas.account_id')
        .orderBy('lab_ideas.number')
        .execute()
      return rows.map(row => ({
        id: row.id,
        accountId: row.account_id,
        rule: { spec: row.spec, ruleHash: row.rule_hash, say: row.say },
        alert: row.alert as DeskIdea['alert'],
        onSinceMs: Number(row.on_at ?? 0),
      }))
    },
  } satisfies Partial<LabStore>
}
