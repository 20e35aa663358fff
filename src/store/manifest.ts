import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from './files.ts'

/** One immutable file, its path relative to the published folder. */
export type PublishedFile = {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** The one small file a publish replaces; readers take their file lists from it. */
export type Manifest = {
  readonly format: 1
  readonly session_date: string
  readonly symbol: string
  readonly simulated: boolean
  /** Name of this version: a hash of what it holds. */
  readonly revision: string
  /** ET time of the newest tape message the build knew, HH:MM:SS. */
  readonly asof: string
  readonly code_version: string
  readonly minutes: {
    readonly expected: number
    readonly present: number
    readonly missing: readonly string[]
  }
  readonly datasets: Readonly<Record<string, PublishedFile & { readonly rows: number }>>
  /** The rendered ledger, one entry a representation. */
  readonly ledger: Readonly<Record<string, PublishedFile & { readonly etag: string }>>
  readonly inputs: readonly {
    readonly dataset: string
    readonly file: string
    readonly rows: number
    readonly sha256: string
  }[]
  /** Prints of the tape by what became of them. */
  readonly tape: Readonly<Record<string, number>>
}

/** Manifests of a newer format are refused: older code must not guess what they mean. */
export const MANIFEST_FORMAT = 1

/** Where everything a reader may open lies. */
export const publishedFolder = (dataFolder: string): string => join(dataFolder, 'published')

const manifestsFolder = (dataFolder: string) => join(publishedFolder(dataFolder), 'manifests')

const manifestPath = (dataFolder: string, date: string) =>
  join(manifestsFolder(dataFolder), `${date}.json`)

/** Session dates with a published manifest, oldest first. */
export function publishedSessions(dataFolder: string): string[] {
  const folder = manifestsFolder(dataFolder)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => /^\d{4}-\d{2}-\d{2}\.json$/.test(name))
    .map(name => name.slice(0, 10))
    .sort()
}

/** The manifest of a session, or null when the session is not published. */
export function readManifest(dataFolder: string, date: string): Manifest | null {
  const path = manifestPath(dataFolder, date)
  if (!existsSync(path)) return null
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  if (manifest.format !== MANIFEST_FORMAT) {
    throw new Error(
      `the manifest of ${date} has format ${manifest.format}, this version reads ` +
        `${MANIFEST_FORMAT}: run the newer version, or build ${date} again`,
    )
  }
  return manifest
}

/** Replaces a session's manifest: from then on readers see the new version, and only that. */
export function writeManifest(dataFolder: string, manifest: Manifest): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  writeAtomically(manifestPath(dataFolder, manifest.session_date), text)
}
