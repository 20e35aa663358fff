import { createInterface } from 'node:readline'
import { startPipeline } from '../core/pipeline.ts'
import { STOP_GRACE_MS } from './listen.ts'

const NONE = 'LAB has no sessions to test rules on'

type HistoryWork = {
  readonly dataFolder: string
  readonly sessions: number
  /** The newest of the sessions. */
  readonly until: string
  /** Suggestions shown once they are ready, in lines. */
  readonly nextSteps: string
  readonly say: (text: string) => void
  /** Starts the process; replaced in tests. */
  readonly start?: typeof startPipeline
}

/**
 * Simulates the sessions that LAB tests rules on, in a child process, and reports when they are
 * ready, or in one sentence why not. An interrupted run continues the next time.
 */
export function startHistoryProcess(work: HistoryWork): { readonly stop: () => Promise<void> } {
  const { dataFolder, sessions, until, nextSteps, say, start = startPipeline } = work
  const options = ['--lab', 'null', '--sessions', String(sessions), '--until', until]
  const child = start(['history', '--data', dataFolder, ...options], null)
  let why = ''
  let isStopped = false
  child.stdout?.resume()
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', line => {
      why = line
    })
  }
  const ended = new Promise<void>(done => {
    child.on('error', error => {
      why = `${error.message}.`
    })
    // after an error, too
    child.on('close', (code, signal) => {
      const there = `LAB can test rules now, on ${sessions} simulated sessions until ${until}.\n`
      const none = `${NONE}: ${why || `the process ended by ${signal}.`}\n`
      if (!isStopped) say(code === 0 ? there + nextSteps : none)
      done()
    })
  })
  return {
    stop: async () => {
      isStopped = true
      child.kill()
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS)
      await ended
      clearTimeout(kill)
    },
  }
}
