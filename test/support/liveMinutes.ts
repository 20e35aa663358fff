// The minutes of a running session, to be compared with those of the session built whole.

import { join } from 'node:path'
import { silent } from '../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../pipelines/live/minute.ts'
import { openDatabase, type Row } from '../../src/core/engine/database.ts'
import { filePaths } from '../../src/core/engine/paths.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { datasetFiles } from '../../src/data/published/liveManifest.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'

/** Rows of a query on files. */
export async function queryFiles(sql: string, params = {}): Promise<Row[]> {
  const db = await openDatabase()
  try {
    return await db.rows(sql, params)
  } finally {
    db.close()
  }
}

/** Rows of a dataset up to a minute, of the session as it runs or as it was built whole. */
export function listMinuteRows(
  folder: string,
  manifest: PublishedManifest,
  name: string,
  until: string,
): Promise<Row[]> {
  const { folder: index, files } = datasetFiles(folder, manifest, name)
  return queryFiles(
    `from read_parquet($files::varchar[], hive_partitioning = false)
     where minute_et <= $until::varchar order by all`,
    { files: filePaths(files.map(({ file }) => join(index, file))), until },
  )
}

/** Publishes minutes of a session, each some seconds after its end. */
export async function publishMinutes(
  dataFolder: string,
  date: string,
  minutes: readonly string[],
): Promise<void> {
  const job = await openMinuteJob({ dataFolder, date, progress: silent })
  try {
    for (const minute of minutes) await job.advance(instantMs(date, minute) + 17_000)
  } finally {
    await job.close()
  }
}
