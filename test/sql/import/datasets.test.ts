// Holds what an import makes of each dataset to the columns of the dictionary.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalQuery } from '../../../pipelines/import/canonical.ts'
import { FORMATS } from '../../../pipelines/import/formats.ts'
import { buildJudged, judgeKeys, keyedColumns } from '../../../pipelines/import/judge.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { columnTypes, TAPE_DATASETS } from '../../../src/data/dictionary/datasets.ts'

/** Values of rows until they are taken onto the tape. */
const OF_ROWS = ['line_number', 'row_reason', 'cell_reason', 'skip_reason']
const OF_JUDGING = ['line_number', 'reason', 'skip_reason', 'unknown_condition']

/** Columns of the tape that a file says otherwise: own times as instants, and what is numbered. */
const STATED: Readonly<Record<string, string>> = {
  printed_at: 'instant_at',
  minute_at: 'instant_at',
  spotted_at: 'instant_at',
  priced_at: 'instant_at',
  sequence: 'vendor_sequence',
  condition: 'condition_id',
}
/** Times that a file may say as those of a wall clock. */
const WALL = ['wall_at', 'quoted_wall_at']

const PARAMS = {
  roots: '[]',
  day: null,
  vendor: 'opra',
  closed_weekdays: '[]',
  friday_expiries_from: '2015-02-01',
}

let db: Database

beforeAll(async () => {
  db = await openDatabase()
  await db.run('create schema import')
  await db.build('import/days', { days: '[]' })
  await db.build('import/conditions', { file: 'data/reference/conditions.csv' })
})

afterAll(() => db.close())

/** Names and types of the columns of a table. */
async function listColumns(table: string): Promise<{ name: string; type: string }[]> {
  const rows = await db.rows(
    `select column_name as name, lower(data_type) as type from duckdb_columns()
     where schema_name || '.' || table_name = $table order by column_index`,
    { table },
  )
  return rows.map(row => ({ name: String(row.name), type: String(row.type) }))
}

/** Makes the tables of one dataset of an empty file in its own columns. */
async function judgeNone({ name, columns }: (typeof TAPE_DATASETS)[number]) {
  const cells = columns.map(column => `${column.name} varchar`).join(', ')
  await db.run(`create or replace table import.rows
    (line_number bigint, row_reason varchar, cell_count bigint, filled_count bigint, ${cells})`)
  const { layout } = FORMATS.find(format => format.name === name.replaceAll('_', '-'))!
  await db.refill('import.candidates', canonicalQuery(name, layout.optional ?? []))
  if (name === 'prints') await db.build('import/condition_letters', { vendor: 'opra' })
  await buildJudged(db, name, PARAMS)
}

test.each(TAPE_DATASETS)('a file of $name has the columns of the dictionary', async dataset => {
  await judgeNone(dataset)
  const found = (await listColumns('import.candidates')).map(({ name }) => name)
  const hasTime = dataset.columns.some(({ name }) => STATED[name] === 'instant_at')
  const others = [...OF_ROWS, ...WALL, ...(hasTime ? [] : ['instant_at'])]
  const stated = found.filter(name => !others.includes(name))
  expect(stated.sort()).toEqual(dataset.columns.map(({ name }) => STATED[name] ?? name).sort())
})

test.each(TAPE_DATASETS)('rows of $name are judged into its columns and types', async dataset => {
  await judgeNone(dataset)
  const found = await listColumns('import.judged')
  const own = found.filter(({ name }) => ![...OF_JUDGING, 'vendor_sequence'].includes(name))
  // a number that is unique in the session comes when all rows are judged
  const wanted = dataset.columns.filter(({ name }) => name !== 'sequence')
  expect(own).toEqual(wanted.map(({ name, type }) => ({ name, type })))
})

const KEYED = TAPE_DATASETS.filter(({ name }) => name !== 'prints')

/** Two values of each type. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  date: ['2026-10-14', '2026-10-15'],
  timestamp: ['2026-10-14 14:00:00', '2026-10-14 14:00:01'],
  varchar: ['C', 'P'],
}

type Row = Readonly<Record<string, string | null>>

/** Judges rows of a dataset against those that are stored; returns the verdict of each new row. */
async function judgeRows(
  { name, columns }: (typeof TAPE_DATASETS)[number],
  stored: readonly Row[],
  given: readonly Row[],
) {
  for (const [table, rows] of [['existing', stored] as const, ['judged', given] as const]) {
    await db.run(`create or replace table import.${table} (${columnTypes(columns)},
      reason varchar, skip_reason varchar, unknown_condition varchar)`)
    const json = JSON.stringify(rows)
    const read = columns.map(({ name, type }) => `(row->>'${name}')::${type} as ${name}`)
    await db.run(
      `insert into import.${table} by name select ${read.join(', ')}
       from unnest($rows::json[]) as rows(row)`,
      { rows: json },
    )
  }
  await judgeKeys(db, keyedColumns(name))
  const found = await db.rows('from import.verdicts')
  const verdicts = new Map(found.map(row => [row.row_id, row.verdict]))
  return given.map((_, index) => verdicts.get(index) ?? 'new')
}

test.each(KEYED)(
  'rows of $name are the same by its grain, and equal by all else',
  async dataset => {
    const { columns } = dataset
    const keys = dataset.grain.split(', ')
    const pick = (index: 0 | 1) =>
      Object.fromEntries(
        columns.map(({ name, type }) => [name, (VALUES[type] ?? ['5', '6'])[index]]),
      )
    const [row, other] = [pick(0), pick(1)]
    const changed = columns.map(({ name }) => ({ ...row, [name]: other[name]! }))
    const wanted = columns.map(({ name }) => {
      if (keys.includes(name)) return 'new'
      return name === 'known_at' ? 'known' : 'conflict'
    })
    expect(await judgeRows(dataset, [row], changed)).toEqual(wanted)
    expect(await judgeRows(dataset, [], [row, ...changed])).toEqual(['new', ...wanted])
    // what is stored stands before what the file says first
    const conflict = changed[wanted.indexOf('conflict')]!
    expect(await judgeRows(dataset, [row], [conflict, conflict, row])).toEqual([
      'conflict',
      'conflict',
      'known',
    ])
    // nothing is equal to nothing, and to no value
    for (const { name } of columns.filter(({ isNullable }) => isNullable)) {
      const none = { ...row, [name]: null }
      const verdict = wanted[columns.findIndex(column => column.name === name)]!
      expect(await judgeRows(dataset, [none], [none, row])).toEqual(['known', verdict])
    }
  },
)
