import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import {
  type DataType,
  Field,
  Float64,
  Int8,
  Int32,
  List,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import { gzipSync } from 'fflate'
import {
  Compression,
  Table as ParquetTable,
  WriterPropertiesBuilder,
  writeParquet,
} from 'parquet-wasm/node'
import type { WireLedger, WireOrder } from './schema.ts'
import { type LedgerInput, wireLedger } from './wire.ts'

/** The forms in which a ledger is published; gzip and brotli are of the JSON. */
export const LEDGER_FORMS = ['json', 'gzip', 'brotli', 'csv', 'parquet', 'arrow'] as const
export type LedgerForm = (typeof LEDGER_FORMS)[number]

/** What the file of each form ends with. */
export const EXTENSION_OF_FORM: Readonly<Record<LedgerForm, string>> = {
  json: 'json',
  gzip: 'json.gz',
  brotli: 'json.br',
  csv: 'csv',
  parquet: 'parquet',
  arrow: 'arrow',
}

export type LedgerFile = {
  readonly data: Uint8Array
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** Strong, quoted, of these bytes alone. */
  readonly etag: string
}

export type LedgerFiles = Readonly<Record<LedgerForm, LedgerFile>>

/** 'unknown': the compressor of a published file must not depend on the machine. */
const GZIP_OS_UNKNOWN = 255
const GZIP_OS_BYTE = 9
const BROTLI_QUALITY = 9

/** Every form of a ledger, made once a revision so that a request only sends bytes. */
export function renderLedgerFiles(input: LedgerInput): LedgerFiles {
  const ledger = wireLedger(input)
  const forms = LEDGER_FORMS.map(form => [form, renderForm(ledger, form)] as const)
  return Object.fromEntries(forms) as LedgerFiles
}

/** One form of a ledger. */
export function renderForm(ledger: WireLedger, form: LedgerForm): LedgerFile {
  switch (form) {
    case 'json':
      return ledgerFile(jsonBytes(ledger))
    case 'gzip':
      return ledgerFile(gzip(jsonBytes(ledger)))
    case 'brotli':
      return ledgerFile(brotli(jsonBytes(ledger)))
    case 'csv':
      return ledgerFile(Buffer.from(csvText(ledger.orders)))
    case 'parquet':
      return ledgerFile(parquetBytes(arrowTable(ledger.orders)))
    case 'arrow':
      return ledgerFile(tableToIPC(arrowTable(ledger.orders), 'stream'))
    default:
      return form satisfies never
  }
}

/** The strong validator of bytes. */
const etagOf = (sha256: string): string => `"${sha256.slice(0, 32)}"`

export function ledgerFile(data: Uint8Array): LedgerFile {
  const sha256 = createHash('sha256').update(data).digest('hex')
  return { data, bytes: data.byteLength, sha256, etag: etagOf(sha256) }
}

/** Gzip in plain JavaScript: the same bytes on every processor, without a time stamp. */
export function gzip(data: Uint8Array): Uint8Array {
  const bytes = gzipSync(data, { level: 9, mtime: 0 })
  bytes[GZIP_OS_BYTE] = GZIP_OS_UNKNOWN
  return bytes
}

const jsonBytes = (ledger: WireLedger): Uint8Array => Buffer.from(JSON.stringify(ledger))

const brotli = (data: Uint8Array): Uint8Array =>
  brotliCompressSync(data, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: data.byteLength,
    },
  })

/** Columns of the tabular forms: the order's fields, with their Arrow types. */
const LEG_TYPE = new Struct([
  new Field('strike', new Float64()),
  new Field('option_type', new Utf8()),
  new Field('sign', new Int8()),
])
const COLUMN_TYPES = {
  oid: new Utf8(),
  t: new Utf8(),
  g: new Float64(),
  g_null: new Utf8(),
  kind: new Utf8(),
  legs: new Utf8(),
  lg: new List(new Field('item', LEG_TYPE, true)),
  exp: new Utf8(),
  size: new Int32(),
  contracts: new Int32(),
  net: new Float64(),
  flip: new Float64(),
  side: new Utf8(),
  confidence: new Float64(),
  fold: new Utf8(),
  flags: new List(new Field('item', new Utf8(), true)),
  p: new Float64(),
} as const satisfies Record<string, DataType>

/** Names of the columns of CSV, Parquet and Arrow, in order. */
export const LEDGER_COLUMNS = Object.keys(COLUMN_TYPES) as (keyof typeof COLUMN_TYPES)[]

function arrowTable(orders: readonly WireOrder[]): Table {
  const columns = LEDGER_COLUMNS.map(name => {
    const values = orders.map(order => (name === 'lg' ? order.lg.map(legRow) : order[name]))
    return [name, vectorFromArray(values, COLUMN_TYPES[name] as DataType)] as const
  })
  return new Table(Object.fromEntries(columns))
}

const legRow = ([strike, option_type, sign]: WireOrder['lg'][number]) => ({
  strike,
  option_type,
  sign,
})

function parquetBytes(table: Table): Uint8Array {
  const properties = new WriterPropertiesBuilder().setCompression(Compression.SNAPPY).build()
  return writeParquet(ParquetTable.fromIPCStream(tableToIPC(table, 'stream')), properties)
}

/** CSV as RFC 4180 with a header; a null is an empty field, an empty text is `""`. */
function csvText(orders: readonly WireOrder[]): string {
  const rows = orders.map(order => LEDGER_COLUMNS.map(name => csvField(order[name])))
  return [LEDGER_COLUMNS, ...rows].map(fields => `${fields.join(',')}\r\n`).join('')
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
