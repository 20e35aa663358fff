/**
 * Stages of a backfill, which its tasks hand on: immutable objects of the store that name blobs. The
 * name of an object has the hash of its text.
 */

import { sha256 } from '../../core/disk/files.ts'
import type { Blobs, StoredObject } from './blobs.ts'

/** Start of the names of all stages. */
export const STAGES = 'stages/'

type StageObject = {
  /** Folder of the object, such as 'stages/carried/RUN/2026-10-15'. */
  readonly folder: string
  readonly sha256: string
}

/** Parses the name of a stage's object; null for any other name. */
export function parseStageObject(name: string): StageObject | null {
  const [, folder, hash] = /^(stages\/[\w/-]+)\/([0-9a-f]{64})\.json$/.exec(name) ?? []
  return folder === undefined || hash === undefined ? null : { folder, sha256: hash }
}

/** Stores a stage in its folder; its blobs have been sent. */
export const putStage = (blobs: Blobs, folder: string, text: string): Promise<void> =>
  blobs.putText(`${folder}/${sha256(text)}.json`, text)

/** Text of the stage of a folder that was stored last; null where there is none. */
export async function findStage(blobs: Blobs, folder: string): Promise<string | null> {
  let last: StoredObject | null = null
  for await (const object of blobs.list(`${folder}/`)) {
    if (parseStageObject(object.name)?.folder !== folder) continue
    if (last === null || object.storedAtMs >= last.storedAtMs) last = object
  }
  return last && blobs.getText(last.name, parseStageObject(last.name)!.sha256)
}

/** Folders of the stages that begin so. */
export async function listStages(blobs: Blobs, start: string): Promise<ReadonlySet<string>> {
  const folders = new Set<string>()
  for await (const { name } of blobs.list(start)) {
    const parsed = parseStageObject(name)
    if (parsed) folders.add(parsed.folder)
  }
  return folders
}

/** Hashes of the blobs that the text of a stage may name: every SHA-256 in it. */
export const stageBlobs = (text: string): readonly string[] =>
  [...text.matchAll(/"([0-9a-f]{64})"/g)].map(match => match[1]!)
