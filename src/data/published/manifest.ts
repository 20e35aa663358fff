import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { sha256, writeAtomically } from '../../core/disk/files.ts'
import { lockPath, withLock } from '../../core/disk/lock.ts'
import { parsedOnce } from '../../core/disk/parsed.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { MIN_PREMIUM_USD } from '../../core/market/minPremium.ts'
import {
  describeFault,
  isNewerFormat,
  NewerManifest,
  parseJson,
  refuseNewerValue,
} from '../dictionary/manifestText.ts'

/** A file under `published/`, named once and never written again. */
const PublishedFile = z.looseObject({
  /** Relative to `published/`; never outside of it. */
  file: z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.=-]+(\/[\w.=-]+)*$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export const DatasetFile = PublishedFile.extend({ rows: z.int().min(0) })
const LedgerFile = PublishedFile.extend({ etag: z.string().regex(/^"[\w-]+"$/) })

/** The verdict of the tape report: its grade, and each measure that is not good. */
const TapeGrade = z.looseObject({
  grade: z.enum(['good', 'doubtful', 'bad']),
  reasons: z.array(z.string()),
})

/** Summary of a session in a list of sessions; index points. */
const Summary = z.looseObject({
  /** Orders of the ledger. */
  orders: z.int(),
  /** The first index value, and the last by the PM close; null: there was none. */
  open: z.number().nullable(),
  close: z.number().nullable(),
  /** The flip of the measured book at the minute of `close`; null: there was none. */
  flip_close: z.number().nullable(),
})

const Count = z.int().min(0)

/** Grades of a session, added up by book: `level_grades` and `regime_grades` hold each of them. */
const GradeSums = z.looseObject({
  levels: z.array(
    z.looseObject({
      book: z.string(),
      /** 'call_wall' or 'put_wall', and the strikes compared with it: 'level', 'rank' or 'random'. */
      kind: z.string(),
      role: z.string(),
      judged: Count,
      touched: Count,
      held: Count,
    }),
  ),
  /** By bins of a tenth of the stated probability. */
  regimes: z.array(
    z.looseObject({
      book: z.string(),
      bin: z.int().min(0).max(9),
      judged: Count,
      /** Half hours in which the index moved less than expected. */
      calm: Count,
      probability_sum: z.number(),
      /** Sum of (probability - calm) squared. */
      square_sum: z.number(),
    }),
  ),
  /** Why no wall of the measured book could be judged; null where one was. */
  reason: z.string().nullable(),
})

/**
 * Format of the manifests that are written; older ones are read. Raise it in each release in which an
 * older version would misread a published folder, or drop something of it by publishing next to it.
 * 1: to 0.3.0. 2: editions, restatements, `published/current`, grades, and instants in UTC.
 */
export const PUBLISHED_FORMAT = 2

/** `published/manifests/YYYY-MM-DD.json`: the one small file that a publish replaces. */
export const PublishedManifest = z.looseObject({
  format: z.literal([1, PUBLISHED_FORMAT], {
    error: ({ input }) =>
      isNewerFormat(input, PUBLISHED_FORMAT)
        ? 'was written by a newer version of Tapefold: update this one'
        : `is not 1 to ${PUBLISHED_FORMAT}`,
  }),
  session_date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  symbol: z.string(),
  simulated: z.boolean(),
  /** Name of this version: a hash of its content. */
  revision: z.string(),
  /** 'HH:MM:SS' ET of the newest tape message that the build used. */
  asof: z.string().regex(/^\d{2}:\d{2}:\d{2}$/),
  code_version: z.string(),
  /**
   * UTC instant at which this content of the session was published first, and how often it has had
   * other content before, plus 1; both absent where older code published it. A build that changes
   * nothing leaves both as they are.
   */
  published_at: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
    .optional(),
  edition: z.int().min(1).optional(),
  /** Gross premium from which an order is in the ledger, USD. */
  min_premium_usd: z.number().default(MIN_PREMIUM_USD),
  minutes: z.looseObject({
    expected: z.int(),
    present: z.int(),
    /** Minutes in which nothing was printed, 'HH:MM'. */
    missing: z.array(z.string()),
  }),
  datasets: z.record(z.string(), DatasetFile),
  /** The rendered ledger by form: json, gzip, brotli, csv, parquet, arrow. */
  ledger: z.record(z.string(), LedgerFile),
  /** The session as the archive sends it; it names the revision, which is not computed from it. */
  archive: z.record(z.string(), LedgerFile).optional(),
  /** Absent, as `archive`, in manifests of versions that had no archive. */
  summary: Summary.optional(),
  /** Absent in manifests of versions that graded nothing. */
  grades: GradeSums.optional(),
  /** Tape files the build read. */
  inputs: z.array(
    z.looseObject({ dataset: z.string(), file: z.string(), rows: z.int(), sha256: z.string() }),
  ),
  /** Prints of the tape by disposition. */
  tape: z.record(z.string(), z.int()),
  /**
   * Instants at which the newest row of each dataset of the tape was known, UTC; absent in some
   * versions.
   */
  tape_newest: z.record(z.string(), z.string()).optional(),
  /** Quality grade of the tape; absent in manifests of versions that did not judge it. */
  tape_grade: TapeGrade.optional(),
  /** Datasets that were added after the build, and by which code. */
  added: z.record(z.string(), z.string()).optional(),
})

export type GradeSums = z.infer<typeof GradeSums>
export type SessionSummary = z.infer<typeof Summary>
export type TapeGrade = z.infer<typeof TapeGrade>
export type PublishedManifest = z.infer<typeof PublishedManifest>
export type PublishedFile = {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}
export type LedgerFileEntry = z.infer<typeof LedgerFile>

/** The manifest of a file's text; fails with one sentence that names the field. */
export const parseManifest = (text: string): PublishedManifest => checkManifest(parseJson(text))

function checkManifest(value: unknown): PublishedManifest {
  const parsed = PublishedManifest.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Error(describeFault(parsed.error))
}

/**
 * True when a session has a ledger: one of the site, the APIs, the tools and the status. A session
 * without has market minutes alone, on which positions and ideas are replayed.
 */
export const hasLedger = ({ datasets }: PublishedManifest): boolean =>
  datasets.orders !== undefined || datasets.market_minutes === undefined

/** Folder of all files that a reader may open. */
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
  if (!existsSync(path)) return null
  return parseStored(readFileSync(path, 'utf8'), path)
}

const parseStored = parsedOnce((text, path): PublishedManifest => {
  const date = basename(path, '.json')
  const name = `published/manifests/${date}.json`
  const value = parseJson(text)
  refuseNewerValue(name, value, PUBLISHED_FORMAT)
  let fault: string
  try {
    const manifest = checkManifest(value)
    if (manifest.session_date === date) return manifest
    fault = `it is about ${manifest.session_date}`
  } catch (error) {
    fault = (error as Error).message
  }
  throw new DamagedManifest(`${name} is damaged: ${fault}; repair ${date}, or build it again.`)
})

/** Starts of the manifests that `writeManifest` writes, now and before. */
const OWN_STARTS = [1, PUBLISHED_FORMAT].map(format => `{\n  "format": ${format},\n`)

/** True when the first bytes of a file say that it is no manifest of a newer version. */
function startsAsOwn(path: string): boolean {
  const start = Buffer.alloc(OWN_STARTS[0]!.length)
  const file = openSync(path, 'r')
  try {
    readSync(file, start, 0, start.length, 0)
  } finally {
    closeSync(file)
  }
  return OWN_STARTS.includes(start.toString('latin1'))
}

/**
 * Refuses to publish next to sessions of a newer version: one would be replaced, or left out of the
 * views. A damaged manifest may be replaced.
 */
export function refuseNewer(dataFolder: string): void {
  for (const date of publishedSessions(dataFolder)) {
    try {
      // a build does this for thousands of sessions
      if (!startsAsOwn(manifestPath(dataFolder, date))) readManifest(dataFolder, date)
    } catch (error) {
      if (error instanceof NewerManifest) throw error
    }
  }
}

/** A manifest without reliable content; a repair writes it again. */
export class DamagedManifest extends Refusal {}

/** Longer than it takes to hash the files of a session, which a repair does. */
const LOCK_WAIT_MS = 120_000

/** Runs `work` while no other process replaces a manifest of the session, or removes its files. */
export function withPublishLock<T>(
  dataFolder: string,
  date: string,
  work: () => Promise<T>,
): Promise<T> {
  const path = lockPath(dataFolder, `publish-${date}`)
  return withLock(path, `Another process publishes ${date}; run it again.`, work, LOCK_WAIT_MS)
}

/** The hash of a session's manifest, damaged or not; null when there is none. */
export function manifestVersion(dataFolder: string, date: string): string | null {
  const path = manifestPath(dataFolder, date)
  return existsSync(path) ? sha256(readFileSync(path)) : null
}

/**
 * Replaces a session's manifest if its version is still `replaces`: the one that the publisher
 * found when it began. Fails with a Refusal when it is another one by now, or when a file of the
 * new one was removed. `link` runs before another publisher may follow.
 */
export function replaceManifest(
  dataFolder: string,
  manifest: PublishedManifest,
  replaces: string | null,
  link: (dataFolder: string, manifest: PublishedManifest) => void,
): Promise<void> {
  const { session_date: date } = manifest
  return withPublishLock(dataFolder, date, async () => {
    if (manifestVersion(dataFolder, date) !== replaces) throw replacedMeanwhile(date)
    refuseRemoved(publishedFolder(dataFolder), date, publishedFiles(manifest))
    writeManifest(dataFolder, manifest)
    link(dataFolder, manifest)
  })
}

const replacedMeanwhile = (date: string): Refusal =>
  new Refusal(`${date} was published anew meanwhile; run it again.`)

/** Fails when files that a new manifest names are gone: the lock of its publisher is held. */
export function refuseRemoved(
  folder: string,
  date: string,
  files: readonly Pick<PublishedFile, 'file'>[],
): void {
  const removed = files.find(({ file }) => !existsSync(join(folder, file)))
  if (!removed) return
  throw new Refusal(`${removed.file} was removed while ${date} was published; run it again.`)
}

/**
 * Replaces a session's manifest: from then on readers see the new version, and only that. The old
 * one is stored next to it, with the time at which it was superseded.
 */
export function writeManifest(dataFolder: string, manifest: PublishedManifest): void {
  const { session_date: date } = manifest
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  const path = manifestPath(dataFolder, date)
  const old = existsSync(path) ? readFileSync(path, 'utf8') : text
  if (old !== text) {
    const name = `${date}.${sha256(old).slice(0, 16)}.json`
    writeAtomically(join(publishedFolder(dataFolder), 'superseded', name), old)
  }
  writeAtomically(path, text)
}

export type SupersededManifest = {
  readonly manifest: PublishedManifest
  /** Instant of its last replacement, by the clock of the disk. UTC milliseconds. */
  readonly supersededAtMs: number
}

/** The manifests that a session had before; one that cannot be read names nothing. */
export function supersededManifests(dataFolder: string, date: string): SupersededManifest[] {
  const folder = join(publishedFolder(dataFolder), 'superseded')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.startsWith(`${date}.`) && name.endsWith('.json'))
    .flatMap(name => {
      const path = join(folder, name)
      try {
        const manifest = parseManifest(readFileSync(path, 'utf8'))
        return [{ manifest, supersededAtMs: statSync(path).mtimeMs }]
      } catch {
        return [] // then its files are as old as the manifest that followed it
      }
    })
}

/** Every file that a manifest names, relative to `published/`. */
export const publishedFiles = (manifest: PublishedManifest): PublishedFile[] => [
  ...Object.values(manifest.datasets),
  ...Object.values(manifest.ledger),
  ...Object.values(manifest.archive ?? {}),
]

/** Path of the manifest of a session. */
export const manifestPath = (dataFolder: string, date: string): string =>
  join(publishedFolder(dataFolder), 'manifests', `${date}.json`)

/** The strong validator of bytes, by their hash in hex. */
export const formatEtag = (sha256: string): string => `"${sha256.slice(0, 32)}"`
