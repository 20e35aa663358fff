import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { type Database, openDatabase, type Row } from '../../../src/engine/database.ts'
import { filePaths } from '../../../src/engine/paths.ts'
import { instantMs } from '../../../src/market/calendar.ts'
import { datasetFiles, readLiveManifest } from '../../../src/published/liveManifest.ts'
import { type PublishedManifest, readManifest } from '../../../src/published/manifest.ts'
import { anyTape } from '../../support/anyTape.ts'
import { besideEachOther } from '../../support/besideTapes.ts'
import { writePrintsCsv } from '../../support/printsCsv.ts'

const DATE = '2026-10-13'
const MINUTES = ['09:31', '09:32', '09:33', '09:34', '09:36', '09:42']
const LAST = MINUTES.at(-1)!
const root = mkdtempSync(join(tmpdir(), 'tapefold-any-'))
let db: Database

beforeAll(async () => {
  db = await openDatabase()
})

afterAll(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

/** Rows of a dataset, published whole or minute by minute. */
async function rowsOf(folder: string, manifest: PublishedManifest, name: string): Promise<Row[]> {
  const { folder: place, files } = datasetFiles(folder, manifest, name)
  if (files.length === 0) return []
  return db.rows(
    'from read_parquet($files::varchar[], hive_partitioning = false, union_by_name = true)',
    { files: filePaths(files.map(({ file }) => join(place, file))) },
  )
}

const keyOf = (row: Row) => `${row.order_id} ${row.revision_number}`
const sorted = (rows: readonly Row[]) =>
  rows.map(({ ledger_rank: _, ...row }) => JSON.stringify(row)).sort()

test.each([1, 2])('tapes of seed %i fold minute by minute as they do whole', async seed => {
  const tapes = fc.sample(anyTape({ max: 6 }), { numRuns: 8, seed })
  const rows = besideEachOther(tapes, { fromUs: 20e6, overUs: 200e6 })
  const [whole, live] = [join(root, `whole-${seed}`), join(root, `live-${seed}`)]
  mkdirSync(whole)
  const files = [writePrintsCsv(join(root, `prints-${seed}.csv`), rows)]
  await runImport({ dataFolder: whole, format: 'prints', files, simulated: true })
  cpSync(whole, live, { recursive: true })
  const options = { date: DATE, minPremiumUsd: 0, progress: silent }
  await buildDay({ ...options, dataFolder: whole })
  const job = await openMinuteJob({ ...options, dataFolder: live })
  for (const minute of MINUTES) await job.advance(instantMs(DATE, minute))
  await job.close()

  const until = new Date(instantMs(DATE, LAST)).toISOString().slice(0, 19).replace('T', ' ')
  const [built, running] = [readManifest(whole, DATE)!, readLiveManifest(live, DATE)!]
  expect(running.live.minute).toBe(LAST)
  const endedThen = (all: readonly Row[]) => all.filter(row => String(row.superseded_at) < until)
  const ended = await rowsOf(live, running, 'revisions')
  expect(sorted(endedThen(ended))).toEqual(
    sorted(endedThen(await rowsOf(whole, built, 'revisions'))),
  )
  const isEnded = new Set(ended.map(keyOf))
  const standing = (await rowsOf(live, running, 'orders')).filter(row => !isEnded.has(keyOf(row)))
  // what becomes known later still is the night's alone
  const known = [...(await rowsOf(whole, built, 'orders'))].filter(
    row => String(row.visible_at) < until,
  )
  expect(known.length).toBeGreaterThan(10)
  expect(sorted(standing)).toEqual(sorted(known))
})
