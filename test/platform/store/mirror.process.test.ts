// Sessions pushed to the store and pulled into another folder: the same bytes, and never an older
// manifest over a newer one.

import {
  closeSync,
  cpSync,
  existsSync,
  fstatSync,
  globSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { damagedFiles, sha256, writeAtomically } from '../../../src/core/disk/files.ts'
import {
  publishedFiles,
  publishedFolder,
  publishedSessions,
  readManifest,
} from '../../../src/data/published/manifest.ts'
import { writeTapeManifest } from '../../../src/data/tape/manifest.ts'
import { measureCache, shrinkCache } from '../../../src/platform/store/cache.ts'
import { checkStore, rebuildPointers } from '../../../src/platform/store/check.ts'
import {
  pullManifest,
  pushManifest,
  restoreFiles,
  type Store,
} from '../../../src/platform/store/mirror.ts'
import { blobName } from '../../../src/platform/store/names.ts'
import type { Pointer } from '../../../src/platform/store/pointers.ts'
import { newFolder } from '../../support/import.ts'
import { newStore, type ObjectStore, startObjectStore } from '../../support/objectStore.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { copyVersion, makeVersions } from '../../support/storeVersions.ts'

const DATE = '2026-10-15'
const PUBLISHED = { kind: 'published', key: DATE } as const
const HOUR_MS = 3_600_000

/** Has the versions 1, 2 and 3 of a session. */
const root = newFolder()
let objects: ObjectStore

beforeAll(async () => {
  objects = await startObjectStore()
  await makeVersions(root, 3)
})
afterAll(() => objects.stop())

/** A folder of a machine of its own, at a version. */
function machineAt(version: number): string {
  const folder = newFolder()
  cpSync(join(root, `v${version}`), folder, { recursive: true, preserveTimestamps: true })
  return folder
}

/** Publishes a version in a folder, as a build does. */
const publish = (folder: string, version: number, date = DATE) =>
  copyVersion(root, version, folder, date)

/** Publishes a minute of the running session, with one file more; returns its name. */
function runMinute(folder: string, minute: string): string {
  const path = join(folder, `live/manifests/${DATE}.json`)
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).live.files.orders : []
  const file = `orders/session=${DATE}/${minute.replace(':', '')}-0123456789abcdef.parquet`
  writeAtomically(join(folder, 'live', file), minute)
  const files = { orders: [...before, { file, bytes: 5, sha256: sha256(minute), rows: 1 }] }
  const { archive: _, ...manifest } = readManifest(join(root, 'v1'), DATE)!
  const live = { minute, known_before_ms: Number(minute.replace(':', '')), files }
  const running = { ...manifest, datasets: {}, ledger: {}, live }
  writeAtomically(path, JSON.stringify(running))
  return file
}

const read = (folder: string, file: string) => readFileSync(join(folder, file))
const readVersion = (folder: string) => readManifest(folder, DATE)!.tape.kept

/** Expects that a folder has what another published: same manifest, same bytes. */
async function expectSame(folder: string, other: string): Promise<void> {
  const path = `published/manifests/${DATE}.json`
  expect(read(folder, path).equals(read(other, path))).toBe(true)
  const files = publishedFiles(readManifest(folder, DATE)!)
  expect(await damagedFiles(publishedFolder(folder), files)).toEqual([])
}

const pull = async (store: Store, folder: string) =>
  pullManifest(store, folder, (await store.pointers.find(PUBLISHED))!)

const withoutSeq = (rows: readonly Pointer[]) =>
  rows.map(({ seq: _, ...row }) => row).sort((a, b) => a.object.localeCompare(b.object))

describe.runIf(hasPostgres)('a session', () => {
  test('that is pushed is pulled by another machine, byte for byte', async () => {
    const { store } = await newStore(objects)
    const [one, two] = [machineAt(1), newFolder()]
    const pushed = await pushManifest(store, one, PUBLISHED)
    const count = new Set(publishedFiles(readManifest(one, DATE)!).map(file => file.sha256)).size
    expect(pushed).toMatchObject({ isNew: true, filesSent: count })
    expect(await pushManifest(store, one, PUBLISHED)).toMatchObject({ isNew: false, filesSent: 0 })
    expect(await pull(store, two)).toBe(true)
    expect(await pull(store, two)).toBe(false)
    await expectSame(two, one)
    expect(globSync('work/*', { cwd: two })).toEqual(['work/locks'])
    expect(await checkStore(store)).toMatchObject({ pointers: 1, unnamedFiles: 0, findings: [] })
    await store.close()
  })

  test('is replaced by the machine that had the last version, and by no other', async () => {
    const { store } = await newStore(objects)
    const [one, two] = [machineAt(1), newFolder()]
    await pushManifest(store, one, PUBLISHED)
    await pull(store, two)
    publish(two, 2)
    await pushManifest(store, two, PUBLISHED)
    // it built from version 1
    publish(one, 3)
    await expect(pushManifest(store, one, PUBLISHED)).rejects.toThrow(
      `${DATE} was published anew meanwhile; pull it, and run it again.`,
    )
    expect(await pull(store, one)).toBe(true)
    expect(readVersion(one)).toBe(2)
    expect(globSync('published/superseded/*', { cwd: one })).toHaveLength(2)
    publish(one, 3)
    await pushManifest(store, one, PUBLISHED)
    await pull(store, two)
    await expectSame(two, one)
    expect(readVersion(two)).toBe(3)
    await store.close()
  })

  test('that is not pushed yet is not replaced by the version it was made from', async () => {
    const { store } = await newStore(objects)
    const one = machineAt(1)
    await pushManifest(store, one, PUBLISHED)
    publish(one, 2)
    expect(await pull(store, one)).toBe(false)
    expect(readVersion(one)).toBe(2)
    expect(await pushManifest(store, one, PUBLISHED)).toMatchObject({ isNew: true })
    await store.close()
  })

  test('whose push stands still before the pointer never replaces a newer one', async () => {
    const { store } = await newStore(objects)
    const [one, two] = [machineAt(1), newFolder()]
    await pushManifest(store, one, PUBLISHED)
    await pull(store, two)
    publish(one, 2)
    publish(two, 3)
    const standing = Promise.withResolvers<void>()
    const proceed = Promise.withResolvers<void>()
    const slow: Store = {
      ...store,
      pointers: {
        ...store.pointers,
        set: async change => {
          standing.resolve()
          await proceed.promise
          return store.pointers.set(change)
        },
      },
    }
    const pushing = pushManifest(slow, one, PUBLISHED)
    pushing.catch(() => {})
    await standing.promise
    await pushManifest(store, two, PUBLISHED)
    proceed.resolve()
    await expect(pushing).rejects.toThrow('published anew meanwhile')
    const third = newFolder()
    await pull(store, third)
    await expectSame(third, two)
    const before = await store.pointers.listSince(0)
    await rebuildPointers(store)
    expect(withoutSeq(await store.pointers.listSince(0))).toEqual(withoutSeq(before))
    await store.close()
  })

  test('that both machines built alike is published once', async () => {
    const { store } = await newStore(objects)
    await pushManifest(store, machineAt(2), PUBLISHED)
    const other = machineAt(2)
    expect(await pushManifest(store, other, PUBLISHED)).toMatchObject({ isNew: false })
    publish(other, 3)
    await pushManifest(store, other, PUBLISHED)
    await store.close()
  })

  test('with a damaged or missing file is neither pushed nor served, and is restored', async () => {
    const { store } = await newStore(objects)
    const [one, two] = [machineAt(1), newFolder()]
    const { datasets } = readManifest(one, DATE)!
    const { file } = datasets.orders!
    const path = join(one, 'published', file)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(1))
    await expect(pushManifest(store, one, PUBLISHED)).rejects.toThrow('does not match its hash')
    expect(await store.pointers.find(PUBLISHED)).toBeNull()
    rmSync(path)
    await expect(pushManifest(store, one, PUBLISHED)).rejects.toThrow(
      `published/${file} is missing; repair its session, or pull it.`,
    )
    writeFileSync(path, bytes)
    const { pointer } = await pushManifest(store, one, PUBLISHED)
    const name = blobName(datasets.orders!.sha256)
    await store.blobs.putText(name, 'other')
    await expect(pull(store, two)).rejects.toThrow(`object ${name} of the store is damaged`)
    expect(publishedSessions(two)).toEqual([])
    expect((await checkStore(store)).findings).toEqual([
      `published ${DATE}: published/${file} has 5 bytes, not ${bytes.length}`,
    ])
    // a machine that has it sends it again
    expect(await pushManifest(store, one, PUBLISHED, true)).toMatchObject({
      filesSent: 1,
      isNew: false,
    })
    await pull(store, two)
    rmSync(join(two, 'published', file))
    expect(await restoreFiles(store, two, pointer)).toBe(1)
    await expectSame(two, one)
    await store.close()
  })

  test('of the tape and of a running session is pushed and pulled as well', async () => {
    const { store } = await newStore(objects)
    const [one, two] = [newFolder(), newFolder()]
    const file = `prints/session=${DATE}/0123456789ab.parquet`
    writeAtomically(join(one, 'tape', file), 'prints')
    const batch = { dataset: 'prints', file, rows: 1, sha256: sha256('prints') }
    const batches = [{ ...batch, simulated: true } as never]
    writeTapeManifest(one, { format: 1, session_date: DATE, batches })
    const minute = runMinute(one, '09:31')
    for (const kind of ['tape', 'live'] as const) {
      await pushManifest(store, one, { kind, key: DATE })
    }
    for (const pointer of await store.pointers.listSince(0)) {
      await pullManifest(store, two, pointer)
    }
    for (const path of [`tape/${file}`, `live/${minute}`, `tape/manifests/${DATE}.json`]) {
      expect(read(two, path).equals(read(one, path))).toBe(true)
    }
    expect((await checkStore(store)).findings).toEqual([])
    await store.close()
  })

  test('whose tape was imported here and not pushed is not replaced unless it is meant', async () => {
    const { store } = await newStore(objects)
    const [one, two] = [newFolder(), newFolder()]
    const name = { kind: 'tape', key: DATE } as const
    for (const folder of [one, two]) {
      writeTapeManifest(folder, { format: 1, session_date: DATE, batches: [] })
    }
    writeAtomically(join(two, 'tape', `prints/session=${DATE}/a.parquet`), 'prints')
    const file = `prints/session=${DATE}/a.parquet`
    const batch = { dataset: 'prints', file, rows: 1, sha256: sha256('prints'), simulated: true }
    writeTapeManifest(two, { format: 1, session_date: DATE, batches: [batch as never] })
    const { pointer } = await pushManifest(store, one, name)
    await expect(pullManifest(store, two, pointer)).rejects.toThrow(
      `the tape of ${DATE} has an import here that the store does not have, and another machine has ` +
        `pushed its own; "store pull ${DATE}" takes that, then import again.`,
    )
    expect(await pullManifest(store, two, pointer, true)).toBe(true)
    await store.close()
  })

  test('that runs has each minute, of which only the new files are copied', async () => {
    const { store } = await newStore(objects)
    const [one, two] = [newFolder(), newFolder()]
    const name = { kind: 'live', key: DATE } as const
    for (const minute of ['09:31', '09:32', '09:33']) {
      runMinute(one, minute)
      expect(await pushManifest(store, one, name)).toMatchObject({ filesSent: 1, isNew: true })
      // another feed of the same bytes
      const other = newFolder()
      cpSync(join(one, 'live'), join(other, 'live'), { recursive: true })
      expect(await pushManifest(store, other, name)).toMatchObject({ filesSent: 0, isNew: false })
      await pullManifest(store, two, (await store.pointers.find(name))!)
      const path = `live/manifests/${DATE}.json`
      expect(read(two, path).equals(read(one, path))).toBe(true)
    }
    expect(globSync('live/orders/*/*', { cwd: two })).toHaveLength(3)
    await store.close()
  })

  test('that names a path outside of the folder is refused', async () => {
    const { store } = await newStore(objects)
    const text = JSON.stringify({
      format: 1,
      session_date: DATE,
      batches: [{ file: '../../out', sha256: sha256('') }],
    })
    const object = `manifests/tape/${DATE}/000000000000001-0-${sha256(text)}.json`
    await store.blobs.putText(object, text)
    const pointer = {
      kind: 'tape',
      key: DATE,
      sha256: sha256(text),
      bytes: 0,
      object,
      seq: 1,
    } as const
    await expect(pullManifest(store, newFolder(), pointer)).rejects.toThrow(
      `tape/manifests/${DATE}.json is damaged`,
    )
    await store.close()
  })
})

describe.runIf(hasPostgres)('the table of pointers', () => {
  test('is made again from the manifests of the store, also from none', async () => {
    const { store } = await newStore(objects)
    const dates = ['2026-10-13', '2026-10-14', '2026-10-15']
    const folder = newFolder()
    for (const version of [1, 2, 3]) {
      for (const date of dates.slice(version - 1)) {
        publish(folder, version, date)
        await pushManifest(store, folder, { kind: 'published', key: date })
      }
    }
    const rows = await store.pointers.listSince(0)
    const lastSeq = rows.at(-1)!.seq
    await store.pointers.replaceAll([], 0)
    expect((await checkStore(store)).findings).toEqual(
      rows.map(({ key, object }) => `published ${key}: no pointer is at ${object}`).sort(),
    )
    expect(await rebuildPointers(store)).toBe(3)
    // a reader that follows the numbers finds them all
    expect(withoutSeq(await store.pointers.listSince(lastSeq))).toEqual(withoutSeq(rows))
    expect((await checkStore(store)).findings).toEqual([])
    publish(folder, 1)
    await pushManifest(store, folder, PUBLISHED)
    await store.close()
  })

  test('names a manifest that is missing, and a pointer that is too old', async () => {
    const { store } = await newStore(objects)
    const one = machineAt(1)
    const { pointer: first } = await pushManifest(store, one, PUBLISHED)
    publish(one, 2)
    const { pointer: second } = await pushManifest(store, one, PUBLISHED)
    const { seq: _, ...row } = first
    await store.pointers.replaceAll([row, { ...row, key: '2026-10-14', object: 'manifests/x' }], 0)
    expect([...(await checkStore(store)).findings].sort()).toEqual([
      'published 2026-10-14: the store has no object manifests/x; push its session again.',
      `published ${DATE}: its pointer is not at the newest manifest, ${second.object}`,
    ])
    await store.close()
  })
})

describe.runIf(hasPostgres)('the cache', () => {
  const DATES = ['2026-10-12', '2026-10-13', '2026-10-14', '2026-10-15']

  test('holds its limit by whole sessions, least recently used first', async () => {
    const { store } = await newStore(objects)
    const folder = newFolder()
    for (const key of DATES) {
      publish(folder, 1, key)
      await pushManifest(store, folder, { kind: 'published', key })
    }
    // one that the store does not have as it is
    publish(folder, 2, DATES[0])
    const bytes = await measureCache(folder)
    const limitBytes = Math.ceil(bytes * 0.65)
    const nowMs = Date.now()
    const options = { dataFolder: folder, limitBytes, noticeMs: 0 }
    expect(await shrinkCache({ ...options, nowMs })).toEqual({ bytes, evicted: [] })
    // readers hold a file open while its session leaves
    const file = readManifest(folder, DATES[1]!)!.datasets.orders!.file
    const open = openSync(join(folder, 'published', file), 'r')
    const shrunk = await shrinkCache({ ...options, nowMs: nowMs + 25 * HOUR_MS })
    expect(shrunk.evicted).toEqual([DATES[1], DATES[2]])
    expect(shrunk.bytes).toBeLessThanOrEqual(limitBytes)
    expect(await measureCache(folder)).toBe(shrunk.bytes)
    expect(fstatSync(open).size).toBeGreaterThan(0)
    closeSync(open)
    expect(publishedSessions(folder)).toEqual([DATES[0], DATES[3]])
    expect(existsSync(join(folder, 'store/published', `${DATES[1]}.json`))).toBe(false)
    // it is pulled again
    const pointer = await store.pointers.find({ kind: 'published', key: DATES[1]! })
    expect(await pullManifest(store, folder, pointer!)).toBe(true)
    expect(publishedSessions(folder)).toEqual([DATES[0], DATES[1], DATES[3]])
    await store.close()
  })

  test('never evicts a session that runs', async () => {
    const { store } = await newStore(objects)
    const folder = machineAt(1)
    await pushManifest(store, folder, PUBLISHED)
    const running = { ...PUBLISHED, kind: 'live' } as const
    const text = read(folder, `published/manifests/${DATE}.json`).toString()
    writeAtomically(join(folder, `live/manifests/${DATE}.json`), text)
    rmSync(join(folder, `published/manifests/${DATE}.json`))
    await pushManifest(store, folder, running)
    const nowMs = Date.now() + 25 * HOUR_MS
    const options = { dataFolder: folder, limitBytes: 0, nowMs, noticeMs: 0 }
    expect((await shrinkCache(options)).evicted).toEqual([])
    await store.close()
  })
})
