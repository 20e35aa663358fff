import { type Clock, systemClock } from '../../src/core/clock.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { Busy } from '../../src/core/disk/refusal.ts'
import { counted, formatBytes } from '../../src/core/text/counts.ts'
import { type Collected, collect, GRACE_MS } from '../../src/data/published/collect.ts'
import { withAdvisoryLock } from '../../src/platform/database/advisoryLock.ts'
import { type CollectedStore, collectStore } from '../../src/platform/store/collect.ts'
import { environmentConfig } from '../command/command.ts'
import { type SharedStore, withSharedStore } from '../command/sharedStore.ts'
import type { COLLECT } from './rows.ts'

type Say = (line: string) => void

/** Collects the files that a build has superseded; prints a line when there were any. */
export async function collectAfter(dataFolder: string, clock: Clock, say: Say): Promise<void> {
  const collected = await collect({ dataFolder, nowMs: clock.nowMs(), graceMs: GRACE_MS })
  if (collected.files.length > 0) say(`${sizeText(collected)} deleted`)
}

const sizeText = ({ files }: Collected): string => {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6
  const count = files.length === 1 ? '1 superseded file' : `${files.length} superseded files`
  return `${count}, ${megabytes.toFixed(1)} MB,`
}

const inboxText = ({ inbox }: Collected): string => {
  const bytes = inbox.reduce((sum, file) => sum + file.bytes, 0)
  return `inbox: ${counted(inbox.length, 'old file')}, ${formatBytes(bytes)},`
}

/** Age from which stages in the store are removed: other schedulers take days for a plan. */
const STAGES_AGE_MS = 7 * 24 * 3_600_000

/** Collects in the store; leaves all stages alone while a backfill runs. */
async function collectShared(
  store: SharedStore,
  options: { readonly graceMs: number; readonly isDryRun: boolean },
  say: Say,
): Promise<void> {
  const url = environmentConfig().databaseUrl!
  // a push, a pull or a task that is under way has named nothing yet
  const graceMs = Math.max(options.graceMs, GRACE_MS)
  const run = (stagesAgeMs: number | null) =>
    collectStore(store, { ...options, graceMs, nowMs: systemClock.nowMs(), stagesAgeMs })
  let collected: CollectedStore
  try {
    const lock = { url, name: 'backfill', busy: 'a backfill runs' }
    collected = await withAdvisoryLock(lock, () => run(STAGES_AGE_MS))
  } catch (error) {
    if (!(error instanceof Busy)) throw error
    say(`  left alone: the stages in the store, as ${error.message}`)
    collected = await run(null)
  }
  const { blobs, bytes, objects, waitingCount } = collected
  const deleted = options.isDryRun ? 'would be deleted' : 'deleted'
  const others = counted(objects, 'old manifest or stage', 'old manifests and stages')
  const waiting = counted(waitingCount, 'more blob', 'more blobs')
  say(
    `store: ${counted(blobs, 'blob')}, ${formatBytes(bytes)}, and ${others} ${deleted}; ` +
      `${waiting} that nothing names`,
  )
}

/** Runs `tapefold collect`. */
export async function collectCommand(input: Input<typeof COLLECT>): Promise<void> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const { grace, 'dry-run': isDryRun } = input
  const collected = await collect({
    dataFolder: input.data,
    nowMs: systemClock.nowMs(),
    graceMs: grace.ms,
    inboxAgeMs: input['inbox-age'].ms,
    isDryRun,
  })
  for (const { file } of [...collected.files, ...collected.inbox]) say(`  ${file}`)
  for (const name of collected.leftovers) say(`  ${name}, of a process that has ended`)
  for (const sentence of collected.retained) say(`  left alone: ${sentence}`)
  const verb = isDryRun ? 'would be deleted' : 'deleted'
  const isAny = collected.files.length > 0
  const waiting = `superseded less than ${grace.text} ago: ${collected.waitingCount}`
  say(`${isAny ? `${sizeText(collected)} ${verb}` : 'nothing to delete'}; ${waiting}`)
  if (collected.inbox.length > 0) say(`${inboxText(collected)} ${verb}`)
  await withSharedStore(async store => {
    if (store) await collectShared(store, { graceMs: grace.ms, isDryRun }, say)
  })
}
