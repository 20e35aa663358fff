// The contract that machines read is that of the dictionary, and breaks no promise of a release.

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { DATASET_CARDS } from '../../../src/data/dictionary/cards.ts'
import type { Dataset } from '../../../src/data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import {
  findBroken,
  listPromises,
  makeOdcs,
  makePackage,
  readPromised,
} from '../../support/contract.ts'

test('each dataset has a card, and the contract states its use and limits', () => {
  const names = PUBLISHED_DATASETS.map(({ name }) => name)
  expect(Object.keys(DATASET_CARDS).toSorted()).toEqual(names.toSorted())
  const { schema } = parse(makeOdcs())
  for (const { name, customProperties } of schema) {
    const { use, limits } = DATASET_CARDS[name]!
    expect(customProperties.slice(0, 2)).toEqual([
      { property: 'use', value: use },
      { property: 'limits', value: limits },
    ])
  }
})

test('no column that a release has promised is gone, of another type, or may be null now', () => {
  expect(findBroken(readPromised())).toEqual([])
  // a new column is promised with the commit that adds it
  expect(readPromised()).toEqual(listPromises())
})

/** The datasets with other columns of `levels`. */
const changed = (change: (columns: Dataset['columns']) => Dataset['columns']) =>
  PUBLISHED_DATASETS.map(dataset =>
    dataset.name === 'levels' ? { ...dataset, columns: change(dataset.columns) } : dataset,
  )
const ofColumn = (name: string, change: Partial<Dataset['columns'][number]>) =>
  changed(columns => columns.map(one => (one.name === name ? { ...one, ...change } : one)))

test('a column that goes, narrows or may be null is found, a new one is not', () => {
  const promised = listPromises()
  const without = changed(columns => columns.filter(({ name }) => name !== 'flip'))
  expect(findBroken(promised, without)).toEqual(['levels.flip is gone'])
  expect(findBroken(promised, ofColumn('flip', { type: 'float' }))).toEqual([
    'levels.flip was double? and is float?',
  ])
  expect(findBroken(promised, ofColumn('minute_et', { isNullable: true }))).toEqual([
    'levels.minute_et may be null now',
  ])
  expect(findBroken(promised, ofColumn('flip', { isNullable: false }))).toEqual([])
  const added = { name: 'later', type: 'double', isNullable: true, meaning: 'a new one' }
  expect(
    findBroken(
      promised,
      changed(columns => [...columns, added]),
    ),
  ).toEqual([])
})

test('the YAML has each dataset with its key, types and what may be null', () => {
  const { apiVersion, kind, status, schema } = parse(makeOdcs())
  expect([apiVersion, kind, status]).toEqual(['v3.1.0', 'DataContract', 'active'])
  expect(schema).toHaveLength(PUBLISHED_DATASETS.length)
  const unkeyed: string[] = []
  for (const [index, { name, columns, grain }] of PUBLISHED_DATASETS.entries()) {
    const { properties } = schema[index]
    expect(properties.map((one: { name: string }) => one.name)).toEqual(
      columns.map(column => column.name),
    )
    const keys = properties.filter((one: { primaryKey?: boolean }) => one.primaryKey)
    // where a column of the grain may be null there is no primary key
    const isKeyed = columns.every(one => !one.isNullable || !grain.split(', ').includes(one.name))
    if (!isKeyed) unkeyed.push(name)
    expect(keys.map((one: { name: string }) => one.name).toSorted(), name).toEqual(
      isKeyed ? grain.split(', ').toSorted() : [],
    )
    expect(properties.filter((one: { required: boolean }) => one.required)).toHaveLength(
      columns.filter(column => !column.isNullable).length,
    )
  }
  expect(unkeyed).toContain('exposures')
  expect(unkeyed.length).toBeLessThan(5)
  const orders = schema.find((one: { name: string }) => one.name === 'orders')
  const at = orders.properties.find((one: { name: string }) => one.name === 'printed_at')
  expect(at).toMatchObject({
    logicalType: 'timestamp',
    logicalTypeOptions: { timezone: false, defaultTimezone: 'Etc/UTC' },
  })
})

test('the Data Package has each dataset as a table', () => {
  const { resources } = JSON.parse(makePackage())
  const fieldTypes = new Set(
    resources.flatMap((one: { schema: { fields: { type: string }[] } }) =>
      one.schema.fields.map(({ type }) => type),
    ),
  )
  const known = ['string', 'date', 'datetime', 'integer', 'number', 'boolean', 'array']
  expect([...fieldTypes].toSorted()).toEqual(known.toSorted())
  for (const { name, schema } of resources) {
    const fields = schema.fields.map((field: { name: string }) => field.name)
    expect(new Set(fields).size, name).toBe(fields.length)
    for (const key of schema.primaryKey ?? schema.uniqueKeys[0]) expect(fields, name).toContain(key)
  }
})
