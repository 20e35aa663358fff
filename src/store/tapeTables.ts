/** The tables of a session's tape in a database, made from its files. */

import type { SessionDate } from '../market/calendar.ts'
import { type Column, type Dataset, TAPE_DATASETS } from './datasets.ts'
import type { Database } from './duck.ts'
import { loadRates } from './rates.ts'
import { listOf } from './rows.ts'
import { RATES, readTapeManifest, tapeFiles } from './tape.ts'

/**
 * Makes every `tape.*` table of the dictionary for one session; a dataset that was not imported
 * is empty. Prints stand in the order of the tape. Minute quotes, by far the largest, are read once
 * and stay in their files.
 */
export async function loadTape(
  db: Database,
  dataFolder: string,
  sessionDate: SessionDate,
): Promise<void> {
  for (const dataset of TAPE_DATASETS) {
    const files = tapeFiles(dataFolder, dataset.name, sessionDate)
    await loadDataset(db, dataset, files, sessionDate)
  }
}

/** Makes the table or view of one dataset of the tape from its files. */
export async function loadDataset(
  db: Database,
  dataset: Dataset,
  files: readonly string[],
  sessionDate: SessionDate,
): Promise<void> {
  const { name, columns } = dataset
  if (name === RATES) {
    await db.run('create schema if not exists import')
    await loadFiles(db, 'import.curves', columns, files)
    await loadRates(db, sessionDate)
  } else if (name === 'quotes') await viewQuotes(db, dataset, files)
  else await loadFiles(db, `tape.${name}`, columns, files, { orderBy: SORT[name] })
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

async function viewQuotes(db: Database, dataset: Dataset, files: readonly string[]): Promise<void> {
  const { columns } = dataset
  const groups = files.length > 0 ? await byAge(db, columns, files) : []
  const queries = groups.map(
    ({ select }, index) =>
      `select ${typed(columns, select)} from read_parquet(getvariable('quotes_files_${index}'))`,
  )
  // a view takes no parameters, but it may read a variable
  for (const [index, group] of groups.entries()) {
    const name = `quotes_files_${index}`
    await db.run(`set variable ${name} = $files::varchar[]`, { files: listOf(group.files) })
  }
  const none = `select ${typed(columns, () => 'null')} limit 0`
  await db.run(`create or replace view tape.quotes as ${queries.join(' union all ') || none}`)
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

/** The columns of a dataset in their types, from what they are in a file. */
const typed = (columns: readonly Column[], select: (name: string) => string): string =>
  columns.map(({ name, type }) => `${select(name)}::${type} as ${name}`).join(', ')

const SORT: Readonly<Record<string, string>> = { prints: 'printed_at, sequence' }

/** Makes a table of the given columns from Parquet files, empty when there is none. */
export async function loadFiles(
  db: Database,
  table: string,
  columns: readonly Column[],
  files: readonly string[],
  { where = 'true', orderBy = '' }: { where?: string; orderBy?: string | undefined } = {},
): Promise<void> {
  if (files.length === 0) {
    await db.refill(table, `select ${typed(columns, () => 'null')} limit 0`)
    return
  }
  const groups = await byAge(db, columns, files)
  const queries = groups.map(
    ({ select }, index) =>
      `select ${typed(columns, select)} from read_parquet($files_${index}::varchar[])`,
  )
  await db.refill(
    table,
    `from (${queries.join(' union all ')}) where ${where} ${orderBy && `order by ${orderBy}`}`,
    Object.fromEntries(groups.map((group, index) => [`files_${index}`, listOf(group.files)])),
  )
}

/** Makes a table of a Parquet file, its columns as they are. */
export async function loadParquet(db: Database, table: string, file: string): Promise<void> {
  await db.run(`create or replace table ${table} as from read_parquet($file)`, { file })
}
