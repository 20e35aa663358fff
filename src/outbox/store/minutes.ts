import type { AccountTables } from '../../accounts/schema.ts'
import type { OutboxTransaction } from './addDeliveries.ts'
import { bulkInsert } from './bulk.ts'
import type { Outbox } from './outbox.ts'
import { type OutboxDatabase, writeEvents } from './queue.ts'
import type { LineState, MinuteRequest } from './types.ts'

/** Progress of each run, and the states of its lines. */
export function minuteOperations({ db, reader, isConcurrent }: OutboxDatabase) {
  return {
    takeMinute: request =>
      db.transaction().execute(async trx => {
        const { run, day, minute, before, atMs, decide } = request
        if (before === null) await beginDay(trx, request)
        const row = trx
          .selectFrom('watch_runs')
          .select(['minute', 'states'])
          .where('run', '=', run)
          .where('day', '=', day)
        // a concurrent watch waits here, and then finds the minute taken
        const stored = await (isConcurrent ? row.forUpdate() : row).executeTakeFirst()
        if (!stored || stored.minute !== before) return 'done'
        const found = await decide({ states: stored.states })
        await writeEvents(trx, { ...found, run, day, minute, atMs })
        await writeLineStates(trx, run, found.lineChanges, atMs)
        await trx
          .updateTable('watch_runs')
          .set({ minute, states: found.states, updated_at: atMs })
          .where('run', '=', run)
          .where('day', '=', day)
          .execute()
        return 'taken'
      }),
    findRun: async (run, day) => {
      const row = await reader
        .selectFrom('watch_runs')
        .select(['minute', 'states'])
        .where('run', '=', run)
        .where('day', '=', day)
        .executeTakeFirst()
      return row ?? null
    },
    listLineStates: async run => {
      const states = reader.selectFrom('alert_line_states').selectAll().where('run', '=', run)
      return (await states.orderBy('line_id').execute()).map(toLineState)
    },
  } satisfies Partial<Outbox>
}

async function beginDay(trx: OutboxTransaction, { run, day, atMs }: MinuteRequest): Promise<void> {
  await trx
    .insertInto('watch_runs')
    .values({ run, day, minute: null, states: null, updated_at: atMs })
    .onConflict(conflict => conflict.columns(['run', 'day']).doNothing())
    .execute()
}

const LINE_COLUMNS = [
  'run',
  'line_id',
  'account_id',
  'is_armed',
  'fired_at',
  'updated_at',
] as (keyof AccountTables['alert_line_states'])[]

const upsertLineStates = bulkInsert('alert_line_states', LINE_COLUMNS, insert =>
  insert.onConflict(conflict =>
    conflict.columns(['run', 'line_id'] as never).doUpdateSet(
      ({ ref }) =>
        ({
          is_armed: ref('excluded.is_armed' as never),
          fired_at: ref('excluded.fired_at' as never),
          updated_at: ref('excluded.updated_at' as never),
        }) as never,
    ),
  ),
)

async function writeLineStates(
  trx: OutboxTransaction,
  run: string,
  states: readonly LineState[],
  atMs: number,
): Promise<void> {
  // a statement may not change a row twice: the last state of a line is the one that holds
  const last = new Map(states.map(state => [state.lineId, state]))
  const rows = [...last.values()].map(({ lineId, accountId, isArmed, firedAtMs }) => ({
    run,
    line_id: lineId,
    account_id: accountId,
    is_armed: isArmed ? 1 : 0,
    fired_at: firedAtMs,
    updated_at: atMs,
  }))
  await upsertLineStates(trx, rows)
}

const toLineState = (row: AccountTables['alert_line_states']): LineState => ({
  lineId: row.line_id,
  accountId: row.account_id,
  isArmed: row.is_armed === 1,
  firedAtMs: row.fired_at,
})
