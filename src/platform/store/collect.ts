/**
 * Removes what nothing names from the store: blobs of earlier versions, of killed pushes and of
 * stages, old manifests of running sessions, and stages that are old.
 */

import PQueue from 'p-queue'
import type { Blobs, StoredObject } from './blobs.ts'
import { isKey, isKind, type ManifestName, namedFiles } from './kinds.ts'
import { parseManifestObject, type Store } from './mirror.ts'
import { blobName } from './names.ts'
import type { Pointer } from './pointers.ts'
import { parseStageObject, STAGES, stageBlobs } from './stages.ts'

/** Objects that are read or removed at once. */
const REQUESTS = 8

export type StoreCollection = {
  /**
   * Time for which nothing has named a blob before it is removed, in milliseconds: longer than a
   * push, a pull and a task take.
   */
  readonly graceMs: number
  /** UTC milliseconds. */
  readonly nowMs: number
  /** Age from which a stage of a backfill is old, milliseconds; null: a backfill runs. */
  readonly stagesAgeMs: number | null
  /** Removes nothing, and marks nothing. */
  readonly isDryRun: boolean
}

export type CollectedStore = {
  /** Blobs that were removed, or would be, and their size. */
  readonly blobs: number
  readonly bytes: number
  /** Blobs that nothing names, for less than the grace. */
  readonly waitingCount: number
  /** Manifests of running sessions, and stages, that were removed or would be. */
  readonly objects: number
}

/**
 * Collects. A blob is named by the manifest of a pointer, by the newest manifest of each session, or
 * by a stage. One that nothing names is marked, and removed by a later collection if it is still
 * marked after the grace: a push takes the marks off its blobs before it counts on them. Fails
 * with a Refusal, before it removes anything, where a manifest or a stage cannot be read.
 */
export async function collectStore(
  { blobs, pointers }: Store,
  { graceMs, nowMs, stagesAgeMs, isDryRun }: StoreCollection,
): Promise<CollectedStore> {
  const isOld = ({ storedAtMs }: StoredObject) => nowMs - storedAtMs >= graceMs
  const isOldStage = ({ storedAtMs }: StoredObject) =>
    stagesAgeMs !== null && nowMs - storedAtMs >= stagesAgeMs
  const rows = await pointers.listSince(0)
  const manifests = await listAll(blobs, 'manifests/')
  const ended = rows.filter(row => isEnded(row, rows, manifests, isOld))
  const current = rows.filter(row => !ended.includes(row))
  const [oldStages, stages] = partition(await listAll(blobs, STAGES), isOldStage)
  const named = await readNamed(blobs, { current, ended, manifests, stages })
  const stored = await listAll(blobs, 'blobs/')
  const unnamed = stored.filter(({ name }) => !named.has(name))
  const objects = [...manifests.filter(one => isSuperseded(one, current, isOld)), ...oldStages]
  const sizes = new Map(unnamed.map(({ name, bytes }) => [name, bytes]))
  const removed: string[] = []
  if (!isDryRun) {
    for (const row of ended) await pointers.remove(row)
    await forEachName(objects, ({ name }) => blobs.remove(name))
    await pointers.markGarbage([...sizes.keys()])
    const remove = (names: readonly string[]) => forEachName(names, blobs.remove)
    for (let some: readonly string[] = ['']; some.length > 0; ) {
      some = await pointers.removeGarbage(graceMs, remove)
      removed.push(...some)
    }
  }
  return {
    blobs: removed.length,
    bytes: removed.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0),
    waitingCount: unnamed.length - removed.length,
    objects: objects.length,
  }
}

/** True for a running session that has been published for the grace: nobody reads it any more. */
function isEnded(
  { kind, key }: Pointer,
  rows: readonly Pointer[],
  manifests: readonly StoredObject[],
  isOld: (object: StoredObject) => boolean,
): boolean {
  const published = rows.find(row => row.kind === 'published' && row.key === key)
  const object = manifests.find(({ name }) => name === published?.object)
  return kind === 'live' && object !== undefined && isOld(object)
}

/** True for a manifest of a running session that no pointer is at; there is one for each minute. */
function isSuperseded(
  object: StoredObject,
  current: readonly Pointer[],
  isOld: (object: StoredObject) => boolean,
): boolean {
  if (parseManifestObject(object.name)?.kind !== 'live') return false
  return isOld(object) && !current.some(row => row.object === object.name)
}

type Naming = {
  readonly current: readonly Pointer[]
  readonly ended: readonly Pointer[]
  readonly manifests: readonly StoredObject[]
  readonly stages: readonly StoredObject[]
}

/** Names of the blobs that manifests and stages name. */
async function readNamed(
  blobs: Blobs,
  { current, ended, manifests, stages }: Naming,
): Promise<Set<string>> {
  const read = new Map<string, ManifestName & { readonly sha256: string }>(
    current.map(row => [row.object, row]),
  )
  const newest = new Map<string, StoredObject>()
  // in the order of names: the last of a session is its newest, which a rebuild takes
  for (const object of manifests) {
    const { kind, key } = parseManifestObject(object.name) ?? { kind: '', key: '' }
    newest.set(`${kind} ${key}`, object)
  }
  for (const { name } of newest.values()) {
    const parsed = parseManifestObject(name)
    if (!parsed || !isKind(parsed.kind) || !isKey(parsed.key)) continue
    const { kind, key } = parsed
    if (ended.some(row => row.kind === kind && row.key === key)) continue
    read.set(name, { kind, key, sha256: parsed.sha256 })
  }
  const named = new Set<string>()
  await forEachName([...read], async ([object, name]) => {
    const text = await blobs.getText(object, name.sha256)
    for (const { sha256 } of namedFiles(name, text)) named.add(blobName(sha256))
  })
  await forEachName(stages, async ({ name }) => {
    const parsed = parseStageObject(name)
    if (!parsed) return
    const text = await blobs.getText(name, parsed.sha256)
    for (const sha256 of stageBlobs(text)) named.add(blobName(sha256))
  })
  return named
}

async function listAll(blobs: Blobs, start: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = []
  for await (const object of blobs.list(start)) objects.push(object)
  return objects
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter(one => !isFirst(one)),
]

/** Runs `work` for each, some at once; fails with the first failure. */
async function forEachName<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: REQUESTS })
  await queue.addAll(items.map(item => () => work(item)))
}
