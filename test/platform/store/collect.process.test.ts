// A collection in the store: what nothing names goes after its grace, and nothing else ever.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256, writeAtomically } from '../../../src/core/disk/files.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { checkStore, rebuildPointers } from '../../../src/platform/store/check.ts'
import { collectStore } from '../../../src/platform/store/collect.ts'
import {
  pullManifest,
  pushManifest,
  type Store,
  sendFiles,
} from '../../../src/platform/store/mirror.ts'
import { blobName } from '../../../src/platform/store/names.ts'
import { findStage, putStage } from '../../../src/platform/store/stages.ts'
import { newFolder } from '../../support/import.ts'
import { newStore, type ObjectStore, startObjectStore } from '../../support/objectStore.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { copyVersion, makeVersions } from '../../support/storeVersions.ts'

const DATE = '2026-10-15'
const PUBLISHED = { kind: 'published', key: DATE } as const
const LIVE = { kind: 'live', key: DATE } as const
const HOUR_MS = 3_600_000

const root = newFolder()
let objects: ObjectStore

beforeAll(async () => {
  objects = await startObjectStore()
  await makeVersions(root, 2)
})
afterAll(() => objects.stop())

/** Collects with a grace of an hour, as if it were called some hours from now. */
const collect = (store: Store, hours = 0, stagesAgeMs: number | null = null) =>
  collectStore(store, {
    graceMs: HOUR_MS,
    nowMs: Date.now() + hours * HOUR_MS,
    stagesAgeMs,
    isDryRun: false,
  })

/** Lets the marks of a database age. */
async function age(databaseUrl: string, hours: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    'update store_garbage set marked_at = marked_at - make_interval(hours => $1)',
    [hours],
  )
  await client.end()
}

/** A store in which the second version of a session has replaced the first. */
async function openReplaced() {
  const opened = await newStore(objects)
  const folder = newFolder()
  for (const version of [1, 2]) {
    copyVersion(root, version, folder, DATE)
    await pushManifest(opened.store, folder, PUBLISHED)
  }
  return { ...opened, folder }
}

async function expectWhole(store: Store, version: number): Promise<void> {
  expect((await checkStore(store)).findings).toEqual([])
  const pulled = newFolder()
  await pullManifest(store, pulled, (await store.pointers.find(PUBLISHED))!)
  expect(readManifest(pulled, DATE)!.tape.kept).toBe(version)
}

describe.runIf(hasPostgres)('a collection', () => {
  test('removes blobs of an earlier version once they were marked for the grace', async () => {
    const { store, databaseUrl } = await openReplaced()
    const marked = await collect(store)
    expect(marked).toMatchObject({ blobs: 0, bytes: 0, objects: 0 })
    expect(marked.waitingCount).toBeGreaterThan(0)
    await age(databaseUrl, 2)
    const options = { graceMs: HOUR_MS, nowMs: Date.now(), stagesAgeMs: null, isDryRun: true }
    expect(await collectStore(store, options)).toMatchObject({ blobs: 0 })
    const removed = await collect(store)
    expect(removed).toMatchObject({ blobs: marked.waitingCount, waitingCount: 0 })
    expect(removed.bytes).toBeGreaterThan(0)
    expect(await checkStore(store)).toMatchObject({ unnamedFiles: 0 })
    await expectWhole(store, 2)
    await store.close()
  })

  test('leaves blobs that a push counts on, also where they had been marked', async () => {
    const { store, databaseUrl, folder } = await openReplaced()
    await collect(store)
    await age(databaseUrl, 2)
    copyVersion(root, 1, folder, DATE)
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
    const pushing = pushManifest(slow, folder, PUBLISHED)
    await standing.promise
    expect(await collect(store)).toMatchObject({ blobs: 0 })
    proceed.resolve()
    expect(await pushing).toMatchObject({ filesSent: 0, isNew: true })
    await expectWhole(store, 1)
    await store.close()
  })

  test('and a push at the same time leave every blob that is named', async () => {
    const { store, databaseUrl, folder } = await openReplaced()
    for (const version of [1, 2, 1, 2]) {
      await collect(store)
      await age(databaseUrl, 2)
      copyVersion(root, version, folder, DATE)
      await Promise.all([pushManifest(store, folder, PUBLISHED), collect(store)])
      await expectWhole(store, version)
    }
    await store.close()
  })

  test('removes files of a killed push, not those of one killed before its pointer', async () => {
    const { store, databaseUrl } = await newStore(objects)
    const folder = newFolder()
    copyVersion(root, 1, folder, DATE)
    await pushManifest(store, folder, PUBLISHED)
    writeAtomically(join(folder, 'tape/a.parquet'), 'of a killed push')
    const file = { file: 'tape/a.parquet', sha256: sha256('of a killed push'), bytes: null }
    await sendFiles(store, folder, [file])
    await store.pointers.replaceAll([], 0)
    await collect(store)
    await age(databaseUrl, 2)
    expect(await collect(store, 2)).toMatchObject({ blobs: 1, waitingCount: 0 })
    await rebuildPointers(store)
    await expectWhole(store, 1)
    await store.close()
  })

  test('removes nothing where a manifest cannot be read', async () => {
    const { store, databaseUrl } = await openReplaced()
    await collect(store)
    await age(databaseUrl, 2)
    const { object } = (await store.pointers.find(PUBLISHED))!
    const { unnamedFiles } = await checkStore(store)
    await store.blobs.putText(object, 'other')
    await expect(collect(store)).rejects.toThrow(`object ${object} of the store is damaged`)
    const left = []
    for await (const { name } of store.blobs.list('blobs/')) left.push(name)
    expect(left.length).toBeGreaterThan(unnamedFiles)
    await store.close()
  })

  test('removes a running session once it is published, and manifests of its minutes', async () => {
    const { store, databaseUrl } = await newStore(objects)
    const folder = newFolder()
    copyVersion(root, 1, folder, DATE)
    const { archive: _, ...manifest } = readManifest(folder, DATE)!
    for (const minute of ['09:31', '09:32']) {
      const file = `orders/session=${DATE}/${minute.replace(':', '')}-0123456789abcdef.parquet`
      writeAtomically(join(folder, 'live', file), minute)
      const files = { orders: [{ file, bytes: 5, sha256: sha256(minute), rows: 1 }] }
      const live = { minute, known_before_ms: 1, files }
      const running = { ...manifest, datasets: {}, ledger: {}, live }
      writeAtomically(join(folder, `live/manifests/${DATE}.json`), JSON.stringify(running))
      await pushManifest(store, folder, LIVE)
    }
    expect(await collect(store, 0.5)).toMatchObject({ objects: 0 })
    expect(await collect(store, 2)).toMatchObject({ objects: 1, blobs: 0 })
    expect(await store.pointers.find(LIVE)).not.toBeNull()
    await pushManifest(store, folder, PUBLISHED)
    expect(await collect(store, 0.5)).toMatchObject({ objects: 0 })
    expect(await collect(store, 2)).toMatchObject({ objects: 1 })
    expect(await store.pointers.find(LIVE)).toBeNull()
    await age(databaseUrl, 2)
    expect(await collect(store)).toMatchObject({ blobs: 2, waitingCount: 0 })
    await expectWhole(store, 1)
    await store.close()
  })

  test('leaves what a stage names until the stage is old and no backfill runs', async () => {
    const { store, databaseUrl } = await newStore(objects)
    const folder = newFolder()
    writeAtomically(join(folder, 'x.parquet'), 'rows')
    const file = { file: 'x.parquet', sha256: sha256('rows'), bytes: null }
    await sendFiles(store, folder, [file])
    const text = JSON.stringify({ positions: file })
    await putStage(store.blobs, `stages/carried/night-7/${DATE}`, text)
    for (const hours of [0, 100]) {
      expect(await collect(store, hours)).toMatchObject({ objects: 0, waitingCount: 0 })
    }
    expect(await findStage(store.blobs, `stages/carried/night-7/${DATE}`)).toBe(text)
    expect(await collect(store, 2, 3 * HOUR_MS)).toMatchObject({ objects: 0 })
    expect(await collect(store, 4, 3 * HOUR_MS)).toMatchObject({ objects: 1, blobs: 0 })
    expect(await findStage(store.blobs, `stages/carried/night-7/${DATE}`)).toBeNull()
    // the stage named it until now
    expect(await collect(store)).toMatchObject({ blobs: 0, waitingCount: 1 })
    await age(databaseUrl, 2)
    expect(await collect(store)).toMatchObject({ blobs: 1 })
    expect(await store.blobs.findBytes(blobName(file.sha256))).toBeNull()
    expect(readFileSync(join(folder, 'x.parquet'), 'utf8')).toBe('rows')
    await store.close()
  })
})
