import { mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
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

test('in a folder that was moved, the views find 1 leg again once they are written anew', async () => {
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
