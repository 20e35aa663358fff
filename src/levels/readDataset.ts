import { join } from 'node:path'
import { damagedFiles } from '../core/disk/files.ts'
import type { Database } from '../core/engine/database.ts'
import { filePaths } from '../core/engine/paths.ts'
import { readSql } from '../core/engine/sql.ts'
import type { MinuteEt } from '../core/market/calendar.ts'
import { columnTypes, parquetOptions } from '../data/dictionary/datasets.ts'
import { DamagedFile, readStamp } from '../data/published/damagedFile.ts'
import type { PublishedFile } from '../data/published/manifest.ts'
import { listColumns, READ_DATASETS, type ReadDataset } from './datasets.ts'

/** Some files of a session's dataset. */
export type FilesWanted = {
  readonly date: string
  readonly dataset: ReadDataset
  readonly folder: string
  readonly files: readonly PublishedFile[]
  /** The only minute to read; null: all. */
  readonly minute: MinuteEt | null
}

/** Values by the name of their column, all of one length. */
export type ReadColumns = Readonly<Record<string, readonly unknown[]>>

/**
 * Returns the columns of a dataset's query over some of its files, each verified against its
 * manifest. Fails with DamagedFile when one differs.
 */
export async function readDataset(db: Database, wanted: FilesWanted): Promise<ReadColumns> {
  const { dataset, folder, files, minute } = wanted
  await refuseDamaged(wanted)
  const columns = listColumns(dataset)
  await db.run(`create or replace table levels.${dataset} (${columnTypes(columns)})`)
  await db.run(
    `insert into levels.${dataset} by name
     from read_parquet($files::varchar[], ${parquetOptions(columns)})
     where $minute::varchar is null or minute_et = $minute::varchar`,
    { files: filePaths(files.map(({ file }) => join(folder, file))), minute },
  )
  const reader = await db.connection.runAndReadAll(readSql(READ_DATASETS[dataset]))
  await db.run(`drop table levels.${dataset}`)
  return reader.getColumnsObjectJS() as ReadColumns
}

async function refuseDamaged({ date, folder, files }: FilesWanted): Promise<void> {
  for (const entry of files) {
    const path = join(folder, entry.file)
    const stamp = readStamp(path)
    const [message] = await damagedFiles(folder, [entry])
    if (message !== undefined) throw new DamagedFile(date, { path, stamp, message })
  }
}
