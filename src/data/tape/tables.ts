/** The tables of a session's tape in a database, made from its files. */

import { resolve } from 'node:path'
import type { Database, Params } from '../../core/engine/database.ts'
import { filePath, filePaths, formatList } from '../../core/engine/paths.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { type Column, columnCasts, type Dataset, TAPE_DATASETS } from '../dictionary/datasets.ts'
import { isLater, RATES, readTapeManifest, tapeColumns, tapeFiles } from './manifest.ts'
import { loadRates } from './rates.ts'

/** Symbols of a session's tape with their number of prints, or else of quotes. */
export type TapeSymbols = {
  /** The session's own: SPX where there is any of it, else the symbol with the most. */
  readonly symbol: string
  readonly others: readonly { readonly symbol: string; readonly rows: number }[]
}

/** Reads the symbols of a session's prints, or of its quotes where it has no prints yet. */
export async function readSymbols(
  db: Database,
  dataFolder: string,
  sessionDate: SessionDate,
  datasets: readonly ('prints' | 'quotes')[],
): Promise<TapeSymbols | null> {
  for (const name of datasets) {
    const files = tapeFiles(dataFolder, name, sessionDate)
    if (files.length === 0) continue
    const rows = await db.query('views/tape_symbols', { files: filePaths(files) })
    const [own, ...others] = rows.map(row => ({
      symbol: String(row.symbol),
      rows: Number(row.row_count),
    }))
    if (own) return { symbol: own.symbol, others }
  }
  return null
}

/**
 * Makes every `tape.*` table of the dictionary for one session; a dataset that was not imported
 * is empty. Prints stand in the order of the tape. Minute quotes, by far the largest, are read once
 * and stay in their files. Of all but the prints only rows of the session's symbol are loaded,
 * where one is given.
 */
export async function loadTape(
  db: Database,
  dataFolder: string,
  sessionDate: SessionDate,
  symbol?: string,
): Promise<void> {
  for (const dataset of TAPE_DATASETS) {
    const files = tapeFiles(dataFolder, dataset.name, sessionDate)
    await loadDataset(db, dataset, files, { sessionDate, symbol })
  }
}

/** Makes the table or view of one dataset of the tape from its files, as `loadTape` does. */
export async function loadDataset(
  db: Database,
  dataset: Dataset,
  files: readonly string[],
  { sessionDate, symbol }: { sessionDate: SessionDate; symbol: string | undefined },
): Promise<void> {
  const { name } = dataset
  const columns = tapeColumns(name)
  if (name === RATES) {
    await db.run('create schema if not exists import')
    await loadFiles(db, 'import.curves', columns, files)
    await loadRates(db, sessionDate)
  } else if (name === 'quotes') await viewQuotes(db, dataset, files, symbol)
  else {
    const where = symbol === undefined ? undefined : OWN[name]
    const own = where === undefined ? {} : { where, params: { symbol: symbol! } }
    await loadFiles(db, `tape.${name}`, columns, files, { ...own, orderBy: SORT[name] })
  }
}

const OF_SYMBOL = 'symbol_of(root) = $symbol::varchar'

/** Condition for rows of a symbol; a value that names none belongs to any session. */
const OWN: Readonly<Record<string, string>> = {
  spots: 'coalesce(symbol, $symbol::varchar) = $symbol::varchar',
  settlements: 'coalesce(symbol, $symbol::varchar) = $symbol::varchar',
  futures: 'future_symbol(contract) = $symbol::varchar',
  open_interest: OF_SYMBOL,
  dealer_positions: OF_SYMBOL,
}

/**
 * Makes `tape.batches`: rows that every import of the session read and left out. Datasets that no
 * ledger rests on are not judged with it.
 */
export async function loadBatches(
  db: Database,
  dataFolder: string,
  sessionDate: SessionDate,
): Promise<void> {
  const judged = readTapeManifest(dataFolder, sessionDate).batches.filter(
    ({ dataset }) => !isLater(dataset),
  )
  const batches = judged.map(({ dataset, counts, degraded = false }) => ({
    dataset,
    read_count: counts.read,
    rejected_count: counts.rejected,
    quarantined_count: Object.values(counts.quarantined).reduce((sum, count) => sum + count, 0),
    is_degraded: degraded,
  }))
  await db.build('tape/batches', { batches: JSON.stringify(batches) })
}

async function viewQuotes(
  db: Database,
  dataset: Dataset,
  files: readonly string[],
  symbol: string | undefined,
): Promise<void> {
  const { columns } = dataset
  const others = symbol === undefined ? [] : await otherRoots(db, files, symbol)
  // nearly always there are none: then no row is read
  const where =
    others.length === 0 ? '' : "where not list_contains(getvariable('other_roots'), root)"
  const groups = files.length > 0 ? await byAge(db, columns, files) : []
  const queries = groups.map(
    ({ select }, index) =>
      `select ${columnCasts(columns, select)}
       from read_parquet(getvariable('quotes_files_${index}'), hive_partitioning = false) ${where}`,
  )
  for (const [index, { files }] of groups.entries()) {
    await db.setList(`quotes_files_${index}`, files.map(filePath))
  }
  await db.setList('other_roots', others)
  const none = `select ${columnCasts(columns, () => 'null')} limit 0`
  await db.run(`create or replace view tape.quotes as ${queries.join(' union all ') || none}`)
}

/** The roots of files of quotes that are of another symbol. */
async function otherRoots(
  db: Database,
  files: readonly string[],
  symbol: string,
): Promise<string[]> {
  if (files.length === 0) return []
  const rows = await db.query('tape/other_roots', { files: filePaths(files), symbol })
  return rows.map(row => String(row.root))
}

type Aged = {
  readonly files: readonly string[]
  /** Expression of a column in these files. */
  readonly select: (name: string) => string
}

/**
 * Tape files grouped by the later columns they have. Rows of files without `known_at` were known
 * at their own time; values of the index without a `symbol` are of the session's own; prints
 * without `vendor_sequence` have no number of the vendor; positions without `guessed_quantity` were
 * measured whole.
 */
async function byAge(
  db: Database,
  columns: readonly Column[],
  files: readonly string[],
): Promise<Aged[]> {
  const has = (name: string) => columns.some(column => column.name === name)
  const ownTime = ['printed_at', 'spotted_at', 'quoted_at'].find(has) ?? 'null'
  const later: Readonly<Record<string, string>> = {
    known_at: ownTime,
    symbol: 'null',
    vendor_sequence: 'null',
    guessed_quantity: 'null',
    dealers: 'null',
  }
  const names = Object.keys(later).filter(has)
  if (names.length === 0) return [{ files, select: name => name }]
  const found = await db.query('tape/named_columns', {
    files: filePaths(files),
    names: formatList(names),
  })
  const namesByFile = new Map(
    found.map(row => [String(row.file_name), String(row.names).split(',')]),
  )
  const listMissingNames = (file: string) => {
    const own = namesByFile.get(resolve(file))
    return names.filter(name => !own?.includes(name))
  }
  const groups = Map.groupBy(files, file => listMissingNames(file).join(' '))
  // the youngest first
  const byLack = [...groups].toSorted(([lack], [other]) => (lack < other ? -1 : 1))
  return byLack.map(([lack, aged]) => ({
    files: aged,
    select: name => (lack.split(' ').includes(name) ? later[name]! : name),
  }))
}

const SORT: Readonly<Record<string, string>> = { prints: 'printed_at, sequence' }

type Wanted = {
  readonly where?: string
  readonly params?: Params
  readonly orderBy?: string | undefined
}

/** Makes a table of the given columns from Parquet files, empty when there is none. */
export async function loadFiles(
  db: Database,
  table: string,
  columns: readonly Column[],
  files: readonly string[],
  { where = 'true', orderBy = '', params = {} }: Wanted = {},
): Promise<void> {
  if (files.length === 0) {
    await db.refill(table, `select ${columnCasts(columns, () => 'null')} limit 0`)
    return
  }
  const groups = await byAge(db, columns, files)
  const queries = groups.map(
    ({ select }, index) =>
      `select ${columnCasts(columns, select)}
       from read_parquet($files_${index}::varchar[], hive_partitioning = false)`,
  )
  await db.refill(
    table,
    `from (${queries.join(' union all ')}) where ${where} ${orderBy && `order by ${orderBy}`}`,
    {
      ...params,
      ...Object.fromEntries(
        groups.map((group, index) => [`files_${index}`, filePaths(group.files)]),
      ),
    },
  )
}

/** Makes a table of Parquet files of the same columns, as they are. */
export async function loadParquet(
  db: Database,
  table: string,
  ...files: readonly string[]
): Promise<void> {
  const rows = 'from read_parquet($files::varchar[], hive_partitioning = false)'
  await db.run(`create or replace table ${table} as ${rows}`, { files: filePaths(files) })
}
