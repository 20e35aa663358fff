/**
 * The contract of the published datasets, made from the dictionary: ODCS 3.1 and a Data Package.
 * `npm run contract` writes both, and refuses while a column goes or narrows.
 */

import { readFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { DATASET_CARDS } from '../../src/data/dictionary/cards.ts'
import type { Column, Dataset } from '../../src/data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import {
  fileMetadata,
  findSign,
  findUnit,
  SCHEMA_EDITION,
  sortColumns,
} from '../../src/data/dictionary/units.ts'

export const ODCS_FILE = 'data/tapefold.odcs.yaml'
export const PACKAGE_FILE = 'data/datapackage.json'
/** Every column that a release has promised, one a line: only added to. */
export const PROMISED_FILE = 'test/vectors/promised_columns.txt'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Type of a column in ODCS, and in a Table Schema. */
const TYPES: Readonly<Record<string, { readonly odcs: object; readonly table: object }>> = {
  varchar: { odcs: { logicalType: 'string' }, table: { type: 'string' } },
  date: { odcs: { logicalType: 'date' }, table: { type: 'date' } },
  // UTC, which the files do not state: each has a column of type timestamptz as well
  timestamp: {
    odcs: {
      logicalType: 'timestamp',
      logicalTypeOptions: { timezone: false, defaultTimezone: 'Etc/UTC' },
    },
    table: { type: 'datetime', format: 'any' },
  },
  timestamptz: {
    odcs: {
      logicalType: 'timestamp',
      logicalTypeOptions: { timezone: true, defaultTimezone: 'Etc/UTC' },
    },
    table: { type: 'datetime', format: 'any' },
  },
  integer: number('integer', 'i32'),
  bigint: number('integer', 'i64'),
  double: number('number', 'f64'),
  float: number('number', 'f32'),
  boolean: { odcs: { logicalType: 'boolean' }, table: { type: 'boolean' } },
  'varchar[]': list({ logicalType: 'string' }),
  'double[]': list({ logicalType: 'number', logicalTypeOptions: { format: 'f64' } }),
}

function number(type: string, format: string) {
  return { odcs: { logicalType: type, logicalTypeOptions: { format } }, table: { type } }
}

function list(items: object) {
  return { odcs: { logicalType: 'array', items }, table: { type: 'array' } }
}

function findType({ name, type }: Column) {
  const found = TYPES[type]
  if (!found) throw new Error(`${name} has the type ${type}, which the contract does not know`)
  return found
}

/** The columns of which each row has other values; those of `exposures` may be null. */
const listKeys = ({ grain }: Dataset) => grain.split(', ')

/** True when no column of the key may be null: a primary key. */
const hasPrimaryKey = (dataset: Dataset) =>
  dataset.columns.every(({ name, isNullable }) => !isNullable || !listKeys(dataset).includes(name))

/** Unit and sign of a column, as its file states them too. */
function listProperties(dataset: string, column: Column) {
  const found = { unit: findUnit(dataset, column), sign: findSign(dataset, column) }
  const customProperties = Object.entries(found).flatMap(([property, value]) =>
    value === null ? [] : [{ property, value }],
  )
  return customProperties.length === 0 ? {} : { customProperties }
}

/** The contract as YAML of ODCS 3.1. */
export function makeOdcs(): string {
  const contract = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'tapefold-published-datasets',
    name: 'Tapefold: published datasets',
    version,
    status: 'active',
    description: {
      purpose:
        'Large SPX options orders rebuilt from the public tape, and the dealers’ levels by minute.',
      usage:
        'One immutable Parquet file a session and dataset. Take current files from index.json, the ' +
        'manifest or published/current: replaced files are in the other folders for another day.',
      limitations:
        'All numbers are estimates. Null means that a value is not known, never 0, and a reason ' +
        'stands in the row. Columns are only added. Gamma and exposures are those of what dealers ' +
        'hold: above zero, they buy as the index falls. Rows of simulated sessions are invented.',
    },
    schema: PUBLISHED_DATASETS.map(dataset => ({
      name: dataset.name,
      logicalType: 'object',
      physicalName: dataset.name,
      physicalType: 'parquet',
      description: dataset.meaning,
      dataGranularityDescription: `One row for each ${dataset.grain}.`,
      customProperties: [
        { property: 'use', value: DATASET_CARDS[dataset.name]!.use },
        { property: 'limits', value: DATASET_CARDS[dataset.name]!.limits },
        { property: 'schemaEdition', value: SCHEMA_EDITION },
        { property: 'sortOrder', value: sortColumns(dataset).join(', ') },
        { property: 'licence', value: fileMetadata(dataset)['tapefold.licence']! },
      ],
      properties: dataset.columns.map(column => {
        const position = hasPrimaryKey(dataset) ? listKeys(dataset).indexOf(column.name) : -1
        return {
          name: column.name,
          ...findType(column).odcs,
          physicalType: column.type,
          required: !column.isNullable,
          ...listProperties(dataset.name, column),
          ...(position < 0 ? {} : { primaryKey: true, primaryKeyPosition: position + 1 }),
          description: column.meaning,
        }
      }),
    })),
  }
  return `# Made by npm run contract from src/data/dictionary.\n${stringify(contract, { lineWidth: 0, aliasDuplicateObjects: false })}`
}

/** The contract as a Data Package: a Table Schema for each dataset, without rows. */
export function makePackage(): string {
  const described = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: 'tapefold',
    title: 'Tapefold: published datasets',
    description:
      'The columns of every dataset; made by npm run contract from src/data/dictionary. It has no ' +
      'rows: the files of a server are those of its index.json.',
    version,
    resources: PUBLISHED_DATASETS.map(dataset => ({
      name: dataset.name,
      title: dataset.meaning,
      type: 'table',
      data: [],
      schema: {
        $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
        fieldsMatch: 'superset',
        fields: dataset.columns.map(column => ({
          name: column.name,
          ...findType(column).table,
          description: column.meaning,
          constraints: { required: !column.isNullable },
        })),
        ...(hasPrimaryKey(dataset)
          ? { primaryKey: listKeys(dataset) }
          : { uniqueKeys: [listKeys(dataset)] }),
      },
    })),
  }
  return `${JSON.stringify(described, null, 1)}\n`
}

/** A promised column: `dataset.column type`, with `?` where it may be null. */
export const listPromises = (datasets: readonly Dataset[] = PUBLISHED_DATASETS): string[] =>
  datasets.flatMap(({ name, columns }) =>
    columns.map(column => `${name}.${column.name} ${column.type}${column.isNullable ? '?' : ''}`),
  )

/** Promises that datasets do not keep, in words: a column is gone, of another type, or may be null. */
export function findBroken(
  promised: readonly string[],
  datasets: readonly Dataset[] = PUBLISHED_DATASETS,
): string[] {
  const current = new Map(listPromises(datasets).map(line => line.split(' ') as [string, string]))
  return promised.flatMap(line => {
    const [column, type] = line.split(' ') as [string, string]
    const found = current.get(column)
    if (found === undefined) return [`${column} is gone`]
    if (found === type || found === type.replace('?', '')) return []
    if (found.replace('?', '') === type.replace('?', '')) return [`${column} may be null now`]
    return [`${column} was ${type} and is ${found}`]
  })
}

export const readPromised = (): string[] =>
  readFileSync(PROMISED_FILE, 'utf8').split('\n').filter(Boolean)
