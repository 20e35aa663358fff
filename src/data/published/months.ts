/**
 * Small datasets by month: one Parquet file of all finished sessions of a month, for readers that
 * would else open twenty. They lie outside the pattern of the files of days, and `months.json`
 * names them as a manifest names those of a session.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { damagedFiles, sha256, storeByHash, writeAtomically } from '../../core/disk/files.ts'
import { lockPath, withLock } from '../../core/disk/lock.ts'
import { parsedOnce } from '../../core/disk/parsed.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { withWorkFolder } from '../../core/disk/work.ts'
import { type Database, openDatabase } from '../../core/engine/database.ts'
import { filePaths } from '../../core/engine/paths.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { columnTypes, type Dataset } from '../dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../dictionary/dictionary.ts'
import { describeFault, parseJson, refuseNewerValue } from '../dictionary/manifestText.ts'
import { fileMetadata, SCHEMA_EDITION, sortColumns } from '../dictionary/units.ts'
import { linkEdition, unlinkOthers } from './current.ts'
import { DamagedFile } from './damagedFile.ts'
import { verifiedFiles } from './knownLedgers.ts'
import {
  DatasetFile,
  type PublishedManifest,
  publishedFolder,
  publishedSessions,
  readManifest,
} from './manifest.ts'
import { writeParquet } from './parquet.ts'

/** Datasets that are also published by month. */
export const MONTH_DATASETS = ['orders', 'levels'] as const

const Month = z.looseObject({
  month: z.string().regex(/^\d{4}-\d{2}$/),
  /** Real and simulated sessions are never in one file. */
  simulated: z.boolean(),
  /** Name of this version: a hash of what it is made of. */
  revision: z.string(),
  sessions: z.array(z.looseObject({ session_date: z.string(), revision: z.string() })).min(1),
  datasets: z.record(z.string(), DatasetFile),
})
export type Month = z.infer<typeof Month>

/** `published/months.json`. */
const Months = z.looseObject({ format: z.literal(1), months: z.array(Month) })

const monthsPath = (dataFolder: string): string => join(publishedFolder(dataFolder), 'months.json')

const parseMonths = parsedOnce((text): readonly Month[] => {
  const value = parseJson(text)
  refuseNewerValue('published/months.json', value)
  const parsed = Months.safeParse(value)
  if (parsed.success) return parsed.data.months
  throw new Refusal(
    `published/months.json is damaged: ${describeFault(parsed.error)}; remove it and run ` +
      '"tapefold files --months" again.',
  )
})

/** The published months, oldest first; the same list while nothing changes. Empty: none yet. */
export function readMonths(dataFolder: string): readonly Month[] {
  const path = monthsPath(dataFolder)
  return existsSync(path) ? parseMonths(readFileSync(path, 'utf8'), path) : NONE
}

const NONE: readonly Month[] = []

/** Partition of a month among the files and the links. */
export const monthKey = ({ month, simulated }: Pick<Month, 'month' | 'simulated'>): string =>
  `month=${month}${simulated ? '-simulated' : ''}`

/** Months that were written, and those that were as they should be. */
export type WrittenMonths = {
  readonly written: readonly string[]
  readonly unchanged: number
  /** A sentence for each month with a damaged session; its last version stays. */
  readonly faults: readonly string[]
}

/**
 * Writes the months of all sessions before a day, New York, whose sessions have changed since, and
 * links them. A month with a session whose file differs from its manifest is not replaced; the
 * others are written.
 */
export function publishMonths(dataFolder: string, before: SessionDate): Promise<WrittenMonths> {
  const busy = 'Another process writes the months; run it again.'
  return withLock(lockPath(dataFolder, 'months'), busy, () =>
    withWorkFolder(dataFolder, 'months', work => writeMonths(dataFolder, before, work)),
  )
}

async function writeMonths(
  dataFolder: string,
  beforeDate: SessionDate,
  work: string,
): Promise<WrittenMonths> {
  const published = publishedFolder(dataFolder)
  const known = readMonths(dataFolder)
  const months: Month[] = []
  const written: string[] = []
  const faults: string[] = []
  for (const manifests of groupByMonth(dataFolder, beforeDate)) {
    const draft = draftMonth(manifests)
    const last = known.find(({ revision }) => revision === draft.revision)
    if (last && (await isWhole(published, last))) {
      months.push(last)
      continue
    }
    const key = monthKey(draft)
    try {
      months.push(await writeMonth(dataFolder, draft, manifests, work))
      written.push(key)
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error
      faults.push(`${key} is not written: ${error.message}`)
      const before = known.find(month => monthKey(month) === key)
      if (before && (await isWhole(published, before))) months.push(before)
    }
  }
  if (written.length > 0 || months.length !== known.length) {
    const text = `${JSON.stringify({ format: 1, months }, null, 1)}\n`
    writeAtomically(monthsPath(dataFolder), text)
  }
  for (const month of months) {
    linkEdition(published, { folder: 'months', key: monthKey(month), files: month.datasets })
  }
  unlinkOthers(published, 'months', months.map(monthKey))
  return { written, unchanged: months.length - written.length, faults }
}

const isWhole = async (published: string, { datasets }: Month): Promise<boolean> =>
  (await damagedFiles(published, Object.values(datasets))).length === 0

/** Manifests of the sessions before a day by month, real and simulated ones apart. */
function groupByMonth(dataFolder: string, before: SessionDate): PublishedManifest[][] {
  const manifests = publishedSessions(dataFolder)
    .filter(date => date < before)
    .map(date => readManifest(dataFolder, date)!)
    .filter(({ datasets }) => MONTH_DATASETS.every(name => datasets[name]))
  const byMonth = Map.groupBy(manifests, ({ session_date: date, simulated }) =>
    monthKey({ month: date.slice(0, 7), simulated }),
  )
  return [...byMonth.values()]
}

type MonthDraft = Pick<Month, 'month' | 'simulated' | 'revision' | 'sessions'>

function draftMonth(manifests: readonly PublishedManifest[]): MonthDraft {
  const { session_date: first, simulated } = manifests[0]!
  const sessions = manifests.map(({ session_date, revision }) => ({ session_date, revision }))
  const hashes = manifests.flatMap(({ datasets }) =>
    MONTH_DATASETS.map(name => datasets[name]!.sha256),
  )
  const month = first.slice(0, 7)
  const made = [SCHEMA_EDITION, month, simulated, ...hashes].join('\n')
  return { month, simulated, revision: sha256(made).slice(0, 16), sessions }
}

async function writeMonth(
  dataFolder: string,
  draft: MonthDraft,
  manifests: readonly PublishedManifest[],
  work: string,
): Promise<Month> {
  const published = publishedFolder(dataFolder)
  const datasets: Month['datasets'] = {}
  for (const name of MONTH_DATASETS) {
    const dataset = PUBLISHED_DATASETS.find(one => one.name === name)!
    const files = []
    for (const manifest of manifests) {
      files.push(...(await verifiedFiles(dataFolder, manifest, name)))
    }
    const path = join(work, `${name}.parquet.tmp`)
    const rows = await writeRows(dataset, files, path, {
      ...fileMetadata(dataset),
      'tapefold.month': draft.month,
      'tapefold.simulated': String(draft.simulated),
      'tapefold.sessions': manifests.map(({ session_date: date }) => date).join(', '),
    })
    const folder = join(published, 'monthly', name, monthKey(draft))
    const { path: target, ...entry } = await storeByHash(path, { folder, extension: 'parquet' })
    datasets[name] = { file: relative(published, target), ...entry, rows }
  }
  return { ...draft, datasets }
}

/** Writes the rows of files of a dataset as one, sorted as each of them; returns how many. */
async function writeRows(
  dataset: Dataset,
  files: readonly string[],
  path: string,
  metadata: Readonly<Record<string, string>>,
): Promise<number> {
  // one thread: equal rows, equal bytes
  const db: Database = await openDatabase({ threads: 1, memoryLimit: '2GB' })
  try {
    const { name, columns } = dataset
    await db.run(`create table ledger.${name} (${columnTypes(columns)})`)
    await db.add('views/published_rows', { files: filePaths(files) }, `ledger.${name}`)
    const order = sortColumns(dataset).map(column => `${column} nulls last`)
    const from = `ledger.${name} order by ${order.join(', ')}`
    return await writeParquet(db, { columns, from, path, metadata })
  } finally {
    db.close()
  }
}
