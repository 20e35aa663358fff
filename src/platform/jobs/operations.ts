import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import { ATTEMPTS_MAX, type Job, type JobQueue, LEASE_MS, type NewJob } from './queue.ts'
import type { JobTables } from './schema.ts'

/** Expression by which a statement reads the time. */
export type JobClock = () => RawBuilder<number>

export type OperationOptions = {
  readonly db: Kysely<JobTables>
  /** True when several connections write at once, so that rows have to be locked. */
  readonly isConcurrent: boolean
  /**
   * Clock shared by all workers, milliseconds since the Unix epoch: read by the statement that uses
   * it, once that statement may write, so that no lease it sees was granted later.
   */
  readonly now: JobClock
}

/** The queue on a database that has its tables. */
export function jobOperations(options: OperationOptions): JobQueue {
  const { db, now } = options
  return {
    ...claimOperations(options),
    add: (queue, jobs) => db.transaction().execute(trx => addJobs(trx, queue, jobs)),
    ended: async queue => {
      const rows = await db
        .selectFrom('jobs')
        .select(['item', 'tries', 'outcome', 'reason', 'took_ms'])
        .where('queue', '=', queue)
        .where('done_at', 'is not', null)
        .orderBy('done_at')
        .orderBy('item')
        .execute()
      return rows.map(({ item, tries, outcome, reason, took_ms }) => {
        return { item, tries, outcome: outcome!, reason, tookMs: took_ms! }
      })
    },
    openCount: queue => openCount(db, queue),
    clear: async queue => {
      await db.deleteFrom('jobs').where('queue', '=', queue).execute()
    },
    holdLease: async (name, holder) => {
      const held = await db
        .insertInto('leases')
        .values({ name, holder, leased_until: leaseFrom(now()) })
        .onConflict(conflict =>
          conflict
            .column('name')
            .doUpdateSet({ holder, leased_until: leaseFrom(now()) })
            .where(({ eb, or }) =>
              or([eb('leases.holder', '=', holder), isFree('leases.leased_until', now())]),
            ),
        )
        .returning('name')
        .execute()
      return held.length === 1
    },
    releaseLease: async (name, holder) => {
      const lease = db.deleteFrom('leases').where('name', '=', name)
      await lease.where('holder', '=', holder).execute()
    },
    close: () => db.destroy(),
  }
}

const leaseFrom = (now: RawBuilder<number>) => sql<number>`${now} + ${sql.lit(LEASE_MS)}`

/**
 * True when no lease is held. One that expires later than any lease granted now was granted before
 * the clock was set back: waiting for it could take hours. A smaller step back is waited for.
 */
const isFree = (leasedUntil: string, now: RawBuilder<number>) => {
  const until = sql.ref(leasedUntil)
  return sql<SqlBool>`(${until} is null or ${until} <= ${now}
    or ${until} > ${now} + ${sql.lit(2 * LEASE_MS)})`
}

function claimOperations({ db, isConcurrent, now }: OperationOptions) {
  /**
   * Matches the job while the worker holds it; an expired lease counts until another worker claims
   * it.
   */
  const heldBy = (job: Job) => {
    const held = db.updateTable('jobs').where('queue', '=', job.queue).where('item', '=', job.item)
    return held
      .where('leased_by', '=', job.worker)
      .where('tries', '=', job.tries)
      .where('done_at', 'is', null)
  }
  return {
    claim: async (queue, worker) => {
      await failExhausted(db, queue, now)
      const first = db
        .selectFrom('jobs as next')
        .select('next.item')
        .where('next.queue', '=', queue)
        .where('next.done_at', 'is', null)
        .where(isFree('next.leased_until', now()))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('jobs as before')
                .select('before.item')
                .whereRef('before.queue', '=', 'next.queue')
                .whereRef('before.item', '=', 'next.after_item')
                .where('before.done_at', 'is', null),
            ),
          ),
        )
        .orderBy('next.item')
        .limit(1)
        // two concurrent claims get two jobs: neither waits for the other's row
        .$if(isConcurrent, query => query.forUpdate('next').skipLocked())
      const claimed = await db
        .updateTable('jobs')
        .set({ leased_by: worker, leased_until: leaseFrom(now()), tries: sql`tries + 1` })
        .where('queue', '=', queue)
        .where('item', '=', first)
        .returning(['item', 'tries'])
        .executeTakeFirst()
      return claimed ? { queue, worker, ...claimed } : null
    },
    renewLease: async job => {
      const renewed = heldBy(job).set({ leased_until: leaseFrom(now()) })
      return (await renewed.returning('item').execute()).length === 1
    },
    finish: async (job, { outcome, reason, tookMs }) => {
      const done = { done_at: now(), outcome, reason, took_ms: tookMs }
      const finished = heldBy(job).set({ ...done, leased_by: null, leased_until: null })
      return (await finished.returning('item').execute()).length === 1
    },
    release: async worker => {
      await db
        .updateTable('jobs')
        .set({ leased_by: null, leased_until: null })
        .where('leased_by', '=', worker)
        .where('done_at', 'is', null)
        .execute()
    },
  } satisfies Partial<JobQueue>
}

/** Fails the jobs whose last worker died too, so that dependent jobs proceed. */
async function failExhausted(db: Kysely<JobTables>, queue: string, now: JobClock): Promise<void> {
  await db
    .updateTable('jobs')
    .set({
      done_at: now(),
      outcome: 'failed',
      reason: `its process was killed ${ATTEMPTS_MAX} times.`,
      took_ms: 0,
      leased_by: null,
      leased_until: null,
    })
    .where('queue', '=', queue)
    .where('done_at', 'is', null)
    .where('tries', '>=', ATTEMPTS_MAX)
    .where(isFree('leased_until', now()))
    .execute()
}

async function addJobs(trx: Transaction<JobTables>, queue: string, jobs: readonly NewJob[]) {
  if ((await openCount(trx, queue)) === 0) {
    await trx.deleteFrom('jobs').where('queue', '=', queue).execute()
  }
  for (const { item, after } of jobs) {
    await trx
      .insertInto('jobs')
      .values({ queue, item, after_item: after, tries: 0 })
      .onConflict(conflict => conflict.columns(['queue', 'item']).doNothing())
      .execute()
  }
}

async function openCount(db: Kysely<JobTables>, queue: string): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('queue', '=', queue)
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
