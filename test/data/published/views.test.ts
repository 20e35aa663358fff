import { mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { listDatasetFiles, writeViews } from '../../../src/data/published/views.ts'
import { ledgerInput, publishLedger, writeManifest } from '../../support/published.ts'
import { tapefold } from '../../support/tapefold.ts'

/** Publishes a session in a new folder, with legs as older code wrote them; returns both paths. */
async function publishOldLegs() {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-views-'))
  await publishLedger(dataFolder, ledgerInput([]))
  const file = 'legs/session=2026-10-14/old.parquet'
  const path = join(dataFolder, 'published', file)
  mkdirSync(join(path, '..'), { recursive: true })
  const db = await openDatabase()
  await db.run(`copy (select date '2026-10-14' as session_date, 'o1' as order_id,
    1::integer as leg_number, 5950::double as strike) to '${path}'`)
  db.close()
  const manifestFile = join(dataFolder, 'published/manifests/2026-10-14.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const legs = { file, rows: 1, bytes: 1, sha256: '0'.repeat(64) }
  writeManifest(dataFolder, '2026-10-14', { ...manifest, datasets: { legs } })
  writeViews(dataFolder)
  return { dataFolder, path }
}

test('sessions of older code have the columns that came later, with nulls', async () => {
  const { dataFolder, path } = await publishOldLegs()
  const db = await openDatabase()
  await db.run(readFileSync(join(dataFolder, 'published/views.sql'), 'utf8'))
  expect(listDatasetFiles(dataFolder, 'legs')).toEqual([path])
  expect(listDatasetFiles(dataFolder, 'orders')).toEqual([])
  const [leg, ...others] = await db.rows('from legs')
  expect(others).toEqual([])
  expect(leg).toMatchObject({ order_id: 'o1', strike: 5950, side_probability: null })
  const { columns } = PUBLISHED_DATASETS.find(({ name }) => name === 'legs')!
  expect(Object.keys(leg!)).toEqual(columns.map(({ name }) => name))
  // what nobody published is there too, empty
  expect(await db.rows('from tape_report')).toEqual([])
  db.close()
})

test('in a folder that was moved, the views find 1 leg once they are written again', async () => {
  const { dataFolder } = await publishOldLegs()
  const moved = join(mkdtempSync(join(tmpdir(), 'tapefold-moved-')), "a 'moved' folder")
  renameSync(dataFolder, moved)
  const readViews = () => readFileSync(join(moved, 'published/views.sql'), 'utf8')
  const db = await openDatabase()
  await expect(db.run(readViews())).rejects.toThrow('No files found')
  expect(readViews()).toMatch(
    /^-- Views over the files of ".*".*\n.* tapefold files --views --data DIR/,
  )
  expect(readViews()).toContain(join(dataFolder, 'published'))
  const { code } = await tapefold(['files', '--views', '--data', moved])
  await db.run(readViews())
  expect([code, await db.rows('select strike from legs')]).toEqual([0, [{ strike: 5950 }]])
  expect(readViews()).not.toContain(dataFolder)
  db.close()
})

/** Three sessions: orders nobody can read, and legs of older code, of which the last day is damaged. */
async function publishDamaged(): Promise<string> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-views-'))
  await publishLedger(dataFolder, ledgerInput([]))
  const first = join(dataFolder, 'published/manifests/2026-10-14.json')
  const manifest = JSON.parse(readFileSync(first, 'utf8'))
  const db = await openDatabase()
  for (const date of ['2026-10-14', '2026-10-15', '2026-10-16']) {
    const numbers = { rows: 1, bytes: 1, sha256: '0'.repeat(64) }
    const entry = (name: string) => ({ ...numbers, file: `${name}/session=${date}/a.parquet` })
    const datasets = { legs: entry('legs'), orders: entry('orders') }
    writeManifest(dataFolder, date, { ...manifest, session_date: date, datasets })
    for (const { file } of Object.values(datasets)) {
      mkdirSync(join(dataFolder, 'published', file, '..'), { recursive: true })
      writeFileSync(join(dataFolder, 'published', file), 'damaged')
    }
    const legs = join(dataFolder, 'published', datasets.legs.file)
    if (date < '2026-10-16')
      await db.run(`copy (select date '${date}' as session_date, 'o1' as order_id) to '${legs}'`)
  }
  db.close()
  return dataFolder
}

test('a query opens 2 files of 6: those of the days and datasets that it names', async () => {
  const dataFolder = await publishDamaged()
  const days = "session_date < '2026-10-16'"
  for (const [query, n] of [
    [`select count(*) as n from legs where ${days}`, 2],
    [`select count(*) as n from (from main."Legs" where ${days}) where strike is null`, 2],
    [`with orders as (from legs where ${days}) select count(*) as n from orders`, 2],
    [`select sum(o1)::int as n from (pivot (from legs where ${days}) on order_id in ('o1'))`, 2],
    ['select count(*) as n from (show tables)', PUBLISHED_DATASETS.length],
    ["select count(*) as n from (describe orders) where column_name = 'session_date'", 1],
  ] as const)
    expect((await runQuery(dataFolder, query)).rows, query).toEqual([{ n }])
  for (const query of [
    'from orders',
    'from legs',
    'from (from legs) l join orders using (order_id)',
  ])
    await expect(runQuery(dataFolder, query), query).rejects.toThrow(/too small|magic bytes/)
  await expect(runQuery(dataFolder, 'from legz')).rejects.toThrow(/Did you mean "legs/)
})
