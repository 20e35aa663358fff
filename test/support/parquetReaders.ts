/**
 * Parquet files as four readers see them, in one form: the dictionary's type of each column, dates
 * as days and instants as microseconds since 1970.
 */

import { readFileSync } from 'node:fs'
import { type Data, type DataType, tableFromIPC, type Vector } from 'apache-arrow'
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { readParquet } from 'parquet-wasm/node'
// @ts-expect-error parquetjs-lite has no types
import parquetjs from 'parquetjs-lite'
import { openDatabase } from '../../src/core/engine/database.ts'

/** A column by the type of the dictionary that it has; null: the reader does not say. */
export type ReadColumn = { readonly type: string | null; readonly values: readonly unknown[] }
export type ReadFile = Readonly<Record<string, ReadColumn>>

const DAY_MS = 86_400_000

function findType(types: Readonly<Record<string, string>>, text: string): string {
  const found = types[text]
  if (found === undefined) throw new Error(`no type of the dictionary is ${text}`)
  return found
}

const toNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

const DUCKDB: Readonly<Record<string, string>> = {
  VARCHAR: 'varchar',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  INTEGER: 'integer',
  BIGINT: 'bigint',
  DOUBLE: 'double',
  FLOAT: 'float',
  BOOLEAN: 'boolean',
  'VARCHAR[]': 'varchar[]',
  'DOUBLE[]': 'double[]',
}

/** The reader that Tapefold itself uses. */
export async function readByDuckdb(path: string): Promise<ReadFile> {
  const db = await openDatabase({ threads: 1 })
  const from = `read_parquet('${path}', hive_partitioning = false)`
  try {
    const described = await db.rows(`describe from ${from}`)
    const columns = described.map(({ column_name: name, column_type: type }) => {
      return { name: String(name), type: findType(DUCKDB, String(type)) }
    })
    const selected = columns.map(({ name, type }) => {
      if (type === 'date') return `("${name}" - date '1970-01-01')::integer as "${name}"`
      return type.startsWith('timestamp') ? `epoch_us("${name}") as "${name}"` : `"${name}"`
    })
    const reader = await db.connection.runAndReadAll(`select ${selected.join(', ')} from ${from}`)
    const values = reader.getColumnsObjectJS()
    return Object.fromEntries(
      columns.map(({ name, type }) => [name, { type, values: values[name]!.map(toNumber) }]),
    )
  } finally {
    db.close()
  }
}

const PHYSICAL: Readonly<Record<string, string>> = {
  INT32: 'integer',
  INT64: 'bigint',
  DOUBLE: 'double',
  FLOAT: 'float',
  BOOLEAN: 'boolean',
}

/** Type of a leaf of the schema, by its annotations. */
function leafType({ type, converted_type: converted, logical_type: logical }: SchemaElement) {
  if (converted === 'UTF8') return 'varchar'
  if (converted === 'DATE') return 'date'
  if (logical?.type === 'TIMESTAMP') {
    if (logical.unit !== 'MICROS') throw new Error(`a timestamp in ${logical.unit}`)
    return logical.isAdjustedToUTC ? 'timestamptz' : 'timestamp'
  }
  return findType(PHYSICAL, String(type))
}

/** Columns of a schema, which is a tree in one list. */
function listSchema(schema: readonly SchemaElement[]): [name: string, type: string][] {
  const columns: [string, string][] = []
  for (let index = 1; index < schema.length; index++) {
    const element = schema[index]!
    if (element.converted_type === 'LIST') {
      columns.push([element.name, `${leafType(schema[index + 2]!)}[]`])
      index += 2
    } else columns.push([element.name, leafType(element)])
  }
  return columns
}

/** Reads bytes alone, by its own code. */
export async function readByHyparquet(path: string): Promise<ReadFile> {
  const bytes = readFileSync(path)
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  // its own parsers cut microseconds
  const raw = {
    timestampFromMicroseconds: (micros: bigint) => micros,
    dateFromDays: (days: number) => days,
  }
  const rows = await parquetReadObjects({ file, compressors, parsers: raw as never })
  return Object.fromEntries(
    listSchema(parquetMetadata(file).schema).map(([name, type]) => [
      name,
      { type, values: rows.map(row => toNumber(row[name] ?? null)) },
    ]),
  )
}

/** A list of any kind as an array. */
function toPlain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value ?? null
  return [...(value as Iterable<unknown>)].map(toNumber)
}

const ARROW: Readonly<Record<string, string>> = {
  Utf8: 'varchar',
  'Date32<DAY>': 'date',
  'Timestamp<MICROSECOND>': 'timestamp',
  'Timestamp<MICROSECOND, UTC>': 'timestamptz',
  Int32: 'integer',
  Int64: 'bigint',
  Float64: 'double',
  Float32: 'float',
  Bool: 'boolean',
  'List<Utf8>': 'varchar[]',
  'List<Float64>': 'double[]',
}

/** Values as they are stored: `get` makes dates of them. */
const storedValues = (vector: Vector): unknown[] =>
  vector.data.flatMap((data: Data<DataType>) =>
    Array.from({ length: data.length }, (_, index) =>
      data.getValid(index) ? toNumber((data.values as ArrayLike<unknown>)[index]) : null,
    ),
  )

/** apache-arrow, over the reader of arrow-rs. */
export async function readByArrow(path: string): Promise<ReadFile> {
  const table = tableFromIPC(readParquet(readFileSync(path)).intoIPCStream())
  return Object.fromEntries(
    table.schema.fields.map(field => {
      const type = findType(ARROW, String(field.type))
      const vector = table.getChild(field.name)!
      const values = /^(date|timestamp)/.test(type)
        ? storedValues(vector)
        : [...vector].map(value => toPlain(toNumber(value)))
      return [field.name, { type, values }]
    }),
  )
}

type OldField = { readonly primitiveType: string; readonly originalType?: string }

/**
 * parquetjs-lite. It fails on timestamps in dictionary pages, hands integers over as text, and
 * finds no rows in a list: these columns are left out.
 */
export async function readByParquetjs(path: string): Promise<ReadFile> {
  const reader = await parquetjs.ParquetReader.openFile(path)
  const fields = Object.entries(reader.schema.fields as Record<string, OldField>).filter(
    ([, { primitiveType, originalType }]) =>
      primitiveType !== undefined && originalType !== 'TIMESTAMP_MICROS',
  )
  const cursor = reader.getCursor(fields.map(([name]) => [name]))
  const values = new Map<string, unknown[]>(fields.map(([name]) => [name, []]))
  for (let row = await cursor.next(); row; row = await cursor.next()) {
    for (const [name, { primitiveType, originalType }] of fields) {
      const value = toNumber(row[name] ?? null)
      const isNumber = originalType === undefined || originalType.startsWith('INT')
      const number = isNumber && primitiveType !== 'BOOLEAN' && value !== null
      values
        .get(name)!
        .push(value instanceof Date ? value.getTime() / DAY_MS : number ? Number(value) : value)
    }
  }
  await reader.close()
  return Object.fromEntries(
    fields.map(([name, { primitiveType, originalType }]) => {
      const logical = { UTF8: 'varchar', DATE: 'date' }[originalType ?? '']
      return [
        name,
        { type: logical ?? findType(PHYSICAL, primitiveType), values: values.get(name)! },
      ]
    }),
  )
}
