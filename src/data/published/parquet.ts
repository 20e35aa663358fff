import { structValue } from '@duckdb/node-api'
import type { Database } from '../../core/engine/database.ts'
import { type Column, fileColumns } from '../dictionary/datasets.ts'

export type ParquetRows = {
  /** Columns of the file, those that the publisher adds included. */
  readonly columns: readonly Column[]
  /** Table of the model's rows, with what follows it, such as `ledger.orders`. */
  readonly from: string
  readonly path: string
  /** Key-value metadata of the file; none where absent. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** Writes rows of a model as one Parquet file; returns how many. */
export async function writeParquet(
  db: Database,
  { columns, from, path, metadata }: ParquetRows,
): Promise<number> {
  if (metadata) {
    // an option of `copy` takes no parameter
    await db.run('set variable file_metadata = $metadata', {
      metadata: structValue({ 'tapefold.format': '1', ...metadata }) as never,
    })
  }
  // every Parquet reader supports snappy and version 1 pages
  const [copied] = await db.rows(
    `copy (select ${fileColumns(columns)} from ${from}) to $path
     (format parquet, compression snappy, parquet_version v1,
      kv_metadata ${metadata ? "getvariable('file_metadata')" : "{'tapefold.format': '1'}"})`,
    { path },
  )
  return Number(copied!.Count)
}
