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
import { measure, type Taken } from './meter.ts'

export type ReplayYardstick = { readonly hashes: Taken; readonly query: Taken }

async function measureFiles(
  dataFolder: string,
  count: number,
  minute: string,
): Promise<ReplayYardstick> {
  const manifests = publishedSessions(dataFolder)
    .slice(-count)
    .map(date => readManifest(dataFolder, date)!)
  const datasets = JUDGED_DATASETS.map(({ name }) =>
    manifests.map(manifest => datasetFiles(dataFolder, manifest, name)),
  )
  const hashes = await measure(async () => {
    for (const { folder, files } of datasets.flat()) {
      for (const { file } of files) sha256(readFileSync(join(folder, file)))
    }
  })
  const db = await openDatabase({ threads: 2, memoryLimit: '1GB' })
  const query = await measure(async () => {
    for (const dataset of datasets) {
      const paths = dataset.flatMap(({ folder, files }) =>
        files.map(({ file }) => join(folder, file)),
      )
      await db.query('measure/replay_rows', { files: filePaths(paths), minute })
    }
  })
  db.close()
  return { hashes: hashes.taken, query: query.taken }
}

if (import.meta.main) {
  const [dataFolder, count, minute] = process.argv.slice(2) as [string, string, string]
  process.send!(await measureFiles(dataFolder, Number(count), minute))
  process.disconnect()
}
