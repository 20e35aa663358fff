import { join } from 'node:path'
import type { Database, Row } from '../../src/core/engine/database.ts'
import { filePaths } from '../../src/core/engine/paths.ts'
import { datasetFiles, readLiveManifest } from '../../src/data/published/liveManifest.ts'
import { type PublishedManifest, readManifest } from '../../src/data/published/manifest.ts'

/** The versions of orders that a session published: as text, in an order of their own. */
export type PublishedVersions = {
  /** Versions that late data had ended before an instant. */
  readonly ended: readonly string[]
  /** Those that stood and were known before it. */
  readonly standing: readonly string[]
}

/** The versions that a build of the whole session says were known before an instant, UTC. */
export async function readBuiltVersions(
  db: Database,
  folder: string,
  date: string,
  until: string,
): Promise<PublishedVersions> {
  const manifest = readManifest(folder, date)!
  const revisions = await readDataset(db, folder, manifest, 'revisions')
  const orders = await readDataset(db, folder, manifest, 'orders')
  return {
    ended: sortRows(revisions.filter(row => String(row.superseded_at) < until)),
    // what becomes known later still is the night's alone
    standing: sortRows(orders.filter(row => String(row.visible_at) < until)),
  }
}

/** The versions that a session published minute by minute, up to an instant, UTC. */
export async function readRunningVersions(
  db: Database,
  folder: string,
  date: string,
  until: string,
): Promise<PublishedVersions> {
  const manifest = readLiveManifest(folder, date)!
  const revisions = await readDataset(db, folder, manifest, 'revisions')
  const orders = await readDataset(db, folder, manifest, 'orders')
  const isEnded = new Set(revisions.map(keyOfVersion))
  return {
    ended: sortRows(revisions.filter(row => String(row.superseded_at) < until)),
    standing: sortRows(orders.filter(row => !isEnded.has(keyOfVersion(row)))),
  }
}

async function readDataset(
  db: Database,
  folder: string,
  manifest: PublishedManifest,
  name: string,
): Promise<Row[]> {
  const { folder: index, files } = datasetFiles(folder, manifest, name)
  if (files.length === 0) return []
  return db.rows(
    'from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)',
    { files: filePaths(files.map(({ file }) => join(index, file))) },
  )
}

const keyOfVersion = (row: Row) => `${row.order_id} ${row.revision_number}`

const sortRows = (rows: readonly Row[]) =>
  rows.map(({ ledger_rank: _, ...row }) => JSON.stringify(row)).sort()
