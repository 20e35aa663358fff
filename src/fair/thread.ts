import { setPriority } from 'node:os'
import { type MessagePort, type TransferListItem, Worker } from 'node:worker_threads'
import { openGate } from '../disk/closing.ts'
import { DamagedFile } from '../published/damagedFile.ts'

/** What is sent to a thread; null asks it to end, a call without a question gives one up. */
type Sent<Question> = { readonly id: number; readonly question?: Question } | null

type Damage = Pick<DamagedFile, 'date' | 'path' | 'stamp' | 'message'>
/** Errors cross threads without what their class adds: a damaged file is told by its parts. */
type Reply<Result> = { readonly id: number } & (
  | { readonly result: Result }
  | { readonly damage: Damage }
  // what the system said of a file crosses beside its error
  | { readonly error: Error; readonly code?: string | undefined }
)

/** A thread that answers questions. */
export type Thread<Question, Result> = {
  /**
   * Fails as the answer does, and with ClosedError once the thread is closed; a signal reports to
   * the thread that nobody waits for the answer any more.
   */
  readonly query: (question: Question, signal?: AbortSignal) => Promise<Result>
  /** Ends the thread, when it has answered what it was asked. */
  readonly close: () => Promise<void>
}

type ThreadOptions = {
  /** The module that runs in the thread. */
  readonly script: string
  readonly workerData: unknown
}

/** A thread that starts with its first question; one that ended by itself is started again. */
export function openThread<Question, Result>(options: ThreadOptions): Thread<Question, Result> {
  const { script, workerData } = options
  const pending = new Map<number, PromiseWithResolvers<Result>>()
  const gate = openGate('the thread')
  let worker: Worker | null = null
  let lastId = 0

  const settle = ({ id, ...reply }: Reply<Result>) => {
    const waiting = pending.get(id)
    pending.delete(id)
    if ('result' in reply) waiting?.resolve(reply.result)
    else if ('error' in reply) waiting?.reject(withCode(reply.error, reply.code))
    else waiting?.reject(new DamagedFile(reply.damage.date, reply.damage))
  }
  const start = (): Worker => {
    const started = new Worker(script, { workerData })
    let reason = new Error('the thread ended')
    started.on('message', settle)
    started.on('error', error => {
      reason = error as Error
    })
    started.on('exit', () => {
      if (worker === started) worker = null
      for (const { reject } of pending.values()) reject(reason)
      pending.clear()
    })
    return started
  }
  const send = (sent: Sent<Question>) => {
    worker ??= start()
    worker.postMessage(sent)
  }
  return {
    query: async (question, signal) => {
      gate.pass()
      const id = ++lastId
      const waiting = Promise.withResolvers<Result>()
      pending.set(id, waiting)
      send({ id, question })
      const giveUp = () => pending.has(id) && worker?.postMessage({ id } satisfies Sent<Question>)
      signal?.addEventListener('abort', giveUp, { once: true })
      return waiting.promise
    },
    close: async () => {
      gate.close()
      if (worker === null) return
      const ended = new Promise(end => worker!.once('exit', end))
      send(null)
      await ended
    },
  }
}

export type ThreadResponder<Question, Result> = {
  readonly respond: (question: Question, signal: AbortSignal) => Promise<Result>
  /** Buffers of an answer that are handed over, not copied. */
  readonly listTransfers?: (result: Result) => TransferListItem[]
  /** Waits for what runs: a thread that is ended during a query takes the process with it. */
  readonly close: () => Promise<void>
}

/** Of a thread whose work may wait for the loop that serves all calls (nice(2)). */
const NICE = 10

/** Answers, within a thread, what it is asked. */
export function respondOn<Question, Result>(
  port: MessagePort,
  { respond, listTransfers = () => [], close }: ThreadResponder<Question, Result>,
): void {
  // elsewhere a priority is that of the whole process
  if (process.platform === 'linux') setPriority(NICE)
  const open = new Map<number, AbortController>()
  const gate = openGate('the thread')
  const respondToOne = async (id: number, question: Question) => {
    const stop = new AbortController()
    open.set(id, stop)
    try {
      gate.pass()
      const result = await respond(question, stop.signal)
      port.postMessage({ id, result } satisfies Reply<Result>, listTransfers(result))
    } catch (cause) {
      port.postMessage(toFailure(id, cause))
    } finally {
      open.delete(id)
    }
  }
  port.on('message', async (sent: Sent<Question>) => {
    if (sent === null) {
      gate.close()
      await close()
      port.close()
      return
    }
    if (sent.question === undefined) open.get(sent.id)?.abort()
    else await respondToOne(sent.id, sent.question)
  })
}

function toFailure(id: number, cause: unknown): Reply<never> {
  if (cause instanceof DamagedFile) {
    const { date, path, stamp, message } = cause
    return { id, damage: { date, path, stamp, message } }
  }
  const error = cause instanceof Error ? cause : new Error(String(cause))
  return { id, error, code: (error as NodeJS.ErrnoException).code }
}

const withCode = (error: Error, code: string | undefined): Error =>
  code === undefined ? error : Object.assign(error, { code })
