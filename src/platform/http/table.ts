import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import {
  Compression,
  Table as ParquetTable,
  WriterPropertiesBuilder,
  writeParquet,
} from 'parquet-wasm/node'
import { csvText } from '../../core/disk/csv.ts'

/** Encodes a table as an Arrow stream. */
export const arrowStream = (table: Table): Uint8Array => tableToIPC(table, 'stream')

/** Columns of a table, all of one length. */
export type ColumnLists = Readonly<Record<string, readonly (string | number | null)[]>>

/** Encodes columns as CSV of RFC 4180 with a header; a null is an empty field. */
export function columnsCsv(columns: ColumnLists): string {
  const lists = Object.values(columns)
  const rows = lists[0]!.map((_, at) => lists.map(cells => cells[at]))
  return csvText([Object.keys(columns), ...rows], '\r\n')
}

/** Encodes columns as an Arrow stream: texts where they are named, else doubles. */
export function columnsArrow(columns: ColumnLists, texts: readonly string[]): Uint8Array {
  const vectors = Object.entries(columns).map(([name, cells]) => {
    const type = texts.includes(name) ? new Utf8() : new Float64()
    return [name, vectorFromArray(cells as never[], type)] as const
  })
  return arrowStream(new Table(Object.fromEntries(vectors)))
}

/** Converts an Arrow stream to a Parquet file. */
export function parquetBytes(stream: Uint8Array): Uint8Array {
  const properties = new WriterPropertiesBuilder().setCompression(Compression.SNAPPY).build()
  return writeParquet(ParquetTable.fromIPCStream(stream), properties)
}
