import { existsSync } from 'node:fs'
import { systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { dateArgument } from '../../src/core/days.ts'
import {
  Busy,
  CommandError,
  isLack,
  missingResource,
  Refusal,
} from '../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { neighbourSession, type SessionDate } from '../../src/core/market/calendar.ts'
import { formatDuration } from '../../src/core/text/counts.ts'
import { type PublishedFile, readManifest } from '../../src/data/published/manifest.ts'
import { readTapeManifest } from '../../src/data/tape/manifest.ts'
import { touchBase } from '../../src/platform/store/bases.ts'
import { StoreAway } from '../../src/platform/store/faults.ts'
import { type ManifestName, manifestPath, type NamedFile } from '../../src/platform/store/kinds.ts'
import { pullFiles, pushManifest, type Store } from '../../src/platform/store/mirror.ts'
import { carrySessions } from '../build/carryStage.ts'
import { foldSession } from '../build/foldStage.ts'
import { readFolded, stagesFolder } from '../build/stageFiles.ts'
import {
  isChanged,
  listTape,
  pullUsed,
  pushOrPull,
  type SharedStore,
  withSharedStore,
} from '../command/sharedStore.ts'
import { isCurrent, isCurrentButForLater, isTapeCurrent } from './isCurrent.ts'
import type { TASK } from './rows.ts'
import {
  buildSession,
  CURRENT,
  DONE,
  type RunTaskOptions,
  runTask,
  type TaskResult,
} from './runTask.ts'
import { carriedFiles, openView, pushCarried, pushFolded, type StoreView } from './storeView.ts'
import { isFolded, listSessions, parseTaskId, type StageTask } from './tasks.ts'

// One task of machines that share a store: what it reads is pulled before it, and what it makes sent.

/** Sessions whose files a carry pulls ahead of the one that it reads. */
const AHEAD = 16

type Task = Pick<StageTask, 'stage' | 'from' | 'to'>

/** Does a task, as `runTask` does, for machines that share the store and no folder. */
async function runStoreTask(
  store: SharedStore,
  task: Task,
  options: RunTaskOptions,
): Promise<TaskResult> {
  const { dataFolder } = options
  const { stage, from } = task
  return withWorkFolder(dataFolder, `task-${from}`, async folder => {
    const view = openView(store, dataFolder, folder)
    if (stage === 'carry') return carry(store, view, task, options)
    // an import of this machine whose push was killed
    for (const name of listTape(from)) {
      if (existsSync(manifestPath(dataFolder, name)) && isChanged(dataFolder, name)) {
        await pushManifest(store, dataFolder, name)
      }
    }
    await view.pull(listTape(from))
    const pulled: ManifestName[] = []
    const run = stage === 'fold' ? fold : build
    try {
      return await run(store, view, { date: from, options, pulled })
    } finally {
      // what was pulled for this task alone may leave the cache before anything else
      for (const name of pulled) touchBase(dataFolder, name, 0)
    }
  })
}

type SessionTask = {
  readonly date: SessionDate
  readonly options: RunTaskOptions
  /** Manifests that the task has pulled; it adds them. */
  readonly pulled: ManifestName[]
}

async function fold(
  store: SharedStore,
  view: StoreView,
  { date, options, pulled }: SessionTask,
): Promise<TaskResult> {
  const { dataFolder, isForced } = options
  if (!isForced && (await view.pullFolded(date, codeVersion()))) return CURRENT
  pulled.push(...(await pullUsed(store, dataFolder, listTape(date))))
  await pushFolded(
    store,
    view.folder,
    await foldSession({ dataFolder, date, stagesIn: view.folder }),
  )
  return DONE
}

/** Carries positions in the folder of the view, which gets the files of each session in time. */
async function carry(
  store: SharedStore,
  view: StoreView,
  { from, to }: Task,
  { run, isForced }: RunTaskOptions,
): Promise<TaskResult> {
  if (run === undefined) {
    throw new Refusal(
      'a carry hands on positions by the name of its run, as its machines share no folder; give the ' +
        'tasks of one plan the same name, such as --run night-7.',
    )
  }
  const { folder } = view
  const version = codeVersion()
  const dates = listSessions(from, to)
  await view.pullRange(from, to, version)
  const isKnown = (date: SessionDate) => !isForced && isTapeCurrent(folder, date, version)
  const hasFolded = (date: SessionDate) => isFolded(folder, date, version)
  const pulling = new Map<SessionDate, Promise<void>>()
  const pull = (date: SessionDate) => {
    const files = listCarryFiles(folder, date, isKnown(date), hasFolded(date))
    const started = pulling.get(date) ?? pullGroups(store, folder, files)
    // a failure is reported for the session that needs the files
    started.catch(() => {})
    pulling.set(date, started)
    return started
  }
  await pullGroups(store, folder, {
    published: listClosing(folder, neighbourSession(from, -1).date),
  })
  await carrySessions({
    dataFolder: folder,
    dates,
    isCurrent: isKnown,
    isFolded: hasFolded,
    prepare: async date => {
      const index = dates.indexOf(date)
      for (const next of dates.slice(index, Math.min(index + AHEAD, dates.length - 1))) pull(next)
      await pull(date)
    },
  })
  for (const date of dates) await pushCarried(store, folder, run, date)
  return DONE
}

/** Files by the folder that their names are relative to. */
type FileGroups = Readonly<Partial<Record<'tape' | 'stages' | 'published', readonly NamedFile[]>>>

/** Files from which the closing positions of a session are carried on. */
function listCarryFiles(
  folder: string,
  date: SessionDate,
  isKnown: boolean,
  hasFolded: boolean,
): FileGroups {
  const manifest = readManifest(folder, date)
  const { position_changes, closing_index } = manifest?.datasets ?? {}
  const isPublished = isKnown && position_changes !== undefined && closing_index !== undefined
  const folded = readFolded(folder, date)
  const needed = [
    'open_interest',
    'dealer_positions',
    ...(hasFolded ? [] : (['prints', 'quotes'] as const)),
  ]
  const tape = readTapeManifest(folder, date)
    .batches.filter(({ dataset }) => needed.some(name => name === dataset))
    .map(({ file, sha256 }) => ({ file, sha256, bytes: null }))
  if (isPublished) return { tape, published: [position_changes, closing_index] }
  if (folded) return { tape, stages: [folded.position_changes, folded.closing_index] }
  return { published: listClosing(folder, date) }
}

/** Files that a session has published for the next one. */
function listClosing(folder: string, date: SessionDate): PublishedFile[] {
  const { closing_positions, closing_index, market_minutes } =
    readManifest(folder, date)?.datasets ?? {}
  return [closing_positions, closing_index ?? market_minutes].filter(file => file !== undefined)
}

async function pullGroups(
  store: Pick<Store, 'blobs'>,
  folder: string,
  groups: FileGroups,
): Promise<void> {
  const files = Object.entries(groups).flatMap(([group, list]) =>
    list.map(({ file, sha256, bytes }) => ({ file: `${group}/${file}`, sha256, bytes })),
  )
  if (files.length > 0) await pullFiles(store, folder, files)
}

async function build(
  store: SharedStore,
  view: StoreView,
  { date, options, pulled }: SessionTask,
): Promise<TaskResult> {
  const { dataFolder, isForced, run } = options
  const own: ManifestName = { kind: 'published', key: date }
  const before: ManifestName = { kind: 'published', key: neighbourSession(date, -1).date }
  await view.pull([own, before])
  const carried = run === undefined ? undefined : await view.pullCarried(run, date)
  const version = codeVersion()
  // of manifests alone: where nothing changed, no file is pulled
  if (!isForced && isCurrent(view.folder, date, version, carried)) return CURRENT
  const takesPublished =
    carried === undefined || isCurrentButForLater(view.folder, date, version, carried)
  const names = [...listTape(date), own, ...(takesPublished ? [before] : [])]
  pulled.push(...(await pullUsed(store, dataFolder, names)))
  await pullFiles(store, stagesFolder(view.folder), carriedFiles(carried))
  const { note } = await buildSession(date, { ...options, carried })
  // also one that was built here before, and not pushed
  await pushOrPull(store, dataFolder, own)
  pulled.push(own)
  return { outcome: 'done', note }
}

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
