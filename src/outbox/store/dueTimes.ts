import { sql } from 'kysely'
import type { OutboxTransaction } from './addDeliveries.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'

/** Longest lease of any sender. */
const LEASE_MAX_MS = 30_000

/** Deliveries per transaction: others wait for it. */
const STEP = 500

/** Corrects due times that lie in the future after the clock was set back. */
export function putBackOperations({ db }: OutboxDatabase) {
  return {
    moveDueTimes: async nowMs => {
      let count = 0
      for (let after: number | null = 0; after !== null; ) {
        const from: number = after
        const step = await db.transaction().execute(trx => moveStep(trx, from, nowMs))
        count += step.moved
        after = step.after
      }
      return count
    },
  } satisfies Partial<Outbox>
}

/** Restores the wait of deliveries: the difference between due time and its start. */
async function moveStep(
  trx: OutboxTransaction,
  after: number,
  nowMs: number,
): Promise<{ readonly moved: number; readonly after: number | null }> {
  const rows = await trx
    .selectFrom('deliveries')
    .leftJoin('attempts', join =>
      join
        .onRef('attempts.delivery_id', '=', 'deliveries.id')
        .onRef('attempts.number', '=', 'deliveries.attempts'),
    )
    .select(['deliveries.id', 'deliveries.state', 'deliveries.due_at'])
    .select(sql<number>`coalesce(attempts.began_at, deliveries.queued_at)`.as('began_at'))
    .where('deliveries.state', 'in', ['waiting', 'trying'])
    .where('deliveries.due_at', '>', nowMs)
    .where('deliveries.id', '>', after)
    .orderBy('deliveries.id')
    .limit(STEP)
    .execute()
  let moved = 0
  for (const { id, state, due_at: dueMs, began_at: beganMs } of rows) {
    const waitMs = beganMs > nowMs ? Math.max(0, dueMs - beganMs) : dueMs - nowMs
    const newMs = nowMs + (state === 'trying' ? Math.min(waitMs, LEASE_MAX_MS) : waitMs)
    if (newMs >= dueMs) continue
    const delivery = trx.updateTable('deliveries').set({ due_at: newMs }).where('id', '=', id)
    // an attempt that ended meanwhile has set another time
    await delivery.where('due_at', '=', dueMs).where('state', '=', state).execute()
    moved += 1
  }
  return { moved, after: rows.length === STEP ? rows.at(-1)!.id : null }
}
