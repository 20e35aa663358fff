/**
 * A private data folder with manifests of the store and none of their files: what a backfill and its
 * tasks are planned from, where machines share no folder. Files are pulled into it one by one.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import PQueue from 'p-queue'
import { sha256 } from '../../src/core/disk/files.ts'
import { neighbourSession, type SessionDate } from '../../src/core/market/calendar.ts'
import type { Carried } from '../../src/data/published/carried.ts'
import { RATES, type TapeInput, tapeInputs } from '../../src/data/tape/manifest.ts'
import { type ManifestName, manifestPath } from '../../src/platform/store/kinds.ts'
import { type Store, sendFiles } from '../../src/platform/store/mirror.ts'
import type { Pointer } from '../../src/platform/store/pointers.ts'
import { findStage, listStages, putStage } from '../../src/platform/store/stages.ts'
import { type Folded, readStageCarried, stagePath, stagesFolder } from '../build/stageFiles.ts'
import { formatInputs, isOwnInput } from './isCurrent.ts'
import { isFolded } from './tasks.ts'

/** Manifests that are read from the store at once. */
const READS = 16

export type StoreView = {
  /** The data folder of the view. */
  readonly folder: string
  /** Brings manifests up to the store; one that the store does not have is left out. */
  readonly pull: (names: readonly ManifestName[]) => Promise<void>
  /** The same for all that a plan of a range depends on, by code of a version. */
  readonly pullRange: (from: SessionDate, to: SessionDate, version: string) => Promise<void>
  /** Gets what the first stage has made of a session's tape, by code of a version; false: nothing. */
  readonly pullFolded: (date: SessionDate, version: string) => Promise<boolean>
  /** Gets what the second stage of a run carries into a session, as `readStageCarried` returns it. */
  readonly pullCarried: (run: string, date: SessionDate) => Promise<Carried | null | undefined>
}

/** Opens a view in an empty folder. Manifests that `dataFolder` has are copied from there. */
export function openView(
  { blobs, pointers }: Pick<Store, 'blobs' | 'pointers'>,
  dataFolder: string,
  folder: string,
): StoreView {
  let seenSeq = 0

  const pullOne = async (pointer: Pointer) => {
    const path = manifestPath(folder, pointer)
    const isHere = (text: string | null) => text !== null && sha256(text) === pointer.sha256
    if (isHere(readText(path))) return
    const own = readText(manifestPath(dataFolder, pointer))
    write(path, isHere(own) ? own! : await blobs.getText(pointer.object, pointer.sha256))
  }
  const pullAll = async (found: readonly Pointer[]) => {
    const queue = new PQueue({ concurrency: READS })
    await queue.addAll(found.map(pointer => () => pullOne(pointer)))
  }
  const pullFolded = async (date: SessionDate, version: string) => {
    const text = await findStage(blobs, foldedFolder(date, version, tapeInputs(folder, date)))
    if (text !== null) write(stagePath(folder, 'folded', date), text)
    return text !== null
  }

  return {
    folder,
    pull: async names => {
      const found = await Promise.all(names.map(name => pointers.find(name)))
      await pullAll(found.filter(pointer => pointer !== null))
    },
    pullRange: async (from, to, version) => {
      const first = neighbourSession(from, -1).date
      const changed = await pointers.listSince(seenSeq)
      const isNeeded = ({ kind, key }: Pointer) =>
        kind !== 'live' && ((key >= first && key <= to) || key === RATES)
      await pullAll(changed.filter(isNeeded))
      seenSeq = changed.at(-1)?.seq ?? seenSeq
      const folders = await listStages(blobs, FOLDED)
      for (const date of new Set([...folders].map(name => name.split('/')[2]!))) {
        if (date < first || date > to || isFolded(folder, date, version)) continue
        if (!folders.has(foldedFolder(date, version, tapeInputs(folder, date)))) continue
        await pullFolded(date, version)
      }
    },
    pullFolded,
    pullCarried: async (run, date) => {
      const text = await findStage(blobs, carriedFolder(run, date))
      if (text !== null) write(stagePath(folder, 'carried', date), text)
      return readStageCarried(folder, date)
    },
  }
}

const FOLDED = 'stages/folded/'

/** Folder in the store of what the first stage makes of inputs: the same code makes the same. */
const foldedFolder = (date: SessionDate, version: string, inputs: readonly TapeInput[]): string =>
  `${FOLDED}${date}/${sha256(`${version}\n${formatInputs(inputs.filter(isOwnInput))}`)}`

/** Folder in the store of what the second stage of one run carries into a session. */
const carriedFolder = (run: string, date: SessionDate): string => `stages/carried/${run}/${date}`

/** Sends what the first stage has made in a folder. */
export async function pushFolded(
  store: Pick<Store, 'blobs' | 'pointers'>,
  folder: string,
  { session_date: date, code_version, inputs, position_changes, closing_index }: Folded,
): Promise<void> {
  await sendFiles(store, stagesFolder(folder), [position_changes, closing_index])
  const text = readFileSync(stagePath(folder, 'folded', date), 'utf8')
  await putStage(store.blobs, foldedFolder(date, code_version, inputs), text)
}

/** Sends what the second stage carries into a session, unless that is nothing of its own. */
export async function pushCarried(
  store: Pick<Store, 'blobs' | 'pointers'>,
  folder: string,
  run: string,
  date: SessionDate,
): Promise<void> {
  const text = readText(stagePath(folder, 'carried', date))
  if (text === null) return
  await sendFiles(store, stagesFolder(folder), carriedFiles(readStageCarried(folder, date)))
  await putStage(store.blobs, carriedFolder(run, date), text)
}

/** Files of what is carried into a session; their sizes are not known. */
export const carriedFiles = (carried: Carried | null | undefined) =>
  [carried?.positions, carried?.index]
    .filter(input => input != null)
    .map(({ file, sha256 }) => ({ file, sha256, bytes: null }))

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes without a flush: a view is not used after a crash. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
