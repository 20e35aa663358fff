import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from './files.ts'

/** A file under `published/`, named once and never written again. */
const PublishedFile = z.looseObject({
  /** Relative to `published/`; never outside of it. */
  file: z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.=-]+(\/[\w.=-]+)*$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const DatasetFile = PublishedFile.extend({ rows: z.int().min(0) })
const LedgerFile = PublishedFile.extend({ etag: z.string().regex(/^"[\w-]+"$/) })

/** The verdict of the tape report: its grade, and each measure that is not good. */
const TapeGrade = z.looseObject({
  grade: z.enum(['good', 'doubtful', 'bad']),
  reasons: z.array(z.string()),
})

/** `published/manifests/YYYY-MM-DD.json`: the one small file that a publish replaces. */
export const PublishedManifest = z.looseObject({
  format: z.literal(1, 'was written by a newer version of Tapefold: update this one'),
  session_date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  symbol: z.string(),
  simulated: z.boolean(),
  /** Names this version: a hash of what it holds. */
  revision: z.string(),
  /** 'HH:MM:SS' ET of the newest tape message that the build used. */
  asof: z.string().regex(/^\d{2}:\d{2}:\d{2}$/),
  code_version: z.string(),
  minutes: z.looseObject({
    expected: z.int(),
    present: z.int(),
    /** Minutes in which nothing was printed, 'HH:MM'. */
    missing: z.array(z.string()),
  }),
  datasets: z.record(z.string(), DatasetFile),
  /** The rendered ledger by form: json, gzip, brotli, csv, parquet, arrow. */
  ledger: z.record(z.string(), LedgerFile),
  /** Tape files the build read. */
  inputs: z.array(
    z.looseObject({ dataset: z.string(), file: z.string(), rows: z.int(), sha256: z.string() }),
  ),
  /** Prints of the tape by what became of them. */
  tape: z.record(z.string(), z.int()),
  /** How far the tape can be trusted; absent in manifests of versions that did not judge it. */
  tape_grade: TapeGrade.optional(),
})

export type TapeGrade = z.infer<typeof TapeGrade>
export type PublishedManifest = z.infer<typeof PublishedManifest>
export type PublishedFile = {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}
export type LedgerFileEntry = z.infer<typeof LedgerFile>

/** The manifest of a file's text; fails with one sentence that names the field. */
export function parseManifest(text: string): PublishedManifest {
  const parsed = PublishedManifest.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw new Error(`${issue.path.join('.') || 'the manifest'} ${issue.message}`)
}

/** Where everything a reader may open lies. */
export const publishedFolder = (dataFolder: string): string => join(dataFolder, 'published')

/** Session dates with a published manifest, oldest first. */
export function publishedSessions(dataFolder: string): string[] {
  const folder = join(publishedFolder(dataFolder), 'manifests')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => /^\d{4}-\d{2}-\d{2}\.json$/.test(name))
    .map(name => name.slice(0, 10))
    .sort()
}

/** The manifest of a session, or null when the session is not published. */
export function readManifest(dataFolder: string, date: string): PublishedManifest | null {
  const path = manifestPath(dataFolder, date)
  return existsSync(path) ? parseManifest(readFileSync(path, 'utf8')) : null
}

/** Replaces a session's manifest: from then on readers see the new version, and only that. */
export function writeManifest(dataFolder: string, manifest: PublishedManifest): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  writeAtomically(manifestPath(dataFolder, manifest.session_date), text)
}

const manifestPath = (dataFolder: string, date: string) =>
  join(publishedFolder(dataFolder), 'manifests', `${date}.json`)
