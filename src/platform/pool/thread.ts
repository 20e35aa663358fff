import { setPriority } from 'node:os'
import { type MessagePort, type TransferListItem, Worker } from 'node:worker_threads'
import { openGate } from '../../core/disk/closing.ts'
import { DamagedFile } from '../../data/published/damagedFile.ts'

/** Message to a thread; null ends it, a message without a question cancels a request. */
type Sent<Question> = { readonly id: number; readonly question?: Question } | null

type Damage = Pick<DamagedFile, 'date' | 'path' | 'stamp' | 'message'>
/** Errors lose the fields of their class between threads: a damaged file is sent as its parts. */
type Reply<Result> = { readonly id: number } & (
  | { readonly result: Result }
  | { readonly damage: Damage }
  // the system's error code is sent next to the error
  | { readonly error: Error; readonly code?: string | undefined }
)

/** A thread that serves requests. */
export type Thread<Question, Result> = {
  /**
   * Fails as the request does, and with ClosedError once the thread is closed; an aborted signal
   * reports to the thread that nobody waits for the result any more.
   */
  readonly query: (question: Question, signal?: AbortSignal) => Promise<Result>
  /** Ends the thread once it has served its pending requests. */
  readonly close: () => Promise<void>
}

type ThreadOptions = {
  /** Module that runs in the thread. */
  readonly script: string
  readonly workerData: unknown
}

/** Starts the thread with its first request; restarts one that ended by itself. */
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
  /** Buffers of a result that are transferred, not copied. */
  readonly listTransfers?: (result: Result) => TransferListItem[]
  /** Waits for running work: a thread terminated during a query takes the process with it. */
  readonly close: () => Promise<void>
}

/** Priority of a thread whose work may wait for the event loop that serves all calls (nice(2)). */
const NICE = 10

/** Serves requests inside a thread. */
export function respondOn<Question, Result>(
  port: MessagePort,
  { respond, listTransfers = () => [], close }: ThreadResponder<Question, Result>,
): void {
  // on other systems the priority would apply to the whole process
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
