/**
 * The yardstick of a replay, in a separate process that only reads its files. Each is read and
 * hashed once, and one query a dataset reads a minute of all of them.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../../src/core/disk/files.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { filePaths } from '../../../src/core/engine/paths.ts'
import { JUDGED_DATASETS } from '../../../src/data/dictionary/positionDatasets.ts'
import { datasetFiles } from '../../../src/data/published/liveManifest.ts'
import { publishedSessions, readManifest } from '../../../src/data/published/manifest.ts'
import { measure } from './meter.ts'

/** Milliseconds of both. */
export type ReplayYardstick = { readonly hashes: number; readonly query: number }

async function measureFiles(
  dataFolder: string,
  count: number,
  minute: string,
): Promise<ReplayYardstick> {
  const manifests = publishedSessions(dataFolder)
    .slice(-count)
    .map(date => readManifest(dataFolder, date)!)
  const datasets = JUDGED_DATASETS.map(({ name }) =>
    manifests.flatMap(manifest => {
      const { folder, files } = datasetFiles(dataFolder, manifest, name)
      return files.map(({ file }) => join(folder, file))
    }),
  )
  const hashes = await measure(async () => {
    for (const path of datasets.flat()) sha256(readFileSync(path))
  })
  const db = await openDatabase({ threads: 2, memoryLimit: '1GB' })
  const query = await measure(async () => {
    for (const paths of datasets) {
      await db.query('measure/replay_rows', { files: filePaths(paths), minute })
    }
  })
  db.close()
  return { hashes: 1000 * hashes.cost.seconds, query: 1000 * query.cost.seconds }
}

if (import.meta.main) {
  const [dataFolder, count, minute] = process.argv.slice(2) as [string, string, string]
  process.send!(await measureFiles(dataFolder, Number(count), minute))
  process.disconnect()
}
