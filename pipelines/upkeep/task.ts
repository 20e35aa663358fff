import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { dateArgument } from '../../src/core/days.ts'
import { Busy, CommandError, isLack, missingResource } from '../../src/core/disk/refusal.ts'
import { formatDuration } from '../../src/core/text/counts.ts'
import { StoreAway } from '../../src/platform/store/faults.ts'
import { runCommand } from '../command/command.ts'
import { type SharedStore, withSharedStore } from '../command/sharedStore.ts'
import { runTask } from './runTask.ts'
import { runStoreTask } from './storeTask.ts'
import { parseTaskId } from './tasks.ts'

const USAGE = `usage: tapefold task ID [--run NAME] [--force] [--refuse-bad-tape] [--no-views] [--json]
                     [--data DIR]

Does one task of "tapefold plan FROM TO", such as build-2026-10-15, under any scheduler that starts
it when the tasks that it needs have ended. Doing a task twice changes nothing.

  --run NAME          name of the plan, the same for all of its tasks, such as night-7: with
                      TAPEFOLD_STORE a carry hands on positions to builds under it
  --force             does it again where it is up to date
  --refuse-bad-tape   refuses a tape with too little left for a ledger
  --no-views          leaves published/views.sql to a later command, when there are thousands of
                      sessions to build
  --json              prints the result as JSON

Exit codes: 0 done, 1 refused (trying again would not help), 2 not understood, 75 try again: another
process is at work on the session, the store is away, or the machine lacks memory or files.
`

/** The error with exit code 75 for one that may not come again; any other as it is. */
function sortError(error: unknown): unknown {
  const lack = missingResource(error)
  if (error instanceof Busy) return new CommandError(error.message, 75)
  if (lack !== null) return new CommandError(`${lack}; nothing was published.`, 75)
  return isLack(error) ? new CommandError((error as Error).message, 75) : error
}

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        run: { type: 'string' },
        force: { type: 'boolean', default: false },
        'refuse-bad-tape': { type: 'boolean', default: false },
        'no-views': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
    const [id] = positionals
    const task = id === undefined || positionals.length > 1 ? null : parseTaskId(id)
    if (id === undefined || !task) {
      const given = positionals.join(' ')
      const what = given === '' ? 'task takes the id of a task' : `${given} is not the id of a task`
      throw new UsageError(`${what}; give one of "tapefold plan", such as build-2026-10-15.`)
    }
    for (const date of [task.from, task.to]) dateArgument(date)
    const { run } = values
    if (run !== undefined && !/^[\w-]{1,64}$/.test(run)) {
      throw new UsageError(`--run is ${run}; give letters, digits and hyphens, such as night-7.`)
    }
    const startedAtMs = systemClock.nowMs()
    const options = {
      dataFolder: values.data,
      ...(run !== undefined && { run }),
      isForced: values.force,
      isBadTapeRefused: values['refuse-bad-tape'],
      isOneOfMany: values['no-views'],
    }
    const work = (store: SharedStore | null) =>
      store === null ? runTask(task, options) : runStoreTask(store, task, options)
    const { outcome, note } = await withSharedStore(work).catch(error => {
      // whoever started it waits for the store, however long it is away
      if (values.json && error instanceof StoreAway) {
        process.stdout.write(`${JSON.stringify({ id, outcome: 'away' })}\n`)
      }
      throw sortError(error)
    })
    const tookMs = systemClock.nowMs() - startedAtMs
    if (values.json) process.stdout.write(`${JSON.stringify({ id, outcome, note, tookMs })}\n`)
    else {
      const how = outcome === 'current' ? 'is up to date' : `is done in ${formatDuration(tookMs)}`
      process.stdout.write(`${id} ${how}${note === null ? '' : `: ${note}`}\n`)
    }
  })
}
