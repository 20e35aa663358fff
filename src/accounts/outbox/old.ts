import type { OutboxTransaction } from './addDeliveries.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'

/** How long events, and every try to deliver them, are kept. */
export const LOG_RETENTION_MS = 30 * 86_400_000

/** Rows that one transaction looks at: others wait for it. */
const STEP = 500

type Step = {
  readonly deleted: number
  /** The number that the next step begins behind; null when no older ones are left. */
  readonly after: number | null
}

/** Forgets what was told long ago. */
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

/** The oldest that nobody is being told any more. */
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
  return { deleted: seqs.length, after: isBehind(rows, beforeMs) ? last!.seq : null }
}

/** Those that no event is left of. */
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
        'is_told',
      ),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(STEP)
    .execute()
  const old = rows.filter(row => row.created_at < beforeMs && !row.is_told)
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await trx.deleteFrom('findings').where('id', 'in', ids).execute()
  const last = rows.at(-1)
  return { deleted: ids.length, after: isBehind(rows, beforeMs) ? last!.id : null }
}

/** Numbers rise with time, so what follows a row that is not old is not old either. */
function isBehind(rows: readonly { readonly created_at: number }[], beforeMs: number): boolean {
  return rows.length === STEP && rows.at(-1)!.created_at < beforeMs
}

/** States of lines in runs that nobody replays any more; true when there may be more. */
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
