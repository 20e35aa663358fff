/** Copies manifests and their files between a data folder and the store. */

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import PQueue from 'p-queue'
import { fsyncFile, sha256, sha256File, writeAtomically } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { withWorkFolder } from '../../core/disk/work.ts'
import { keySession } from '../../data/tape/manifest.ts'
import { readBase, writeBase } from './bases.ts'
import type { Blobs } from './blobs.ts'
import {
  describeManifest,
  type ManifestName,
  manifestPath,
  type NamedFile,
  namedFiles,
  withManifestLock,
} from './kinds.ts'
import { blobName } from './names.ts'
import type { Pointer, Pointers } from './pointers.ts'

/** Files of a manifest that are copied at once. */
const COPIES = 4

export type Store = {
  readonly blobs: Blobs
  readonly pointers: Pointers
  readonly close: () => Promise<void>
}

export type Pushed = {
  readonly pointer: Pointer
  /** Files that the store did not have. */
  readonly filesSent: number
  /** False when the pointer already was the folder's manifest. */
  readonly isNew: boolean
}

/**
 * Pushes a manifest of the folder: its files, the manifest as an immutable object, then the pointer.
 * Files that the pointer names by now are in the store; with `isThorough` they are looked for again,
 * and sent where they are missing. Fails with PublishedMeanwhile when another machine has set the
 * pointer since this folder had it.
 */
export async function pushManifest(
  { blobs, pointers }: Store,
  dataFolder: string,
  name: ManifestName,
  isThorough = false,
): Promise<Pushed> {
  // the base before the manifest: a pull between the two is then refused, not overwritten
  const base = readBase(dataFolder, name)
  const text = readManifestText(dataFolder, name)
  if (text === null) {
    throw new Refusal(
      `${describeManifest(name)} is not in the data folder; there is nothing to push.`,
    )
  }
  const files = uniqueFiles(namedFiles(name, text))
  const stored = isThorough ? new Set() : await filesOfPointer(blobs, await pointers.find(name))
  const missing = files.filter(file => !stored.has(file.sha256))
  const filesSent = await sendFiles({ blobs, pointers }, dataFolder, missing)
  const hash = sha256(text)
  const bytes = files.reduce((sum, { file }) => sum + statSync(join(dataFolder, file)).size, 0)
  let isNew = false
  const pointer = await pointers.set({
    ...name,
    expected: base?.sha256 ?? null,
    sha256: hash,
    bytes,
    place: async number => {
      const object = manifestObject(name, { number, bytes, sha256: hash })
      await blobs.putText(object, text)
      isNew = true
      return object
    },
  })
  writeBase(dataFolder, pointer)
  return { pointer, filesSent, isNew }
}

/**
 * Sends files of a folder that the store does not have, as blobs; returns their number. From then on
 * they are no garbage for at least the grace of a collection, in which they have to be named.
 */
export async function sendFiles(
  { blobs, pointers }: Pick<Store, 'blobs' | 'pointers'>,
  folder: string,
  files: readonly NamedFile[],
): Promise<number> {
  let filesSent = 0
  // equal bytes are one blob
  const blobFiles = [...new Map(files.map(file => [file.sha256, file])).values()]
  // before the look whether they are there: a collection removes none of them after it
  await pointers.unmark(blobFiles.map(file => blobName(file.sha256)))
  await forEach(blobFiles, async ({ file, sha256: hash }) => {
    const path = join(folder, file)
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) throw new Refusal(`${file} is missing; repair its session, or pull it.`)
    if ((await blobs.findBytes(blobName(hash))) === size) return
    await blobs.putFile(blobName(hash), path, hash)
    filesSent += 1
  })
  return filesSent
}

/** Hashes of the files that a pointer's manifest names: they were stored before it was set. */
async function filesOfPointer(blobs: Blobs, pointer: Pointer | null): Promise<ReadonlySet<string>> {
  if (pointer === null) return new Set()
  const text = await blobs.getText(pointer.object, pointer.sha256)
  return new Set(namedFiles(pointer, text).map(file => file.sha256))
}

/**
 * Pulls a manifest into the folder: its missing files, verified, then the manifest. Returns false
 * when the folder already has it, or a later one, or one made from it that is not pushed yet. A tape
 * that was imported here and never pushed is replaced only with `mayReplaceTape`: it cannot be built
 * again.
 */
export async function pullManifest(
  { blobs }: Pick<Store, 'blobs'>,
  dataFolder: string,
  pointer: Pointer,
  mayReplaceTape = false,
): Promise<boolean> {
  if (isCurrent(dataFolder, pointer)) return false
  if (pointer.kind === 'tape' && !mayReplaceTape) refuseOwnTape(dataFolder, pointer)
  const text = await blobs.getText(pointer.object, pointer.sha256)
  const files = uniqueFiles(namedFiles(pointer, text))
  const known = filesOfBase(dataFolder, pointer)
  const others = files.filter(
    ({ file, sha256: hash }) => known.get(file) !== hash || !existsSync(join(dataFolder, file)),
  )
  return withWorkFolder(dataFolder, workName(pointer), async work => {
    await forEach(others, async file => void (await pullFile(blobs, dataFolder, work, file)))
    return withManifestLock(dataFolder, pointer, async () => {
      if (isCurrent(dataFolder, pointer)) return false
      for (const { file } of files) {
        if (!existsSync(join(dataFolder, file)))
          throw new Refusal(`${file} was removed; pull again.`)
      }
      placeManifest(dataFolder, pointer, text)
      writeBase(dataFolder, pointer)
      return true
    })
  })
}

/** Fails with a Refusal where a pull would drop an import that no other machine has. */
function refuseOwnTape(dataFolder: string, pointer: Pointer): void {
  const text = readManifestText(dataFolder, pointer)
  if (text === null) return
  const hash = sha256(text)
  if (hash === pointer.sha256 || hash === readBase(dataFolder, pointer)?.sha256) return
  const { key } = pointer
  throw new Refusal(
    `${describeManifest(pointer)} has an import here that the store does not have, and another ` +
      `machine has pushed its own; "store pull ${keySession(key) ?? key}" takes that, then import again.`,
  )
}

/**
 * Hashes of the files that this folder has from the store, by name: of a running session they are
 * thousands, and each minute adds a few. None where the folder's manifest is not that of the store.
 */
function filesOfBase(dataFolder: string, name: ManifestName): ReadonlyMap<string, string> {
  const text = readManifestText(dataFolder, name)
  if (text === null || readBase(dataFolder, name)?.sha256 !== sha256(text)) return new Map()
  return new Map(namedFiles(name, text).map(({ file, sha256: hash }) => [file, hash]))
}

/** Pulls the files of the folder's manifest that are missing or damaged; returns their number. */
export async function restoreFiles(
  { blobs }: Pick<Store, 'blobs'>,
  dataFolder: string,
  pointer: Pointer,
): Promise<number> {
  const text = readManifestText(dataFolder, pointer)
  if (text === null || sha256(text) !== pointer.sha256) return 0
  const files = uniqueFiles(namedFiles(pointer, text))
  const restored: boolean[] = []
  await withWorkFolder(dataFolder, workName(pointer), work =>
    forEach(files, async file => {
      restored.push(await pullFile(blobs, dataFolder, work, file))
    }),
  )
  return restored.filter(Boolean).length
}

let pullCount = 0

/** Pulls files into a folder, where they are missing there or damaged. */
export async function pullFiles(
  { blobs }: Pick<Store, 'blobs'>,
  folder: string,
  files: readonly NamedFile[],
): Promise<void> {
  pullCount += 1
  // a folder of its own for each of concurrent pulls
  const letters = [...String(pullCount)].map(digit => 'abcdefghij'[Number(digit)])
  await withWorkFolder(folder, `pull${letters.join('')}`, work =>
    forEach(uniqueFiles(files), async file => void (await pullFile(blobs, folder, work, file))),
  )
}

/** True when the folder has the manifest of a pointer, or a later one. */
function isCurrent(dataFolder: string, pointer: Pointer): boolean {
  const base = readBase(dataFolder, pointer)
  return base !== null && base.seq >= pointer.seq && existsSync(manifestPath(dataFolder, pointer))
}

/** Returns false where the folder has the file already. */
async function pullFile(
  blobs: Blobs,
  dataFolder: string,
  work: string,
  { file, sha256: hash }: NamedFile,
): Promise<boolean> {
  const target = join(dataFolder, file)
  if (existsSync(target) && (await sha256File(target)) === hash) return false
  // one that is there is damaged, or of a manifest that this one replaces
  const temporary = join(work, file.replaceAll('/', '_'))
  await blobs.getFile(blobName(hash), temporary, hash)
  mkdirSync(dirname(target), { recursive: true })
  await rename(temporary, target)
  fsyncFile(dirname(target))
  return true
}

/** Replaces the manifest; that of a published session is stored with the superseded ones. */
function placeManifest(dataFolder: string, name: ManifestName, text: string): void {
  const old = readManifestText(dataFolder, name)
  if (name.kind === 'published' && old !== null && old !== text) {
    const superseded = `${name.key}.${sha256(old).slice(0, 16)}.json`
    writeAtomically(join(dataFolder, 'published/superseded', superseded), old)
  }
  writeAtomically(manifestPath(dataFolder, name), text)
}

const readManifestText = (dataFolder: string, name: ManifestName): string | null => {
  const path = manifestPath(dataFolder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

type ManifestObject = {
  readonly number: number
  readonly bytes: number
  readonly sha256: string
}

const NUMBER_DIGITS = 15

/** Name of a manifest's object: all that its row needs, so that the rows can be made again. */
const manifestObject = (
  { kind, key }: ManifestName,
  { number, bytes, sha256: hash }: ManifestObject,
): string =>
  `manifests/${kind}/${key}/${String(number).padStart(NUMBER_DIGITS, '0')}-${bytes}-${hash}.json`

/** Parses the name of a manifest's object; null for any other name. */
export function parseManifestObject(
  object: string,
): (ManifestObject & { readonly kind: string; readonly key: string }) | null {
  const parts = /^manifests\/(\w+)\/([\w-]+)\/(\d{15})-(\d{1,15})-([0-9a-f]{64})\.json$/.exec(
    object,
  )
  if (!parts) return null
  const [, kind, key, number, bytes, hash] = parts as unknown as string[]
  return { kind: kind!, key: key!, number: Number(number), bytes: Number(bytes), sha256: hash! }
}

/** A name of a work folder that no concurrent pull has. */
function workName({ kind, key }: ManifestName): string {
  const [date] = /\d{4}-\d{2}-\d{2}$/.exec(key) ?? []
  const rest = key.replace(/[^a-z]/g, '')
  return `pull${kind}${rest}${date === undefined ? '' : `-${date}`}`
}

/** One of each hash and file: a manifest may name equal bytes twice. */
const uniqueFiles = (files: readonly NamedFile[]): NamedFile[] => [
  ...new Map(files.map(file => [file.file, file])).values(),
]

/** Runs `work` for each file, some at once; the first failure ends it, once all have ended. */
async function forEach(
  files: readonly NamedFile[],
  work: (file: NamedFile) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: COPIES })
  let failure: { readonly error: unknown } | null = null
  for (const file of files) {
    queue.add(async () => {
      if (failure) return
      await work(file).catch(error => {
        failure ??= { error }
      })
    })
  }
  await queue.onIdle()
  if (failure) throw (failure as { error: unknown }).error
}
