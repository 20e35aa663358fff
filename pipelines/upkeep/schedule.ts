import cron from 'node-cron'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, reportFailure } from '../../src/core/command.ts'
import { Busy, Refusal } from '../../src/core/disk/refusal.ts'
import { stopSignal } from '../../src/core/stop.ts'
import { environmentConfig, ownEnvironment, runCommand } from '../command/command.ts'
import { findNightlySource } from './dueFetches.ts'
import { openNights } from './nights.ts'
import { parseWorkers } from './runTasks.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { schedulerWork } from './schedulerWork.ts'
import { type Turn, takeTurn } from './turn.ts'

/**
 * All jobs. A tick builds nothing: it wakes a loop that compares the calendar, the tape and the
 * manifests. So a tick that is lost, doubled or late only changes the time.
 */
export const JOBS = [
  {
    name: 'nightly fetch',
    cron: '*/10 * * * *',
    wakes:
      'fetches and imports the sessions of the last 7 days that each --fetch SOURCE should have by ' +
      'then, where they are missing',
  },
  {
    name: 'nightly build',
    cron: '*/10 * * * *',
    wakes:
      'builds the sessions of the last 31 days that closed 15 minutes ago or earlier, have a ' +
      'tape, and are not published by this code from these inputs',
  },
  {
    name: 'nightly verify',
    cron: '5 * * * *',
    wakes: 'compares every published file with its hash, once a night after 04:00 ET',
  },
  {
    name: 'nightly months',
    cron: '20 * * * *',
    wakes:
      'writes orders and levels by month where finished sessions have changed, once a night after ' +
      '04:00 ET',
  },
  {
    name: 'nightly cleanup',
    cron: '35 * * * *',
    wakes: 'deletes events and deliveries of more than 30 days ago, once a night after 04:00 ET',
  },
] as const

const USAGE = `usage: tapefold schedule [--fetch SOURCE]... [--once] [--workers N] [--data DIR]

Builds each finished session as soon as its tape is there, until it is stopped. Every night it
verifies the published files, writes those of months, and deletes events of more than 30 days ago. If
several run, one works and another takes over when it dies. One that lost its lock on the database to
another ends with exit code 1: start it again.

  --fetch SOURCE  fetches each finished session when the source has it, then builds it; may be given
                several times, such as --fetch thetadata --fetch treasury
  --once        does what is missing now and ends; for use with a system timer
  --workers N   does N tasks at once; by default one for two cores and 3.5 GB of memory

${JOBS.map(job => `  ${job.name.padEnd(16)}${job.cron.padEnd(14)}UTC`).join('\n')}
`

/** Ticks wake the scheduler until the process is stopped, or another one has taken its lock. */
async function runForever(scheduler: Scheduler, lost: AbortSignal): Promise<void> {
  const stopped = stopSignal()
  const options = { timezone: 'UTC', noOverlap: true }
  const tasks = JOBS.map(job =>
    cron.schedule(job.cron, () => void scheduler.wake(), { ...options, name: job.name }),
  )
  void scheduler.wake()
  const ended = new Promise<void>(resolve => {
    lost.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([stopped, ended])
  for (const task of tasks) await task.destroy()
}

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: {
        data: { type: 'string', default: 'data' },
        workers: { type: 'string' },
        once: { type: 'boolean', default: false },
        fetch: { type: 'string', multiple: true, default: [] },
      },
    })
    const { data: dataFolder } = values
    const sources = values.fetch.map(name => findNightlySource(name, dataFolder, ownEnvironment()))
    const workerCount = parseWorkers(values.workers)
    const { databaseUrl } = environmentConfig()
    const say = (line: string) => {
      const at = new Date(systemClock.nowMs()).toISOString().slice(0, 19).replace('T', ' ')
      process.stdout.write(`${at} UTC  ${line}\n`)
    }
    const options = { dataFolder, databaseUrl, workerCount, sources, clock: systemClock, say }
    const scheduler = createScheduler({
      ...schedulerWork(options),
      nights: openNights(dataFolder),
      clock: systemClock,
      say,
    })
    if (values.once) return runOnce(options, scheduler)
    say('waiting for sessions to finish; stop it with Ctrl-C')
    const code = await takeTurn(options, true, lost => runForever(scheduler, lost)).then(
      () => 0,
      reportFailure,
    )
    // a running build ends with this process, and the next one builds it again
    process.exit(code)
  })
}

async function runOnce(turn: Turn, scheduler: Scheduler): Promise<void> {
  let isDone = true
  try {
    await takeTurn(turn, false, async () => {
      isDone = await scheduler.once()
    })
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    turn.say(`${error.message}; nothing was done`)
  }
  if (!isDone) throw new Refusal('not all could be done, for the reasons above.')
}
