/** Tasks shared by machines: a queue in PostgreSQL, of pg-boss. */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, type FlowJob, type JobWithMetadata, PgBoss } from 'pg-boss'
import { monotonicMs } from '../../src/core/clock.ts'
import { databaseAway, isDatabaseAway } from '../../src/platform/database/postgres.ts'
import { KILLS_MAX, type RunTask, STAGE_PRIORITIES, type TaskEnd } from './runTasks.ts'
import type { StageTask } from './tasks.ts'

/** Tables of pg-boss, next to those of the accounts. */
const SCHEMA = 'tapefold_tasks'
const TASKS = 'tasks'
/** Queue in which the workers report the ends of tasks to the run that submitted them. */
const endsQueue = (run: string) => `ends-${run}`

/** Seconds without a sign of life after which a task's machine counts as dead; pg-boss's least. */
const HEARTBEAT_S = 10
/** Longest time of one task, in seconds; the database counts it as dead afterwards. */
const EXPIRE_S = 12 * 3_600
/** Interval at which a queue is polled, in seconds; pg-boss's least. */
const POLL_S = 0.5
/** Interval at which a process looks for tasks of dead machines, and for the database. */
const SUPERVISE_MS = 1_000
/** Time in which machines report that they live, after the database was away for so long. */
const GRACE_MS = 4_000
const LONG_AWAY_MS = (HEARTBEAT_S * 1_000) / 2
const RETRY_MS = 1_000

const CONNECTION = {
  application_name: 'tapefold',
  max: 4,
  connectionTimeoutMillis: 5_000,
  // longer than it takes to submit twenty years of sessions
  query_timeout: 60_000,
  keepAlive: true,
}

/** The run that submitted a task, and whether it does again what is up to date. */
export type TaskRun = { readonly run: string; readonly isForced: boolean }

/** A task in the queue, with the run that submitted it. */
type Job = TaskRun & { readonly task: StageTask }
type EndedJob = TaskEnd & { readonly id: string }

/**
 * Opens the queue, whose tables are made where they are missing. A database that goes away later is
 * waited for, which is reported once, as is its return. Fails with exit code 75 where it is away.
 */
export async function openTaskQueue(url: string, say: (line: string) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    ...CONNECTION,
    connectionString: url,
    schema: SCHEMA,
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: 1,
  })
  // each poll reports that the database is away
  boss.on('error', () => {})
  try {
    await boss.start()
    await boss.createQueue(TASKS, {
      // no two of the same task at once, by its singletonKey
      policy: 'singleton',
      // the end of a task is reported by its worker: a retry means that the worker has died
      retryLimit: 1_000,
      retryDelay: 0,
      heartbeatSeconds: HEARTBEAT_S,
      expireInSeconds: EXPIRE_S,
      deleteAfterSeconds: 24 * 3_600,
    })
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw databaseAway(error)
  }
  void supervise(boss, say)
  return boss
}

/**
 * Gives tasks of dead machines to others, and starts those whose needs have ended, until the boss
 * is stopped. After the database was away all machines look dead: they get time to report.
 */
async function supervise(boss: PgBoss, say: (line: string) => void): Promise<void> {
  let isOver = false
  boss.once('stopped', () => {
    isOver = true
  })
  let awayAtMs: number | null = null
  let resumeAtMs = 0
  for (; !isOver; await delay(SUPERVISE_MS, undefined, { ref: false })) {
    try {
      await boss.resolveFlow()
      if (awayAtMs !== null) {
        say('the database responds again')
        if (monotonicMs() - awayAtMs > LONG_AWAY_MS) resumeAtMs = monotonicMs() + GRACE_MS
      }
      awayAtMs = null
      if (monotonicMs() >= resumeAtMs) await boss.supervise()
    } catch (error) {
      if (awayAtMs !== null || isOver || !isDatabaseAway(error)) continue
      say('the database does not respond; waiting for it')
      awayAtMs = monotonicMs()
    }
  }
}

/**
 * Does tasks of the queue, some at once, until the boss is stopped. A task whose workers died
 * KILLS_MAX times fails, and the others go on.
 */
export async function workTasks(
  boss: PgBoss,
  workerCount: number,
  run: (by: TaskRun, signal: AbortSignal) => RunTask,
): Promise<void> {
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: POLL_S,
    heartbeatRefreshSeconds: 1,
  } as const
  for (let count = 0; count < workerCount; count++) {
    const worker = await boss.work(TASKS, options, async ([job]: JobWithMetadata<Job>[]) => {
      // takes the next task without a pause
      boss.notifyWorker(worker)
      const { data, retryCount, signal } = job!
      const reason = `its process was killed or stopped ${retryCount} times.`
      const end: TaskEnd =
        retryCount >= KILLS_MAX
          ? { outcome: 'failed', reason, tookMs: 0 }
          : await run(data, signal)(data.task)
      // a dead worker may have published before
      const isDone = retryCount > 0 && end.outcome === 'current'
      await endTask(boss, job!, isDone ? { ...end, outcome: 'done' } : end)
    })
  }
}

/**
 * Ends a task and reports its end, both or neither, so that no end is reported twice or lost. While
 * the database is away it waits. Does nothing where the task is another worker's by now, and
 * reports to nobody where its run has ended.
 */
async function endTask(boss: PgBoss, job: JobWithMetadata<Job>, end: TaskEnd): Promise<void> {
  const { run, task } = job.data
  const queue = endsQueue(run)
  for (let isOpen = true; ; await delay(RETRY_MS)) {
    job.signal.throwIfAborted()
    try {
      await inTransaction(boss, async db => {
        // the number of jobs completed is not in its type
        const completed = (await boss.complete(TASKS, job, null, { db })) as { affected: number }
        const ended: EndedJob = { id: task.id, ...end }
        if (completed.affected > 0 && isOpen) await boss.send(queue, ended, { db })
      })
      return
    } catch {
      isOpen = await boss.getQueue(queue).then(
        found => found !== null,
        () => true,
      )
    }
  }
}

async function inTransaction(boss: PgBoss, work: (db: Db) => Promise<void>): Promise<void> {
  const transaction = await boss.getDb().beginTransaction!()
  try {
    await work(transaction.db)
    await transaction.commit()
  } finally {
    await transaction.rollback()
  }
}

/**
 * Submits tasks as one flow, in which each waits for those that it needs, and reports their ends as
 * the workers of all machines reach them. The caller holds the lock of backfills: what an earlier
 * one left in the queue is dropped.
 */
export async function shareTasks(
  boss: PgBoss,
  tasks: readonly StageTask[],
  isForced: boolean,
  onEnd: (task: StageTask, end: TaskEnd) => void,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const run = randomUUID()
  const ends = endsQueue(run)
  const open = new Map(tasks.map(task => [task.id, task]))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  const receive = async (jobs: { readonly data: EndedJob }[]) => {
    for (const { data } of jobs) {
      const task = open.get(data.id)
      if (!task) continue
      open.delete(task.id)
      try {
        onEnd(task, data)
      } catch (error) {
        reject(error)
      }
      if (open.size === 0) resolve()
    }
  }
  const submitted = submit(boss, tasks, { run, isForced }, signal)
  try {
    await Promise.race([submitted, promise])
    await boss.work<EndedJob>(
      ends,
      { batchSize: 100, pollingIntervalSeconds: POLL_S, burstWhenBatchFull: true },
      receive,
    )
    await promise
  } finally {
    await boss.offWork(ends, { wait: false })
    await boss.deleteQueue(ends).catch(() => {})
    // a run that was given up leaves nothing for others to do
    if (open.size > 0) await boss.deleteQueuedJobs(TASKS).catch(() => {})
  }
}

/** Replaces the tasks of the queue; waits for a database that is away. */
async function submit(
  boss: PgBoss,
  tasks: readonly StageTask[],
  job: Pick<Job, 'run' | 'isForced'>,
  signal: AbortSignal,
): Promise<void> {
  const planned = new Set(tasks.map(({ id }) => id))
  const flow = tasks.map((task, index) => {
    const dependsOn = task.needs.filter(need => planned.has(need))
    return {
      ref: task.id,
      name: TASKS,
      data: { ...job, task } satisfies Job,
      // earlier tasks first: one of a dead machine does not wait for all that are left
      options: {
        priority: STAGE_PRIORITIES[task.stage] * 1_000_000 - index,
        singletonKey: task.id,
      },
      ...(dependsOn.length > 0 && { dependsOn }),
    } satisfies FlowJob
  })
  for (; !signal.aborted; await delay(RETRY_MS)) {
    try {
      for (const { name } of await boss.getQueues())
        if (name !== TASKS) await boss.deleteQueue(name)
      await boss.deleteQueuedJobs(TASKS)
      await boss.deleteStoredJobs(TASKS)
      await boss.createQueue(endsQueue(job.run), {
        retryLimit: 1_000,
        retryDelay: 0,
        heartbeatSeconds: HEARTBEAT_S,
      })
      // a flow of tasks that need each other, or plain ones
      if (flow.some(one => 'dependsOn' in one)) await boss.flow(flow)
      else
        await boss.insert(
          TASKS,
          flow.map(({ data, options }) => ({ data, ...options })),
        )
      return
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
    }
  }
}

/** Numbers of tasks of all machines. */
export type TaskCounts = Readonly<Record<'running' | 'ready' | 'waiting', number>>

/** Counts the tasks in the queue: those that run, are ready to run, and wait for others. */
export async function countTasks(boss: PgBoss): Promise<TaskCounts> {
  const queue = await boss.getQueue(TASKS)
  return {
    running: queue?.activeCount ?? 0,
    ready: queue?.readyCount ?? 0,
    waiting: queue?.blockedCount ?? 0,
  }
}
