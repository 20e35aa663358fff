// Machines with a data folder each, a store and a database in common, do one backfill together: the
// bytes of one folder, also where one of them is killed.

import { cpSync, existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { pushTape } from '../../../pipelines/command/sharedStore.ts'
import { sessionsFrom } from '../../../pipelines/measure/bench/tape.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { backfill } from '../../../pipelines/upkeep/backfill.ts'
import { runTask } from '../../../pipelines/upkeep/runTask.ts'
import { runTasks } from '../../../pipelines/upkeep/runTasks.ts'
import { sha256File } from '../../../src/core/disk/files.ts'
import { checkStore } from '../../../src/platform/store/check.ts'
import { collectStore } from '../../../src/platform/store/collect.ts'
import { pullManifest, type Store } from '../../../src/platform/store/mirror.ts'
import { report } from '../../support/chaos.ts'
import { newFolder } from '../../support/import.ts'
import { queryFiles } from '../../support/liveMinutes.ts'
import {
  newStore,
  type ObjectStore,
  startObjectStore,
  storeEnvironment,
} from '../../support/objectStore.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { ENTRANCE, killAll, type Started, start, waitUntil } from '../../support/processes.ts'

const DATES = sessionsFrom('2026-10-05', 4)
const [FIRST] = DATES as [string]
const LAST = DATES.at(-1)!
/** Has the tapes, and builds nothing that others see. */
const inRow = newFolder()
const importing = newFolder()
const machines = [newFolder(), newFolder()]
const submitting = newFolder()
let objects: ObjectStore
let store: Store
let env: Record<string, string>

beforeAll(async () => {
  if (!hasPostgres) return
  objects = await startObjectStore()
  const opened = await newStore(objects, 'main/')
  store = opened.store
  env = {
    ...storeEnvironment(objects.endpoint),
    TAPEFOLD_STORE: `s3://${opened.bucket}/main`,
    DATABASE_URL: opened.databaseUrl,
  }
  for (const [index, date] of DATES.entries()) {
    const out = join(newFolder(), date)
    const size = { prints: 600, contracts: 150, seed: 5 + index, hasQuotes: false }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    await importSimulated(importing, out, ['prints', 'spots', 'open_interest', 'rates'])
  }
  cpSync(importing, inRow, { recursive: true })
})
afterEach(() => machines.forEach(killAll))
afterAll(async () => {
  await store?.close()
  await objects?.stop()
})

/** Builds one session after the other, in one folder. */
async function buildInRow(): Promise<void> {
  const options = { isForced: false, isBadTapeRefused: false, isOneOfMany: true }
  const { failed } = await backfill({
    dataFolder: inRow,
    from: FIRST,
    to: LAST,
    isForced: false,
    isStaged: false,
    workerCount: 1,
    say: () => {},
    run: (tasks, _, onEnd) =>
      runTasks(
        tasks,
        1,
        async task => {
          const { outcome } = await runTask(task, { ...options, dataFolder: inRow })
          return { outcome, reason: null, tookMs: 1 }
        },
        onEnd,
      ),
  })
  expect(failed).toEqual([])
}

const run = (dataFolder: string, ...args: string[]) =>
  start(ENTRANCE, [...args, '--workers', '1', '--data', dataFolder], {
    env: { ...process.env, ...env },
  })

async function startWorker(dataFolder: string): Promise<Started> {
  const worker = run(dataFolder, 'work')
  await waitUntil('a worker starts', () => worker.text().includes('waiting for tasks'))
  return worker
}

/** Pushes the tapes as an import does. */
async function pushTapes(): Promise<void> {
  Object.assign(process.env, env)
  await pushTape(importing, silent)
  for (const name of ['TAPEFOLD_STORE', 'DATABASE_URL']) delete process.env[name]
}

/** Doubles the prints of a session, on every machine that has its tape. */
async function correct(date: string): Promise<void> {
  for (const dataFolder of [inRow, importing]) {
    const manifestPath = join(dataFolder, 'tape/manifests', `${date}.json`)
    const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
    const batch = manifest.batches.find((one: { dataset: string }) => one.dataset === 'prints')
    const path = join(dataFolder, 'tape', batch.file)
    await queryFiles(
      `copy (select * replace (size * 2 as size) from read_parquet('${path}'))
       to '${path}.new' (format parquet)`,
    )
    batch.file = batch.file.replace('.parquet', '2.parquet')
    renameSync(`${path}.new`, join(dataFolder, 'tape', batch.file))
    batch.sha256 = await sha256File(join(dataFolder, 'tape', batch.file))
    writeFileSync(manifestPath, JSON.stringify(manifest))
  }
}

/** Expects the manifests of the one folder in the store, and each file that they name. */
async function expectSame(): Promise<void> {
  const pulled = newFolder()
  for (const key of DATES) {
    const pointer = await store.pointers.find({ kind: 'published', key })
    await pullManifest(store, pulled, pointer!)
    const path = `published/manifests/${key}.json`
    expect(readFileSync(join(pulled, path), 'utf8')).toBe(readFileSync(join(inRow, path), 'utf8'))
  }
  expect((await checkStore(store)).findings).toEqual([])
}

describe.runIf(hasPostgres)('machines that share a store', () => {
  test('build what one folder has, also where one is killed in a task', async () => {
    await buildInRow()
    await pushTapes()
    const [victim, other] = await Promise.all(machines.map(startWorker))
    const submitter = run(submitting, 'backfill', FIRST, LAST)
    const begun = () => globSync('work/{fold,build}-*', { cwd: machines[0]! })
    await waitUntil('a machine begins a task', () => begun().length > 0)
    report('tried', 'workers killed in a backfill')
    process.kill(victim!.pid, 'SIGKILL')
    await victim!.ended
    await waitUntil('another one goes on', () => submitter.text().includes('folded 2 of 3'))
    await startWorker(machines[0]!)
    expect(await submitter.ended, submitter.text()).toBe(0)
    expect(submitter.text()).toContain(`${DATES.length} built, 0 up to date, 0 failed`)
    expect(submitter.errorText() + other!.errorText()).toBe('')
    await expectSame()
    // each has built of its own, and has what it built
    const owns = [submitting, ...machines].map(folder =>
      DATES.filter(date => existsSync(join(folder, `published/manifests/${date}.json`))),
    )
    expect(new Set(owns.flat())).toEqual(new Set(DATES))
    // what a task leaves is in the store
    for (const folder of machines) expect(existsSync(join(folder, 'stages'))).toBe(false)
    report('right', 'workers killed in a backfill')
  })

  test('build again what a corrected session changes, and nothing else afterwards', async () => {
    await correct(FIRST)
    await buildInRow()
    await pushTapes()
    await Promise.all(machines.map(startWorker))
    const submitter = run(submitting, 'backfill', FIRST, LAST)
    expect(await submitter.ended, submitter.text()).toBe(0)
    expect(submitter.text()).toContain('folded 1 of 1')
    await expectSame()
    const again = run(newFolder(), 'backfill', FIRST, LAST)
    expect(await again.ended, again.text()).toBe(0)
    expect(again.text()).toContain(`0 built, ${DATES.length} up to date, 0 failed`)
  })

  test('leave stages and old versions, which a collection removes, and nothing else', async () => {
    const options = { graceMs: 0, nowMs: Date.now() + 60_000, isDryRun: false }
    const before = await checkStore(store)
    const first = await collectStore(store, { ...options, stagesAgeMs: null })
    expect(first).toMatchObject({ objects: 0 })
    expect(first.blobs).toBeGreaterThan(0)
    const second = await collectStore(store, { ...options, stagesAgeMs: 0 })
    expect(second.objects).toBeGreaterThan(0)
    expect(await checkStore(store)).toEqual({ ...before, unnamedFiles: 0 })
    await expectSame()
  })
})
