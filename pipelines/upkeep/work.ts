import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Input } from '../../src/core/commandRow.ts'
import { CommandError, Refusal } from '../../src/core/disk/refusal.ts'
import { stopRequest } from '../../src/core/stop.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { environmentConfig } from '../command/command.ts'
import type { WORK } from './rows.ts'
import { defaultWorkers, runInChild } from './runTasks.ts'
import { openTaskQueue, workTasks } from './sharedTasks.ts'

/** Interval of attempts to reach the database at the start. */
const RETRY_MS = 5_000
/** Longest time in which a stopped worker gives its tasks back. */
const GIVE_BACK_MS = 5_000
/** Interval at which the views of a folder of its own are renewed. */
const VIEWS_MS = 60_000

/** Runs `tapefold work`. */
export async function workCommand(input: Input<typeof WORK>): Promise<void> {
  const { data: dataFolder, workers: workerCount = defaultWorkers() } = input
  const { databaseUrl, store } = environmentConfig()
  if (databaseUrl === null) {
    throw new Refusal(
      'work needs the database that its machines share: set DATABASE_URL, such as ' +
        'postgres://tapefold@db.example.org/tapefold. One machine needs none: run "tapefold backfill".',
    )
  }
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const stop = stopRequest()
  const boss = await openPatiently(databaseUrl, say, stop)
  if (boss) {
    const options = { dataFolder, isBadTapeRefused: input['refuse-bad-tape'], isOneOfMany: true }
    await workTasks(boss, workerCount, ({ run, isForced }, signal) =>
      runInChild({ ...options, run, isForced }, { signal }),
    )
    // where machines share a folder, the backfill renews the views
    const renewing =
      store && setInterval(() => void renewViews(dataFolder).catch(() => {}), VIEWS_MS)
    say(`waiting for tasks, ${workerCount} at once; stop it with Ctrl-C`)
    if (!stop.aborted) await once(stop, 'abort')
    if (renewing) clearInterval(renewing)
    // gives its tasks back, if the database responds; another machine does them again
    await Promise.race([boss.stop({ graceful: false }), delay(GIVE_BACK_MS)])
  }
  // running tasks end with this process
  process.exit(0)
}

/** Opens the queue; a database that is away is waited for. Null: stopped before it was back. */
async function openPatiently(
  url: string,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<PgBoss | null> {
  for (let isFirst = true; !stop.aborted; isFirst = false) {
    try {
      return await openTaskQueue(url, say)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      if (isFirst) say(`${error.message} Waiting for it.`)
      await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
    }
  }
  return null
}
