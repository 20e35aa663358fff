/** Tasks shared by machines: a queue in PostgreSQL, of pg-boss. */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import { CommandError } from '../../src/core/disk/refusal.ts'
import { databaseReason } from '../../src/platform/database/postgres.ts'
import { KILLS_MAX, type RunTask, STAGE_PRIORITIES, type TaskEnd } from './runTasks.ts'
import type { Task } from './tasks.ts'

/** Tables of pg-boss, next to those of the accounts. */
const SCHEMA = 'tapefold_tasks'
/** Queue of tasks, and of their ends for the process that submitted them. */
const TASKS = 'tasks'
const ENDS = 'ends'

/** Seconds without a sign of life after which a task's machine counts as dead; pg-boss's least. */
const HEARTBEAT_S = 10
/** Longest time of one task, in seconds; the database counts it as dead afterwards. */
const EXPIRE_S = 12 * 3_600
/** Interval at which a queue is polled, in seconds; pg-boss's least. */
const POLL_S = 0.5
const RETRY_MS = 1_000

/** A task in the queue, with the run that submitted it. */
type Job = { readonly run: string; readonly task: Task; readonly isForced: boolean }
type EndedJob = TaskEnd & { readonly run: string; readonly id: string }

/**
 * Opens the queue, whose tables are made where they are missing. A database that goes away later is
 * waited for, and reported once. Fails with exit code 75 where it is away now.
 */
export async function openTaskQueue(url: string, say: (line: string) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    application_name: 'tapefold',
    max: 4,
    connectionTimeoutMillis: 5_000,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: 1,
    flowIntervalSeconds: 1,
  })
  let isAway = false
  boss.on('error', () => {
    if (!isAway) say('the database does not respond; waiting for it')
    isAway = true
  })
  boss.on('wip', () => {
    if (isAway) say('the database responds again')
    isAway = false
  })
  try {
    await boss.start()
    await boss.createQueue(TASKS, {
      // the end of a task is reported by its worker: a retry means that the worker has died
      retryLimit: 1_000,
      retryDelay: 0,
      heartbeatSeconds: HEARTBEAT_S,
      expireInSeconds: EXPIRE_S,
      deleteAfterSeconds: 24 * 3_600,
    })
    await boss.createQueue(ENDS, { retryLimit: 1_000, deleteAfterSeconds: 3_600 })
    return boss
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw new CommandError(`the database of DATABASE_URL: ${databaseReason(error)}.`, 75)
  }
}

/**
 * Does tasks of the queue, some at once, until the boss is stopped. A task whose workers died
 * KILLS_MAX times fails, and the others go on.
 */
export async function workTasks(
  boss: PgBoss,
  workerCount: number,
  run: (isForced: boolean, signal: AbortSignal) => RunTask,
): Promise<void> {
  const options = {
    includeMetadata: true,
    localConcurrency: workerCount,
    pollingIntervalSeconds: POLL_S,
    // once more at once while there is more to do
    burstWhenReadyExceeds: 1,
    heartbeatRefreshSeconds: 1,
  } as const
  await boss.work(TASKS, options, async ([job]: JobWithMetadata<Job>[]) => {
    const { data, retryCount, signal } = job!
    const killed = `its process was killed ${retryCount} times.`
    const end: TaskEnd =
      retryCount >= KILLS_MAX
        ? { outcome: 'failed', reason: killed, tookMs: 0 }
        : await run(data.isForced, signal)(data.task)
    // its end counts once it is reported; while the database is away it waits
    for (;;) {
      signal.throwIfAborted()
      try {
        await boss.send(ENDS, { run: data.run, id: data.task.id, ...end } satisfies EndedJob)
        return
      } catch {
        await delay(RETRY_MS)
      }
    }
  })
}

/**
 * Submits tasks as one flow, in which each waits for those that it needs, and reports their ends as
 * the workers of all machines reach them. The caller holds the lock of backfills: what an earlier
 * one left in the queue is dropped.
 */
export async function shareTasks(
  boss: PgBoss,
  tasks: readonly Task[],
  isForced: boolean,
  onEnd: (task: Task, end: TaskEnd) => void,
  signal: AbortSignal,
): Promise<void> {
  const run = randomUUID()
  const open = new Map(tasks.map(task => [task.id, task]))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  await boss.deleteQueuedJobs(TASKS)
  await boss.deleteQueuedJobs(ENDS)
  const receive = async (jobs: { readonly data: EndedJob }[]) => {
    for (const { data } of jobs) {
      const task = data.run === run ? open.get(data.id) : undefined
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
  const worker = await boss.work<EndedJob>(
    ENDS,
    { batchSize: 100, pollingIntervalSeconds: POLL_S, burstWhenBatchFull: true },
    receive,
  )
  try {
    await submit(boss, tasks, { run, isForced })
    await promise
  } finally {
    await boss.offWork(ENDS, { id: worker, wait: false }).catch(() => {})
    // a run that was given up leaves nothing for others to do
    if (open.size > 0) await boss.deleteQueuedJobs(TASKS).catch(() => {})
  }
}

async function submit(
  boss: PgBoss,
  tasks: readonly Task[],
  job: Pick<Job, 'run' | 'isForced'>,
): Promise<void> {
  const dataOf = (task: Task): Job => ({ ...job, task })
  const priorityOf = ({ stage }: Task) => STAGE_PRIORITIES[stage]
  const planned = new Set(tasks.map(({ id }) => id))
  const flow = tasks.map(task => ({
    ref: task.id,
    name: TASKS,
    data: dataOf(task),
    options: { priority: priorityOf(task) },
    dependsOn: task.needs.filter(need => planned.has(need)),
  }))
  if (flow.some(({ dependsOn }) => dependsOn.length > 0)) {
    await boss.flow(
      flow.map(({ dependsOn, ...one }) => (dependsOn.length > 0 ? { ...one, dependsOn } : one)),
    )
  } else {
    await boss.insert(
      TASKS,
      tasks.map(task => ({ data: dataOf(task), priority: priorityOf(task) })),
    )
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
