/** Imports of public records: from a file of a source to the weeks of a data folder. */

import { join } from 'node:path'
import { csvQuoted } from '../../src/core/disk/csv.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { filePath } from '../../src/core/engine/paths.ts'
import { loadBrokenLines } from '../../src/core/engine/rows.ts'
import { REFERENCE_FOLDER } from '../../src/core/engine/sql.ts'
import { grouped } from '../../src/core/text/counts.ts'
import {
  geoFolder,
  type KnownSpan,
  RECORD_COLUMNS,
  type RecordBatch,
  readWeek,
  storeRecords,
  writeWeek,
} from '../../src/data/geo/records.ts'
import { toWeek, type Week, weekDays } from '../../src/data/geo/weeks.ts'
import { loadFiles } from '../../src/data/tape/tables.ts'
import {
  GEO_FORMATS,
  type GeoFormat,
  type GeoSource,
  isWhole,
  type ListedPart,
} from './geoFormats.ts'
import { checkEach, Unfit, withImportLock, writeTexts } from './held.ts'
import { countOutcomes, judgeKeys, refuseBroken, type SessionCounts } from './judge.ts'
import { type ImportReport, type ImportRow, reportText, WEEK_WORDS } from './report.ts'
import { openStageDatabase } from './stage.ts'

const MEMORY_LIMIT = '2GB'
const DATASET = 'geo_records'

/** A record of a source is the same whatever its address and label. */
const RECORD_KEYS = {
  keys: ['source', 'record'],
  values: ['kind', 'record_date', 'country', 'code', 'events', 'mentions', 'goldstein', 'known_at'],
}

export type GeoImport = {
  readonly dataFolder: string
  /** A name of the table of formats, such as 'gdelt-events'. */
  readonly format: string
  readonly files: readonly string[]
  /** True when a simulator made the files. */
  readonly simulated?: boolean
  /** Prints the report, a line at a time. */
  readonly print?: (text: string) => void
  /** Called when the records of a file are checked. */
  readonly onFile?: () => void
  /** How long another import is waited for, in ms; 0 by default. */
  readonly lockWaitMs?: number
}

/** Records of one week that are written, but not yet visible to readers. */
type StagedWeek = Omit<RecordBatch, 'file' | 'sha256'> & {
  readonly week: Week
  readonly path: string
}

type GeoStage = {
  readonly batches: StagedWeek[]
  readonly rows: ImportRow[]
  readonly rejects: Map<string, string>
  readonly quarantine: Map<string, string>
  /** The pages of files that say that they are part of a list, by the file. */
  readonly pages: Map<string, ListedPart>
}

/**
 * Imports files of one format of public records. Everything is checked in a private database first:
 * when any file is refused (a Refusal with one sentence), the data folder is left as it was. A
 * record that was imported before is not imported again.
 */
export async function runGeoImport(request: GeoImport): Promise<ImportReport> {
  const { dataFolder, files } = request
  const format = GEO_FORMATS.find(({ name }) => name === request.format)
  if (!format) throw new Refusal(`${request.format} is not a format of public records.`)
  const stageAndPublish = async (workFolder: string) => {
    const temporaryFolder = join(workFolder, 'spill')
    const db = await openStageDatabase({ memoryLimit: MEMORY_LIMIT, temporaryFolder })
    const stage: GeoStage = {
      batches: [],
      rows: [],
      rejects: new Map(),
      quarantine: new Map(),
      pages: new Map(),
    }
    try {
      await loadReference(db)
      await checkEach(files, async (file, fileIndex) => {
        const staging = { request, format, path: join(workFolder, `${fileIndex}`) }
        await stageFile(db, stage, await format.open(file, workFolder), staging)
        request.onFile?.()
      })
    } finally {
      db.close()
    }
    const report = await publish(stage, request)
    request.print?.(reportText(report, WEEK_WORDS))
    return report
  }
  return withImportLock(dataFolder, stageAndPublish, request.lockWaitMs)
}

const REFERENCE = {
  countries: 'countries.csv',
  codes: 'cameo_roots.csv',
  releases: 'geo_releases.csv',
  sources: 'geo_sources.csv',
} as const

async function loadReference(db: Database): Promise<void> {
  await db.run('create schema if not exists import')
  for (const [name, file] of Object.entries(REFERENCE)) {
    const params = { file: filePath(join(REFERENCE_FOLDER, file)) }
    await db.build('import/reference_rows', params, `import.geo_${name}`)
  }
}

type Staging = {
  readonly request: GeoImport
  readonly format: GeoFormat
  /** First part of the names of the files it writes. */
  readonly path: string
}

async function stageFile(db: Database, stage: GeoStage, source: GeoSource, staging: Staging) {
  const { format, request } = staging
  const { dataFolder, simulated = false } = request
  await format.prepare?.(db, source)
  await db.build(`import/${format.model}`, { path: filePath(source.path) }, 'import.candidates')
  await db.build('import/judged_geo_records', {}, 'import.judged')
  const weeks = await readWeeks(db)
  refuseMixture(dataFolder, { weeks, simulated, label: source.label })
  await loadExisting(db, { dataFolder, weeks, stage })
  await judgeKeys(db, RECORD_KEYS)
  await db.build('import/accepted_geo_records', {}, 'import.accepted')
  const counts = await countOutcomes(db)
  if (counts.length === 0) throw new Refusal(`${source.label} holds no rows.`)
  await db.build('import/broken_geo_records', {}, 'import.broken')
  await refuseBroken(db, { source }, counts)
  await storeBrokenRows(db, stage, source)
  for (const [week, known] of await readKnownSpans(db)) {
    const path = `${staging.path}-${week}.parquet`
    const rows = await writeWeekFile(db, week, path)
    const from = { file: source.name, sha256: source.sha256 }
    const made = { format: format.name, simulated, source: from }
    stage.batches.push({ week, path, rows, known, ...made })
  }
  stage.rows.push(...counts.map(row => toImportRow(source.name, row)))
  if (source.page) stage.pages.set(source.name, source.page)
}

/** Report row of a week; its counts are stored at its Monday. */
const toImportRow = (file: string, { sessionDate, ...counts }: SessionCounts): ImportRow => ({
  file,
  dataset: DATASET,
  ...counts,
  sessionDate: sessionDate === null ? null : toWeek(sessionDate),
})

async function readWeeks(db: Database): Promise<Week[]> {
  const rows = await db.query('import/session_keys')
  return rows.map(row => toWeek(String(row.session_date)))
}

type Mixture = {
  readonly weeks: readonly Week[]
  readonly simulated: boolean
  readonly label: string
}

/** Refuses to mix simulated with reported records. */
function refuseMixture(dataFolder: string, { weeks, simulated, label }: Mixture): void {
  for (const week of weeks) {
    const other = readWeek(dataFolder, week).batches.find(batch => batch.simulated !== simulated)
    if (!other) continue
    const [held, given] = other.simulated ? ['simulated', 'real'] : ['real', 'simulated']
    throw new Unfit(
      `${label} has ${given} records of ${week}, but those of that week are ${held}; ` +
        'keep the two in different data folders.',
    )
  }
}

type Existing = {
  readonly dataFolder: string
  readonly weeks: readonly Week[]
  readonly stage: GeoStage
}

/** Makes `import.existing`: the records of the weeks that a row may be, or contradict. */
async function loadExisting(db: Database, { dataFolder, weeks, stage }: Existing): Promise<void> {
  const files = weeks.flatMap(week => [
    ...readWeek(dataFolder, week).batches.map(({ file }) => join(geoFolder(dataFolder), file)),
    ...stage.batches.filter(batch => batch.week === week).map(({ path }) => path),
  ])
  await loadFiles(db, 'import.existing', RECORD_COLUMNS, files)
}

async function readKnownSpans(db: Database): Promise<Map<Week, Record<string, KnownSpan>>> {
  const weeks = new Map<Week, Record<string, KnownSpan>>()
  for (const row of await db.query('import/known_spans')) {
    const week = toWeek(String(row.monday))
    const span = { from: Number(row.from_ms), to: Number(row.to_ms) }
    weeks.set(week, { ...weeks.get(week), [String(row.source)]: span })
  }
  return weeks
}

const writeWeekFile = (db: Database, week: Week, file: string): Promise<number> =>
  copyToParquet(db, {
    path: 'import/written_records',
    columns: RECORD_COLUMNS.map(({ name }) => name),
    file,
    params: { monday: weekDays(week).from },
  })

/** Excluded rows, as CSV with their line, their reason and their text. */
async function storeBrokenRows(db: Database, stage: GeoStage, source: GeoSource): Promise<void> {
  if (await db.isEmpty('import.broken')) return
  await loadBrokenLines(db, { ...source, columns: null })
  const name = source.sha256.slice(0, 12)
  for (const [files, isQuarantined] of [
    [stage.rejects, false],
    [stage.quarantine, true],
  ] as const) {
    const rows = await db.query('import/broken_rows', { is_quarantined: isQuarantined })
    if (rows.length === 0) continue
    const lines = rows.map(({ line_number, reason, line }) => {
      const quoted = [reason, line].map(value => csvQuoted(String(value ?? '')))
      return `${[line_number, DATASET, ...quoted].join(',')}\n`
    })
    files.set(name, `line_number,dataset,reason,line\n${lines.join('')}`)
  }
}

/**
 * Moves the batches to their weeks, then replaces one manifest a week. A crash in between leaves
 * files that no manifest names; the import can simply be run again.
 */
async function publish(stage: GeoStage, request: GeoImport): Promise<ImportReport> {
  const { dataFolder, format } = request
  const rejectFiles = writeTexts(dataFolder, 'rejects', stage.rejects)
  const quarantineFiles = writeTexts(dataFolder, 'quarantine', stage.quarantine)
  for (const [week, staged] of Map.groupBy(stage.batches, batch => batch.week)) {
    const added: RecordBatch[] = []
    for (const { path, week: _, ...batch } of staged) {
      added.push({ ...(await storeRecords(dataFolder, { week, path })), ...batch })
    }
    const manifest = readWeek(dataFolder, week)
    writeWeek(dataFolder, { ...manifest, batches: [...manifest.batches, ...added] })
  }
  return { format, rows: stage.rows, rejectFiles, quarantineFiles, notes: missingPages(stage) }
}

/** Reports the listed part of each file, unless all of the list was imported at once. */
function missingPages({ pages }: GeoStage): string[] {
  if (isWhole([...pages.values()])) return []
  const parts = [...pages].filter(([, { from, to, count }]) => from > 0 || to < count)
  return parts.map(([file, { from, to, count }]) => {
    const next = to < count ? to : 0
    return (
      `${file} is a part: ${grouped(to - from)} of ${grouped(count)} entries, from ` +
      `${grouped(from)} on; ask for the rest with offset=${next} and import it, too: a week that ` +
      'has no record here may have one there.'
    )
  })
}
