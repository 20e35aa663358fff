// Futures and settlements that are imported once a session is published: their results are
// rebuilt, and nothing else.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { isCurrent, isCurrentButForLater } from '../../../pipelines/upkeep/isCurrent.ts'
import { addNewDatasets } from '../../../pipelines/upkeep/newDatasets.ts'
import { verifyDay } from '../../../pipelines/upkeep/verify.ts'
import { codeVersion } from '../../../src/core/engine/version.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { manifestPath, readManifest } from '../../../src/data/published/manifest.ts'
import { runScript } from '../../support/commands.ts'
import { addFutures } from '../../support/futures.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-new-futures-'))
const simulated = join(root, 'simulated')
/** A session without futures, and one that was built with them. */
const [without, together] = [join(root, 'without'), join(root, 'together')]

const takeFutures = (dataFolder: string) =>
  runImport({
    dataFolder,
    format: 'futures',
    simulated: true,
    files: [join(simulated, 'futures.parquet')],
  })
const build = (dataFolder: string) => buildDay({ dataFolder, date: DATE, progress: silent })

beforeAll(async () => {
  const size = { prints: 4_000, contracts: 200, seed: 9 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await addFutures(simulated)
  await importSimulated(without, simulated)
  cpSync(without, together, { recursive: true })
  await build(without)
  await takeFutures(together)
  await build(together)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function findCopy(name: string): string {
  const folder = join(root, name)
  cpSync(without, folder, { recursive: true })
  return folder
}

const basisRows = async (folder: string) =>
  (await runQuery(folder, 'from basis order by minute_et, contract')).rows

test('a session without futures has the dataset and no row of it', async () => {
  expect(readManifest(without, DATE)!.datasets.basis).toMatchObject({ rows: 0 })
  expect(await basisRows(without)).toEqual([])
})

test('the futures of a session change its basis alone, to the byte as a build does', async () => {
  const folder = findCopy('late')
  const before = readManifest(folder, DATE)!
  await takeFutures(folder)
  const version = codeVersion()
  expect(isCurrent(folder, DATE, version)).toBe(false)
  expect(isCurrentButForLater(folder, DATE, version)).toBe(true)
  const text: string[] = []
  const say = (line: string) => text.push(line)
  const done = await addNewDatasets({ dataFolder: folder, from: DATE, to: DATE, say })
  expect([done.added, text]).toEqual([[DATE], [`1 of 1  ${DATE}  has basis now`]])
  const [now, whole] = [readManifest(folder, DATE)!, readManifest(together, DATE)!]
  expect(now.datasets).toEqual(whole.datasets)
  expect(now.ledger).toEqual(whole.ledger)
  expect([now.revision, now.inputs]).toEqual([whole.revision, whole.inputs])
  expect([now.archive, now.summary]).toEqual([whole.archive, whole.summary])
  const { basis, ...others } = now.datasets
  expect(basis!.rows).toBeGreaterThan(600)
  expect(before.datasets).toMatchObject(others)
  expect(isCurrent(folder, DATE, version)).toBe(true)
  expect(await verifyDay({ dataFolder: folder, date: DATE, progress: silent })).toEqual([])
  // the second time there is nothing to do
  const again = await addNewDatasets({ dataFolder: folder, from: DATE, to: DATE, say })
  expect(again.complete).toEqual([DATE])
})

test('the basis of a session is that of its prices, minute by minute', async () => {
  const rows = await basisRows(together)
  const first = (name: string) => rows.find(({ contract }) => contract === name)
  expect(first('ESZ6')).toMatchObject({ minute_et: '09:30', reason: null })
  expect(first('ESH7')).toMatchObject({ minute_et: '12:01', volume: null })
  const about = (name: string, above: number) => {
    const bases = rows.flatMap(({ contract, basis }) =>
      contract === name && basis !== null ? [Math.abs(Number(basis) - above)] : [],
    )
    expect(bases.length).toBeGreaterThan(200)
    expect(Math.max(...bases)).toBeLessThan(6)
  }
  about('ESZ6', 18.25)
  about('ESH7', 71.5)
  const pause = rows.filter(({ reason }) => reason === 'no_future')
  expect(pause.map(({ minute_et }) => minute_et)).toEqual(
    expect.arrayContaining(['09:35', '09:36', '09:40', '09:42']),
  )
})

test('a backfill of the whole session does no more than that', async () => {
  const folder = findCopy('backfill')
  await takeFutures(folder)
  const outcome = await runScript('backfill', [DATE, DATE], folder)
  expect(outcome).toMatchObject({ code: 0, out: expect.stringContaining('1 built') })
  const now = readManifest(folder, DATE)!
  expect(now.datasets).toEqual(readManifest(together, DATE)!.datasets)
  // a build of all of it has added nothing
  expect(Object.keys(now.added!)).toEqual(['basis'])
})

test('an official settlement changes its dataset alone, to the byte as a build does', async () => {
  const [folder, rebuilt] = [findCopy('settled'), findCopy('settled-anew')]
  const file = join(root, 'settlements.csv')
  writeFileSync(file, `session_date,settlement\n${DATE},5919.28\n`)
  const before = readManifest(folder, DATE)!
  const settled = async () =>
    (await runQuery(folder, 'select settlement, source, spotted_at from settlements')).rows
  expect(await settled()).toMatchObject([{ source: 'last_index' }])
  for (const dataFolder of [folder, rebuilt]) {
    await runImport({ dataFolder, format: 'settlements', files: [file], simulated: true })
  }
  await build(rebuilt)
  const version = codeVersion()
  expect(isCurrent(folder, DATE, version)).toBe(false)
  expect(isCurrentButForLater(folder, DATE, version)).toBe(true)
  const outcome = await runScript('backfill', [DATE, DATE], folder)
  expect(outcome).toMatchObject({ code: 0, out: expect.stringContaining('1 built') })
  const [now, whole] = [readManifest(folder, DATE)!, readManifest(rebuilt, DATE)!]
  expect(Object.keys(now.added!)).toEqual(['settlements'])
  expect([now.datasets, now.inputs, now.revision]).toEqual([
    whole.datasets,
    whole.inputs,
    whole.revision,
  ])
  const { settlements, ...others } = now.datasets
  expect(before.datasets).toMatchObject(others)
  expect(settlements).not.toEqual(before.datasets.settlements)
  expect(await settled()).toEqual([{ settlement: 5919.28, source: 'official', spotted_at: null }])
  expect(isCurrent(folder, DATE, version)).toBe(true)
  expect(await verifyDay({ dataFolder: folder, date: DATE, progress: silent })).toEqual([])
})

test('late data other than futures are left to a build', async () => {
  const folder = findCopy('both')
  await takeFutures(folder)
  const file = join(root, 'late.csv')
  writeFileSync(file, `spotted_at,spot\n${DATE}T15:00:00.5Z,5900.25\n`)
  await runImport({ dataFolder: folder, format: 'spots', files: [file], simulated: true })
  expect(isCurrentButForLater(folder, DATE, codeVersion())).toBe(false)
  const before = readFileSync(manifestPath(folder, DATE), 'utf8')
  const say = () => {}
  const done = await addNewDatasets({ dataFolder: folder, from: DATE, to: DATE, say })
  expect(done.failed).toEqual([DATE])
  expect(readFileSync(manifestPath(folder, DATE), 'utf8')).toBe(before)
  await build(folder)
  expect((await basisRows(folder)).length).toBeGreaterThan(600)
})
