// State of the disk when a publish fails or is killed at any of its calls, and after the next. A
// seeded sample; all calls with CHAOS=all (npm run chaos).
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { damagedFiles, sha256 } from '../../../src/core/disk/files.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { openCatalog } from '../../../src/data/published/catalog.ts'
import { collect } from '../../../src/data/published/collect.ts'
import {
  publishedFiles,
  publishedFolder,
  readManifest,
} from '../../../src/data/published/manifest.ts'
import { bury, counted, findCopy, findSample, findState, listWork } from '../../support/chaos.ts'
import { type Fault, installFaults } from '../../support/faultyDisk.ts'
import { newFolder } from '../../support/import.ts'
import { openVersions, type Versions } from '../../support/versions.ts'

const DATE = '2026-10-15'
/** A session at version 1; each fault gets a copy. */
const template = newFolder()
/** Result of an unfaulted publish of version 2, and the number of its calls. */
let expected: Record<string, string>
let callCount = 0
let second: Versions

beforeAll(async () => {
  const first = await openVersions(template)
  await first.publish(1)
  first.close()
  second = await openVersions(template)
  const folder = findCopy(template)
  const disk = installFaults(folder)
  await second.publish(2, folder).finally(disk.restore)
  expected = findState(folder)
  callCount = disk.calls()
})
afterAll(() => second.close())

const listViews = (folder: string) => readFileSync(join(folder, 'published/views.sql'), 'utf8')

/** Whatever happened: one whole version is served, and no half file can be read. */
async function expectWhole(folder: string): Promise<number> {
  const manifest = readManifest(folder, DATE)!
  expect(await damagedFiles(publishedFolder(folder), publishedFiles(manifest))).toEqual([])
  for (const path of globSync('published/**/*.{parquet,json,csv}', { cwd: folder })) {
    if (/published\/(manifests|superseded)\//.test(path)) JSON.parse(read(folder, path))
    else {
      const [hash] = basename(path).match(/[0-9a-f]{16}/)!
      expect(sha256(readFileSync(join(folder, path)))).toContain(hash)
    }
  }
  for (const [, file] of listViews(folder).matchAll(/'(\/[^']+\.parquet)'/g)) {
    // a copy's views name the template until they are rewritten
    expect(existsSync(file!)).toBe(true)
  }
  return manifest.tape.kept!
}
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')

async function publishWith(folder: string, fault: Fault): Promise<unknown> {
  const disk = installFaults(folder, fault)
  try {
    await second.publish(2, folder)
    return null
  } catch (error) {
    return error
  } finally {
    disk.restore()
  }
}

test.each(['EIO', 'ENOSPC'] as const)(
  'a publish that meets %s reports it, leaves nothing, and can be repeated',
  async kind => {
    for (const at of findSample(callCount, kind === 'EIO' ? 1 : 2, 8)) {
      await counted('errors at a call', async () => {
        const folder = findCopy(template)
        const error = await publishWith(folder, { at, kind })
        expect(error, `call ${at}`).toMatchObject({ code: kind })
        await expectWhole(folder)
        expect(
          [...listWork(folder), ...globSync('**/*.tmp', { cwd: folder })],
          `call ${at}`,
        ).toEqual([])
        expect(listAdded(folder), `call ${at}`).toEqual([])
        await second.publish(2, folder)
        expect(findState(folder), `call ${at}`).toEqual(expected)
      })
    }
  },
)

/** Files that a failed publish has left: neither there before, nor named by the manifest. */
function listAdded(folder: string): string[] {
  const list = (cwd: string) => globSync(`published/!(current|editions)/session=${DATE}/*`, { cwd })
  const named = publishedFiles(readManifest(folder, DATE)!).map(({ file }) => `published/${file}`)
  const whole = new Set([...list(template), ...named])
  return list(folder).filter(file => !whole.has(file))
}

test('a publish that is refused removes its files, and none that another has just placed', async () => {
  const folder = findCopy(template)
  const newer = await openVersions(folder)
  const placed = Promise.withResolvers<void>()
  let published: Promise<unknown> = Promise.resolve()
  const refused: Promise<unknown> = newer.publish(3, folder, 'stale', async () => {
    published = second.publish(2, folder, undefined, async () => {
      placed.resolve()
      await refused.catch(() => {})
    })
    await placed.promise
  })
  await expect(refused).rejects.toThrow('was published anew meanwhile')
  await published
  newer.close()
  expect(findState(folder)).toEqual(expected)
  expect(listAdded(folder)).toEqual([])
})

test('a publish that stops at a call, without cleaning up, is taken up by the next', async () => {
  const served = new Set<number>()
  for (const at of findSample(callCount, 3, 24)) {
    await counted('kills at a call', async () => {
      const folder = findCopy(template)
      await publishWith(folder, { at, kind: 'stop' })
      bury(folder)
      served.add(await expectWhole(folder))
      await second.publish(2, folder)
      expect(findState(folder), `call ${at}`).toEqual(expected)
    })
  }
  expect([...served]).toEqual([1, 2])
})

const runPublisher = (...args: (string | number)[]) =>
  spawn(process.execPath, ['test/support/publishProcess.ts', ...args.map(String)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
const findEnd = (child: ReturnType<typeof spawn>) =>
  new Promise<string | number | null>(resolve =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  )

test('a publisher that is killed holds nobody up, and the next one makes it good', async () => {
  for (const at of findSample(callCount, 4, 4)) {
    await counted('kills at a call', async () => {
      const folder = findCopy(template)
      expect(await findEnd(runPublisher(folder, 2, 2, at))).toBe('SIGKILL')
      await expectWhole(folder)
      await second.publish(2, folder)
      expect(findState(folder), `call ${at}`).toEqual(expected)
    })
  }
})

test('readers next to a publisher and a collector: 0 mixed, 0 errors, 0 going back', async () => {
  const data = findCopy(template)
  await second.publish(2, data)
  const superseded = globSync('published/superseded/*.json', { cwd: data })
  for (const path of superseded) utimesSync(join(data, path), 1_000, 1_000)
  const firstFiles = publishedFiles(JSON.parse(read(data, superseded[0]!)))
  for (const { file } of firstFiles) utimesSync(join(data, 'published', file), 1_000, 1_000)
  let tick = 0
  const nowMs = () => (tick += 500)
  const catalog = openCatalog({ dataFolder: data, nowMs, log: { error: () => {} } })
  const child = runPublisher(data, 3, 22)
  let code: string | number | null | undefined
  const ended = findEnd(child).then(result => {
    code = result
  })
  const seen = { api: [2], sql: [2] }
  while (code === undefined) {
    const diskNowMs = statSync(join(data, 'published/views.sql')).mtimeMs
    const collecting = collect({ dataFolder: data, nowMs: diskNowMs, graceMs: 3_600_000 })
    const { bytes } = await catalog.readLedger(catalog.newest()!.manifest, 'json')
    seen.api.push(JSON.parse(Buffer.from(bytes).toString()).version)
    const { rows } = await runQuery(data, EVERY_VERSION)
    expect(rows).toHaveLength(1)
    seen.sql.push(Number(rows[0]!.version))
    expect((await collecting).retained).toEqual([])
  }
  await ended
  expect(code).toBe(0)
  for (const versions of Object.values(seen)) {
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
    expect(new Set(versions).size).toBeGreaterThan(2)
  }
  expect(catalog.problems()).toEqual([])
  expect(readManifest(data, DATE)!.tape.kept).toBe(22)
  // what was superseded long ago is gone, what was superseded meanwhile is not
  expect(firstFiles.filter(({ file }) => existsSync(join(data, 'published', file)))).toEqual([])
  expect(globSync(`published/orders/session=${DATE}/*`, { cwd: data })).toHaveLength(21)
})

const EVERY_VERSION = `
  select distinct version from (
    select size as version from orders union all select order_count from stats
    union all select leg_number from legs union all select print_count from tape_report
  )`

const mounted = newFolder()
const canMount =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tapefold-full', mounted]).status === 0
afterAll(() => {
  if (canMount) spawnSync('umount', [mounted])
})

test.skipIf(!canMount)(
  'on a full disk the old version stays; with free space again it goes on',
  async () => {
    const data = join(mounted, 'data')
    cpSync(template, data, { recursive: true })
    const ballast = join(mounted, 'ballast')
    const { bavail, bsize } = statfsSync(mounted)
    for (const freeBlocks of [0, 3, 8]) {
      writeFileSync(ballast, Buffer.alloc((bavail - freeBlocks) * bsize))
      await expect(second.publish(2, data)).rejects.toThrow(/ENOSPC|No space left on device/)
      expect(await expectWhole(data)).toBe(1)
      rmSync(ballast)
    }
    await second.publish(2, data)
    expect(await expectWhole(data)).toBe(2)
    expect(findState(data)).toEqual(expected)
  },
)
