/** Work that no request waits for. Nothing that goes wrong in it ends the process. */

import type { Log } from './http/request.ts'
import type { BackgroundFault } from './published/sight.ts'

export type Background = {
  /**
   * Runs work at once and settles when it has ended; never fails. `name` says what the server does:
   * it stands behind "cannot" in the log and in the status.
   */
  readonly run: (name: string, work: () => unknown) => Promise<void>
  /** Runs work over and over, never twice at a time; answers what stops it. */
  readonly every: (name: string, everyMs: number, work: () => unknown) => () => void
  /** Says that work failed elsewhere, for events that are no work of their own. */
  readonly failed: (name: string, error: unknown) => void
  /** Says that it goes on. */
  readonly succeeded: (name: string) => void
  /** From now on nothing is a fault: what fails is cut off by the stop of the server. */
  readonly stop: () => void
  /** What fails by now, and since when. */
  readonly faults: () => readonly BackgroundFault[]
}

export type BackgroundDeps = { readonly log: Log; readonly nowMs: () => number }

/**
 * Keeps an eye on background work: an error is logged when it is another one than the last time,
 * and its end is; in between it is told as a fault.
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
    // a server lives by its sockets
    timer.unref()
    return () => clearInterval(timer)
  }
  const stop = () => {
    isStopped = true
  }
  return { run, every, failed, succeeded, stop, faults: () => [...known.values()] }
}

/**
 * Keeps the process alive at an error that nothing caught: one client, or one full disk, must not
 * take the server from all others. It is told from then on, and ends with the process.
 */
export function outliveErrors({ failed }: Background): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => failed('catch every error', error))
  }
}

const readCode = (error: unknown): string | null =>
  (error as NodeJS.ErrnoException | null)?.code ?? null

/** The same for errors that differ in their figures alone. */
const describeKind = (error: unknown): string =>
  readCode(error) ?? String((error as Error | null)?.message ?? error).replaceAll(/\d+/g, '#')

const formatStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
