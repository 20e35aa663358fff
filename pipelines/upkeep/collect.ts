import { type Clock, systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { Busy } from '../../src/core/disk/refusal.ts'
import { counted, formatBytes } from '../../src/core/text/counts.ts'
import { INBOX_AGE_MS } from '../../src/data/fetched/inbox.ts'
import { type Collected, collect, GRACE_MS } from '../../src/data/published/collect.ts'
import { withAdvisoryLock } from '../../src/platform/database/advisoryLock.ts'
import { type CollectedStore, collectStore } from '../../src/platform/store/collect.ts'
import { environmentConfig, runCommand } from '../command/command.ts'
import { type SharedStore, withSharedStore } from '../command/sharedStore.ts'

type Say = (line: string) => void

/** Collects the files that a build has superseded; prints a line when there were any. */
export async function collectAfter(dataFolder: string, clock: Clock, say: Say): Promise<void> {
  const collected = await collect({ dataFolder, nowMs: clock.nowMs(), graceMs: GRACE_MS })
  if (collected.files.length > 0) say(`${sizeText(collected)} deleted`)
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a time such as '90m', '24h' or '7d'; at least a minute. */
export function parseGrace(text: string, option = '--grace'): number {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  // a reader may have read the manifest just before
  if (count !== undefined && Number(count) > 0) return Number(count) * UNIT_MS[unit!]!
  throw new UsageError(`${option} is ${text}; give minutes, hours or days from 1m on, such as 24h.`)
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

const INBOX_AGE = `${INBOX_AGE_MS / UNIT_MS.d!}d`

const USAGE = `usage: tapefold collect [--dry-run] [--grace TIME] [--inbox-age TIME] [--data DIR]

Deletes files that no manifest has named for the grace time: old versions of sessions, and what
killed commands left behind. Readers are not disturbed. Quarantine and old manifests are kept. Of the
inbox it deletes fetched files that are old and imported, and refused ones; the records stay. With
TAPEFOLD_STORE set, the same in the store, where a file that nothing names is marked first and deleted
by a later call, 24 hours after it at the earliest.

  --dry-run      lists the files and deletes nothing
  --grace TIME   minutes, hours or days, such as 90m or 7d (24h)
  --inbox-age TIME  age of files of the inbox that are deleted (${INBOX_AGE})
`

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: {
        data: { type: 'string', default: 'data' },
        'dry-run': { type: 'boolean', default: false },
        grace: { type: 'string', default: '24h' },
        'inbox-age': { type: 'string', default: INBOX_AGE },
      },
    })
    const say = (line: string) => void process.stdout.write(`${line}\n`)
    const isDryRun = values['dry-run']
    const collected = await collect({
      dataFolder: values.data,
      nowMs: systemClock.nowMs(),
      graceMs: parseGrace(values.grace),
      inboxAgeMs: parseGrace(values['inbox-age'], '--inbox-age'),
      isDryRun,
    })
    for (const { file } of [...collected.files, ...collected.inbox]) say(`  ${file}`)
    for (const name of collected.leftovers) say(`  ${name}, of a process that has ended`)
    for (const sentence of collected.retained) say(`  left alone: ${sentence}`)
    const verb = isDryRun ? 'would be deleted' : 'deleted'
    const isAny = collected.files.length > 0
    const waiting = `superseded less than ${values.grace} ago: ${collected.waitingCount}`
    say(`${isAny ? `${sizeText(collected)} ${verb}` : 'nothing to delete'}; ${waiting}`)
    if (collected.inbox.length > 0) say(`${inboxText(collected)} ${verb}`)
    await withSharedStore(async store => {
      if (store) await collectShared(store, { graceMs: parseGrace(values.grace), isDryRun }, say)
    })
  })
}
