// Tables that the test servers serve: rows of a vendor's columns, filtered and written as CSV, or
// bytes that are sent as they are.

import { pipeline, Readable } from 'node:stream'
import { createGzip, createZstdCompress, gzipSync } from 'node:zlib'
import type { Body, Reply, RowFault } from './serve.ts'

/** A row by the names of the vendor's columns. */
export type VendorRow = Readonly<Record<string, string | number>>

/** Rows in memory, or made again for every request. */
export type Rows = readonly VendorRow[] | (() => Iterable<VendorRow> | AsyncIterable<VendorRow>)

/** A body in the vendor's own columns and format, which no parameter filters. */
export type RawBody = { readonly raw: () => Body }

export type Table = Rows | RawBody

/** Tables by day, YYYY-MM-DD. */
export type Days = ReadonlyMap<string, Table>

export const isRaw = (table: Table): table is RawBody => 'raw' in table

/** The rows of a table from its first to its last. */
export async function* readRows(table: Rows): AsyncGenerator<VendorRow> {
  yield* typeof table === 'function' ? table() : table
}

/** The rows of tables, one table after the other, for which `isWanted` is true. */
export async function* filterRows(
  tables: readonly Rows[],
  isWanted: (row: VendorRow) => boolean,
): AsyncGenerator<VendorRow> {
  for (const table of tables) {
    for await (const row of readRows(table)) if (isWanted(row)) yield row
  }
}

/** The same rows, read up to the first one; null where there is none. */
export async function peekRows(
  rows: AsyncGenerator<VendorRow>,
): Promise<AsyncGenerator<VendorRow> | null> {
  const first = await rows.next()
  if (first.done) return null
  return (async function* () {
    yield first.value
    yield* rows
  })()
}

export type CsvStyle = {
  readonly columns: readonly string[]
  readonly end: '\n' | '\r\n'
  /** Text of a field; the value as it is by default. */
  readonly format?: (column: string, value: string | number) => string
  /** Fault that renames or leaves out columns. */
  readonly fault?: RowFault
}

const CHUNK_BYTES = 64 * 1024

/** Writes rows as CSV with a header, in parts of about 64 KiB. */
export async function* writeCsv(
  rows: AsyncIterable<VendorRow>,
  { columns, end, format = (_, value) => String(value), fault }: CsvStyle,
): AsyncGenerator<Buffer> {
  const written = columns.filter(column => fault?.columns?.[column] !== null)
  const header = written.map(column => fault?.columns?.[column] ?? column)
  let text = `${header.join(',')}${end}`
  for await (const row of rows) {
    for (let index = 0; index < written.length; index++) {
      const column = written[index]!
      text += `${index > 0 ? ',' : ''}${format(column, row[column] ?? '')}`
    }
    text += end
    if (text.length < CHUNK_BYTES) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** Compresses a body while it is read. */
export function compress(body: Body, by: 'gzip' | 'zstd'): AsyncIterable<Uint8Array> {
  const source = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  const compressor = by === 'gzip' ? createGzip({ level: 1 }) : createZstdCompress()
  // the compressor passes an error on, and a reader that leaves early ends the source
  pipeline(Readable.from(source), compressor, () => {})
  return compressor
}

/** The response with its text body in gzip where the request accepts that. */
export function encodeReply(reply: Reply & { readonly body: string }, accepted: string): Reply {
  const headers = { ...reply.headers, vary: 'Accept-Encoding' }
  if (!/\bgzip\b/.test(accepted)) return { ...reply, headers }
  return {
    ...reply,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(reply.body),
  }
}

/** Reads a day written YYYYMMDD or YYYY-MM-DD; null where it is neither. */
export function readDay(text: string): string | null {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text)
  if (!parts || (text.includes('-') && text.length !== 10)) return null
  const day = `${parts[1]}-${parts[2]}-${parts[3]}`
  const parsed = Date.parse(`${day}T00:00:00Z`)
  return Number.isFinite(parsed) && new Date(parsed).toISOString().startsWith(day) ? day : null
}
