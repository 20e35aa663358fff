import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../core/disk/files.ts'
import { isLack } from '../../core/disk/refusal.ts'
import type { Database } from '../../core/engine/database.ts'
import { filePaths } from '../../core/engine/paths.ts'
import type { MinuteEt } from '../../core/market/calendar.ts'
import { columnTypes, parquetOptions } from '../dictionary/datasets.ts'
import { JUDGED_DATASETS } from '../dictionary/positionDatasets.ts'
import { DamagedFile, readStamp } from './damagedFile.ts'
import { datasetFiles, readLiveFacts } from './liveManifest.ts'
import type { PublishedManifest } from './manifest.ts'

/** Part of each session that a replay reads; a session is otherwise loaded whole. */
export type Window = {
  readonly judged: MinuteEt
  /** The minute to compare the judged one with. */
  readonly lookedBack: MinuteEt
  /** Large orders are wanted from this minute to the judged one. */
  readonly ordersFrom: MinuteEt
}

/** Columns of the market minutes that only a session loaded whole reads. */
const LATER_COLUMNS = ['flip_lo', 'flip_hi', 'p_positive', 'spot_source', 'spot_error'] as const

const WHOLE: Window = { judged: '23:59', lookedBack: '00:00', ordersFrom: '00:00' }

export type Market = {
  readonly dataFolder: string
  readonly sessions: readonly PublishedManifest[]
  readonly window: Window | null
}

/** True when a session has all datasets that a position is judged by. */
export const isJudgeable = (manifest: PublishedManifest): boolean =>
  readLiveFacts(manifest) !== null ||
  JUDGED_DATASETS.every(({ name }) => manifest.datasets[name] !== undefined)

/** Parts of a manifest that a position is judged by: a thousand are sent between threads. */
export function judgedPart(manifest: PublishedManifest): PublishedManifest {
  const { session_date, revision } = manifest
  const { live } = manifest as { live?: unknown }
  const datasets = JUDGED_DATASETS.flatMap(({ name }) => {
    const entry = manifest.datasets[name]
    return entry ? [[name, entry] as const] : []
  })
  const part = { session_date, revision, datasets: Object.fromEntries(datasets) }
  return { ...part, ...(live === undefined ? {} : { live }) } as PublishedManifest
}

/** The first file a position is judged by that is not as its hash says; null when all are. */
export async function marketDamage(
  dataFolder: string,
  manifest: PublishedManifest,
): Promise<DamagedFile | null> {
  for (const { name } of JUDGED_DATASETS) {
    const { folder, files } = datasetFiles(dataFolder, manifest, name)
    for (const { file, sha256: wanted } of files) {
      const path = join(folder, file)
      const stamp = readStamp(path)
      const damage = (what: string, lasting: string | null = stamp) =>
        new DamagedFile(manifest.session_date, { path, stamp: lasting, message: `${file} ${what}` })
      try {
        // small files, and thousands of them: read at once
        const bytes = await readFile(path)
        if (sha256(bytes) !== wanted) return damage('does not match its hash')
      } catch (error) {
        if (isLack(error)) throw error
        const { code } = error as NodeJS.ErrnoException
        return damage(`cannot be read (${code})`, code === 'ENOENT' ? stamp : null)
      }
    }
  }
  return null
}

/** Makes `positions.market_minutes`, `.large_orders` and the tables derived from them. */
export async function loadMarket(db: Database, market: Market): Promise<void> {
  const { judged, lookedBack, ordersFrom } = market.window ?? WHOLE
  await loadDataset(db, market, {
    name: 'market_minutes',
    laterColumns: LATER_COLUMNS,
    // plain comparisons: the reader then unpacks no list of a minute that is not wanted
    where: market.window ? 'minute_et in ($judged, $back)' : 'minute_et between $back and $judged',
    params: { judged, back: lookedBack },
  })
  await loadDataset(db, market, {
    name: 'large_orders',
    where: 'minute_et between $from and $judged',
    params: { from: ordersFrom, judged },
  })
  await db.build('positions/market_conditions')
}

/** Makes `positions.paths`: the index from a minute to the PM close of each session. */
export async function loadPaths(db: Database, market: Market, from: MinuteEt): Promise<void> {
  await db.run(
    `create or replace table positions.paths (
       session_date date, minute_et varchar, seconds_left integer, spot double
     )`,
  )
  const files = listFiles(market, 'market_minutes')
  if (files.length === 0) return
  await db.add('positions/paths', { files: filePaths(files), from }, 'positions.paths')
}

type Selection = {
  readonly name: string
  readonly where: string
  readonly params: Readonly<Record<string, string>>
  /** Columns that a replay uses none of: it reads thousands of files. */
  readonly laterColumns?: readonly string[]
}

async function loadDataset(db: Database, market: Market, selection: Selection) {
  const { name, where, params, laterColumns = [] } = selection
  const { columns } = JUDGED_DATASETS.find(dataset => dataset.name === name)!
  const names = columns.map(column => column.name)
  const selected = names.filter(column => market.window === null || !laterColumns.includes(column))
  await db.run(`create or replace table positions.${name} (${columnTypes(columns)})`)
  const files = listFiles(market, name)
  if (files.length === 0) return
  // in a running session, a version has one row from its start and another from its end
  const mayRepeat = name === 'large_orders' && market.sessions.some(one => readLiveFacts(one))
  const once = mayRepeat
    ? `qualify row_number() over (
           partition by session_date, order_id, revision_number order by superseded_at nulls last
         ) = 1`
    : ''
  await db.run(
    `insert into positions.${name} by name
     select ${selected.join(', ')}
     from read_parquet($files::varchar[], ${parquetOptions(columns)})
     where ${where} ${once}`,
    { files: filePaths(files), ...params },
  )
}

function listFiles({ dataFolder, sessions }: Market, name: string): string[] {
  return sessions.flatMap(session => {
    const { folder, files } = datasetFiles(dataFolder, session, name)
    return files.map(({ file }) => join(folder, file))
  })
}

/** A position's short strikes at a minute of a session. */
export type Case = {
  readonly session_date: string
  readonly minute_et: MinuteEt
  readonly short_put: number | null
  readonly short_call: number | null
  /** The index when the strikes were set, if they are to maintain their distance from it. */
  readonly base_spot: number | null
}

/** Makes `positions.cases`: the rows to evaluate conditions for; `case_id` is the index. */
export async function putCases(db: Database, cases: readonly Case[]): Promise<void> {
  await db.run('delete from positions.cases')
  const rows = cases.map((one, index) => ({ case_id: index, ...one }))
  await db.add('positions/cases', { cases: JSON.stringify(rows) }, 'positions.cases')
}

/** Makes `positions.cases`, empty: a statement can be prepared on it once and for all. */
export const createCases = (db: Database): Promise<void> =>
  db.run(
    `create or replace table positions.cases (
       case_id integer, session_date date, minute_et varchar,
       short_put double, short_call double, base_spot double
     )`,
  )
