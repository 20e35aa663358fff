import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { lockPath, withLock } from '../../src/core/disk/lock.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { addDays, findTradingSession, type SessionDate } from '../../src/core/market/calendar.ts'
import { formatDuration } from '../../src/core/text/counts.ts'
import { tapeFiles } from '../../src/data/tape/manifest.ts'
import type { EndedJob, JobQueue } from '../../src/platform/jobs/queue.ts'
import { commandProgress, runCommand } from '../command/command.ts'
import { dateArgument } from '../command/days.ts'
import { type Progress, silent } from '../command/progress.ts'
import { collectAfter } from './collect.ts'
import { isCurrent } from './isCurrent.ts'
import { addNewDatasets } from './newDatasets.ts'
import { openQueue, type SharedQueue } from './queue.ts'
import { startWorkers } from './workers.ts'

export type BackfillOptions = SharedQueue & {
  readonly dataFolder: string
  readonly from: SessionDate
  readonly to: SessionDate
  /** True to build sessions that are up to date as well. */
  readonly isForced: boolean
  /** Other options that distinguish this backfill from one of the same range. */
  readonly flags?: readonly string[]
  readonly workerCount: number
  readonly say: (line: string) => void
  /** Shows the sessions that are built of those to be built; nobody by default. */
  readonly progress?: Pick<Progress, 'meter'>
  /** Starts workers on the jobs of a name; resolves when all of them have ended. */
  readonly work: (jobs: string) => Promise<void>
}

/** Outcomes of the sessions of the range, each list oldest first. */
export type Backfilled = Readonly<
  Record<'built' | 'current' | 'failed' | 'withoutTape', readonly SessionDate[]>
>

/** Longer than any tape: a mistyped year is refused, not iterated over. */
const MAX_RANGE_DAYS = 30 * 366

/** Maximum of worker processes, beyond the memory of any machine: a build takes up to 3 GB. */
const MAX_WORKERS = 64

/** Interval at which the queue is polled for finished jobs. */
const WATCH_MS = 200

/**
 * Builds every session of a range that has a tape and is not published by this code from these
 * inputs: one job a session, on the given number of workers. A session hands its positions to the
 * next one, which therefore waits for it. Progress is known from the manifests alone, so a run that
 * was killed continues.
 */
export async function backfill(options: BackfillOptions): Promise<Backfilled> {
  const { dataFolder, from, to, queue, isShared } = options
  const sessions = listSessions(from, to)
  const hasTape = (date: SessionDate) => tapeFiles(dataFolder, 'prints', date).length > 0
  const withoutTape = sessions.filter(date => !hasTape(date))
  const dates = sessions.filter(hasTape)
  if (dates.length === 0) {
    throw new Refusal(`no session from ${from} to ${to} has a tape: import one first.`)
  }
  const run = async (jobs: string) => {
    if (withoutTape.length > 0) options.say(`no tape: ${rangesText(withoutTape, sessions)}`)
    return { ...(await buildDates(dates, jobs, options)), withoutTape }
  }
  // other machines with the same backfill share its jobs
  const flags = [...(options.flags ?? []), ...(options.isForced ? ['--force'] : [])]
  if (isShared) return run(['backfill', from, to, ...flags].join(' '))
  const lock = lockPath(dataFolder, 'backfill')
  const busy = 'Another backfill of this data folder is running; wait until it has ended.'
  return withLock(lock, busy, async () => {
    // nobody else works here: jobs that a killed run left behind belong to nobody
    await queue.clear('backfill')
    return run('backfill')
  })
}

async function buildDates(dates: readonly SessionDate[], jobs: string, options: BackfillOptions) {
  const { dataFolder, isForced, say, queue } = options
  const version = codeVersion()
  const isDue = (date: SessionDate) => isForced || !isCurrent(dataFolder, date, version)
  const expected = new Set(dates.filter(isDue))
  say(`${dates.length} sessions have a tape, ${expected.size} are to be built`)

  const sessions = listSessions(dates[0]!, dates.at(-1)!)
  const before = (date: SessionDate) => sessions[sessions.indexOf(date) - 1] ?? null
  await queue.add(
    jobs,
    dates.map(date => ({ item: date, after: before(date) })),
  )
  const lines = progressLines(dates, expected, options.workerCount)
  const done = { built: [] as string[], current: [] as string[], failed: [] as string[] }
  const total = { what: 'backfill', unit: 'sessions', total: expected.size }
  await (options.progress ?? silent).meter(total, async meter => {
    for await (const job of endedJobs(queue, jobs, options.work(jobs))) {
      if (!dates.includes(job.item)) continue
      done[job.outcome as keyof typeof done].push(job.item)
      say(lines(job))
      if (job.outcome !== 'current') meter.update({ done: done.built.length + done.failed.length })
    }
  })
  for (const list of Object.values(done)) list.sort()
  return done
}

/**
 * Yields each job of the queue as it ends, whichever worker did it, until the workers have ended.
 */
async function* endedJobs(queue: JobQueue, jobs: string, work: Promise<void>) {
  const reported = new Set<string>()
  let isOver = false
  const ended = work.then(() => {
    isOver = true
  })
  for (;;) {
    await Promise.race([ended, delay(WATCH_MS)])
    const wasOver = isOver
    for (const job of await queue.ended(jobs)) {
      if (reported.has(job.item)) continue
      reported.add(job.item)
      yield job
    }
    if (wasOver) return
  }
}

/** One line a job: its number in the range, its outcome, and an estimate of the remaining time. */
function progressLines(
  dates: readonly SessionDate[],
  expected: ReadonlySet<SessionDate>,
  workerCount: number,
): (job: EndedJob) => string {
  const waiting = new Set(expected)
  let spentMs = 0
  let timedCount = 0
  return ({ item, outcome, reason, tookMs }) => {
    const prefix = `${dates.indexOf(item) + 1} of ${dates.length}  ${item}`
    waiting.delete(item)
    if (outcome === 'current') return `${prefix}  is up to date`
    spentMs += tookMs
    timedCount++
    const leftMs = (spentMs / timedCount) * Math.ceil(waiting.size / workerCount)
    const outlook = waiting.size === 0 ? '' : `, about ${formatDuration(leftMs)} left`
    const how = outcome === 'built' ? 'built in' : 'FAILED after'
    return `${prefix}  ${how} ${formatDuration(tookMs)}${outlook}${reason ? `: ${reason}` : ''}`
  }
}

function listSessions(from: SessionDate, to: SessionDate): SessionDate[] {
  const dates: SessionDate[] = []
  for (let date = from; date <= to; date = addDays(date, 1))
    if (findTradingSession(date)) dates.push(date)
  return dates
}

/** Dates as runs of sessions: '2026-10-12 to 2026-10-14, 2026-10-16'. */
function rangesText(dates: readonly SessionDate[], sessions: readonly SessionDate[]): string {
  const runs: [first: SessionDate, last: SessionDate][] = []
  for (const date of dates) {
    const run = runs.at(-1)
    if (run && sessions.indexOf(run[1]) + 1 === sessions.indexOf(date)) run[1] = date
    else runs.push([date, date])
  }
  return runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(', ')
}

/** Parses the range of a command line: two dates, the first one not after the second. */
export function parseRange(args: readonly string[]): { from: SessionDate; to: SessionDate } {
  const [from, to] = args
  if (args.length !== 2 || from === undefined || to === undefined) {
    throw new UsageError('backfill takes two dates, such as backfill 2026-10-01 2026-10-15.')
  }
  for (const date of [from, to]) dateArgument(date)
  if (from > to) throw new UsageError(`${from} is after ${to}; give the older date first.`)
  if (addDays(from, MAX_RANGE_DAYS) < to) {
    throw new UsageError(`${from} to ${to} is longer than 30 years; give a shorter range.`)
  }
  return { from, to }
}

/** Parses the number of --workers; fails with one sentence. */
export function parseWorkers(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= MAX_WORKERS) return Number(text)
  throw new UsageError(`--workers is ${text}; give a number from 1 to ${MAX_WORKERS}, such as 2.`)
}

const USAGE = `usage: tapefold backfill FROM TO [--workers N] [--force] [--refuse-bad-tape]
                         [--data DIR]
       tapefold backfill --only-new-datasets FROM TO [--data DIR]

Builds, oldest first, every session from FROM to TO that has a tape and is not up to date: not yet
published, or built by other code or from other inputs. After a kill, the same command goes on where
it stopped. With DATABASE_URL set, machines that run the same command share its sessions.

  --workers N         builds up to N sessions at once (1); a session waits for the one before it
  --force             builds them all again
  --refuse-bad-tape   refuses a tape with too little left for a ledger, such as half of its minutes
                      missing
  --only-new-datasets adds the datasets that published sessions lack because older code built them,
                      and what futures and settlements imported since then change: it builds
                      nothing again and keeps every other file
`

/** Adds the datasets that sessions of a range lack; no option of a build has a meaning here. */
async function runNewDatasets(
  values: Readonly<Record<string, string | boolean>>,
  range: ReturnType<typeof parseRange>,
): Promise<void> {
  const given = [
    ...(values.workers === '1' ? [] : ['--workers']),
    ...['force', 'refuse-bad-tape'].filter(name => values[name]).map(name => `--${name}`),
  ]
  if (given.length > 0) {
    throw new UsageError(`--only-new-datasets builds nothing; leave out ${given.join(', ')}.`)
  }
  const dataFolder = String(values.data)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const { added, complete, failed } = await addNewDatasets({ dataFolder, ...range, say })
  await collectAfter(dataFolder, systemClock, say)
  say(`${added.length} completed, ${complete.length} already complete, ${failed.length} failed`)
  if (failed.length > 0) {
    throw new Refusal(`nothing was added, for the reasons above, to ${failed.join(', ')}.`)
  }
}

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        workers: { type: 'string', default: '1' },
        force: { type: 'boolean', default: false },
        'refuse-bad-tape': { type: 'boolean', default: false },
        'only-new-datasets': { type: 'boolean', default: false },
      },
    })
    if (values['only-new-datasets']) return runNewDatasets(values, parseRange(positionals))
    const progress = commandProgress()
    const { say } = progress
    const flags = values['refuse-bad-tape'] ? ['--refuse-bad-tape'] : []
    const workerFlags = [...flags, ...(values.force ? ['--force'] : [])]
    const workerCount = parseWorkers(values.workers)
    const range = parseRange(positionals)
    const shared = await openQueue(values.data)
    const { built, current, failed } = await backfill({
      ...range,
      ...shared,
      dataFolder: values.data,
      isForced: values.force,
      flags,
      workerCount,
      say,
      progress,
      work: jobs =>
        startWorkers({
          queue: shared.queue,
          jobs,
          dataFolder: values.data,
          flags: workerFlags,
          count: workerCount,
        }),
    }).finally(shared.queue.close)
    await collectAfter(values.data, systemClock, say)
    say(`${built.length} built, ${current.length} up to date, ${failed.length} failed`)
    if (failed.length > 0) {
      throw new Refusal(`not built, for the reasons above: ${failed.join(', ')}.`)
    }
  })
}
