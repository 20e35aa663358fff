// A folder that follows the store: each new session as it is announced, the newest first, whatever
// fails.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { monotonicMs } from '../../../src/core/clock.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { openCache } from '../../../src/platform/store/cache.ts'
import {
  followStore,
  type StoreFollower,
  type StoreFollowing,
} from '../../../src/platform/store/follow.ts'
import { pushManifest, type Store } from '../../../src/platform/store/mirror.ts'
import { blobName } from '../../../src/platform/store/names.ts'
import { newFolder } from '../../support/import.ts'
import { newStore, type ObjectStore, startObjectStore } from '../../support/objectStore.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { copyVersion, makeVersions, VERSION_DATE } from '../../support/storeVersions.ts'

const root = newFolder()
let objects: ObjectStore
const followers: StoreFollower[] = []

beforeAll(async () => {
  objects = await startObjectStore()
  await makeVersions(root, 2)
})
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.stop()
})
afterAll(() => objects.stop())

/** A machine that publishes. */
function openPublisher(store: Store) {
  const folder = newFolder()
  return async (version: number, key: string) => {
    copyVersion(root, version, folder, key)
    await pushManifest(store, folder, { kind: 'published', key })
  }
}

function follow(store: Store, options: Partial<StoreFollowing> = {}) {
  const dataFolder = newFolder()
  const pulled: string[] = []
  const faults: unknown[] = []
  const follower = followStore({
    store,
    dataFolder,
    kinds: ['published', 'live'],
    cache: null,
    elapsedMs: monotonicMs,
    onPulled: ({ key }) => pulled.push(key),
    onFault: error => error !== null && faults.push(error),
    ...options,
  })
  followers.push(follower)
  return { dataFolder, pulled, faults }
}

/** Waits for a version in a folder. */
async function untilVisible(dataFolder: string, key: string, version: number): Promise<void> {
  while (readManifest(dataFolder, key)?.tape.kept !== version) await sleep(5)
}

describe.runIf(hasPostgres)('a folder that follows', () => {
  test('has each new revision when it is announced, and all that were there before', async () => {
    const { store } = await newStore(objects)
    const publish = openPublisher(store)
    await publish(1, '2026-10-13')
    await publish(1, '2026-10-14')
    // its clock stands still: it looks where a change is announced alone
    const { dataFolder, pulled } = follow(store, { elapsedMs: () => 0 })
    await untilVisible(dataFolder, '2026-10-13', 1)
    expect(pulled).toEqual(['2026-10-14', '2026-10-13'])
    for (const version of [1, 2]) {
      await publish(version, VERSION_DATE)
      await untilVisible(dataFolder, VERSION_DATE, version)
    }
    await store.close()
  })

  test('misses nothing when its connection to the announcements is cut', async () => {
    const { store, databaseUrl } = await newStore(objects)
    const publish = openPublisher(store)
    const { dataFolder, faults } = follow(store)
    await publish(1, '2026-10-14')
    await untilVisible(dataFolder, '2026-10-14', 1)
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query like 'listen%' and datname = current_database()`,
    )
    expect(rowCount).toBe(1)
    await client.end()
    await publish(1, VERSION_DATE)
    await untilVisible(dataFolder, VERSION_DATE, 1)
    expect(faults).toEqual([])
    await store.close()
  })

  test('has the other sessions when one cannot be pulled, and that one once it can', async () => {
    const { store } = await newStore(objects)
    const publish = openPublisher(store)
    await publish(1, '2026-10-14')
    await publish(2, VERSION_DATE)
    const { sha256, file } = readManifest(join(root, 'v2'), VERSION_DATE)!.datasets.orders!
    await store.blobs.putText(blobName(sha256), 'damaged')
    const { dataFolder, faults } = follow(store)
    await untilVisible(dataFolder, '2026-10-14', 1)
    expect(String(faults[0])).toContain(`object ${blobName(sha256)} of the store is damaged`)
    expect(existsSync(join(dataFolder, `published/manifests/${VERSION_DATE}.json`))).toBe(false)
    await store.blobs.putFile(blobName(sha256), join(root, 'v2/published', file), sha256)
    await untilVisible(dataFolder, VERSION_DATE, 2)
    await store.close()
  })

  test('goes on when the database and the store were away', async () => {
    const { store } = await newStore(objects)
    const publish = openPublisher(store)
    let isAway = true
    const away = () => Promise.reject(new Error('away'))
    const flaky: Store = {
      ...store,
      pointers: {
        ...store.pointers,
        listSince: seq => (isAway ? away() : store.pointers.listSince(seq)),
      },
    }
    const { dataFolder, faults } = follow(flaky)
    await publish(1, VERSION_DATE)
    while (faults.length < 2) await sleep(20)
    isAway = false
    await untilVisible(dataFolder, VERSION_DATE, 1)
    await store.close()
  })

  test('fills a limited cache with the newest sessions, and stays within it', async () => {
    const { store } = await newStore(objects)
    const publish = openPublisher(store)
    const keys = ['2026-10-12', '2026-10-13', '2026-10-14', VERSION_DATE]
    for (const key of keys) await publish(1, key)
    const { bytes } = (await store.pointers.listSince(0))[0]!
    const dataFolder = newFolder()
    const limitBytes = bytes * 2.5
    // the third day after: what was pulled by then may leave
    let nowMs = statSync(dataFolder).mtimeMs
    const cache = openCache(dataFolder, limitBytes, () => nowMs, 0)
    const { pulled } = follow(store, { dataFolder, cache })
    await untilVisible(dataFolder, '2026-10-14', 1)
    await sleep(200)
    expect(pulled).toEqual([VERSION_DATE, '2026-10-14'])
    nowMs += 3 * 24 * 3_600_000
    await publish(1, '2026-10-16')
    await untilVisible(dataFolder, '2026-10-16', 1)
    expect(readManifest(dataFolder, VERSION_DATE)).toBeNull()
    expect(readManifest(dataFolder, '2026-10-14')).not.toBeNull()
    const text = readFileSync(join(dataFolder, 'store/published/2026-10-16.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ bytes })
    await store.close()
  })
})
