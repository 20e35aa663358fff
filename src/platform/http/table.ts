import { type Table, tableToIPC } from 'apache-arrow'
import {
  Compression,
  Table as ParquetTable,
  WriterPropertiesBuilder,
  writeParquet,
} from 'parquet-wasm/node'

/** Encodes a table as an Arrow stream. */
export const arrowStream = (table: Table): Uint8Array => tableToIPC(table, 'stream')

/** Converts an Arrow stream to a Parquet file. */
export function parquetBytes(stream: Uint8Array): Uint8Array {
  const properties = new WriterPropertiesBuilder().setCompression(Compression.SNAPPY).build()
  return writeParquet(ParquetTable.fromIPCStream(stream), properties)
}
