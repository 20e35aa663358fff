import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { lockPath, withLock } from '../../../src/core/disk/lock.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { collect } from '../../../src/data/published/collect.ts'
import {
  publishedFiles,
  readManifest,
  supersededManifests,
} from '../../../src/data/published/manifest.ts'
import { writeTapeManifest } from '../../../src/data/tape/manifest.ts'
import { newFolder } from '../../support/import.ts'
import { openVersions } from '../../support/versions.ts'

const DATE = '2026-10-15'
const HOUR_MS = 3_600_000
const GRACE_MS = 24 * HOUR_MS
let data: string
/** The disk's time of the last write of a test's folder. */
let nowMs: number

const template = newFolder()

/** Publishes versions of the session, one after the other. */
async function publish(folder: string, ...numbers: number[]): Promise<void> {
  const versions = await openVersions(folder)
  for (const version of numbers) await versions.publish(version)
  versions.close()
}

beforeAll(() => publish(template, 1, 2, 3))

beforeEach(() => {
  data = newFolder()
  cpSync(template, data, { recursive: true, preserveTimestamps: true })
  nowMs = statSync(join(data, `published/manifests/${DATE}.json`)).mtimeMs
})

const run = (options: Partial<Parameters<typeof collect>[0]> = {}) =>
  collect({ dataFolder: data, nowMs: nowMs + GRACE_MS, graceMs: GRACE_MS, ...options })
const listFiles = (folder = 'published') =>
  globSync(`*/session=${DATE}/*`, { cwd: join(data, folder) })
    // links, which are tested on their own
    .filter(file => !/^(current|editions)\//.test(file))
const named = () => publishedFiles(readManifest(data, DATE)!).map(({ file }) => file)
/** Makes a file as if it had been written so many hours before `nowMs`. */
function age(path: string, hours: number): void {
  const atS = nowMs / 1000 - hours * 3600
  utimesSync(path, atS, atS)
}
function write(file: string, text = ''): string {
  const path = join(data, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

test('every old manifest is retained, with the time at which it was superseded', () => {
  const old = supersededManifests(data, DATE)
  expect(old.map(({ manifest }) => manifest.tape.kept).sort()).toEqual([1, 2])
  for (const { supersededAtMs } of old)
    expect(Math.abs(nowMs - supersededAtMs)).toBeLessThan(60_000)
})

test('publishing the same again supersedes nothing', async () => {
  await publish(data, 3)
  expect(supersededManifests(data, DATE)).toHaveLength(2)
})

test('superseded files go when their grace is over, and only those', async () => {
  const all = listFiles()
  expect(all.length).toBe(3 * named().length)
  const early = await run({ nowMs: nowMs + GRACE_MS / 2 })
  expect([early.files, early.waitingCount]).toEqual([[], all.length - named().length])
  expect(listFiles()).toEqual(all)

  const dry = await run({ isDryRun: true })
  expect(dry.files).toHaveLength(all.length - named().length)
  expect(listFiles()).toEqual(all)

  const collected = await run()
  expect(collected.files).toEqual(dry.files)
  expect(collected.retained).toEqual([])
  expect(listFiles().sort()).toEqual(named().sort())
  expect(supersededManifests(data, DATE)).toHaveLength(2)
  expect((await run()).files).toEqual([])
  expect((await runQuery(data, 'select distinct size from orders')).rows).toEqual([{ size: 3 }])
})

test('grace counts from when a version was superseded, not from when it was written', async () => {
  // version 1 was published a month ago and served until ten hours ago
  for (const file of listFiles()) age(join(data, 'published', file), 30 * 24)
  for (const name of globSync(`${DATE}.*.json`, { cwd: join(data, 'published/superseded') })) {
    age(join(data, 'published/superseded', name), 10)
  }
  expect((await run({ nowMs: nowMs + 13 * HOUR_MS })).files).toEqual([])
  expect((await run({ nowMs: nowMs + 15 * HOUR_MS })).files.length).toBeGreaterThan(20)
})

test('a version that is served again is not collected', async () => {
  await publish(data, 1)
  await run({ nowMs: nowMs + GRACE_MS + HOUR_MS })
  expect((await runQuery(data, 'select distinct size from orders')).rows).toEqual([{ size: 1 }])
  expect(listFiles().sort()).toEqual(named().sort())
})

test('a file that was never named waits for its grace, a stranger is left alone', async () => {
  const strange = write(`published/orders/session=${DATE}/notes.parquet`)
  const fresh = write(`published/orders/session=${DATE}/${'a'.repeat(16)}.parquet`)
  age(fresh, -3)
  await run()
  expect([existsSync(strange), existsSync(fresh)]).toEqual([true, true])
  await run({ nowMs: nowMs + GRACE_MS + 4 * HOUR_MS })
  expect([existsSync(strange), existsSync(fresh)]).toEqual([true, false])
})

test('files that the views on the disk still name are retained, and the views renewed', async () => {
  const views = write('published/views.sql', `from '${data}/published/${listFiles()[0]}'`)
  for (const file of listFiles()) {
    if (!named().includes(file)) writeFileSync(views, `from '${data}/published/${file}'`)
  }
  const count = listFiles().length
  expect((await run()).files).toHaveLength(count - named().length - 1)
  expect((await run()).files).toHaveLength(1)
})

test.each([
  ['missing', () => rmSync(join(data, `published/manifests/${DATE}.json`)), 'is missing; repair'],
  ['cut', () => write(`published/manifests/${DATE}.json`, '{'), 'is damaged: it is not JSON'],
  ['newer', () => write(`published/manifests/${DATE}.json`, '{"format":3}'), 'newer version'],
])('a session whose manifest is %s is left alone, and reported', async (_, damage, sentence) => {
  damage()
  const all = listFiles()
  const { files, retained } = await run()
  expect(files).toEqual([])
  expect(retained).toEqual([expect.stringContaining(sentence)])
  expect(listFiles()).toEqual(all)
})

test('a publisher is waited for; a running import keeps the tape as it is', async () => {
  const batch = write(`tape/prints/session=${DATE}/0.parquet`)
  writeTapeManifest(data, { format: 1, session_date: DATE, batches: [] })
  const lock = lockPath(data, 'import')
  await withLock(lock, '', async () => {
    expect((await run()).retained).toEqual(['an import is running, so the tape is left alone'])
  })
  expect(existsSync(batch)).toBe(true)

  const publishing = lockPath(data, `publish-${DATE}`)
  let isPublished = false
  const published = withLock(publishing, '', async () => {
    await new Promise(resolve => setTimeout(resolve, 150))
    isPublished = true
  })
  await run()
  expect(isPublished).toBe(true)
  await published
})

test('batches that neither the tape nor a published session names go, others stay', async () => {
  const batch = (name: string) => write(`tape/prints/session=${DATE}/${name}.parquet`)
  const paths = ['current', 'built', 'old'].map(batch)
  const alone = write('tape/prints/session=2026-10-14/0.parquet')
  const curve = write('tape/rates/0.parquet')
  const entry = (name: string) => ({
    dataset: 'prints',
    file: `prints/session=${DATE}/${name}.parquet`,
  })
  const batches = [{ ...entry('current'), rows: 1, sha256: '', simulated: false }]
  writeTapeManifest(data, { format: 1, session_date: DATE, batches: batches as never })
  const path = join(data, `published/manifests/${DATE}.json`)
  const inputs = [{ dataset: 'prints', file: `tape/${entry('built').file}`, rows: 1, sha256: '' }]
  writeFileSync(path, JSON.stringify({ ...readManifest(data, DATE), inputs }))

  const { retained } = await run({ nowMs: nowMs + 2 * GRACE_MS })
  expect(paths.map(existsSync)).toEqual([true, true, false])
  // their manifest may be the only thing that is lost
  expect([alone, curve].map(existsSync)).toEqual([true, true])
  expect(retained).toEqual([
    'tape/manifests/2026-10-14.json is missing, so its batches are left alone',
    'tape/manifests/rates.json is missing, so its batches are left alone',
  ])
})

test('what killed processes left is removed with it, and a lock of an older version', async () => {
  const dead = spawnSync('true').pid
  write(`work/build-${DATE}.lock`, `${dead} 1`)
  write(`work/build-${DATE}-${dead}/orders.parquet.tmp`)
  write(`published/manifests/${DATE}.json.${dead}.tmp`)
  expect([...(await run()).leftovers].sort()).toEqual([
    `published/manifests/${DATE}.json.${dead}.tmp`,
    `work/build-${DATE}-${dead}`,
    `work/build-${DATE}.lock`,
  ])
})

test('what a session left while it ran goes once it is published', async () => {
  const files = [
    `live/levels/session=${DATE}/0931-0123456789abcdef.parquet`,
    `live/manifests/${DATE}.json`,
    `live/manifests/${DATE}.until`,
    'live/levels/session=2026-10-16/0931-0123456789abcdef.parquet',
  ]
  for (const file of files) write(file)
  const atOnce = await run()
  expect(atOnce.files.filter(({ file }) => file.startsWith('live/'))).toEqual([])
  nowMs += GRACE_MS + HOUR_MS
  const later = await run()
  const removed = later.files.map(({ file }) => file).filter(file => file.startsWith('live/'))
  expect(removed.sort()).toEqual(files.slice(0, 3))
  const left = files.filter(file => existsSync(join(data, file)))
  expect(left).toEqual(files.slice(3))
})

test('an empty or absent data folder has nothing to collect', async () => {
  const empty = newFolder()
  for (const dataFolder of [empty, join(empty, 'absent')]) {
    const { files, retained } = await run({ dataFolder, isDryRun: true })
    expect([files, retained]).toEqual([[], []])
  }
})
