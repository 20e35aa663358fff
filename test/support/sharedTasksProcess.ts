// A process that works on, or submits, stub tasks of a shared queue. Its argument is one JSON text.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunTask } from '../../pipelines/upkeep/runTasks.ts'
import { openTaskQueue, shareTasks, workTasks } from '../../pipelines/upkeep/sharedTasks.ts'
import type { StageTask } from '../../pipelines/upkeep/tasks.ts'
import { systemClock } from '../../src/core/clock.ts'
import { reportFailure } from '../../src/core/command.ts'
import { CommandError } from '../../src/core/disk/refusal.ts'
import { stopSignal } from '../../src/core/stop.ts'
import { withAdvisoryLock } from '../../src/platform/database/advisoryLock.ts'

export type SharedTasksProcess = {
  readonly role: 'work' | 'submit'
  readonly url: string
  /** Folder of the log, of the submitted tasks, and of a file for each task that is done. */
  readonly folder: string
  readonly workerCount: number
}

/** One line of the log, which all processes append to. */
export type LogLine = {
  readonly atMs: number
  readonly pid: number
  /** Id of a task; '' in lines on the process itself. */
  readonly id: string
  /**
   * By a worker: 'begin', 'end' of a task that is done, 'again' where it was done already,
   * 'doubled' where another one has done it meanwhile, 'stopped' where it is another one's. By a
   * submitter: 'reported' with the end. By the test: 'killed', 'halted' and 'continued'.
   */
  readonly what:
    | 'begin'
    | 'end'
    | 'again'
    | 'doubled'
    | 'stopped'
    | 'reported'
    | 'killed'
    | 'halted'
    | 'continued'
  readonly outcome?: string
  readonly reason?: string | null
}

/** Appends one line, whole, at the end of the log. */
export function appendLine(folder: string, line: Omit<LogLine, 'atMs'>): void {
  const text = JSON.stringify({ atMs: systemClock.nowMs(), ...line })
  appendFileSync(join(folder, 'log'), `${text}\n`)
}

/** A task works in steps, so that time in which its process stands still does not count. */
const STEP_MS = 50
/** Interval of attempts to reach the database at the start. */
const RETRY_MS = 500

/** Does a stub task: for its CPU seconds, or kills its own process where it is poison. */
export const runStub =
  (folder: string, signal: AbortSignal): RunTask =>
  async ({ id, inputs, cpu_seconds }) => {
    const write = (what: LogLine['what']) => appendLine(folder, { pid: process.pid, id, what })
    write('begin')
    if (inputs === 'poison') process.kill(process.pid, 'SIGKILL')
    const done = join(folder, 'done', id)
    if (existsSync(done)) {
      write('again')
      return { outcome: 'current', reason: null, tookMs: 0 }
    }
    for (let leftMs = cpu_seconds * 1_000; leftMs > 0; leftMs -= STEP_MS) {
      await sleep(Math.min(leftMs, STEP_MS))
      if (signal.aborted) {
        write('stopped')
        signal.throwIfAborted()
      }
    }
    try {
      writeFileSync(done, '', { flag: 'wx' })
      write('end')
    } catch {
      write('doubled')
    }
    return { outcome: 'done', reason: null, tookMs: cpu_seconds * 1_000 }
  }

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Opens the queue; a database that is away is waited for. */
async function openPatiently(url: string) {
  for (;;) {
    try {
      return await openTaskQueue(url, say)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      await sleep(RETRY_MS)
    }
  }
}

async function work({ url, folder, workerCount }: SharedTasksProcess): Promise<void> {
  const stopped = stopSignal()
  const boss = await openPatiently(url)
  await workTasks(boss, workerCount, (_, signal) => runStub(folder, signal))
  say('waiting for tasks')
  await stopped
  await boss.stop({ graceful: false })
  process.exit(0)
}

async function submit({ url, folder }: SharedTasksProcess): Promise<void> {
  const tasks: StageTask[] = JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8'))
  const lock = { url, name: 'backfill', busy: 'another one has submitted tasks.' }
  await withAdvisoryLock(lock, async signal => {
    const boss = await openTaskQueue(url, say)
    try {
      const report = (
        { id }: StageTask,
        { outcome, reason }: { outcome: string; reason: string | null },
      ) => appendLine(folder, { pid: process.pid, id, what: 'reported', outcome, reason })
      await shareTasks(boss, tasks, false, report, signal)
    } finally {
      await boss.stop({ graceful: false })
    }
  })
}

if (import.meta.main) {
  const given: SharedTasksProcess = JSON.parse(process.argv[2]!)
  const run = given.role === 'work' ? work : submit
  run(given).catch(error => {
    process.exitCode = reportFailure(error)
  })
}
