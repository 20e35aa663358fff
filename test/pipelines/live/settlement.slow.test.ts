// The settlement of a real session that runs: reported with its last minute, as the night
// reports it.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../../../pipelines/simulate/simulate.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { filePaths } from '../../../src/core/engine/paths.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { datasetFiles, readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { type PublishedManifest, readManifest } from '../../../src/data/published/manifest.ts'

const DATE = '2026-10-15' // 16:00 ET is 20:00 UTC
const root = mkdtempSync(join(tmpdir(), 'tapefold-settlement-'))
const [whole, stepped, caughtUp] = ['whole', 'stepped', 'caught-up'].map(name => join(root, name))
let db: Database

/** One value from 16:05:20 on, but for one of 16:05:50 that came to be known at 16:13:30. */
const CURRENT = `
  create table standing as
  select * replace (
    case when spotted_at >= timestamp '${DATE} 20:05:20' then 6001.25 else spot end as spot
  )
  from read_parquet($file) where spotted_at <> timestamp '${DATE} 20:05:50';
  insert into standing by name
  select * replace (
    timestamp '${DATE} 20:05:50' as spotted_at, 6002.5 as spot,
    timestamp '${DATE} 20:13:30' as known_at
  ) from standing limit 1`

beforeAll(async () => {
  db = await openDatabase()
  const simulated = join(root, 'simulated')
  const size = { prints: 1_500, contracts: 400, seed: 3 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  const file = join(simulated, 'spots.parquet')
  await db.run(CURRENT.split(';')[0]!, { file })
  await db.run(CURRENT.split(';')[1]!)
  await db.run('copy (from standing order by spotted_at) to $file (format parquet)', { file })
  for (const name of TAPE_FILES) {
    const files = [join(simulated, `${name}.parquet`)]
    await runImport({ dataFolder: whole!, format: name.replace('_', '-'), files })
  }
  for (const folder of [stepped!, caughtUp!]) cpSync(whole!, folder, { recursive: true })
  await buildDay({ dataFolder: whole!, date: DATE, progress: silent })
})

afterAll(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

async function listRows(folder: string, manifest: PublishedManifest, name: string) {
  const { folder: index, files } = datasetFiles(folder, manifest, name)
  if (files.length === 0) return []
  return db.rows('from read_parquet($files::varchar[], hive_partitioning = false) order by all', {
    files: filePaths(files.map(({ file }) => join(index, file))),
  })
}

const settledLive = (folder: string) =>
  listRows(folder, readLiveManifest(folder, DATE)!, 'settlements')

test('the index stands from its last change on, also one known late', async () => {
  const built = await listRows(whole!, readManifest(whole!, DATE)!, 'settlements')
  expect(built).toMatchObject([
    {
      session_date: DATE,
      settlement: 6001.25,
      source: 'index_unchanged',
      spotted_at: `${DATE} 20:05:51`,
    },
  ])
})

test('it is reported with the last minute, whichever way that came about', async () => {
  const built = await listRows(whole!, readManifest(whole!, DATE)!, 'settlements')
  for (const [folder, atOnce] of [
    [stepped!, false],
    [caughtUp!, true],
  ] as const) {
    const job = await openMinuteJob({ dataFolder: folder, date: DATE, progress: silent })
    try {
      if (!atOnce) {
        await job.advance(instantMs(DATE, '16:09'), true)
        await job.advance(instantMs(DATE, '16:13'))
        expect(await settledLive(folder)).toEqual([])
        await job.advance(instantMs(DATE, '16:14'))
        expect(await settledLive(folder)).toEqual(built)
      }
      await job.advance(instantMs(DATE, '16:40'), atOnce)
    } finally {
      await job.close()
    }
    expect(await settledLive(folder)).toEqual(built)
    for (const name of ['option_minutes', 'smiles']) {
      const night = await listRows(whole!, readManifest(whole!, DATE)!, name)
      expect(await listRows(folder, readLiveManifest(folder, DATE)!, name)).toEqual(night)
      expect(night.length, name).toBeGreaterThan(1_000)
    }
  }
})
