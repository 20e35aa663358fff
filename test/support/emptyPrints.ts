// Prints of no contracts on a tape, as another program might have written them: an import refuses
// such rows, a build has to live with them.

import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256File } from '../../src/core/disk/files.ts'
import { openDatabase } from '../../src/core/engine/database.ts'

/** Twenty single prints of a day, far apart. */
export const TWENTY_SINGLES = `sequence in (
  select sequence from read_parquet($path) where condition in ('I', 'S') order by hash(sequence)
  limit 20
)`

/** Empties the prints of an imported session that a condition selects. */
export async function emptyPrints(dataFolder: string, date: string, where: string): Promise<void> {
  const manifestPath = join(dataFolder, 'tape/manifests', `${date}.json`)
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const batch = manifest.batches.find((one: { dataset: string }) => one.dataset === 'prints')
  const path = join(dataFolder, 'tape', batch.file)
  const db = await openDatabase()
  await db.run(
    `copy (select * replace (case when ${where} then 0 else size end::integer as size)
           from read_parquet($path)) to $out (format parquet)`,
    { path, out: `${path}.new` },
  )
  db.close()
  renameSync(`${path}.new`, path)
  batch.sha256 = await sha256File(path)
  if ('bytes' in batch) batch.bytes = statSync(path).size
  writeFileSync(manifestPath, JSON.stringify(manifest))
}
