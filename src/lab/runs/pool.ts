import { type ChildProcess, fork } from 'node:child_process'
import { ClosedError, openGate } from '../../core/disk/closing.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { RunRefused } from '../verdict/request.ts'
import type { OnProgress } from '../verdict/run.ts'
import type { Task, TaskReport, TaskRequest } from './tasks.ts'

/** Number of compute processes; they share the work of a run that can be split. */
export const CHILD_COUNT = 2

export type TaskOptions = {
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress
}

export type Pool = {
  /** Number of idle processes. */
  readonly idleCount: () => number
  /** True while a process is reading the data its task needs. */
  readonly isReading: () => boolean
  /**
   * Runs a task and returns its result; queued while all processes are busy. Fails with RunRefused,
   * an engine error, ClosedError, or because the process exited; the task is not retried then.
   */
  readonly runTask: (task: Task, options: TaskOptions) => Promise<unknown>
  /** Starts every process, and each reads the market. */
  readonly warm: (through: SessionDate) => void
  /** Kills the processes; resolves when they have exited. */
  readonly close: () => Promise<void>
}

type PendingTask = TaskOptions & {
  readonly id: number
  readonly task: Task
  readonly result: PromiseWithResolvers<unknown>
}
type Slot = { child: ChildProcess | null; pending: PendingTask | null; isComputing: boolean }

/** Opens a pool of processes of a module; each starts with its first task and is reused. */
export function openPool(module: string, dataFolder: string): Pool {
  const slots = Array.from({ length: CHILD_COUNT }, newSlot)
  const waiting: PendingTask[] = []
  const gate = openGate('the pool of engines')
  let lastId = 0

  const start = (slot: Slot): ChildProcess => {
    const child = startChild(module, dataFolder)
    child.on('message', report => hear(slot, report as TaskReport))
    child.on('error', error => end(slot, child, error.message))
    child.on('exit', (code, signal) => end(slot, child, signal ?? `code ${code}`))
    return child
  }
  const hear = (slot: Slot, report: TaskReport) => {
    const { pending } = slot
    if (pending?.id !== report.id) return
    if ('isComputing' in report) {
      slot.isComputing = true
      if (pending.signal.aborted) slot.child?.kill('SIGKILL')
      return
    }
    if ('done' in report) return pending.onProgress?.(report.done, report.total)
    settle(pending, report)
    slot.pending = null
    begin()
  }
  const end = (slot: Slot, child: ChildProcess, why: string) => {
    if (slot.child !== child) return
    const { pending } = slot
    slot.child = null
    slot.pending = null
    pending?.result.reject(new Error(`the process that computed it ended (${why})`))
    begin()
  }
  const begin = () => {
    for (const slot of slots) {
      if (slot.pending !== null) continue
      const next = waiting.shift()
      if (!next) return
      slot.pending = next
      slot.isComputing = false
      const { id, task } = next
      try {
        slot.child ??= start(slot)
        // a process that just exited receives nothing; its exit event reports that
        slot.child.send({ id, task } satisfies TaskRequest, () => {})
      } catch (error) {
        slot.pending = null
        next.result.reject(error)
      }
    }
  }
  const giveUp = (pending: PendingTask) => {
    const index = waiting.indexOf(pending)
    if (index >= 0) waiting.splice(index, 1)
    const slot = slots.find(one => one.pending === pending)
    // a process that is reading the market continues: the next task needs it, too
    if (slot?.isComputing) slot.child?.kill('SIGKILL')
    pending.result.reject(pending.signal.reason)
  }
  const runTask = async (task: Task, options: TaskOptions) => {
    gate.pass()
    options.signal.throwIfAborted()
    const pending = { ...options, id: ++lastId, task, result: Promise.withResolvers<unknown>() }
    options.signal.addEventListener('abort', () => giveUp(pending), { once: true })
    waiting.push(pending)
    begin()
    return pending.result.promise
  }
  return {
    idleCount: () => slots.filter(({ pending }) => pending === null).length - waiting.length,
    isReading: () => slots.some(({ pending, isComputing }) => pending !== null && !isComputing),
    runTask,
    warm: through => {
      const { signal } = new AbortController()
      // a failure recurs in the first run, which reports it
      for (const index of slots.keys()) runTask(warming(through, index), { signal }).catch(() => {})
    },
    close: async () => {
      gate.close()
      for (const pending of waiting.splice(0)) pending.result.reject(new ClosedError(CLOSED))
      await Promise.all(slots.map(({ child }) => (child ? killed(child) : null)))
    },
  }
}

const newSlot = (): Slot => ({ child: null, pending: null, isComputing: false })

const CLOSED = 'the pool of engines is closed'

/** Warm-up task: two processes that must build columns meet half-way. */
const warming = (through: SessionDate, childIndex: number): Task => {
  return { do: 'warm', through, isBackwards: childIndex % 2 === 1 }
}

function settle({ result }: PendingTask, report: TaskReport): void {
  if ('value' in report) result.resolve(report.value)
  else if ('refusal' in report) result.reject(new RunRefused(report.refusal))
  else if ('error' in report) result.reject(new Error(report.error))
}

function startChild(module: string, dataFolder: string): ChildProcess {
  return fork(module, [dataFolder], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise(ended => {
    child.once('exit', () => ended())
    child.kill('SIGKILL')
  })
}
