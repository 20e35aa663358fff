/** Writes the batches of new rows of an import to the tape. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { publishFile, sha256File } from '../../core/disk/files.ts'
import { copyToParquet } from '../../core/engine/bulk.ts'
import type { Database } from '../../core/engine/database.ts'
import { filePath } from '../../core/engine/paths.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { batchFolder, tapeColumns } from './manifest.ts'

/**
 * Writes `import.accepted` of one session to a Parquet file that nobody reads yet. No row counts as
 * known before the late-data instant of its day: states of the session up to then are published.
 * Returns the number of rows.
 */
export async function writeBatchFile(
  db: Database,
  dataset: string,
  sessionDate: SessionDate | null,
  path: string,
  lateDays: readonly LateDay[],
): Promise<number> {
  return copyToParquet(db, {
    path: dataset === 'prints' ? 'import/written_prints' : 'import/written_rows',
    columns: tapeColumns(dataset).map(({ name }) => name),
    file: path,
    params: { session: sessionDate, late_days: JSON.stringify(lateDays) },
  })
}

/** A day whose rows are imported now, and the instant from which they are known. */
export type LateDay = {
  readonly date: SessionDate
  /** UTC milliseconds. */
  readonly fromMs: number
}

export type StoredBatch = {
  /** Relative to the folder `tape`. */
  readonly file: string
  readonly sha256: string
  /** False when an import that was killed had already stored the same bytes. */
  readonly isNew: boolean
}

/** Moves a batch into the tape under a name that no other bytes have, and hashes it. */
export async function storeBatch(
  dataFolder: string,
  { dataset, key, name, path }: BatchToStore,
): Promise<StoredBatch> {
  const folder = batchFolder(dataset, key)
  const sha256 = await sha256File(path)
  for (let count = 1; ; count++) {
    const file = `${folder}/${name}${count === 1 ? '' : `-${count}`}.parquet`
    const target = join(dataFolder, 'tape', file)
    if (!existsSync(target)) {
      publishFile(path, target)
      return { file, sha256, isNew: true }
    }
    if ((await sha256File(target)) === sha256) return { file, sha256, isNew: false }
  }
}

export type BatchToStore = {
  readonly dataset: string
  /** Name of its manifest: a session, or as `tapeKey` has it. */
  readonly key: string
  /** First part of its file name. */
  readonly name: string
  /** Its temporary path. */
  readonly path: string
}

/** Writes the rows of a batch file to another one, none known before its day's late data. */
export async function delayBatch(
  db: Database,
  {
    from,
    to,
    lateDays,
  }: { readonly from: string; readonly to: string; lateDays: readonly LateDay[] },
): Promise<void> {
  const params = { path: filePath(from), late_days: JSON.stringify(lateDays) }
  await copyToParquet(db, { path: 'import/delayed_rows', file: to, params })
}
