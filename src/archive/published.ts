import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../core/disk/files.ts'
import { type Database, openDatabase } from '../core/engine/database.ts'
import { filePaths } from '../core/engine/paths.ts'
import { columnTypes } from '../data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'
import { type Book, byBook } from '../data/published/books.ts'
import { DamagedFile, readStamp } from '../data/published/damagedFile.ts'
import { verifiedFiles } from '../data/published/knownLedgers.ts'
import {
  type PublishedManifest,
  publishedFolder,
  type SessionSummary,
} from '../data/published/manifest.ts'
import type { PublishedForm } from '../data/published/publish.ts'
import type { SessionCurves, SessionLadders, SessionLevels } from './ask.ts'
import { renderArchive } from './render.ts'
import { readSessionRows, readSummaries, type SessionRows } from './rows.ts'
import { gammaWire, type LedgerPart, sessionWire, strikesWire } from './wire.ts'

/** Entry of a session without a summary; `reason` states why. */
export type NoSummary = { readonly reason: 'not_kept' | 'damaged' }

/** A session as known at a minute, in the format of the archive for a finished one. */
export type RunningSession = {
  readonly levels: SessionLevels
  readonly curves: Readonly<Record<Book, SessionCurves>>
  readonly ladders: Readonly<Record<Book, SessionLadders>>
}

/** True when a session has the files to render it from. */
export const isRenderable = ({ datasets, ledger }: PublishedManifest): boolean =>
  Boolean(datasets.levels && datasets.profiles && ledger.json)

/** Runs work on a temporary database. */
async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ threads: 1, memoryLimit: '1GB' })
  try {
    return await work(db)
  } finally {
    db.close()
  }
}

/** Loads files into `ledger.<name>`, with nulls when those of older code lack a column. */
async function load(db: Database, name: string, files: readonly string[]): Promise<void> {
  const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
  await db.run(`create table ledger.${name} (${columnTypes(columns)})`)
  if (files.length === 0) return
  await db.add('views/published_rows', { files: filePaths(files) }, `ledger.${name}`)
}

/**
 * Renders every form of a session from its files, as its build would have. Fails with DamagedFile
 * when one of them differs from its manifest.
 */
export async function renderPublished(
  dataFolder: string,
  manifest: PublishedManifest,
): Promise<Readonly<Record<string, PublishedForm>>> {
  const ledger = await readLedger(dataFolder, manifest)
  const rows = await readRows(dataFolder, manifest)
  return renderArchive({ ...rows, ledger, revision: manifest.revision })
}

async function readRows(dataFolder: string, manifest: PublishedManifest): Promise<SessionRows> {
  const levels = await verifiedFiles(dataFolder, manifest, 'levels')
  const profiles = await verifiedFiles(dataFolder, manifest, 'profiles')
  const strikes = await verifiedFiles(dataFolder, manifest, 'strikes')
  return withDatabase(async db => {
    await load(db, 'levels', levels)
    await load(db, 'profiles', profiles)
    await load(db, 'strikes', strikes)
    const { strikes: ladderRows, ...rows } = await readSessionRows(db)
    return strikes.length === 0 ? rows : { ...rows, strikes: ladderRows! }
  })
}

/**
 * Reads a session as known at a minute, 'HH:MM' ET: only the states up to it, without data known at
 * the end, such as a grade. Fails with DamagedFile.
 */
export async function readRunning(
  dataFolder: string,
  manifest: PublishedManifest,
  until: string,
): Promise<RunningSession> {
  const { levels, ...rows } = await readRows(dataFolder, manifest)
  const { session_date: day, simulated, revision } = manifest
  const input = {
    ledger: { day, asof: null, simulated, orders: [] },
    revision,
    levels: levels.filter(({ minute_et }) => minute_et <= until),
    ...rows,
  }
  const wire = sessionWire(input)
  return {
    levels: { ...wire, tape: undefined } as RunningSession['levels'],
    curves: byBook(book => gammaWire(input, book)),
    ladders: byBook(book => strikesWire(input, book)),
  }
}

/** Reads the row of a session's tape report; null when there is none. Fails with DamagedFile. */
export async function readTape(
  dataFolder: string,
  manifest: PublishedManifest,
): Promise<Readonly<Record<string, unknown>> | null> {
  const files = await verifiedFiles(dataFolder, manifest, 'tape_report')
  return withDatabase(async db => {
    await load(db, 'tape_report', files)
    const [row] = await db.rows('from ledger.tape_report')
    return row ?? null
  })
}

async function readLedger(dataFolder: string, manifest: PublishedManifest): Promise<LedgerPart> {
  const { file, sha256: wanted } = manifest.ledger.json!
  const path = join(publishedFolder(dataFolder), file)
  const stamp = readStamp(path)
  const bytes = await readFile(path).catch(error => error as NodeJS.ErrnoException)
  const message =
    bytes instanceof Error
      ? `${file} cannot be read (${bytes.code})`
      : `${file} does not match its hash`
  if (bytes instanceof Error || sha256(bytes) !== wanted) {
    throw new DamagedFile(manifest.session_date, { path, stamp, message })
  }
  return JSON.parse(bytes.toString('utf8')) as LedgerPart
}

/** Summarizes sessions for a list, in order; a damaged one does not affect the others. */
export async function summarizePublished(
  dataFolder: string,
  manifests: readonly PublishedManifest[],
): Promise<readonly (SessionSummary | NoSummary)[]> {
  const files = { levels: [] as string[], stats: [] as string[] }
  const lacking = new Map<string, NoSummary>()
  for (const manifest of manifests) {
    const { session_date: date, datasets } = manifest
    if (!datasets.levels || !datasets.stats) lacking.set(date, { reason: 'not_kept' })
    else {
      try {
        const levels = await verifiedFiles(dataFolder, manifest, 'levels')
        files.stats.push(...(await verifiedFiles(dataFolder, manifest, 'stats')))
        files.levels.push(...levels)
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error
        lacking.set(date, { reason: 'damaged' })
      }
    }
  }
  const read = await withDatabase(async db => {
    await load(db, 'levels', files.levels)
    await load(db, 'stats', files.stats)
    return readSummaries(db)
  })
  return manifests.map(
    ({ session_date: date }) => lacking.get(date) ?? read.get(date) ?? { reason: 'not_kept' },
  )
}
