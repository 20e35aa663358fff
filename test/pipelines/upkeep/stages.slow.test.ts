// A range in three stages has the bytes of one session after the other.

import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionsFrom } from '../../../pipelines/measure/bench/tape.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { backfill } from '../../../pipelines/upkeep/backfill.ts'
import { runTask } from '../../../pipelines/upkeep/runTask.ts'
import { runTasks, type TaskEnd } from '../../../pipelines/upkeep/runTasks.ts'
import type { StageTask } from '../../../pipelines/upkeep/tasks.ts'
import { sha256File } from '../../../src/core/disk/files.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { findContent, isChaos } from '../../support/chaos.ts'
import { queryFiles } from '../../support/liveMinutes.ts'

const DATES = sessionsFrom('2026-10-05', isChaos ? 20 : 3)
const [FIRST, SECOND, THIRD] = DATES as [string, string, string]
const LAST = DATES.at(-1)!
const root = mkdtempSync(join(tmpdir(), 'tapefold-stages-'))
const inRow = join(root, 'in-row')
const staged = join(root, 'staged')

beforeAll(async () => {
  for (const [index, date] of DATES.entries()) {
    const out = join(root, date)
    const size = { prints: 600, contracts: 150, seed: 5 + index, hasQuotes: false }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    await importSimulated(inRow, out, ['prints', 'spots', 'open_interest', 'rates'])
  }
  cpSync(inRow, staged, { recursive: true })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs a backfill in this process; returns its outcomes, and what its tasks did. */
async function run(dataFolder: string, workerCount: number) {
  const did: string[] = []
  const work = async (task: StageTask): Promise<TaskEnd> => {
    const options = { dataFolder, isForced: false, isBadTapeRefused: false, isOneOfMany: true }
    try {
      const { outcome, note } = await runTask(task, options)
      did.push(`${task.id} ${outcome}`)
      return { outcome, reason: note, tookMs: 1 }
    } catch (error) {
      did.push(`${task.id} failed`)
      return { outcome: 'failed', reason: (error as Error).message, tookMs: 1 }
    }
  }
  const text: string[] = []
  const outcomes = await backfill({
    dataFolder,
    from: FIRST,
    to: LAST,
    isForced: false,
    isStaged: workerCount > 1,
    workerCount,
    say: line => text.push(line),
    run: (tasks, _, onEnd) => runTasks(tasks, workerCount, work, onEnd),
  })
  if (process.env.SHOW) console.log(text.join('\n'), did)
  return { ...outcomes, did: did.sort() }
}

/** Changes rows of a session's prints in both folders, as another program might have. */
async function changeTape(date: string, dataset: string, replace: string): Promise<void> {
  for (const dataFolder of [inRow, staged]) {
    const manifestPath = join(dataFolder, 'tape/manifests', `${date}.json`)
    const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
    const batch = manifest.batches.find((one: { dataset: string }) => one.dataset === dataset)
    const path = join(dataFolder, 'tape', batch.file)
    await queryFiles(
      `copy (select * replace (${replace}) from read_parquet('${path}'))
       to '${path}.new' (format parquet)`,
    )
    renameSync(`${path}.new`, path)
    batch.sha256 = await sha256File(path)
    writeFileSync(manifestPath, JSON.stringify(manifest))
  }
}

const manifests = (dataFolder: string) => DATES.map(date => findContent(dataFolder, date))

async function expectEqual(): Promise<void> {
  const one = await run(inRow, 1)
  const other = await run(staged, 4)
  expect(other.failed).toEqual(one.failed)
  expect(manifests(staged)).toEqual(manifests(inRow))
}

// by default single prints far apart, of no contracts: an audit sets them apart
const EMPTY_PRINTS = `case when condition in ('I', 'S') and hash(sequence) % 8 = 0 then 0
  else size end::integer as size`

test('every file and every input of every session is the same', async () => {
  await changeTape(SECOND, 'prints', EMPTY_PRINTS)
  await expectEqual()
  const { did } = await run(staged, 4)
  expect(did).toEqual([])
  expect(readManifest(staged, SECOND)!.tape.set_apart).toBeGreaterThan(0)
  for (const date of DATES.slice(1)) {
    const names = readManifest(staged, date)!.inputs.map(({ dataset }) => dataset)
    expect(names).toContain('closing_positions')
    expect(names).toContain('closing_index')
  }
})

test('prints set apart in the last stage change what later sessions take, in a second round', async () => {
  await changeTape(FIRST, 'prints', EMPTY_PRINTS)
  const { did, built } = await run(staged, 4)
  // contracts of the first prints may have expired before the third session
  expect(built).toEqual(expect.arrayContaining([FIRST, SECOND]))
  // a second round comes only where the carried rows changed
  expect(did.filter(line => line.startsWith('fold-'))).toEqual([`fold-${FIRST} done`])
  expect(did).toContain(`build-${SECOND} done`)
  await run(inRow, 1)
  expect(manifests(staged)).toEqual(manifests(inRow))
})

test('a corrected old session has those built again whose carried rows changed', async () => {
  await changeTape(FIRST, 'prints', 'size * 2 as size')
  const { built, did } = await run(staged, 4)
  expect(built).toEqual(DATES)
  expect(did.filter(line => line.startsWith('fold-'))).toEqual([`fold-${FIRST} done`])
  await run(inRow, 1)
  expect(manifests(staged)).toEqual(manifests(inRow))
})

test('a correction that changes no position has that session built alone', async () => {
  const noon = `case when extract(hour from spotted_at) = 16 then spot + 0.5 else spot end as spot`
  await changeTape(THIRD, 'spots', noon)
  const before = manifests(staged)
  const { built } = await run(staged, 4)
  expect(built).toEqual([THIRD])
  const others = (list: typeof before) => list.filter(one => one!.session_date !== THIRD)
  expect(others(manifests(staged))).toEqual(others(before))
  await run(inRow, 1)
  expect(manifests(staged)).toEqual(manifests(inRow))
})

test('a session whose tape cannot be read fails, and the next ones take what is published', async () => {
  const { batches } = JSON.parse(
    readFileSync(join(staged, 'tape/manifests', `${SECOND}.json`), 'utf8'),
  )
  const { file } = batches.find((one: { dataset: string }) => one.dataset === 'prints')
  for (const dataFolder of [inRow, staged]) {
    rmSync(join(dataFolder, 'published/manifests', `${SECOND}.json`))
    rmSync(join(dataFolder, 'tape', file))
  }
  const other = await run(staged, 4)
  expect(other.failed).toEqual([SECOND])
  await run(inRow, 1)
  expect(manifests(staged)).toEqual(manifests(inRow))
  const inputs = readManifest(staged, THIRD)!.inputs.map(({ dataset }) => dataset)
  expect(inputs).not.toContain('closing_positions')
})
