/** Runs tasks on this machine, each in a process of its own. */

import { spawn } from 'node:child_process'
import { availableParallelism, totalmem } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import PQueue from 'p-queue'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { COMMAND_PROCESS } from '../../src/core/pipeline.ts'
import type { RunTaskOptions } from './runTask.ts'
import { type StageTask, TASK_MEMORY_GB, type TaskStage } from './tasks.ts'

/** End of a task: 'done', 'current' where there was nothing to do, or 'failed' with its reason. */
export type TaskEnd = {
  readonly outcome: 'done' | 'current' | 'failed'
  /** Reason of a failure, or a note on what is done, in one sentence. */
  readonly reason: string | null
  readonly tookMs: number
}

export type RunTask = (task: StageTask) => Promise<TaskEnd>

/** A task whose process was killed this often fails, so that it cannot keep a machine busy. */
export const KILLS_MAX = 5

/** Wait before a task is tried again that met another process, and for how long in all. */
const RETRY_MS = 500
const BUSY_MS = 60_000

/** Wait before a task is tried again whose store was away, however long it is. */
const AWAY_RETRY_MS = 5_000

/** Earlier stages first: the carry waits for all folds. */
export const STAGE_PRIORITIES: Readonly<Record<TaskStage, number>> = { fold: 2, carry: 1, build: 0 }

/** Number of tasks at once by default: two cores and the memory of one for each. */
export function defaultWorkers(): number {
  const byMemory = Math.floor(totalmem() / 1e9 / TASK_MEMORY_GB)
  return Math.max(1, Math.min(Math.floor(availableParallelism() / 2), byMemory))
}

/**
 * Runs tasks, some at once, each when those that it needs have ended, and reports the end of each.
 * A task that failed keeps no other waiting.
 */
export async function runTasks(
  tasks: readonly StageTask[],
  workerCount: number,
  run: RunTask,
  onEnd: (task: StageTask, end: TaskEnd) => void,
): Promise<void> {
  const queue = new PQueue({ concurrency: workerCount })
  const planned = new Set(tasks.map(({ id }) => id))
  const waiting = new Map(
    tasks.map(({ id, needs }) => [id, new Set(needs.filter(need => planned.has(need)))]),
  )
  const dependents = Map.groupBy(
    tasks.flatMap(task => task.needs.map(need => ({ need, task }))),
    ({ need }) => need,
  )
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const start = (task: StageTask) => {
    const work = async () => {
      onEnd(task, await run(task))
      for (const { task: next } of dependents.get(task.id) ?? []) {
        const needs = waiting.get(next.id)!
        needs.delete(task.id)
        if (needs.size === 0) start(next)
      }
    }
    queue.add(work, { priority: STAGE_PRIORITIES[task.stage] }).catch(error => {
      queue.clear()
      reject(error)
    })
  }
  for (const task of tasks) if (waiting.get(task.id)!.size === 0) start(task)
  await Promise.race([queue.onIdle(), broken])
}

/**
 * Runs a task in a process of its own, which frees its memory when it ends, whose crash affects
 * nobody else, and which ends with this one. One that was killed, met another process at work on the
 * same session, or did not reach the store, is run again. `signal`: another machine has the task by now; the process is
 * killed.
 */
export function runInChild(
  options: RunTaskOptions,
  { clock = systemClock, signal }: { readonly clock?: Clock; readonly signal?: AbortSignal } = {},
): RunTask {
  return async ({ id }) => {
    const startedAtMs = clock.nowMs()
    const took = () => clock.nowMs() - startedAtMs
    let busySinceMs = startedAtMs
    for (let kills = 0; ; ) {
      const ran = await runOnce(id, options, signal)
      signal?.throwIfAborted()
      if (ran.code === 0) {
        const { outcome, note } = JSON.parse(ran.output)
        // a killed process may have published before
        if (outcome === 'done' || kills > 0)
          return { outcome: 'done', reason: note, tookMs: took() }
        return { outcome, reason: note, tookMs: 0 }
      }
      if (ran.code === 75 && ran.output !== '' && JSON.parse(ran.output).outcome === 'away') {
        await delay(AWAY_RETRY_MS, undefined, { ...(signal && { signal }) })
        busySinceMs = clock.nowMs()
        continue
      }
      const isAgain = ran.code === 75 && clock.nowMs() - busySinceMs < BUSY_MS
      if (ran.code === null) kills++
      if (!isAgain && (ran.code !== null || kills >= KILLS_MAX)) {
        const reason = ran.code === null ? `its process was killed ${kills} times.` : ran.sentence
        return { outcome: 'failed', reason, tookMs: took() }
      }
      await delay(RETRY_MS)
    }
  }
}

type Ran = {
  /** Null: it was killed. */
  readonly code: number | null
  readonly output: string
  /** Reason of a failure. */
  readonly sentence: string
}

function runOnce(id: string, options: RunTaskOptions, signal?: AbortSignal): Promise<Ran> {
  const flags = [
    ...(options.isForced ? ['--force'] : []),
    ...(options.isBadTapeRefused ? ['--refuse-bad-tape'] : []),
    ...(options.isOneOfMany ? ['--no-views'] : []),
    ...(options.run === undefined ? [] : ['--run', options.run]),
  ]
  const args = [id, '--json', ...flags, '--data', options.dataFolder]
  // the channel ends the child with this process
  const child = spawn(process.execPath, [COMMAND_PROCESS, 'task', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(signal && { signal, killSignal: 'SIGKILL' as const }),
  })
  const texts = { output: '', errors: '' }
  child.stdout!.setEncoding('utf8').on('data', text => {
    texts.output += text
  })
  child.stderr!.setEncoding('utf8').on('data', text => {
    texts.errors += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      const last = texts.errors.split('\n').findLast(line => line.startsWith('tapefold: '))
      const sentence = last?.slice('tapefold: '.length) ?? `it ended with ${code}.`
      resolve({ code, output: texts.output, sentence })
    })
  })
}
