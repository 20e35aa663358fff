/** Manifests that the store has, and the files that each names. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from '../../core/disk/refusal.ts'
import { parseJson, refuseNewerFormat } from '../../data/dictionary/manifestText.ts'
import { withTapeLock } from '../../data/published/lateData.ts'
import { readLiveFacts } from '../../data/published/liveManifest.ts'
import {
  PUBLISHED_FORMAT,
  parseManifest,
  publishedFiles,
  withPublishLock,
} from '../../data/published/manifest.ts'

/** Kinds of manifests, each with its folder of the data folder. */
export const KINDS = ['tape', 'published', 'live'] as const
export type ManifestKind = (typeof KINDS)[number]

/** A manifest by its kind, and its key: a session date, 'rates', or that of Open-Close flows. */
export type ManifestName = { readonly kind: ManifestKind; readonly key: string }

export const isKind = (text: string): text is ManifestKind =>
  (KINDS as readonly string[]).includes(text)

/** True for a key that a manifest may have; a name from the store must not leave its folder. */
export const isKey = (text: string): boolean => /^\w[\w-]{0,39}$/.test(text)

/** A file of a manifest, relative to the data folder. */
export type NamedFile = {
  readonly file: string
  readonly sha256: string
  /** Null in manifests of the tape, which name no sizes. */
  readonly bytes: number | null
}

const TapeFile = z.looseObject({
  file: z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.=-]+(\/[\w.=-]+)*$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
const TapeText = z.looseObject({ session_date: z.string(), batches: z.array(TapeFile) })

/** Files that the text of a manifest names. Fails with a Refusal when the text is none. */
export function namedFiles({ kind, key }: ManifestName, text: string): NamedFile[] {
  const name = `${kind}/manifests/${key}.json`
  refuseNewerFormat(name, text, kind === 'tape' ? 1 : PUBLISHED_FORMAT)
  try {
    return kind === 'tape' ? tapeFiles(key, text) : sessionFiles({ kind, key }, text)
  } catch (error) {
    throw new Refusal(`${name} is damaged: ${(error as Error).message}`)
  }
}

function tapeFiles(key: string, text: string): NamedFile[] {
  const { session_date: date, batches } = TapeText.parse(parseJson(text))
  if (date !== key) throw new Error(`it is about ${date}`)
  return batches.map(({ file, sha256 }) => ({ file: `tape/${file}`, sha256, bytes: null }))
}

function sessionFiles({ kind, key }: ManifestName, text: string): NamedFile[] {
  const manifest = parseManifest(text)
  if (manifest.session_date !== key) throw new Error(`it is about ${manifest.session_date}`)
  const live = Object.values(readLiveFacts(manifest)?.files ?? {}).flat()
  const files = kind === 'live' ? live : publishedFiles(manifest)
  return files.map(({ file, sha256, bytes }) => ({ file: `${kind}/${file}`, sha256, bytes }))
}

/** Path of a manifest in a data folder. */
export const manifestPath = (dataFolder: string, { kind, key }: ManifestName): string =>
  join(dataFolder, kind, 'manifests', `${key}.json`)

/** Runs `work` while no other process of this folder replaces the manifest. */
export function withManifestLock<T>(
  dataFolder: string,
  { kind, key }: ManifestName,
  work: () => Promise<T>,
): Promise<T> {
  if (kind === 'tape') return withTapeLock(dataFolder, key, work)
  return withPublishLock(dataFolder, key, work)
}

/** A manifest in words, such as "the tape of 2026-10-15". */
export function describeManifest({ kind, key }: ManifestName): string {
  if (kind === 'tape') return key === 'rates' ? 'the tape of rates' : `the tape of ${key}`
  return kind === 'live' ? `the running session ${key}` : key
}

/** Manifests of a data folder. */
export function listManifests(dataFolder: string, kinds: readonly ManifestKind[]): ManifestName[] {
  return kinds.flatMap(kind =>
    namesIn(join(dataFolder, kind, 'manifests'))
      .filter(name => name.endsWith('.json'))
      .map(name => ({ kind, key: name.slice(0, -'.json'.length) }))
      .filter(({ key }) => isKey(key)),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
