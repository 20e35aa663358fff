import type { Outbox } from './outbox.ts'
import type { OutboxDatabase, OutboxTransaction } from './queue.ts'

/** Events that one transaction deletes: others wait for it. */
const STEP = 500

/** Forgets what was told long ago. */
export function oldOperations({ db }: OutboxDatabase) {
  return {
    deleteOlder: async beforeMs => {
      let count = 0
      for (let deleted = STEP; deleted === STEP; count += deleted) {
        deleted = await db.transaction().execute(trx => deleteEvents(trx, beforeMs))
      }
      for (let deleted = STEP; deleted === STEP; ) {
        deleted = await db.transaction().execute(trx => deleteFindings(trx, beforeMs))
      }
      await deleteRuns(db as OutboxTransaction, beforeMs)
      return count
    },
  } satisfies Partial<Outbox>
}

/** The oldest that nobody is being told any more; answers how many. */
async function deleteEvents(trx: OutboxTransaction, beforeMs: number): Promise<number> {
  const rows = await trx
    .selectFrom('events')
    .select('seq')
    .where('created_at', '<', beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('id')
            .whereRef('event_seq', '=', 'events.seq')
            .where('state', 'in', ['waiting', 'trying']),
        ),
      ),
    )
    .orderBy('seq')
    .limit(STEP)
    .execute()
  if (rows.length === 0) return 0
  const seqs = rows.map(({ seq }) => seq)
  const deliveries = trx.selectFrom('deliveries').select('id').where('event_seq', 'in', seqs)
  await trx.deleteFrom('attempts').where('delivery_id', 'in', deliveries).execute()
  await trx.deleteFrom('deliveries').where('event_seq', 'in', seqs).execute()
  await trx.deleteFrom('events').where('seq', 'in', seqs).execute()
  return seqs.length
}

/** Those that no event is left of; answers how many. */
async function deleteFindings(trx: OutboxTransaction, beforeMs: number): Promise<number> {
  const rows = await trx
    .selectFrom('findings')
    .select('id')
    .where('created_at', '<', beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('events').select('seq').whereRef('finding_id', '=', 'findings.id'))),
    )
    .orderBy('id')
    .limit(STEP)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await trx.deleteFrom('findings').where('id', 'in', ids).execute()
  return ids.length
}

/** Days long past, and the lines of runs that nobody replays any more. */
async function deleteRuns(trx: OutboxTransaction, beforeMs: number): Promise<void> {
  await trx.deleteFrom('watch_runs').where('updated_at', '<', beforeMs).execute()
  await trx
    .deleteFrom('alert_line_states')
    .where('run', '<>', 'live')
    .where('updated_at', '<', beforeMs)
    .execute()
}
