import { join } from 'node:path'
import { csvQuoted } from '../../src/core/disk/csv.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Row,
} from '../../src/core/engine/database.ts'
import { filePath } from '../../src/core/engine/paths.ts'
import { loadRows, type RowShape } from '../../src/core/engine/rows.ts'
import { REFERENCE_FOLDER } from '../../src/core/engine/sql.ts'
import { counted } from '../../src/core/text/counts.ts'
import { readLateDays } from '../../src/data/published/lateData.ts'
import type { LateDay } from '../../src/data/tape/batches.ts'
import { writeBatchFile } from '../../src/data/tape/batches.ts'
import { keySession, RATES, type TapeBatch, tapeKey } from '../../src/data/tape/manifest.ts'
import { loadChain } from './chain.ts'
import type { ImportFormat } from './formats.ts'
import {
  type JudgeRequest,
  judge,
  type OtherRoots,
  type SessionCounts,
  type StagedBatch,
  shapeParams,
} from './judge.ts'
import type { ImportRow } from './report.ts'
import { type FileLines, type OpenedSource, openSource, refusingDamage } from './source.ts'

/** A batch that is written, but not yet visible to readers. */
export type Staged = StagedBatch &
  Pick<TapeBatch, 'rows' | 'source' | 'format' | 'simulated' | 'counts'> & {
    /** First part of its file name: twelve digits of a hash of source and format. */
    readonly name: string
    /** Instants from which the rows of each day in it are known. */
    readonly lateDays: readonly LateDay[]
    /** True where the vendor calls the data of the file degraded. */
    readonly degraded: boolean
  }

/** Checked files of an import, in its work folder. */
export type Stage = {
  readonly batches: Staged[]
  readonly rows: ImportRow[]
  readonly rejects: Map<string, string>
  readonly quarantine: Map<string, string>
  /** Notes for a reader of the rows, a sentence each. */
  readonly notes: string[]
  /** Quotes that stand for minutes of which a file has none. */
  carriedCount: number
}

export type StageRequest = Pick<
  JudgeRequest,
  'dataFolder' | 'format' | 'day' | 'dealers' | 'isSimulated' | 'isStream' | 'replaced'
> & {
  readonly roots: readonly string[]
  readonly degraded: readonly string[]
  readonly workFolder: string
  /** Called with the bytes of each piece of a text file that was read. */
  readonly onBytes?: ((count: number) => void) | undefined
}

export const emptyStage = (): Stage => ({
  batches: [],
  rows: [],
  rejects: new Map(),
  quarantine: new Map(),
  notes: [],
  carriedCount: 0,
})

/** Reads and judges one file and writes its new rows to the work folder. */
export async function stageFile(
  db: Database,
  stage: Stage,
  file: FileLines,
  request: StageRequest,
): Promise<void> {
  const { format, workFolder, onBytes } = request
  const source = await openSource(db, format, file, workFolder, onBytes)
  const space = await openSpace(db, format, source)
  try {
    await stageSource(space, stage, source, request)
  } finally {
    await space.close()
  }
}

async function stageSource(
  db: Database,
  stage: Stage,
  source: OpenedSource,
  request: StageRequest,
): Promise<void> {
  const { format, workFolder } = request
  const { label, leftOut } = source
  // equal lines may occur again further below
  const offsetText = leftOut === 0 ? '' : ` ${leftOut}`
  const name = sha256(`${source.sha256} ${format.name}${offsetText}`).slice(0, 12)
  const layout = source.layout ?? format.layout
  const shape = await refusingDamage(format, source, () => loadRows(db, source, layout))
  stage.notes.push(...(await prepareBase(db, format, source, shape)))
  let wantedCount = 0
  let readCount = 0
  let others: OtherRoots = new Map()
  for (const [dataset, model] of format.datasets) {
    const judged = { ...request, source, shape, dataset, model, staged: stage.batches }
    const { counts, rowRanges, otherRoots } = await judge(db, judged)
    if (otherRoots.size > others.size) others = otherRoots
    readCount += sum(counts, 'read')
    wantedCount += sum(counts, 'read') - sum(counts, 'skipped')
    await storeBrokenRows(db, stage, { dataset, name, counts, leftOut })
    for (const [key, row] of listBatches(dataset, counts)) {
      const path = join(workFolder, `batch-${stage.batches.length}.parquet`)
      const lateDays = readLateDays(request.dataFolder, key)
      const rows = await writeBatchFile(db, dataset, keySession(key), path, lateDays)
      if (format.isOfChanges) stage.carriedCount += rows - row.imported
      stage.batches.push({
        dataset,
        key,
        path,
        name,
        lateDays,
        rows,
        format: format.name,
        simulated: request.isSimulated,
        counts: row,
        degraded: request.degraded.includes(source.name),
        source: { file: source.name, sha256: source.sha256 },
        ...(rowRanges.has(key) && { reach: rowRanges.get(key)! }),
      })
    }
    stage.rows.push(
      ...listRows(dataset, counts).map(row => ({ file: source.name, dataset, ...row })),
    )
  }
  if (readCount === 0) throw new Refusal(`${label} holds no rows.`)
  if (wantedCount === 0) {
    const roots = request.roots.length > 0 ? ` of ${request.roots.join(', ')} (see --roots)` : ''
    const day = request.day === null ? '' : ` on ${request.day}`
    const have = others.size > 0 ? `; it has ${describeRoots(others)}` : ''
    throw new Refusal(`${label} holds no rows${roots}${day}${have}.`)
  }
  if (others.size > 0) {
    stage.notes.push(`${source.name}: ${describeRoots(others)} passed over; --roots names others.`)
  }
}

/** Roots that are named in a sentence; a file of all of OPRA has thousands. */
const ROOTS_NAMED = 5

/** Describes rows that are of none of the roots to import, such as '7 rows of other roots (SPY 5, VIX 2)'. */
function describeRoots(others: OtherRoots): string {
  const rows = [...others.values()].reduce((total, count) => total + count, 0)
  const named = [...others].slice(0, ROOTS_NAMED).map(([root, count]) => `${root} ${count}`)
  const more = others.size > ROOTS_NAMED ? [`${others.size - ROOTS_NAMED} more`] : []
  return `${counted(rows, 'row')} of other roots (${[...named, ...more].join(', ')})`
}

/** Opens a database for imports, one after the other, with the table of conditions as text. */
export async function openStageDatabase(options: DatabaseOptions): Promise<Database> {
  const db = await openDatabase(options)
  await db.run('create schema reference')
  const file = filePath(join(REFERENCE_FOLDER, 'conditions.csv'))
  await db.build('import/conditions', { file }, 'reference.conditions')
  return db
}

/**
 * True when files of a format run the same statements each time, as a database that caches plans
 * requires.
 */
export const isSteady = ({ base, datasets }: ImportFormat): boolean =>
  base === undefined && datasets.length === 1

/**
 * Opens separate tables for a file: where plans are cached, those of the last file with the same
 * columns.
 */
async function openSpace(db: Database, format: ImportFormat, source: OpenedSource) {
  if (db.cachesPlans && !isSteady(format)) throw new Error(`no plans are kept of ${format.name}`)
  const columns = sha256(JSON.stringify(source.columns)).slice(0, 12)
  const space = await db.openSeparate(`${format.name} ${columns}`, {
    isOfOneRound: true,
    schemas: ['import'],
  })
  await space.viewFrom('reference.conditions', 'import.conditions')
  return space
}

/** Makes the model that all datasets of a format read; returns notes about it. */
async function prepareBase(
  db: Database,
  { base }: ImportFormat,
  source: OpenedSource,
  shape: RowShape,
): Promise<readonly string[]> {
  if (base === 'cboe_chain') return loadChain(db, source, shape)
  if (base) await db.build(`import/${base}`, shapeParams(shape))
  return []
}

/** The sessions with something new; all curves of a file are one batch. */
function listBatches(dataset: string, counts: readonly SessionCounts[]) {
  return listRows(dataset, counts)
    .filter(row => row.imported > 0)
    .map(({ sessionDate, ...row }) => [tapeKey(dataset, sessionDate!), row] as const)
}

/** One row a session; curves are added up, since a file holds hundreds of days. */
function listRows(dataset: string, counts: readonly SessionCounts[]): readonly SessionCounts[] {
  if (dataset !== RATES || counts.length === 0) return counts
  return [
    {
      sessionDate: null,
      read: sum(counts, 'read'),
      imported: sum(counts, 'imported'),
      already_there: sum(counts, 'already_there'),
      rejected: sum(counts, 'rejected'),
      skipped: sum(counts, 'skipped'),
      quarantined: {},
    },
  ]
}

/** Excluded rows, as CSV with their line, their reason and their text. */
async function storeBrokenRows(
  db: Database,
  stage: Stage,
  broken: {
    readonly dataset: string
    readonly name: string
    readonly counts: readonly SessionCounts[]
    readonly leftOut: number
  },
): Promise<void> {
  const { dataset, name, counts, leftOut } = broken
  const kinds = [
    [stage.rejects, false, counts.some(row => row.rejected > 0)],
    [stage.quarantine, true, counts.some(row => Object.keys(row.quarantined).length > 0)],
  ] as const
  for (const [files, isQuarantined, exists] of kinds) {
    if (!exists) continue
    const rows = await db.query('import/broken_rows', { is_quarantined: isQuarantined })
    const text = rows.map(row => `${csvLine(dataset, row, leftOut)}\n`).join('')
    files.set(name, (files.get(name) ?? 'line_number,dataset,reason,line\n') + text)
  }
}

function csvLine(dataset: string, row: Row, leftOut: number): string {
  const quoted = [row.reason, row.line].map(value => csvQuoted(String(value ?? '')))
  return [Number(row.line_number) + leftOut, dataset, ...quoted].join(',')
}

const sum = (
  counts: readonly SessionCounts[],
  name: 'read' | 'imported' | 'already_there' | 'rejected' | 'skipped',
) => counts.reduce((total, row) => total + row[name], 0)
