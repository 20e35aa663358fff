// Files of a month: the rows of its sessions, each once, outside the pattern of the files of days.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { collect } from '../../../src/data/published/collect.ts'
import { MONTH_DATASETS, publishMonths, readMonths } from '../../../src/data/published/months.ts'
import { renewViews } from '../../../src/data/published/publish.ts'
import { openVersions } from '../../support/versions.ts'

const NAMES = ['orders', 'levels']
const ROWS = 3
let dataFolder: string
let db: Database

const publishDay = async (date: string, version: number) => {
  const versions = await openVersions(dataFolder, date, NAMES)
  await versions.publish(version)
  versions.close()
}

beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-months-'))
  db = await openDatabase({ threads: 1 })
  for (const date of ['2026-09-29', '2026-10-14', '2026-10-15', '2026-10-16']) {
    await publishDay(date, 1)
  }
})
afterAll(() => {
  db.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

const count = async (folder: string, name: string) => {
  const pattern = join(dataFolder, `published/${folder}/*/${name}.*.parquet`)
  const rows = await db.rows(
    `select session_date::varchar as day, count(*)::integer as n
     from read_parquet('${pattern}', hive_partitioning = false) group by all order by all`,
  )
  return rows.map(({ day, n }) => [day, n])
}

test('each finished session is in one month, as in its own file', async () => {
  expect(await publishMonths(dataFolder, '2026-10-16')).toEqual({
    written: ['month=2026-09-simulated', 'month=2026-10-simulated'],
    unchanged: 0,
    faults: [],
  })
  for (const name of NAMES) {
    expect(await count('months', name)).toEqual([
      ...[
        ['2026-09-29', ROWS],
        ['2026-10-14', ROWS],
        ['2026-10-15', ROWS],
      ],
    ])
    // the files of days are those of days alone
    expect(await count('current', name)).toHaveLength(4)
    const differences = await db.rows(
      `(from read_parquet('${dataFolder}/published/months/*/${name}.*.parquet',
         hive_partitioning = false)
       except all
       from read_parquet('${dataFolder}/published/current/*/${name}.*.parquet',
         hive_partitioning = false))`,
    )
    expect(differences).toEqual([])
  }
})

test('nothing is written while nothing has changed; what has changed is written again', async () => {
  const before = readMonths(dataFolder)
  expect(await publishMonths(dataFolder, '2026-10-16')).toMatchObject({ written: [], unchanged: 2 })
  await publishDay('2026-10-15', 2)
  const october = ['month=2026-10-simulated']
  expect(await publishMonths(dataFolder, '2026-10-16')).toMatchObject({
    written: october,
    unchanged: 1,
  })
  const after = readMonths(dataFolder)
  expect(after[0]).toEqual(before[0])
  expect(after[1]!.revision).not.toBe(before[1]!.revision)
  // the session of the day joins once the day is over
  expect(await publishMonths(dataFolder, '2026-10-17')).toMatchObject({
    written: october,
    unchanged: 1,
  })
  expect(await count('months', 'orders')).toHaveLength(4)
  // the same sessions, the same bytes
  await publishDay('2026-10-15', 1)
  await publishMonths(dataFolder, '2026-10-16')
  expect(readMonths(dataFolder)).toEqual(before)
})

test('a damaged file of a month is written again; a damaged session costs its month alone', async () => {
  const [first] = readMonths(dataFolder)
  const { file } = first!.datasets.orders!
  const path = join(dataFolder, 'published', file)
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(1))
  const { written } = await publishMonths(dataFolder, '2026-10-16')
  expect(written).toEqual(['month=2026-09-simulated'])
  expect(readMonths(dataFolder)[0]!.datasets.orders!.file).not.toBe(file)
  expect(await count('months', 'orders')).toHaveLength(3)
  const manifest = JSON.parse(
    readFileSync(join(dataFolder, 'published/manifests/2026-10-16.json'), 'utf8'),
  )
  const source = join(dataFolder, 'published', manifest.datasets.orders.file)
  const session = readFileSync(source)
  writeFileSync(source, session.subarray(1))
  await publishDay('2026-09-30', 1)
  const day = await publishMonths(dataFolder, '2026-10-17')
  expect(day).toMatchObject({ written: ['month=2026-09-simulated'], unchanged: 1 })
  expect(day.faults).toEqual([
    expect.stringMatching(/^month=2026-10-simulated is not written: .*2026-10-16/),
  ])
  expect(await count('months', 'orders')).toEqual([
    ['2026-09-29', ROWS],
    ['2026-09-30', ROWS],
    ['2026-10-14', ROWS],
    ['2026-10-15', ROWS],
  ])
  writeFileSync(source, session)
})

test('a file says which sessions are in it, and replaced files are collected', async () => {
  const [, october] = readMonths(dataFolder)
  const path = join(dataFolder, 'published', october!.datasets.levels!.file)
  const pairs = await db.rows(
    `select decode(key) as key, decode(value) as value from parquet_kv_metadata('${path}')`,
  )
  expect(Object.fromEntries(pairs.map(({ key, value }) => [key, value]))).toMatchObject({
    'tapefold.dataset': 'levels',
    'tapefold.month': '2026-10',
    'tapefold.simulated': 'true',
    'tapefold.sessions': '2026-10-14, 2026-10-15',
  })
  await renewViews(dataFolder)
  const nowMs = Date.now() + 48 * 3_600_000
  await collect({ dataFolder, nowMs, graceMs: 24 * 3_600_000 })
  for (const name of MONTH_DATASETS) {
    const folder = join(dataFolder, 'published/monthly', name, 'month=2026-10-simulated')
    expect(readdirSync(folder)).toHaveLength(1)
  }
  const editions = join(dataFolder, 'published/editions/month=2026-10-simulated')
  expect(readdirSync(editions)).toHaveLength(1)
  expect(await count('months', 'levels')).toHaveLength(4)
  // a month without sessions is in no pattern
  await publishMonths(dataFolder, '2026-10-01')
  expect(await count('months', 'levels')).toEqual([
    ['2026-09-29', ROWS],
    ['2026-09-30', ROWS],
  ])
})
