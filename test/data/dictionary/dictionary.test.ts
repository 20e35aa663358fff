import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import { findSign, findUnit } from '../../../src/data/dictionary/units.ts'

const readme = readFileSync('data/README.md', 'utf8')
const sections = readme
  .split('## Published datasets')[1]!
  .split('\n# ')[0]!
  .split('\n### ')
  .slice(1)

test('data/README.md lists the published datasets, and no others', () => {
  expect(sections.map(text => text.split('\n')[0])).toEqual(
    PUBLISHED_DATASETS.map(({ name }) => name),
  )
})

test.each(PUBLISHED_DATASETS)(
  'data/README.md says of $name what the publisher holds to',
  dataset => {
    const section = sections.find(text => text.startsWith(`${dataset.name}\n`))!
    expect(section).toContain(dataset.meaning)
    expect(section).toContain(`Grain: \`${dataset.grain}\``)
    expect(section).toMatch(/Written by .+; read by .+\./)
    const rows = [...section.matchAll(/^\| (\w+) \| ([\w[\]]+) \| (yes|no) \| (.+) \|$/gm)]
    expect(rows.map(row => row.slice(1))).toEqual(
      dataset.columns.map(({ name, type, isNullable, meaning }) => [
        name,
        type,
        isNullable ? 'yes' : 'no',
        meaning,
      ]),
    )
  },
)

test('a dataset names no column twice and its grain is among its columns', () => {
  for (const { name, grain, columns } of PUBLISHED_DATASETS) {
    const names = columns.map(column => column.name)
    expect(new Set(names).size, name).toBe(names.length)
    for (const key of grain.split(', ')) expect(names, name).toContain(key)
  }
})

test('every number, day and instant has a unit, and what has a sign says so', () => {
  const lacking: string[] = []
  for (const { name, columns } of PUBLISHED_DATASETS) {
    for (const column of columns) {
      const isText = /^(varchar|boolean)/.test(column.type)
      if (!isText && findUnit(name, column) === null) lacking.push(`${name}.${column.name}`)
    }
  }
  expect(lacking).toEqual([])
  const column = (name: string) => ({ name, type: 'double', isNullable: true, meaning: '' })
  expect(findSign('exposures', column('delta_musd'))).toContain('dealers')
  expect(findSign('flow', column('delta_musd'))).toContain('customers')
  expect(findSign('levels', column('flip'))).toBeNull()
})

test('a column of one name has a time zone in every dataset, or in none', () => {
  const types = new Map<string, string>()
  for (const { name, columns } of PUBLISHED_DATASETS) {
    for (const column of columns.filter(({ type }) => type.startsWith('timestamp'))) {
      expect([name, column.name, column.type]).toEqual([
        name,
        column.name,
        types.get(column.name) ?? column.type,
      ])
      types.set(column.name, column.type)
    }
  }
  expect(types.get('minute_utc')).toBe('timestamptz')
  expect(types.get('minute_at')).toBe('timestamp')
})
