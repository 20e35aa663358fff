import cron from 'node-cron'
import { systemClock } from '../../src/core/clock.ts'
import { reportFailure } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { Busy, Refusal } from '../../src/core/disk/refusal.ts'
import { stopSignal } from '../../src/core/stop.ts'
import { environmentConfig, ownEnvironment } from '../command/command.ts'
import { findNightlySource } from './dueFetches.ts'
import { openNights } from './nights.ts'
import { JOBS, type SCHEDULE } from './rows.ts'
import { defaultWorkers } from './runTasks.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { schedulerWork } from './schedulerWork.ts'
import { type Turn, takeTurn } from './turn.ts'

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

/** Runs `tapefold schedule`. */
export async function scheduleCommand(input: Input<typeof SCHEDULE>): Promise<void> {
  const { data: dataFolder, workers: workerCount = defaultWorkers() } = input
  const sources = input.fetch.map(name => findNightlySource(name, dataFolder, ownEnvironment()))
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
  if (input.once) return runOnce(options, scheduler)
  say('waiting for sessions to finish; stop it with Ctrl-C')
  const code = await takeTurn(options, true, lost => runForever(scheduler, lost)).then(
    () => 0,
    reportFailure,
  )
  // a running build ends with this process, and the next one builds it again
  process.exit(code)
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
