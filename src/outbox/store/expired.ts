import type { OutboxTransaction } from './addDeliveries.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'

/** Retention of events and of their delivery attempts. */
export const LOG_RETENTION_MS = 30 * 86_400_000

/** Rows per transaction: others wait for it. */
const STEP = 500

type Step = {
  readonly deleted: number
  /** Number that the next step starts after; null when no older ones are left. */
  readonly after: number | null
}

/** Deletes events and deliveries that have expired. */
export function oldOperations({ db }: OutboxDatabase) {
  const inSteps = async (deleteStep: (trx: OutboxTransaction, after: number) => Promise<Step>) => {
    let count = 0
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after
      const step = await db.transaction().execute(trx => deleteStep(trx, from))
      count += step.deleted
      after = step.after
    }
    return count
  }
  return {
    deleteOlder: async beforeMs => {
      const count = await inSteps((trx, after) => deleteEvents(trx, after, beforeMs))
      await inSteps((trx, after) => deleteFindings(trx, after, beforeMs))
      await db.deleteFrom('watch_runs').where('updated_at', '<', beforeMs).execute()
      while (await db.transaction().execute(trx => deleteLineStates(trx, beforeMs))) {}
      return count
    },
  } satisfies Partial<Outbox>
}

/** Deletes the oldest events without pending deliveries. */
async function deleteEvents(
  trx: OutboxTransaction,
  after: number,
  beforeMs: number,
): Promise<Step> {
  const rows = await trx
    .selectFrom('events')
    .select(['seq', 'created_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('id')
          .whereRef('event_seq', '=', 'events.seq')
          .where('state', 'in', ['waiting', 'trying']),
      ).as('is_underway'),
    )
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(STEP)
    .execute()
  const old = rows.filter(row => row.created_at < beforeMs && !row.is_underway)
  const seqs = old.map(({ seq }) => seq)
  if (seqs.length > 0) {
    const deliveries = trx.selectFrom('deliveries').select('id').where('event_seq', 'in', seqs)
    await trx.deleteFrom('attempts').where('delivery_id', 'in', deliveries).execute()
    await trx.deleteFrom('deliveries').where('event_seq', 'in', seqs).execute()
    await trx.deleteFrom('events').where('seq', 'in', seqs).execute()
  }
  const last = rows.at(-1)
  return { deleted: seqs.length, after: mayHaveOlder(rows, beforeMs) ? last!.seq : null }
}

/** Deletes findings without events. */
async function deleteFindings(
  trx: OutboxTransaction,
  after: number,
  beforeMs: number,
): Promise<Step> {
  const rows = await trx
    .selectFrom('findings')
    .select(['id', 'created_at'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('events').select('seq').whereRef('finding_id', '=', 'findings.id')).as(
        'has_events',
      ),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(STEP)
    .execute()
  const old = rows.filter(row => row.created_at < beforeMs && !row.has_events)
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await trx.deleteFrom('findings').where('id', 'in', ids).execute()
  const last = rows.at(-1)
  return { deleted: ids.length, after: mayHaveOlder(rows, beforeMs) ? last!.id : null }
}

/** True when older rows may follow: numbers rise with time, so no old row follows a newer one. */
function mayHaveOlder(rows: readonly { readonly created_at: number }[], beforeMs: number): boolean {
  return rows.length === STEP && rows.at(-1)!.created_at < beforeMs
}

/** Deletes states of lines in runs no longer replayed; true when there may be more. */
async function deleteLineStates(trx: OutboxTransaction, beforeMs: number): Promise<boolean> {
  const rows = await trx
    .selectFrom('alert_line_states')
    .select(['run', 'line_id'])
    .where('run', '<>', 'live')
    .where('updated_at', '<', beforeMs)
    .orderBy('run')
    .limit(STEP)
    .execute()
  for (const [run, some] of Map.groupBy(rows, row => row.run)) {
    const ids = some.map(row => row.line_id)
    const states = trx.deleteFrom('alert_line_states').where('run', '=', run)
    await states.where('line_id', 'in', ids).execute()
  }
  return rows.length === STEP
}
