import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/core/engine/database.ts'
import { LEDGER_COLUMNS } from '../../src/orders/orderFields.ts'
import { renderLedgerFiles } from '../../src/orders/render.ts'
import type { WireOrder } from '../../src/orders/schema.ts'
import { listComplaints } from '../support/openapi.ts'
import { ledgerInput, ledgerOrder, VARIED_ORDERS } from '../support/published.ts'

const files = await renderLedgerFiles(ledgerInput(VARIED_ORDERS))
const empty = await renderLedgerFiles(ledgerInput([]))
const listOrders = (data: Uint8Array): WireOrder[] =>
  JSON.parse(Buffer.from(data).toString()).orders

/** Legs as tables have them: objects instead of triples. */
const tabular = (orders: readonly WireOrder[]) =>
  orders.map(order => ({
    ...order,
    lg: order.lg.map(([strike, option_type, sign]) => ({ strike, option_type, sign })),
  }))

test('the JSON matches the schemas of the OpenAPI file', () => {
  for (const { json } of [files, empty]) {
    const ledger = JSON.parse(Buffer.from(json.data).toString())
    expect(listComplaints('/components/schemas/Ledger', ledger)).toBe('[]')
  }
})

test('gzip and brotli decode to the JSON, byte for byte', () => {
  const json = Buffer.from(files.json.data)
  expect(gunzipSync(files.gzip.data)).toEqual(json)
  expect(brotliDecompressSync(files.brotli.data)).toEqual(json)
})

test('CSV has the rows of the JSON, with null, zero and empty text distinct', () => {
  const [names, ...rows] = parseCsv(Buffer.from(files.csv.data).toString())
  expect(names!.map(field => field.text)).toEqual(LEDGER_COLUMNS)
  const orders = rows.map(fields =>
    Object.fromEntries(
      LEDGER_COLUMNS.map((name, index) => [name, fieldValue(name, fields[index]!)]),
    ),
  )
  expect(orders).toEqual(listOrders(files.json.data))
  expect(parseCsv(Buffer.from(empty.csv.data).toString())).toHaveLength(1)
})

test('Parquet has the rows of the JSON, as a second reader sees them', async () => {
  const rows = await parquetReadObjects({ file: arrayBuffer(files.parquet.data) })
  expect(rows).toEqual(tabular(listOrders(files.json.data)))
  expect(await parquetReadObjects({ file: arrayBuffer(empty.parquet.data) })).toEqual([])
})

test('an Arrow stream has the rows of the JSON', () => {
  const table = tableFromIPC(files.arrow.data)
  const rows = JSON.parse(JSON.stringify(table.toArray()))
  expect(rows).toEqual(tabular(listOrders(files.json.data)))
  const types = tableFromIPC(empty.arrow.data).schema.fields.map(field => `${field}`)
  expect(types).toEqual(table.schema.fields.map(field => `${field}`))
  expect(tableFromIPC(empty.arrow.data).numRows).toBe(0)
})

test('SQL reads the same rows from the Parquet file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-render-'))
  const file = join(folder, 'ledger.parquet')
  writeFileSync(file, files.parquet.data)
  const db = await openDatabase()
  expect(await db.rows('from read_parquet($file)', { file })).toEqual(
    tabular(listOrders(files.json.data)),
  )
  db.close()
  rmSync(folder, { recursive: true })
})

test('the same rows give the same bytes, without a time stamp', async () => {
  const again = await renderLedgerFiles(ledgerInput(structuredClone(VARIED_ORDERS)))
  expect(again).toEqual(files)
  expect([...files.gzip.data.slice(4, 10)]).toEqual([0, 0, 0, 0, 2, 255])
})

test('a changed order changes the ETag of every form', async () => {
  const changed = await renderLedgerFiles(
    ledgerInput([ledgerOrder({ order_id: 'z' }), ...VARIED_ORDERS.slice(1)]),
  )
  for (const form of ['json', 'gzip', 'brotli', 'csv', 'parquet', 'arrow'] as const) {
    expect(changed[form].etag, form).not.toBe(files[form].etag)
    expect(files[form].etag).toBe(`"${files[form].sha256.slice(0, 32)}"`)
  }
})

type Field = { text: string; isQuoted: boolean }

/** A CSV reader of its own, by RFC 4180. */
function parseCsv(text: string): Field[][] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .map(line =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(match => ({
        text: match[1]?.replaceAll('""', '"') ?? match[2]!,
        isQuoted: match[1] !== undefined,
      })),
    )
}

function fieldValue(name: string, { text, isQuoted }: Field): unknown {
  if (text === '' && !isQuoted) return null
  const isParsed =
    /^(g|lg|size|contracts|net|flip|flip_convention|confidence|flags|p|prints)$/.test(name)
  return isParsed ? JSON.parse(text) : text
}

const arrayBuffer = (data: Uint8Array) => new Uint8Array(data).buffer
