// Holds what an import makes of each dataset to the columns of the dictionary.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { readSql } from '../../../src/core/engine/sql.ts'
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
  await db.build(`import/canonical_${name}`, {}, 'import.candidates')
  if (name === 'prints') await db.build('import/condition_letters', { vendor: 'opra' })
  await db.build(`import/judged_${name}`, PARAMS, 'import.judged')
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

test.each(KEYED)('rows of $name are the same by its grain, and equal by all else', dataset => {
  const text = readSql(`import/verdicts_${dataset.name}`)
  const keys = dataset.grain.split(', ')
  const values = dataset.columns
    .map(({ name }) => name)
    .filter(name => !keys.includes(name) && name !== 'known_at')
  const isNullable = (name: string) => dataset.columns.find(one => one.name === name)!.isNullable
  for (const other of ['existing', 'firsts']) {
    const compared = [
      ...text.matchAll(
        new RegExp(`valid_rows\\.(\\w+) (=|is not distinct from) ${other}\\.(\\w+)`, 'g'),
      ),
    ].map(([, own, how, theirs]) => ({ own, how, theirs }))
    const wanted = [
      ...values.map(name => ({ own: name, how: 'is not distinct from', theirs: name })),
      ...keys.map(name => ({
        own: name,
        how: isNullable(name) ? 'is not distinct from' : '=',
        theirs: name,
      })),
    ]
    expect(compared).toEqual(wanted)
  }
  expect(text).toContain(`select ${keys.join(', ')}, min(row_id) as first_row_id`)
  expect(text).toContain(`group by ${keys.join(', ')}\n`)
})

test.each(KEYED)(
  'of two equal rows of $name the first stands, of two others neither is lost',
  async dataset => {
    const keys = dataset.grain.split(', ')
    const [value] = dataset.columns.filter(
      ({ name }) => !keys.includes(name) && name !== 'known_at',
    )
    await db.run(`create or replace table import.judged
    (${columnTypes(dataset.columns)}, reason varchar, skip_reason varchar)`)
    await db.run('create or replace table import.existing as from import.judged limit 0')
    const row = dataset.columns.map(({ name, type }) => {
      const text =
        { date: '2026-10-14', timestamp: '2026-10-14 14:00:00', varchar: 'C' }[type] ?? '5'
      return `'${text}'::${type} as ${name}`
    })
    const other = `replace (6::${value!.type} as ${value!.name})`
    const own = value!.type === 'timestamp' ? '' : other
    await db.run(`insert into import.judged by name select ${row.join(', ')}`)
    await db.run(`insert into import.judged by name select ${row.join(', ')}`)
    await db.run(
      `insert into import.judged by name select * ${own} from (select ${row.join(', ')})`,
    )
    await db.build(`import/verdicts_${dataset.name}`, {}, 'import.verdicts')
    expect(await db.rows('from import.verdicts order by row_id')).toEqual([
      { row_id: 1, verdict: 'known' },
      { row_id: 2, verdict: 'conflict' },
    ])
  },
)
