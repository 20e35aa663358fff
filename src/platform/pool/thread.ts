import { setPriority } from 'node:os'
import {
  MessageChannel,
  type MessagePort,
  workerData as ownData,
  type TransferListItem,
} from 'node:worker_threads'
import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina'
import { openGate } from '../../core/disk/closing.ts'
import { DamagedFile } from '../../data/published/damagedFile.ts'

/** Message to a thread: a request, and a port on which it is aborted; null: close. */
type Sent<Question> = {
  readonly question: Question
  readonly stop: MessagePort | null
} | null

type Damage = Pick<DamagedFile, 'date' | 'path' | 'stamp' | 'message'>
/** Errors lose the fields of their class between threads: a damaged file is sent as its parts. */
type Reply<Result> =
  | { readonly result: Result }
  | { readonly damage: Damage }
  // the system's error code is sent next to the error
  | { readonly error: Error; readonly code?: string }

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
  /** Module that runs in the thread; its default export is made by `serveThread`. */
  readonly script: string
  readonly workerData: unknown
  /** Maximum requests that the thread serves concurrently; by default one after the other. */
  readonly concurrency?: number
}

/** Starts the thread with its first request, and again after one that ended by itself. */
export function openThread<Question, Result>(options: ThreadOptions): Thread<Question, Result> {
  const { script, workerData, concurrency = 1 } = options
  const pending = new Set<Promise<unknown>>()
  const gate = openGate('the thread')
  let pool: Piscina<Sent<Question>, Reply<Result>> | null = null

  const start = () => {
    const started: NonNullable<typeof pool> = new Piscina({
      workerData,
      minThreads: 0,
      maxThreads: 1,
      concurrentTasksPerWorker: concurrency,
      // what a thread has cached is worth more than its memory
      idleTimeout: Number.POSITIVE_INFINITY,
      // by default an idle thread blocks its event loop
      atomics: 'disabled',
      recordTiming: false,
    })
    // the requests fail with it
    started.on('error', () => {})
    started.once('workerDestroy', () => {
      if (pool === started) pool = null
      // requests that the ended thread had not begun would wait for the next one
      setImmediate(() => started.destroy())
    })
    return started
  }
  const send = async (question: Question, stop: MessageChannel | null) => {
    pool ??= start()
    // not Piscina's own signal: it would terminate the thread, even within a query of DuckDB
    const sent = { question, stop: stop?.port2 ?? null }
    const transferList = stop ? [stop.port2] : []
    const reply = pool.run(sent, { filename: script, transferList })
    pending.add(reply)
    return reply.finally(() => pending.delete(reply))
  }
  return {
    query: async (question, signal) => {
      gate.pass()
      signal?.throwIfAborted()
      const stop = signal ? new MessageChannel() : null
      const giveUp = () => stop?.port1.postMessage(null)
      signal?.addEventListener('abort', giveUp, { once: true })
      try {
        return readReply(await send(question, stop))
      } finally {
        signal?.removeEventListener('abort', giveUp)
        stop?.port1.close()
      }
    },
    close: async () => {
      gate.close()
      await Promise.allSettled(pending)
      const last = pool
      pool = null
      // a thread that died just now has nothing left to close
      await last?.run(null, { filename: script }).catch(() => {})
      await last?.destroy()
    },
  }
}

function readReply<Result>(reply: Reply<Result>): Result {
  if ('result' in reply) return reply.result
  if ('damage' in reply) throw new DamagedFile(reply.damage.date, reply.damage)
  const { error, code } = reply
  throw code === undefined ? error : Object.assign(error, { code })
}

export type ThreadResponder<Question, Result> = {
  readonly respond: (question: Question, signal: AbortSignal) => Result | Promise<Result>
  /** Buffers of a result that are transferred, not copied. */
  readonly listTransfers?: (result: Result) => TransferListItem[]
  /** Called once no request is running. */
  readonly close?: () => Promise<void>
}

/** Priority of a thread whose work may wait for the event loop that serves all calls (nice(2)). */
const NICE = 10

/** Serves requests inside a thread; opens what they need, of the `workerData`, with the first. */
export function serveThread<Question, Result>(
  open: (workerData: unknown) => ThreadResponder<Question, Result>,
): (sent: Sent<Question>) => unknown {
  let opened: ThreadResponder<Question, Result> | null = null
  const respond = async ({ question, stop }: NonNullable<Sent<Question>>) => {
    opened ??= openNice(open)
    const stopped = new AbortController()
    stop?.once('message', () => stopped.abort())
    const result = await opened.respond(question, stopped.signal)
    return transfer<Reply<Result>>({ result }, opened.listTransfers?.(result) ?? [])
  }
  return sent => (sent === null ? opened?.close?.() : respond(sent).catch(toFailure))
}

function openNice<Responder>(open: (workerData: unknown) => Responder): Responder {
  // on other systems the priority would apply to the whole process
  if (process.platform === 'linux') setPriority(NICE)
  return open(ownData)
}

const transfer = <Value>(value: Value, buffers: TransferListItem[]) =>
  move({ [transferableSymbol]: buffers, [valueSymbol]: value } as never)

function toFailure(cause: unknown): Reply<never> {
  if (cause instanceof DamagedFile) {
    const { date, path, stamp, message } = cause
    return { damage: { date, path, stamp, message } }
  }
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const { code } = error as { readonly code?: unknown }
  // the code of a DOMException is a number that it brings itself
  return typeof code === 'string' ? { error, code } : { error }
}
