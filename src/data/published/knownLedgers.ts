import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { openGate } from '../../core/disk/closing.ts'
import { damagedFiles } from '../../core/disk/files.ts'
import { type Database, openDatabase } from '../../core/engine/database.ts'
import { filePaths } from '../../core/engine/paths.ts'
import { readSql } from '../../core/engine/sql.ts'
import { findTradingSession, type MinuteEt } from '../../core/market/calendar.ts'
import { columnTypes } from '../dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../dictionary/dictionary.ts'
import { DamagedFile, readStamp } from './damagedFile.ts'
import { datasetFiles, MESSAGE_COLUMNS, readLiveFacts } from './liveManifest.ts'
import type { PublishedManifest } from './manifest.ts'

/** Cached sessions, most recently used: their ledgers' orders, a few thousand rows each. */
const MAX_SESSIONS = 4

/** Datasets with the versions of orders, and when each was known. */
const VERSIONS = ['orders', 'revisions', 'legs', 'revision_legs'] as const

/** Order rows as `views.known_orders` gives them, and their counts. */
export type KnownLedger = {
  readonly orders: readonly Record<string, unknown>[]
  readonly stats: Readonly<Record<string, unknown>>
  /** 'HH:MM:SS' ET of the newest message known; null before the first. */
  readonly asof: string | null
  /**
   * Minutes that were over, and of which no print was known; null of a running session that older
   * code published, which stored no trace of them.
   */
  readonly missing: readonly MinuteEt[] | null
}

/** Reads the ledgers of sessions as they were known at earlier instants. */
export type KnownLedgers = {
  /**
   * Reads the ledger of a session from everything known before an instant. Fails with DamagedFile
   * when a file of the session differs from its manifest.
   */
  readonly read: (manifest: PublishedManifest, knownBeforeMs: number) => Promise<KnownLedger>
  readonly close: () => Promise<void>
}

type Loaded = { readonly revision: string; readonly db: Database }

/** Opens the reader of a data folder; reads nothing before the first query. */
export function openKnownLedgers(dataFolder: string): KnownLedgers {
  const sessions = new LRUCache<string, Loaded>({
    max: MAX_SESSIONS,
    dispose: ({ db }) => db.close(),
  })
  // one query after the other: the engine is shared, and a close must not meet a query
  const queue = new PQueue({ concurrency: 1 })
  const gate = openGate('the reader of earlier ledgers')

  const openLedgerDatabase = async (manifest: PublishedManifest): Promise<Database> => {
    const { session_date: date, revision } = manifest
    const known = sessions.get(date)
    if (known?.revision === revision) return known.db
    sessions.delete(date)
    const db = await load(dataFolder, manifest)
    sessions.set(date, { revision, db })
    return db
  }

  return {
    read: async (manifest, knownBeforeMs) => {
      gate.pass()
      return queue.add(async () => {
        const db = await openLedgerDatabase(manifest)
        const params = { known_before_ms: knownBeforeMs }
        const [stats] = await db.query('views/known_stats', params)
        const reader = await db.connection.runAndReadAll(readSql('views/known_orders'), params)
        const { asof_et: asof, ...counts } = stats!
        return {
          orders: reader.getRowObjectsJS(),
          stats: counts,
          asof: asof as string | null,
          missing: await readMissing(db, manifest, knownBeforeMs),
        }
      })
    },
    close: () => {
      gate.close()
      return queue.add(() => sessions.clear())
    },
  }
}

/** A database with the orders of a session's ledger, in every version. */
async function load(dataFolder: string, manifest: PublishedManifest): Promise<Database> {
  const db = await openDatabase({ threads: 2, memoryLimit: '1GB' })
  try {
    for (const name of VERSIONS) {
      const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
      await db.run(`create table ledger.${name} (${columnTypes(columns)})`)
      const rows = name.includes('legs') ? 'views/published_legs' : 'views/published_orders'
      await insert(db, dataFolder, manifest, name, rows)
    }
    await db.build('views/ledger_versions', {}, 'ledger.versions')
    await loadMessages(db, dataFolder, manifest)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

async function insert(
  db: Database,
  dataFolder: string,
  manifest: PublishedManifest,
  name: string,
  rows: string,
): Promise<void> {
  const files = await verifiedFiles(dataFolder, manifest, name)
  if (files.length === 0) return
  await db.add(rows, { files: filePaths(files) }, `ledger.${name}`)
}

/**
 * Makes `ledger.message_times`, when the newest message of each minute became known, and
 * `ledger.printed_minutes`, when the first print of each minute did.
 */
async function loadMessages(db: Database, dataFolder: string, manifest: PublishedManifest) {
  for (const [name, columns] of Object.entries(MESSAGE_COLUMNS)) {
    await db.run(`create table ledger.${name} (${columnTypes(columns)})`)
    await insert(db, dataFolder, manifest, name, 'views/published_rows')
  }
  const files = await verifiedFiles(dataFolder, manifest, 'prints')
  if (files.length === 0) return
  for (const name of Object.keys(MESSAGE_COLUMNS)) {
    await db.add(`views/known_${name}`, { files: filePaths(files) }, `ledger.${name}`)
  }
}

async function readMissing(
  db: Database,
  manifest: PublishedManifest,
  knownBeforeMs: number,
): Promise<MinuteEt[] | null> {
  if (!hasPrintedMinutes(manifest)) return null
  const { opensAtMs, closesAtMs } = findTradingSession(manifest.session_date)!
  const rows = await db.query('views/known_missing_minutes', {
    known_before_ms: knownBeforeMs,
    opens_ms: opensAtMs,
    closes_ms: closesAtMs,
  })
  return rows.map(row => String(row.minute_et))
}

/** True when every step with messages recorded the minutes they printed in; older code did not. */
function hasPrintedMinutes(manifest: PublishedManifest): boolean {
  const live = readLiveFacts(manifest)
  if (!live) return manifest.datasets.prints !== undefined
  const listSteps = (name: string) =>
    (live.files[name] ?? []).map(({ file }) => /\/(\d{4})-\w+\.parquet$/.exec(file)![1])
  const printedSteps = new Set(listSteps('printed_minutes'))
  return listSteps('message_times').every(step => printedSteps.has(step))
}

/** Files of a dataset, each verified against its manifest; fails with DamagedFile. */
export async function verifiedFiles(dataFolder: string, manifest: PublishedManifest, name: string) {
  const { folder, files } = datasetFiles(dataFolder, manifest, name)
  for (const entry of files) {
    const path = join(folder, entry.file)
    const stamp = readStamp(path)
    const [message] = await damagedFiles(folder, [entry])
    if (message !== undefined)
      throw new DamagedFile(manifest.session_date, { path, stamp, message })
  }
  return files.map(({ file }) => join(folder, file))
}
