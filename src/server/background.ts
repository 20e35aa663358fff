/** Background work. Its failures never end the process. */

import type { BackgroundFault } from '../data/published/sight.ts'
import type { Log } from '../platform/http/request.ts'

export type Background = {
  /**
   * Runs work at once and settles when it has ended; never fails. `name` describes the work: it
   * follows "cannot" in the log and in the status.
   */
  readonly run: (name: string, work: () => unknown) => Promise<void>
  /** Runs work repeatedly, never twice at a time; returns a function that stops it. */
  readonly every: (name: string, everyMs: number, work: () => unknown) => () => void
  /** Reports work that failed elsewhere, for events without work of their own. */
  readonly failed: (name: string, error: unknown) => void
  /** Reports that it works again. */
  readonly succeeded: (name: string) => void
  /** From now on nothing is a fault: failures are caused by the stop of the server. */
  readonly stop: () => void
  /** Current faults, each with its start. */
  readonly faults: () => readonly BackgroundFault[]
}

export type BackgroundDeps = { readonly log: Log; readonly nowMs: () => number }

/**
 * Monitors background work: logs an error when it differs from the previous one, and its end; in
 * between reports it as a fault.
 */
export function createBackground({ log, nowMs }: BackgroundDeps): Background {
  const known = new Map<string, BackgroundFault & { readonly kind: string }>()
  let isStopped = false

  const failed = (name: string, error: unknown) => {
    if (isStopped) return
    const before = known.get(name)
    const kind = describeKind(error)
    if (before?.kind === kind) return
    const code = readCode(error)
    known.set(name, { work: name, code, sinceMs: before?.sinceMs ?? nowMs(), kind })
    log.error({ work: name, err: formatStack(error) }, 'background work fails')
  }
  const succeeded = (name: string) => {
    if (known.delete(name)) log.info({ work: name }, 'background work goes on')
  }
  const run = async (name: string, work: () => unknown) => {
    try {
      await work()
      succeeded(name)
    } catch (error) {
      failed(name, error)
    }
  }
  const every = (name: string, everyMs: number, work: () => unknown) => {
    let isRunning = false
    const tick = async () => {
      if (isRunning) return
      isRunning = true
      await run(name, work)
      isRunning = false
    }
    const timer = setInterval(tick, everyMs)
    // only its sockets keep a server alive
    timer.unref()
    return () => clearInterval(timer)
  }
  const stop = () => {
    isStopped = true
  }
  return { run, every, failed, succeeded, stop, faults: () => [...known.values()] }
}

/**
 * Keeps the process alive after an uncaught error: one client, or one full disk, must not take the
 * server down for all others. The error is reported from then on, until the process ends.
 */
export function outliveErrors({ failed }: Background): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => failed('catch every error', error))
  }
}

const readCode = (error: unknown): string | null =>
  (error as NodeJS.ErrnoException | null)?.code ?? null

/** Removes digits, so that errors that differ only in numbers are equal. */
const describeKind = (error: unknown): string =>
  readCode(error) ?? String((error as Error | null)?.message ?? error).replaceAll(/\d+/g, '#')

const formatStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
