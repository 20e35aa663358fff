import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { readArguments } from '../../src/core/command.ts'
import { isLocked, lockPath } from '../../src/core/disk/lock.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import {
  type Ending,
  HEARTBEAT_MS,
  type Job,
  type JobQueue,
  LEASE_MS,
} from '../../src/platform/jobs/queue.ts'
import { runCommand } from '../command/command.ts'
import { isCurrent, isCurrentButForLater } from './isCurrent.ts'
import { openQueue } from './queue.ts'

export type WorkOptions = {
  readonly queue: JobQueue
  /** Name of the jobs in the queue. */
  readonly jobs: string
  /** A name no other worker has. */
  readonly worker: string
  readonly clock: Clock
  readonly isDue: (date: SessionDate) => boolean
  /**
   * Builds and publishes one session; throws when it cannot, or when it is stopped. Returns a note
   * on a published session, or null.
   */
  readonly buildSession: (date: SessionDate, stop: AbortSignal) => Promise<string | null>
}

/** Interval of a worker's polls while others hold all available jobs. */
const IDLE_MS = 300

/** Time the build of a killed worker may take to notice. */
const LOCK_WAIT_MS = 15_000

/**
 * Builds sessions until the queue has no open job. A session that is already up to date, because a
 * worker was killed after publishing but before its report, is not built again.
 */
export async function workOff(options: WorkOptions): Promise<void> {
  const { queue, jobs, worker } = options
  for (;;) {
    const job = await queue.claim(jobs, worker)
    if (job) await workOn(job, options)
    else if ((await queue.openCount(jobs)) === 0) return
    else await delay(IDLE_MS)
  }
}

async function workOn(job: Job, options: WorkOptions): Promise<void> {
  const { queue } = options
  const lost = new AbortController()
  const beat = renewLease(job, options, lost)
  try {
    const ending = await runSession(job.item, options, lost.signal)
    // another worker has the job by now, and reports on it
    if (!lost.signal.aborted) await queue.finish(job, ending)
  } finally {
    clearInterval(beat)
  }
}

/**
 * Renews the lease until cleared; aborts `lost` when another worker has the job, or may have it.
 */
function renewLease(job: Job, { queue, clock }: WorkOptions, lost: AbortController) {
  let renewedAtMs = clock.nowMs()
  return setInterval(async () => {
    const requestedAtMs = clock.nowMs()
    const isRenewed = await queue.renewLease(job).catch(() => null)
    if (isRenewed) renewedAtMs = requestedAtMs
    // null: the database did not respond, and reassigns the job when the lease expires
    if (isRenewed === false || clock.nowMs() - renewedAtMs > LEASE_MS) lost.abort()
  }, HEARTBEAT_MS)
}

async function runSession(
  date: SessionDate,
  { clock, isDue, buildSession }: WorkOptions,
  stop: AbortSignal,
): Promise<Ending> {
  const startedAtMs = clock.nowMs()
  const took = () => clock.nowMs() - startedAtMs
  try {
    if (!isDue(date)) return { outcome: 'current', reason: null, tookMs: 0 }
    const reason = await buildSession(date, stop)
    return { outcome: 'built', reason, tookMs: took() }
  } catch (error) {
    // the other sessions go on
    return { outcome: 'failed', reason: (error as Error).message, tookMs: took() }
  }
}

/**
 * Builds in a separate process, which frees its memory when it ends, and whose crash affects nobody
 * else. It ends with this process. For a session that lacks only the basis of new futures, only
 * that is made, if it can be.
 */
function buildInChild(
  dataFolder: string,
  flags: readonly string[],
  lacksBasisAlone: (date: SessionDate) => boolean,
) {
  return async (date: SessionDate, stop: AbortSignal): Promise<string | null> => {
    await untilUnlocked(lockPath(dataFolder, `build-${date}`))
    const data = ['--data', dataFolder]
    if (lacksBasisAlone(date)) {
      const args = ['--only-new-datasets', ...data, date, date]
      const added = await runChild('backfill.ts', args, stop)
      if (added.isDone) return added.output
    }
    const built = await runChild('../build/day.ts', [...data, ...flags, date], stop)
    if (built.isDone) return built.output
    throw new Error(built.output)
  }
}

/** Result of a script, with its last output: the reason of a failure, or a note. */
type Ran =
  | { readonly isDone: true; readonly output: string | null }
  | { readonly isDone: false; readonly output: string }

/** Runs a script to its end. */
async function runChild(script: string, args: readonly string[], stop: AbortSignal): Promise<Ran> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal: stop,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stderr!.setEncoding('utf8').on('data', text => {
    output += text
  })
  const ended = await new Promise<string | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code === 0 ? null : `${signal ?? code}`))
  })
  const sentence = output.split('\n').findLast(line => line.startsWith('tapefold: '))
  const last = sentence?.slice('tapefold: '.length) ?? null
  if (ended === null) return { isDone: true, output: last }
  return { isDone: false, output: last ?? `the build ended with ${ended}` }
}

/** The build of a worker that was killed ends by itself; until then it holds its session. */
async function untilUnlocked(path: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS && isLocked(path); waitedMs += IDLE_MS) {
    await delay(IDLE_MS)
  }
}

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: 'usage: tapefold worker',
      options: {
        data: { type: 'string', default: 'data' },
        jobs: { type: 'string', default: '' },
        name: { type: 'string', default: '' },
        force: { type: 'boolean', default: false },
        'refuse-bad-tape': { type: 'boolean', default: false },
      },
    })
    const { data, jobs, name, force } = values
    const version = codeVersion()
    const { queue } = await openQueue(data)
    try {
      await workOff({
        queue,
        jobs,
        worker: name,
        clock: systemClock,
        isDue: date => force || !isCurrent(data, date, version),
        buildSession: buildInChild(
          data,
          values['refuse-bad-tape'] ? ['--refuse-bad-tape'] : [],
          date => !force && isCurrentButForLater(data, date, version),
        ),
      })
    } finally {
      await queue.close()
    }
  })
}
