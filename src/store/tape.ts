/**
 * The imported tape of a data folder: Parquet batches and, for each session, one manifest that
 * names them. A file no manifest names does not exist for a reader.
 */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isDate, type SessionDate } from '../market/calendar.ts'
import { type Column, type Dataset, TAPE_DATASETS } from './datasets.ts'
import type { Database } from './duck.ts'
import { writeAtomically } from './files.ts'
import { describeFault, parseJson, refuseNewerFormat } from './manifest.ts'
import { loadRates } from './rates.ts'
import { Refusal } from './refusal.ts'
import { listOf } from './rows.ts'

export type TapeBatch = {
  readonly dataset: string
  /** Relative to the folder `tape`. */
  readonly file: string
  readonly rows: number
  readonly sha256: string
  /** The file it came from: its name without folders, and the hash of its bytes. */
  readonly source: { readonly file: string; readonly sha256: string }
  readonly format: string
  /** True when a simulator made it: never real market data. */
  readonly simulated: boolean
  readonly counts: BatchCounts
}

/** What became of the rows of one source file that belong to the session. */
export type BatchCounts = {
  readonly read: number
  readonly imported: number
  readonly already_there: number
  readonly rejected: number
  readonly skipped: number
  /** Unknown condition ids and how often each came. */
  readonly quarantined: Readonly<Record<string, number>>
}

export type TapeManifest = {
  readonly format: 1
  /** A trading day, or 'rates': a curve belongs to no session. */
  readonly session_date: SessionDate | typeof RATES
  readonly batches: readonly TapeBatch[]
}

export type TapeInput = {
  readonly dataset: string
  readonly file: string
  readonly sha256: string
  readonly rows: number
}

/** The manifest that lists the yield curves. */
export const RATES = 'rates'

/** What a reader relies on in a tape manifest's file. */
const TapeManifestFile = z.looseObject({
  format: z.literal(1),
  session_date: z.string(),
  batches: z.array(
    z.looseObject({
      dataset: z.string(),
      file: z.string(),
      rows: z.int(),
      sha256: z.string(),
      simulated: z.boolean(),
    }),
  ),
})

/**
 * What a tape file of prints holds beside the dictionary's columns: the vendor's own number, also
 * where `sequence` had to differ, so that the same print is known again.
 */
const VENDOR_SEQUENCE: Column = {
  name: 'vendor_sequence',
  type: 'bigint',
  isNullable: true,
  meaning: "the vendor's own sequence; null where it gives none",
}

/** The entry of a tape dataset in the dictionary. */
export function tapeDataset(name: string): Dataset {
  const dataset = TAPE_DATASETS.find(entry => entry.name === name)
  if (!dataset) throw new Error(`there is no tape dataset ${name}`)
  return dataset
}

/** The columns of a dataset's tape files. */
export const tapeColumns = (name: string): readonly Column[] =>
  name === 'prints' ? [...tapeDataset(name).columns, VENDOR_SEQUENCE] : tapeDataset(name).columns

/** Every session with an imported tape, oldest first. */
export function tapeSessions(dataFolder: string): SessionDate[] {
  const folder = join(dataFolder, 'tape/manifests')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .filter(isDate)
    .sort()
}

/** Where the tape manifest of a session, or of the rates, lies. */
export const tapeManifestPath = (dataFolder: string, key: string): string =>
  join(dataFolder, 'tape/manifests', `${key}.json`)

/** The manifest of a session, or of the rates; without batches when nothing was imported. */
export function readTapeManifest(dataFolder: string, key: string): TapeManifest {
  const path = tapeManifestPath(dataFolder, key)
  if (!existsSync(path)) return { format: 1, session_date: key, batches: [] }
  const text = readFileSync(path, 'utf8')
  refuseNewerFormat(`tape/manifests/${key}.json`, text)
  const parsed = TapeManifestFile.safeParse(parseJson(text))
  if (parsed.success && parsed.data.session_date === key)
    return parsed.data as unknown as TapeManifest
  const what = parsed.success ? 'it speaks of another session' : describeFault(parsed.error)
  throw new Refusal(
    `tape/manifests/${key}.json is damaged: ${what}; restore it, or take it away and import again.`,
  )
}

/** Puts a manifest in place: the moment from which its batches are read. */
export function writeTapeManifest(dataFolder: string, manifest: TapeManifest): void {
  const path = tapeManifestPath(dataFolder, manifest.session_date)
  writeAtomically(path, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The files of one dataset that the manifest of a session names, as full paths. */
export function tapeFiles(dataFolder: string, dataset: string, key: string): string[] {
  return readTapeManifest(dataFolder, dataset === RATES ? RATES : key)
    .batches.filter(batch => batch.dataset === dataset)
    .map(batch => join(dataFolder, 'tape', batch.file))
}

/** What a build of the session reads, for its manifest: files relative to the data folder. */
export function tapeInputs(dataFolder: string, sessionDate: SessionDate): TapeInput[] {
  const keys = [sessionDate, RATES]
  return keys
    .flatMap(key => readTapeManifest(dataFolder, key).batches)
    .map(({ dataset, file, sha256, rows }) => ({ dataset, file: `tape/${file}`, sha256, rows }))
}

/** True when any batch of the session is simulated. */
export const isSimulated = (dataFolder: string, sessionDate: SessionDate): boolean =>
  readTapeManifest(dataFolder, sessionDate).batches.some(batch => batch.simulated)

/**
 * Takes a session off the tape when all of it is simulated, so that another simulation of the day
 * can be imported; a session with real batches is refused.
 */
export function dropSimulatedTape(dataFolder: string, sessionDate: SessionDate): void {
  const { batches } = readTapeManifest(dataFolder, sessionDate)
  if (batches.some(batch => !batch.simulated)) {
    throw new Refusal(`the tape of ${sessionDate} is a real one; give another folder by --data.`)
  }
  rmSync(tapeManifestPath(dataFolder, sessionDate), { force: true })
  // from here on nobody knows of the files
  for (const { file } of batches) rmSync(join(dataFolder, 'tape', file), { force: true })
}

/**
 * Makes every `tape.*` table of the dictionary for one session; a dataset that was not imported
 * is an empty table. Prints stand in the order of the tape. Minute quotes, by far the largest, are
 * read once and stay in their files.
 */
export async function loadTape(
  db: Database,
  dataFolder: string,
  sessionDate: SessionDate,
): Promise<void> {
  for (const dataset of TAPE_DATASETS) {
    if (dataset.name === RATES) continue
    const files = tapeFiles(dataFolder, dataset.name, sessionDate)
    if (dataset.name === 'quotes') await forgetQuotes(db)
    if (dataset.name === 'quotes' && files.length > 0) await viewQuotes(db, dataset, files)
    else await loadFiles(db, `tape.${dataset.name}`, dataset.columns, files, SORT[dataset.name])
  }
  await loadRates(db, tapeFiles(dataFolder, RATES, RATES), sessionDate)
}

/** Makes `tape.batches`: what every import of the session read and left out. */
export async function loadBatches(
  db: Database,
  dataFolder: string,
  sessionDate: SessionDate,
): Promise<void> {
  const batches = readTapeManifest(dataFolder, sessionDate).batches.map(({ dataset, counts }) => ({
    dataset,
    read_count: counts.read,
    rejected_count: counts.rejected,
    quarantined_count: Object.values(counts.quarantined).reduce((sum, count) => sum + count, 0),
  }))
  await db.run(
    `create or replace table tape.batches as
     select
       unnest.dataset as dataset, unnest.read_count as read_count,
       unnest.rejected_count as rejected_count, unnest.quarantined_count as quarantined_count
     from unnest(from_json(
       $batches,
       '[{"dataset": "varchar", "read_count": "bigint", "rejected_count": "bigint",
          "quarantined_count": "bigint"}]'
     ))`,
    { batches: JSON.stringify(batches) },
  )
}

/** Quotes that come to a running session make a view of what was an empty table. */
async function forgetQuotes(db: Database): Promise<void> {
  const [found] = await db.rows(
    `select table_type from information_schema.tables
     where table_schema = 'tape' and table_name = 'quotes'
       and table_catalog = current_database()`,
  )
  if (found) await db.run(`drop ${found.table_type === 'VIEW' ? 'view' : 'table'} tape.quotes`)
}

async function viewQuotes(db: Database, dataset: Dataset, files: string[]): Promise<void> {
  const { columns } = dataset
  const typed = (name: string, type: string) => `::${type} as ${name}`
  const groups = await byAge(db, columns, files)
  const queries = groups.map(({ select }, index) => {
    const names = columns.map(({ name, type }) => `${select(name)}${typed(name, type)}`)
    return `select ${names.join(', ')} from read_parquet(getvariable('quotes_files_${index}'))`
  })
  // a view takes no parameters, but it may read a variable
  for (const [index, group] of groups.entries()) {
    const name = `quotes_files_${index}`
    await db.run(`set variable ${name} = $files::varchar[]`, { files: listOf(group.files) })
  }
  await db.run(`create or replace view tape.quotes as ${queries.join(' union all ')}`)
}

type Aged = {
  readonly files: readonly string[]
  /** What a column is in these files. */
  readonly select: (name: string) => string
}

/** Tape files with and without `known_at`: rows of the older ones were known at their own time. */
async function byAge(
  db: Database,
  columns: readonly Column[],
  files: readonly string[],
): Promise<Aged[]> {
  const plain = { files, select: (name: string) => name }
  const has = (name: string) => columns.some(column => column.name === name)
  if (!has('known_at')) return [plain]
  const found = await db.rows(
    "select file_name from parquet_schema($files::varchar[]) where name = 'known_at'",
    { files: listOf(files) },
  )
  const dated = new Set(found.map(row => String(row.file_name)))
  const ownTime = ['printed_at', 'spotted_at', 'quoted_at'].find(has) ?? 'null'
  const groups = [
    { ...plain, files: files.filter(file => dated.has(file)) },
    {
      files: files.filter(file => !dated.has(file)),
      select: (name: string) => (name === 'known_at' ? ownTime : name),
    },
  ]
  return groups.filter(group => group.files.length > 0)
}

const SORT: Readonly<Record<string, string>> = { prints: 'order by printed_at, sequence' }

/** Makes a table of the given columns from Parquet files, empty when there is none. */
export async function loadFiles(
  db: Database,
  table: string,
  columns: readonly Column[],
  files: readonly string[],
  orderBy = '',
): Promise<void> {
  const typed = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  await db.run(`create or replace table ${table} (${typed})`)
  if (files.length === 0) return
  const names = columns.map(column => column.name)
  const groups = await byAge(db, columns, files)
  const queries = groups.map(
    ({ select }, index) =>
      `select ${names.map(name => `${select(name)} as ${name}`).join(', ')}
       from read_parquet($files_${index}::varchar[])`,
  )
  await db.run(
    `insert into ${table} (${names.join(', ')})
     from (${queries.join(' union all ')}) ${orderBy}`,
    Object.fromEntries(groups.map((group, index) => [`files_${index}`, listOf(group.files)])),
  )
}

/** Makes a table of a Parquet file, its columns as they are. */
export async function loadParquet(db: Database, table: string, file: string): Promise<void> {
  await db.run(`create or replace table ${table} as from read_parquet($file)`, { file })
}
