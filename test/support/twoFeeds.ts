// Two feeds of one running session on two machines, each killed some times, and a look at every state
// that the store had.

import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { silent } from '../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../pipelines/live/minute.ts'
import { importSimulated } from '../../pipelines/simulate/importSimulated.ts'
import { TAPE_FILES } from '../../pipelines/simulate/simulate.ts'
import { monotonicMs } from '../../src/core/clock.ts'
import { filePaths } from '../../src/core/engine/paths.ts'
import { instantMs, MINUTE_MS, wallTimeEt } from '../../src/core/market/calendar.ts'
import {
  datasetFiles,
  extendsState,
  type LiveManifest,
  readLiveFacts,
  readLiveManifest,
} from '../../src/data/published/liveManifest.ts'
import { parseManifest } from '../../src/data/published/manifest.ts'
import { checkStore } from '../../src/platform/store/check.ts'
import { parseManifestObject, pullManifest, type Store } from '../../src/platform/store/mirror.ts'
import { report } from './chaos.ts'
import { newFolder } from './import.ts'
import { queryFiles } from './liveMinutes.ts'
import { DATE, simulateLive, writePart } from './liveTape.ts'
import { newStore, type ObjectStore, startObjectStore, storeEnvironment } from './objectStore.ts'
import { type Started, start, waitUntil } from './processes.ts'
import { randomNumbers } from './random.ts'
import type { TwoFeedsProcess } from './twoFeedsProcess.ts'

const PROGRAM = join(import.meta.dirname, 'twoFeedsProcess.ts')

/** Time after a minute in which its rows may come. */
const GRACE_MS = 3_000
/** Longest time from the instant at which a minute is due to a kill. */
const KILL_WITHIN_MS = 2_500
/** Minutes for each kill: the feed that was killed comes back while the other one goes on. */
const MINUTES_EACH = 3
const LIVE = { kind: 'live', key: DATE } as const

export type TwoFeeds = {
  /** Kills of each feed. */
  readonly kills: number
  readonly seed: number
}

export type Lateness = {
  /** Times from the instant at which a minute was due until the store had it, milliseconds. */
  readonly afterKillMs: readonly number[]
  readonly otherMs: readonly number[]
}

/** A machine with a feed. */
type Machine = { readonly dataFolder: string; readonly spool: string }

/** Runs two feeds and expects every minute once, whole, and as one feed alone publishes it. */
export async function runTwoFeeds({ kills, seed }: TwoFeeds): Promise<Lateness> {
  const objects = await startObjectStore()
  const { store, bucket, databaseUrl } = await newStore(objects, 'main/')
  const env = readEnvironment(objects, bucket, databaseUrl)
  const simulated = await simulateLive({ contracts: 100 })
  const machines = [newMachine(), newMachine()]
  const parts = await writeParts(simulated, MINUTES_EACH * (2 * kills + 1))
  for (const name of TAPE_FILES.filter(name => name !== 'prints')) {
    const format = name.replace('_', '-')
    for (const { spool } of machines) drop(join(simulated, `${name}.parquet`), spool, format)
  }
  const clockFile = join(newFolder(), 'clock')
  setClock(clockFile, instantMs(DATE, '09:29'))
  const launch = ({ dataFolder, spool }: Machine) => {
    const given: TwoFeedsProcess = { dataFolder, spool, date: DATE, clockFile, graceMs: GRACE_MS }
    return start(process.execPath, [PROGRAM, JSON.stringify(given)], { env })
  }
  const feeds = machines.map(launch)
  const lateness = { afterKillMs: [] as number[], otherMs: [] as number[] }
  const random = randomNumbers(seed)
  try {
    for (const [index, { path, name, endMs }] of parts.entries()) {
      const { minute } = wallTimeEt(endMs)
      const kill = Math.floor(index / MINUTES_EACH)
      const isKill = index % MINUTES_EACH === MINUTES_EACH - 1 && kill < 2 * kills
      for (const { spool } of machines) drop(path, spool, name)
      const dueMs = monotonicMs()
      setClock(clockFile, endMs + GRACE_MS)
      if (isKill) {
        await sleep(random() * KILL_WITHIN_MS)
        report('tried', 'random kills')
        const victim = kill % 2
        process.kill(feeds[victim]!.pid, 'SIGKILL')
        await feeds[victim]!.ended
        feeds[victim] = launch(machines[victim]!)
      }
      await waitUntil(`the store has ${minute}`, async () => (await findMinute(store)) === minute)
      lateness[isKill ? 'afterKillMs' : 'otherMs'].push(monotonicMs() - dueMs)
      // the next one to be killed leaves one that goes on
      if (index % MINUTES_EACH === MINUTES_EACH - 2) {
        await waitUntil('both are up', () => feeds.every(feed => isUp(feed, minute)))
      }
    }
    for (const { errorText } of feeds) expect(errorText()).toBe('')
  } finally {
    for (const { pid } of feeds) process.kill(pid, 'SIGKILL')
    await Promise.all(feeds.map(({ ended }) => ended))
  }
  await expectEachOnce(store)
  await expectAlone(store, simulated)
  report('right', 'random kills', 2 * kills)
  await store.close()
  await objects.stop()
  for (const list of Object.values(lateness)) list.sort((a, b) => a - b)
  return lateness
}

const readEnvironment = (objects: ObjectStore, bucket: string, databaseUrl: string) => ({
  ...process.env,
  ...storeEnvironment(objects.endpoint),
  TAPEFOLD_STORE: `s3://${bucket}/main`,
  DATABASE_URL: databaseUrl,
})

function newMachine(): Machine {
  const root = newFolder()
  const [dataFolder, spool] = [join(root, 'data'), join(root, 'spool')]
  for (const folder of [dataFolder, spool]) mkdirSync(folder)
  return { dataFolder, spool }
}

/** Puts a file into a spool folder, whole. */
function drop(file: string, spool: string, name: string): void {
  copyFileSync(file, join(spool, `${name}.part`))
  renameSync(join(spool, `${name}.part`), join(spool, `${name}.parquet`))
}

type Part = { readonly path: string; readonly name: string; readonly endMs: number }

/** Writes the prints that were known in each minute, as files. */
async function writeParts(simulated: string, minutes: number): Promise<Part[]> {
  const folder = newFolder()
  const parts: Part[] = []
  const opensAtMs = instantMs(DATE, '09:30')
  for (let index = 0; index < minutes; index++) {
    const endMs = opensAtMs + (index + 1) * MINUTE_MS
    const name = `prints-${wallTimeEt(endMs).minute.replace(':', '')}`
    const path = join(folder, `${name}.parquet`)
    const from = index === 0 ? 0 : endMs - MINUTE_MS
    await writePart(simulated, { from, until: endMs, to: path })
    parts.push({ path, name, endMs })
  }
  return parts
}

/** Sets the clock of all feeds, at once. */
function setClock(clockFile: string, nowMs: number): void {
  writeFileSync(`${clockFile}.next`, String(nowMs))
  renameSync(`${clockFile}.next`, clockFile)
}

/** Minute of the state that the store has; null for none. */
async function findMinute(store: Store): Promise<string | null> {
  const pointer = await store.pointers.find(LIVE)
  if (pointer === null) return null
  return readState(await store.blobs.getText(pointer.object, pointer.sha256)).minute
}

const readState = (text: string) => readLiveFacts(parseManifest(text))!

/** True when a feed has the state of a minute, or a later one. */
function isUp(feed: Started, minute: string): boolean {
  const reported = feed.text().trim().split('\n').at(-1)!
  return /^\d\d:\d\d$/.test(reported) && reported >= minute
}

/** Expects that each state goes on from the one before, and names files that are there. */
async function expectEachOnce(store: Store): Promise<void> {
  expect((await checkStore(store)).findings).toEqual([])
  let before: ReturnType<typeof readState> | null = null
  for await (const { name } of store.blobs.list(`manifests/live/${DATE}/`)) {
    const text = await store.blobs.getText(name, parseManifestObject(name)!.sha256)
    const state = readState(text)
    if (before) {
      expect(extendsState(state, before), `${state.minute} after ${before.minute}`).toBe(true)
      expect(state.known_before_ms).toBeGreaterThan(before.known_before_ms)
    }
    before = state
  }
}

/** Expects the rows that one feed publishes which nobody kills. */
async function expectAlone(store: Store, simulated: string): Promise<void> {
  const [pulled, alone] = [newFolder(), newFolder()]
  await importSimulated(alone, simulated, TAPE_FILES)
  await pullManifest(store, pulled, (await store.pointers.find(LIVE))!)
  const found = readLiveManifest(pulled, DATE)!
  const job = await openMinuteJob({ dataFolder: alone, date: DATE, progress: silent })
  const wanted = (await job.advance(found.live.known_before_ms))!
  await job.close()
  expect(found.live.minute).toBe(wanted.live.minute)
  expect(Object.keys(found.live.files).sort()).toEqual(Object.keys(wanted.live.files).sort())
  for (const name of Object.keys(wanted.live.files)) {
    expect(await readRows(pulled, found, name), name).toEqual(await readRows(alone, wanted, name))
  }
}

async function readRows(folder: string, manifest: LiveManifest, name: string) {
  const { folder: root, files } = datasetFiles(folder, manifest, name)
  return queryFiles(
    'from read_parquet($files::varchar[], hive_partitioning = false) order by all',
    { files: filePaths(files.map(({ file }) => join(root, file))) },
  )
}
