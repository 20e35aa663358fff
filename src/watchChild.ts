import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Background } from './background.ts'
import type { Log } from './http/request.ts'
import { STOP_SIGNALS } from './stop.ts'

/** How long a watcher that ended is left alone: twice as long each time, up to a limit. */
const RESTART_MS = 1_000
const RESTART_MAX_MS = 60_000
/** From then on it counts as one that works: the next end is a first one again. */
const STEADY_MS = 60_000
/** How long one that was told to stop may go on. */
const STOP_GRACE_MS = 5_000
/** What a server without it cannot do. */
const WORK = 'watch for alerts'

/** A process as far as it is looked after here. */
export type WatchProcess = Pick<ChildProcess, 'stdout' | 'stderr' | 'kill' | 'on'>

export type WatchChildDeps = {
  readonly start: () => WatchProcess
  readonly log: Log
  readonly background: Pick<Background, 'failed' | 'succeeded'>
  /** Calls back later; answers what takes it back. */
  readonly later?: (call: () => void, ms: number) => () => void
}

export type WatchChild = {
  /** Stops it; resolves when it has ended. */
  readonly stop: () => Promise<void>
}

/**
 * Keeps a watcher beside the server, in a process of its own. One that ends is started again, later
 * each time, and until it has worked for a while the status says so. One that was asked to stop may
 * hear of it before the server does, as after Ctrl-C: that is a fault where the server goes on.
 */
export function superviseWatcher(deps: WatchChildDeps): WatchChild {
  const { start, log, background, later = afterMs } = deps
  let running: WatchProcess | null = null
  let isStopped = false
  let ends = 0
  let takeBack = () => {}
  let ended: () => void = () => {}

  const begin = () => {
    const child = start()
    running = child
    const isSteady = later(() => {
      ends = 0
      background.succeeded(WORK)
    }, STEADY_MS)
    let isOver = false
    const end = (why: string, isAsked = false) => {
      if (isOver) return
      isOver = true
      running = null
      isSteady()
      ended()
      if (isStopped) return
      const report = () => background.failed(WORK, new Error(`the watcher ended: ${why}`))
      if (!isAsked) report()
      const waitMs = Math.min(RESTART_MS * 2 ** ends, RESTART_MAX_MS)
      ends++
      takeBack = later(() => {
        if (isAsked) report()
        begin()
      }, waitMs)
    }
    for (const stream of [child.stdout, child.stderr]) if (stream) logLines(stream, log)
    child.on('error', error => end(error.message))
    child.on('exit', (code, signal) => {
      const isAsked = code === 0 || STOP_SIGNALS.some(known => known === signal)
      end(signal ?? `code ${code}`, isAsked)
    })
  }
  begin()
  return {
    stop: () => {
      isStopped = true
      takeBack()
      const child = running
      if (!child) return Promise.resolve()
      return new Promise(done => {
        const kill = later(() => child.kill('SIGKILL'), STOP_GRACE_MS)
        ended = () => {
          kill()
          done()
        }
        child.kill('SIGTERM')
      })
    },
  }
}

const afterMs = (call: () => void, ms: number): (() => void) => {
  const timer = setTimeout(call, ms)
  // a server lives by its sockets
  timer.unref()
  return () => clearTimeout(timer)
}

/** What a watcher writes with `--json` becomes lines of the server's log. */
function logLines(stream: NodeJS.ReadableStream, log: Log): void {
  createInterface({ input: stream }).on('line', line => {
    const { level, message, ...fields } = parsedLine(line)
    if (level === 'error') log.error(fields, message)
    else log.info(fields, message)
  })
}

type WatchLine = { readonly level: string; readonly message: string }

/** A line of something else, such as a stack, is told as it is. */
function parsedLine(line: string): WatchLine {
  try {
    const parsed = JSON.parse(line) as Partial<WatchLine> | null
    if (typeof parsed?.message === 'string') return { level: 'info', ...parsed } as WatchLine
  } catch {
    // no JSON
  }
  return { level: 'error', message: line }
}
