import { join } from 'node:path'
import { damagedFiles } from '../../core/disk/files.ts'
import { isLack, missingResource } from '../../core/disk/refusal.ts'
import { type Database, openDatabase } from '../../core/engine/database.ts'
import { filePaths } from '../../core/engine/paths.ts'
import type { MinuteEt, SessionDate } from '../../core/market/calendar.ts'
import { columnTypes } from '../../data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../../data/dictionary/dictionary.ts'
import type { Book } from '../../data/published/books.ts'
import type { Found } from '../../data/published/catalog.ts'
import { DamagedFile, readStamp } from '../../data/published/damagedFile.ts'
import { datasetFiles, readLiveFacts } from '../../data/published/liveManifest.ts'
import type { PublishedFile, PublishedManifest } from '../../data/published/manifest.ts'
import { knownUntilMs, toMinuteEt } from '../../data/published/messageMinutes.ts'
import type { MarketMinute, OrderRow, SessionMinutes, StateRow } from './minutes.ts'

/** Sessions cached: the running one, and the one before for its last index. */
const SESSIONS_MAX = 2

/** Datasets that are read, each with its table. */
const TABLES = {
  levels: 'levels.levels',
  orders: 'ledger.orders',
  revisions: 'ledger.revisions',
} as const
type Dataset = keyof typeof TABLES

export type MinutesDeps = {
  readonly dataFolder: string
  /** Called for each file that differs from its manifest; only that file's minutes are lost. */
  readonly reportDamage: (damage: DamagedFile) => void
}

/**
 * Reads minutes of sessions, each file once: the next minute of a running session reads only its
 * own files.
 */
export type MinutesReader = {
  /**
   * Returns everything published of a session so far. Fails when the machine lacks a resource, such
   * as memory; a later attempt may succeed.
   */
  readonly read: (found: Found) => Promise<SessionMinutes>
  readonly close: () => void
}

/** Rows read of one session. */
type SessionRows = {
  readonly isLive: boolean
  readonly revision: string
  /**
   * Files that were read, or that are unreadable; the latter with a stamp that detects a
   * replacement.
   */
  readonly files: Map<string, string>
  readonly states: Map<string, StateRow>
  readonly orders: Map<number, OrderRow[]>
  /** By order. */
  readonly versions: Map<string, OrderRow[]>
}

/** Opens a reader; nothing is read before the first query. One query at a time. */
export async function openMinutes({
  dataFolder,
  reportDamage,
}: MinutesDeps): Promise<MinutesReader> {
  const db = await openDatabase({ threads: 1, memoryLimit: '1GB' })
  for (const [name, table] of Object.entries(TABLES)) {
    const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
    await db.run(`create table ${table} (${columnTypes(columns)})`)
  }
  const sessions = new Map<SessionDate, SessionRows>()

  const ensureRows = (manifest: PublishedManifest): SessionRows => {
    const { session_date: date, revision } = manifest
    const isLive = readLiveFacts(manifest) !== null
    const known = sessions.get(date)
    // a running session only adds files; a finished one has others
    if (known && known.isLive === isLive && (isLive || known.revision === revision)) return known
    const sessionRows = { ...NOTHING_READ(), isLive, revision }
    sessions.delete(date)
    sessions.set(date, sessionRows)
    const [oldest] = sessions.keys()
    if (sessions.size > SESSIONS_MAX) sessions.delete(oldest!)
    return sessionRows
  }

  return {
    read: async found => {
      const { manifest } = found
      const sessionRows = ensureRows(manifest)
      const load = (dataset: Dataset) =>
        loadNew({ db, dataFolder, reportDamage, manifest }, sessionRows, dataset)
      if (await load('levels')) await takeStates(db, sessionRows)
      const hasOrders = await load('orders')
      if ((await load('revisions')) || hasOrders) await takeOrders(db, sessionRows)
      return toSessionMinutes(found, sessionRows)
    },
    close: db.close,
  }
}

const NOTHING_READ = () => ({
  files: new Map<string, string>(),
  states: new Map<string, StateRow>(),
  orders: new Map<number, OrderRow[]>(),
  versions: new Map<string, OrderRow[]>(),
})

type Loading = MinutesDeps & { readonly db: Database; readonly manifest: PublishedManifest }

/** Loads the rows of new files into their dataset's table; false when there are none. */
async function loadNew(
  loading: Loading,
  sessionRows: SessionRows,
  dataset: Dataset,
): Promise<boolean> {
  const { dataFolder, manifest } = loading
  const { folder, files } = datasetFiles(dataFolder, manifest, dataset)
  const isNew = (entry: PublishedFile) => {
    const known = sessionRows.files.get(entry.file)
    return known === undefined || (known !== READ && known !== readStamp(join(folder, entry.file)))
  }
  const wanted = files.filter(isNew)
  if (wanted.length === 0) return false
  const verified: PublishedFile[] = []
  for (const entry of wanted) {
    if (await isVerified(loading, sessionRows, { folder, entry })) verified.push(entry)
  }
  try {
    await insert(loading, dataset, { folder, files: verified })
    for (const { file } of verified) sessionRows.files.set(file, READ)
  } catch (error) {
    if (isLack(error) || missingResource(error) !== null) throw error
    await insertSingly(loading, sessionRows, dataset, { folder, files: verified })
  }
  return true
}

/** Inserts files one by one, so that an unreadable one does not exclude the others. */
async function insertSingly(
  loading: Loading,
  sessionRows: SessionRows,
  dataset: Dataset,
  { folder, files }: Files,
): Promise<void> {
  for (const entry of files) {
    try {
      await insert(loading, dataset, { folder, files: [entry] })
      sessionRows.files.set(entry.file, READ)
    } catch (error) {
      if (isLack(error) || missingResource(error) !== null) throw error
      noteDamage(loading, sessionRows, { folder, entry }, `${entry.file} cannot be read as Parquet`)
    }
  }
}

/** Marks a file whose rows are in memory. */
const READ = 'read'

type Files = { readonly folder: string; readonly files: readonly PublishedFile[] }
type Named = { readonly folder: string; readonly entry: PublishedFile }

async function insert({ db }: Loading, dataset: Dataset, { folder, files }: Files): Promise<void> {
  if (files.length === 0) return
  const list = filePaths(files.map(({ file }) => join(folder, file)))
  await db.add('views/published_rows', { files: list }, TABLES[dataset])
}

/** True when a file matches its manifest; a mismatch is reported once. */
async function isVerified(
  loading: Loading,
  sessionRows: SessionRows,
  { folder, entry }: Named,
): Promise<boolean> {
  const [message] = await damagedFiles(folder, [entry])
  if (message === undefined) return true
  noteDamage(loading, sessionRows, { folder, entry }, message)
  return false
}

function noteDamage(
  { manifest, reportDamage }: Loading,
  sessionRows: SessionRows,
  { folder, entry }: Named,
  message: string,
): void {
  const path = join(folder, entry.file)
  const stamp = readStamp(path)
  sessionRows.files.set(entry.file, stamp)
  reportDamage(new DamagedFile(manifest.session_date, { path, stamp, message }))
}

async function takeStates(db: Database, { states }: SessionRows): Promise<void> {
  const rows = (await db.query('alerts/states')) as StateRow[]
  await db.run('truncate levels.levels')
  for (const row of rows) states.set(stateKey(row.minute_et, row.book_basis), row)
}

async function takeOrders(db: Database, { orders, versions }: SessionRows): Promise<void> {
  const rows = (await db.query('alerts/found_orders')) as OrderRow[]
  for (const table of [TABLES.orders, TABLES.revisions]) await db.run(`truncate ${table}`)
  for (const row of rows) {
    const known = versions.get(row.order_id) ?? []
    // a version of a running session is in two files: as it came, and as it ended
    if (known.some(one => one.revision_number === row.revision_number)) continue
    const all = [...known, row].sort((a, b) => a.revision_number - b.revision_number)
    versions.set(row.order_id, all)
    const others = orders.get(row.state_ms)
    if (others) others.push(row)
    else orders.set(row.state_ms, [row])
  }
}

const stateKey = (minute: MinuteEt, book: Book) => `${minute} ${book}`

function toSessionMinutes(found: Found, { states, orders, versions }: SessionRows): SessionMinutes {
  const { manifest } = found
  const untilMs = knownUntilMs(found)
  const findState = (minute: MinuteEt, book: Book) => states.get(stateKey(minute, book)) ?? null
  return {
    manifest,
    untilMs,
    findState,
    listVersions: orderId => versions.get(orderId) ?? [],
    minuteAt: (atMs): MarketMinute => {
      const minute = toMinuteEt(atMs)
      const book = (name: Book) => findState(minute, name)
      return {
        day: manifest.session_date,
        minute,
        atMs,
        books: { measured: book('measured'), vol: book('vol'), oi: book('oi') },
        orders: orders.get(atMs) ?? [],
      }
    },
  }
}
