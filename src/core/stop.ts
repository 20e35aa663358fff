import { constants } from 'node:os'
import { monotonicMs } from './clock.ts'

/** Signals that request a process to stop. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Time within which repeated signals are one stop: a terminal sends one, and npm forwards it. */
const SAME_STOP_MS = 1_000
/** Interval of the checks for the parent process. */
const PARENT_CHECK_MS = 500

/** Returns the exit code of a process that a signal has ended, as shells count it. */
export const signalExitCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

let stop: AbortController | null = null

/** Handles a stop signal. */
let onSignal: (signal: NodeJS.Signals) => void = endBySignal
let isListening = false

/**
 * Listens to the stop signals, once: a listener that is replaced loses the signal that arrived
 * while the process was busy.
 */
function listen(): void {
  if (isListening) return
  isListening = true
  for (const signal of STOP_SIGNALS) process.on(signal, () => onSignal(signal))
}

/**
 * Returns a signal that is aborted, with the name of the first stop signal as its reason, when this
 * process is requested to stop. A repeated signal more than a second later ends the process at
 * once.
 */
export function stopRequest(): AbortSignal {
  if (stop !== null) return stop.signal
  const controller = new AbortController()
  let firstAtMs = 0
  stop = controller
  onSignal = signal => {
    const nowMs = monotonicMs()
    if (!controller.signal.aborted) {
      firstAtMs = nowMs
      controller.abort(signal)
    } else if (nowMs - firstAtMs > SAME_STOP_MS) endBySignal(signal)
  }
  listen()
  return controller.signal
}

/** Resolves with the name of the first signal that requests the process to stop. */
export function stopSignal(): Promise<NodeJS.Signals> {
  const request = stopRequest()
  return new Promise(resolve => {
    if (request.aborted) resolve(request.reason)
    else request.addEventListener('abort', () => resolve(request.reason), { once: true })
  })
}

/**
 * Makes process 1 of a container end at a signal, as any other process does by default, until
 * `stopRequest` is called: the system drops signals of process 1 without a listener.
 */
export function endAtSignals(): void {
  if (process.pid === 1) listen()
}

/** Ends this process with a signal's default action; an exit would wait for a running query. */
function endBySignal(signal: NodeJS.Signals): void {
  // process 1 ignores signals it sends to itself
  if (process.pid === 1) process.exit(signalExitCode(signal))
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Stops this process, as SIGTERM does, once its parent process has ended. */
export function stopWithParent(parent: number): void {
  const check = () => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }
  const timer = setInterval(check, PARENT_CHECK_MS)
  timer.unref()
  check()
}

/**
 * Ends this process with its parent, if the two share a channel: orphaned work would hold its lock.
 * Kills it, since an exit waits for a running query. `isRequested`: it receives work through the
 * channel, which therefore keeps it alive.
 */
export function endWithParent({ isRequested = false } = {}): void {
  const end = () => process.kill(process.pid, 'SIGKILL')
  // disconnected before anything listened
  if (process.connected === false) end()
  process.on('disconnect', end)
  if (!isRequested) process.channel?.unref()
}
