import { systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { dateArgument } from '../../src/core/days.ts'
import { Busy, CommandError, isLack, missingResource } from '../../src/core/disk/refusal.ts'
import { formatDuration } from '../../src/core/text/counts.ts'
import { StoreAway } from '../../src/platform/store/faults.ts'
import { type SharedStore, withSharedStore } from '../command/sharedStore.ts'
import type { TASK } from './rows.ts'
import { runTask } from './runTask.ts'
import { runStoreTask } from './storeTask.ts'
import { parseTaskId } from './tasks.ts'

/** The error with exit code 75 for one that may not come again; any other as it is. */
function sortError(error: unknown): unknown {
  const lack = missingResource(error)
  if (error instanceof Busy) return new CommandError(error.message, 75)
  if (lack !== null) return new CommandError(`${lack}; nothing was published.`, 75)
  return isLack(error) ? new CommandError((error as Error).message, 75) : error
}

/** Runs `tapefold task`. */
export async function taskCommand(input: Input<typeof TASK>): Promise<void> {
  const [id] = input.words
  const { run, json } = input
  const task = parseTaskId(id)
  if (!task) {
    throw new UsageError(
      `${id} is not the id of a task; give one of "tapefold plan", such as build-2026-10-15.`,
    )
  }
  for (const date of [task.from, task.to]) dateArgument(date)
  const startedAtMs = systemClock.nowMs()
  const options = {
    dataFolder: input.data,
    ...(run !== undefined && { run }),
    isForced: input.force,
    isBadTapeRefused: input['refuse-bad-tape'],
    isOneOfMany: input['no-views'],
  }
  const work = (store: SharedStore | null) =>
    store === null ? runTask(task, options) : runStoreTask(store, task, options)
  const { outcome, note } = await withSharedStore(work).catch(error => {
    // whoever started it waits for the store, however long it is away
    if (json && error instanceof StoreAway) {
      process.stdout.write(`${JSON.stringify({ id, outcome: 'away' })}\n`)
    }
    throw sortError(error)
  })
  const tookMs = systemClock.nowMs() - startedAtMs
  if (json) process.stdout.write(`${JSON.stringify({ id, outcome, note, tookMs })}\n`)
  else {
    const how = outcome === 'current' ? 'is up to date' : `is done in ${formatDuration(tookMs)}`
    process.stdout.write(`${id} ${how}${note === null ? '' : `: ${note}`}\n`)
  }
}
