import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { createRandom } from '../../../pipelines/simulate/random.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { sideBySide } from '../../support/adjacentTapes.ts'
import { anyTape } from '../../support/anyTape.ts'
import { orderInTime, renumber } from '../../support/numberings.ts'
import { writePrintsCsv } from '../../support/printsCsv.ts'
import { readBuiltVersions, readRunningVersions } from '../../support/publishedVersions.ts'

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

test.each([
  [1, 'as they came'],
  [2, 'as they came'],
  [3, 'of 32 bits with a sign'],
  [4, 'of a channel and its counter'],
])('tapes of seed %i, numbered %s, fold minute by minute as they do whole', async (seed, name) => {
  const tapes = fc.sample(anyTape({ max: 6 }), { numRuns: 8, seed })
  const risen = sideBySide(tapes, { fromUs: 20e6, overUs: 200e6 })
  const isRising = name === 'as they came'
  const rows = isRising ? risen : renumber(orderInTime(risen), name, createRandom(seed, name))
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
  expect(readLiveManifest(live, DATE)!.live.minute).toBe(LAST)
  const running = await readRunningVersions(db, live, DATE, until)
  expect(running.standing.length).toBeGreaterThan(10)
  expect(running).toEqual(await readBuiltVersions(db, whole, DATE, until))
})
