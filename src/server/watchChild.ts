import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { STOP_SIGNALS } from '../core/stop.ts'
import type { Log } from '../platform/http/request.ts'
import type { Background } from './background.ts'
import { STOP_GRACE_MS } from './listen.ts'

/** Delay before a watcher is restarted: doubles each time, up to a limit. */
const RESTART_MS = 1_000
const RESTART_MAX_MS = 60_000
/** Run time after which it counts as stable: its next end is treated as the first. */
const STEADY_MS = 60_000
/** Work a server cannot do without it. */
const WORK = 'watch for alerts'

/** The part of a child process used here. */
export type WatchProcess = Pick<ChildProcess, 'stdout' | 'stderr' | 'kill' | 'on'>

export type WatchChildDeps = {
  readonly start: () => WatchProcess
  readonly log: Log
  readonly background: Pick<Background, 'failed' | 'succeeded'>
  /** Schedules a call; returns a function that cancels it. */
  readonly later?: (call: () => void, ms: number) => () => void
}

export type WatchChild = {
  /** Stops it; resolves when it has ended. */
  readonly stop: () => Promise<void>
}

/**
 * Supervises a watcher in a child process. Restarts one that ends, with growing delays, and reports
 * a fault until it has run for a while. A watcher may receive a stop signal before the server does,
 * as after Ctrl-C: its end is a fault only if the server continues.
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
    const end = (why: string, isRequested = false) => {
      if (isOver) return
      isOver = true
      running = null
      isSteady()
      ended()
      if (isStopped) return
      const report = () => background.failed(WORK, new Error(`the watcher ended: ${why}`))
      if (!isRequested) report()
      const waitMs = Math.min(RESTART_MS * 2 ** ends, RESTART_MAX_MS)
      ends++
      takeBack = later(() => {
        if (isRequested) report()
        begin()
      }, waitMs)
    }
    for (const stream of [child.stdout, child.stderr]) if (stream) logLines(stream, log)
    child.on('error', error => end(error.message))
    child.on('exit', (code, signal) => {
      const isRequested = code === 0 || STOP_SIGNALS.some(known => known === signal)
      end(signal ?? `code ${code}`, isRequested)
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
  // only its sockets keep a server alive
  timer.unref()
  return () => clearTimeout(timer)
}

/** Logs the watcher's `--json` output as lines of the server's log. */
function logLines(stream: NodeJS.ReadableStream, log: Log): void {
  createInterface({ input: stream }).on('line', line => {
    const { level, message, ...fields } = parsedLine(line)
    if (level === 'error') log.error(fields, message)
    else log.info(fields, message)
  })
}

type WatchLine = { readonly level: string; readonly message: string }

/** Parses a line; any other output, such as a stack, is logged unchanged. */
function parsedLine(line: string): WatchLine {
  try {
    const parsed = JSON.parse(line) as Partial<WatchLine> | null
    if (typeof parsed?.message === 'string') return { level: 'info', ...parsed } as WatchLine
  } catch {
    // no JSON
  }
  return { level: 'error', message: line }
}
