import { type ChildProcess, fork } from 'node:child_process'
import { ClosedError, openGate } from '../../disk/closing.ts'
import type { SessionDate } from '../../market/calendar.ts'
import { RunRefused } from '../verdict/request.ts'
import type { OnProgress } from '../verdict/run.ts'
import type { AskedTask, Task, TaskTold } from './tasks.ts'

/** Processes that compute; they share the work of one run, where it can be shared. */
export const CHILD_COUNT = 2

export type TaskOptions = {
  /** Aborted, nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress
}

export type Pool = {
  /** Processes that have nothing to do. */
  readonly idleCount: () => number
  /** Whether a process still reads what its task is computed from. */
  readonly isReading: () => boolean
  /**
   * What a process says to a task; it waits where all are busy. Fails with RunRefused, with an
   * error of the engine, with ClosedError, or because the process ended: then it is not asked again.
   */
  readonly ask: (task: Task, options: TaskOptions) => Promise<unknown>
  /** Starts every process, which reads what runs are computed from. */
  readonly warm: (through: SessionDate) => void
  /** Kills the processes; resolves when they have ended. */
  readonly close: () => Promise<void>
}

type Asked = TaskOptions & {
  readonly id: number
  readonly task: Task
  readonly answer: PromiseWithResolvers<unknown>
}
type Slot = { child: ChildProcess | null; asked: Asked | null; isComputing: boolean }

/** Opens the processes of a module, each of which starts with its first task and stays. */
export function openPool(module: string, dataFolder: string): Pool {
  const slots = Array.from({ length: CHILD_COUNT }, newSlot)
  const waiting: Asked[] = []
  const gate = openGate('the pool of engines')
  let lastId = 0

  const start = (slot: Slot): ChildProcess => {
    const child = startChild(module, dataFolder)
    child.on('message', told => hear(slot, told as TaskTold))
    child.on('error', error => end(slot, child, error.message))
    child.on('exit', (code, signal) => end(slot, child, signal ?? `code ${code}`))
    return child
  }
  const hear = (slot: Slot, told: TaskTold) => {
    const { asked } = slot
    if (asked?.id !== told.id) return
    if ('isComputing' in told) {
      slot.isComputing = true
      if (asked.signal.aborted) slot.child?.kill('SIGKILL')
      return
    }
    if ('done' in told) return asked.onProgress?.(told.done, told.total)
    settle(asked, told)
    slot.asked = null
    begin()
  }
  const end = (slot: Slot, child: ChildProcess, why: string) => {
    if (slot.child !== child) return
    const { asked } = slot
    slot.child = null
    slot.asked = null
    asked?.answer.reject(new Error(`the process that computed it ended (${why})`))
    begin()
  }
  const begin = () => {
    for (const slot of slots) {
      if (slot.asked !== null) continue
      const next = waiting.shift()
      if (!next) return
      slot.asked = next
      slot.isComputing = false
      const { id, task } = next
      try {
        slot.child ??= start(slot)
        // one that has just ended takes nothing, and says so when it has
        slot.child.send({ id, task } satisfies AskedTask, () => {})
      } catch (error) {
        slot.asked = null
        next.answer.reject(error)
      }
    }
  }
  const giveUp = (asked: Asked) => {
    const place = waiting.indexOf(asked)
    if (place >= 0) waiting.splice(place, 1)
    const slot = slots.find(one => one.asked === asked)
    // one that reads the market goes on: the next task needs it, too
    if (slot?.isComputing) slot.child?.kill('SIGKILL')
    asked.answer.reject(asked.signal.reason)
  }
  const ask = async (task: Task, options: TaskOptions) => {
    gate.pass()
    options.signal.throwIfAborted()
    const asked = { ...options, id: ++lastId, task, answer: Promise.withResolvers<unknown>() }
    options.signal.addEventListener('abort', () => giveUp(asked), { once: true })
    waiting.push(asked)
    begin()
    return asked.answer.promise
  }
  return {
    idleCount: () => slots.filter(({ asked }) => asked === null).length - waiting.length,
    isReading: () => slots.some(({ asked, isComputing }) => asked !== null && !isComputing),
    ask,
    warm: through => {
      const { signal } = new AbortController()
      // what goes wrong goes wrong again in the first run, which tells
      for (const place of slots.keys()) ask(warming(through, place), { signal }).catch(() => {})
    },
    close: async () => {
      gate.close()
      for (const asked of waiting.splice(0)) asked.answer.reject(new ClosedError(CLOSED))
      await Promise.all(slots.map(({ child }) => (child ? killed(child) : null)))
    },
  }
}

const newSlot = (): Slot => ({ child: null, asked: null, isComputing: false })

const CLOSED = 'the pool of engines is closed'

/** Two processes that have to make columns meet half-way. */
const warming = (through: SessionDate, place: number): Task => {
  return { do: 'warm', through, isBackwards: place % 2 === 1 }
}

function settle({ answer }: Asked, told: TaskTold): void {
  if ('answer' in told) answer.resolve(told.answer)
  else if ('refusal' in told) answer.reject(new RunRefused(told.refusal))
  else if ('error' in told) answer.reject(new Error(told.error))
}

function startChild(module: string, dataFolder: string): ChildProcess {
  return fork(module, [dataFolder], {
    ...{ execArgv: [], serialization: 'advanced' },
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
