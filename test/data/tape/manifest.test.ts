import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/core/disk/files.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { OPEN_CLOSE_DATASET, TAPE_DATASETS } from '../../../src/data/dictionary/datasets.ts'
import {
  isSimulated,
  readTapeManifest,
  tapeColumns,
  tapeInputs,
  tapeSessions,
  writeTapeManifest,
} from '../../../src/data/tape/manifest.ts'
import { loadTape } from '../../../src/data/tape/tables.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const DAY = '2026-10-14'
const PRINTS = `printed_at,root,expiry,strike,option_type,size,price,sequence
2026-10-14T14:00:02Z,SPXW,2026-10-14,6000,C,5,1.25,7
2026-10-14T14:00:01Z,SPXW,2026-10-14,6000,C,6,1.25,9
2026-10-14T14:00:01Z,SPXW,2026-10-14,6000,C,7,1.25,8
2026-10-15T14:00:01Z,SPXW,2026-10-16,6000,C,8,1.25,8
`

test('every tape table exists, empty without an import; prints are in order', async () => {
  const data = newFolder()
  await importFiles(data, 'prints', newFile('p.csv', PRINTS))
  const db = await openDatabase()
  await loadTape(db, data, DAY)
  for (const { name } of TAPE_DATASETS) {
    const described = await db.rows(
      `select column_name as name, lower(data_type) as type from duckdb_columns()
       where schema_name = 'tape' and table_name = $name order by column_index`,
      { name },
    )
    expect(described).toEqual(tapeColumns(name).map(({ name, type }) => ({ name, type })))
  }
  expect(await db.rows('select sequence from tape.prints')).toEqual([
    { sequence: 8 },
    { sequence: 9 },
    { sequence: 7 },
  ])
  expect(await db.isEmpty('tape.quotes')).toBe(true)
  expect(await db.isEmpty('tape.rates')).toBe(true) // the curves that come with us end in 2025
  db.close()
})

test('sessions and inputs come from the manifests; a file none names is not read', async () => {
  const data = newFolder()
  await importFiles(data, '--simulated', 'prints', newFile('p.csv', PRINTS))
  expect(tapeSessions(data)).toEqual(['2026-10-14', '2026-10-15'])
  expect(tapeSessions(newFolder())).toEqual([])
  expect(isSimulated(data, DAY)).toBe(true)
  const [input] = tapeInputs(data, DAY)
  expect(input).toMatchObject({ dataset: 'prints', rows: 3 })
  const bytes = readFileSync(join(data, input!.file))
  expect(sha256(bytes)).toBe(input!.sha256)

  writeFileSync(join(data, `tape/prints/session=${DAY}/left-by-a-crash.parquet`), bytes)
  const rows = await tapeRows(data, DAY, 'select count(*) as n from tape.prints')
  expect(rows).toEqual([{ n: 3 }])
})

test('a batch never takes the name of other bytes, even of ones no manifest names', async () => {
  const data = newFolder()
  const file = newFile('p.csv', PRINTS)
  await importFiles(data, 'prints', file)
  const [first] = readTapeManifest(data, DAY).batches
  const forget = () => writeTapeManifest(data, { format: 1, session_date: DAY, batches: [] })
  forget() // as a crash leaves it: the same bytes lie there already
  await importFiles(data, 'prints', file)
  expect(readTapeManifest(data, DAY).batches).toMatchObject([first!])
  forget()
  writeFileSync(join(data, 'tape', first!.file), 'other bytes')
  await importFiles(data, 'prints', file)
  const [second] = readTapeManifest(data, DAY).batches
  expect(second!.file).toBe(first!.file.replace('.parquet', '-2.parquet'))
  expect(second!.sha256).toBe(first!.sha256)
})

const RATES = `session_date,tenor_days,rate
2026-10-02,30,0.04
2026-10-12,30,0.041
2026-10-12,365,0.039
2026-10-14,30,0.05
`

test.each([
  ['2026-10-14', ['2026-10-12', '2026-10-12']], // the curve of the day itself is not known yet
  ['2026-10-12', ['2026-10-02']], // ten days old
  ['2026-10-13', ['2026-10-12', '2026-10-12']],
  ['2026-10-15', ['2026-10-14']],
  ['2026-10-26', []], // twelve days old
  ['2021-01-06', Array(12).fill('2021-01-05')], // the Treasury's own, which come with us
])('session %s takes the latest curve before it', async (day, curves) => {
  const data = newFolder()
  await importFiles(data, 'rates', newFile('rates.csv', RATES))
  const rows = await tapeRows(data, day, 'select session_date::varchar as day from tape.rates')
  expect(rows.map(row => row.day)).toEqual(curves)
})

test('data/README.md and the dictionary say the same of every tape column', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../data/README.md'), 'utf8')
  const written = ['## Datasets', '# Open-Close flows'].flatMap(title =>
    readme.split(title)[1]!.split('\n# ')[0]!.split('\n### ').slice(1),
  )
  const datasets = [...TAPE_DATASETS, OPEN_CLOSE_DATASET]
  expect(written.map(text => text.split('\n')[0])).toEqual(datasets.map(({ name }) => name))
  datasets.forEach((dataset, at) => {
    expect(written[at]).toContain(dataset.meaning)
    expect(written[at]).toContain(`Grain: \`${dataset.grain}\``)
    expect(written[at]).toMatch(/Written by .+; read by .+\./)
    const rows = [...written[at]!.matchAll(/^\| (\w+) \| (\w+) \| (yes|no) \| (.+) \|$/gm)]
    expect(
      rows.map(([, name, type, isNullable, meaning]) => [name, type, isNullable, meaning]),
    ).toEqual(
      dataset.columns.map(column => [
        column.name,
        column.type,
        column.isNullable ? 'yes' : 'no',
        column.meaning,
      ]),
    )
  })
})

test('files older than known_at are read: their rows were known at their own time', async () => {
  const data = newFolder()
  const quote = (strike: number, known: string) =>
    `minute_at,root,expiry,strike,option_type,best_bid,best_ask,quoted_at,known_at
2026-10-14T14:00:00Z,SPXW,2026-10-14,${strike},C,1,2,2026-10-14T13:59:58Z,${known}
`
  const spot = (second: number) => `spotted_at,spot\n2026-10-14T14:00:0${second}Z,6000\n`
  const interest = (strike: number, known: string) =>
    `session_date,root,expiry,strike,option_type,open_interest,known_at
2026-10-14,SPXW,2026-10-14,${strike},C,7,${known}
`
  const position = (strike: number, known: string) =>
    `session_date,root,expiry,strike,option_type,quantity,known_at
2026-10-14,SPXW,2026-10-14,${strike},C,-7,${known}
`
  const curve = (days: number, known: string) =>
    `session_date,tenor_days,rate,known_at\n2026-10-13,${days},0.04,${known}\n`
  const files = [
    ['quotes', quote(6000, ''), quote(6005, '2026-10-14T14:09:00Z')],
    ['spots', spot(1), spot(2)],
    ['open-interest', interest(6000, ''), interest(6005, '2026-10-14T14:09:00Z')],
    ['dealer-positions', position(6000, ''), position(6005, '2026-10-14T14:09:00Z')],
    ['rates', curve(1, ''), curve(30, '2026-10-14T14:09:00Z')],
  ] as const
  for (const [format, older, newer] of files) {
    await importFiles(data, format, newFile('old.csv', older))
    await importFiles(data, format, newFile('new.csv', newer))
  }
  const db = await openDatabase()
  const states = async () => {
    await loadTape(db, data, DAY)
    const quotes = await db.rows('from tape.quotes order by strike')
    return {
      quotes,
      rest: [
        await db.rows('from tape.spots order by all'),
        await db.rows('from tape.open_interest order by all'),
        await db.rows('from tape.dealer_positions order by all'),
        await db.rows('from tape.rates order by known_at nulls first, tenor_days'),
      ],
    }
  }
  const before = await states()
  const clocks = (rows: readonly { known_at?: unknown }[]) => rows.map(row => row.known_at)
  expect(clocks(before.quotes)).toEqual(['2026-10-14 13:59:58', '2026-10-14 14:09:00'])
  expect(clocks(before.rest[1]!)).toEqual([null, '2026-10-14 14:09:00'])
  expect(clocks(before.rest[2]!)).toEqual([null, '2026-10-14 14:09:00'])
  // from then on the curve has two points
  expect(before.rest[3]!.map(row => [row.known_at, row.tenor_days])).toEqual([
    [null, 1],
    ['2026-10-14 14:09:00', 1],
    ['2026-10-14 14:09:00', 30],
  ])
  for (const { file } of tapeInputs(data, DAY)) {
    const path = join(data, file)
    const [row] = await db.rows(
      "select count(*) as n from read_parquet($path) where known_at > '2026-10-14 14:05:00'",
      { path },
    )
    // the first file of each dataset as it was written before there was such a column
    if (row!.n === 0) {
      await db.run(
        'create or replace table old as select * exclude (known_at) from read_parquet($path)',
        { path },
      )
      await db.run('copy old to $path (format parquet)', { path })
    }
  }
  expect(await states()).toEqual(before)
})
