/** The store of TAPEFOLD_STORE, for commands that publish, import or build. */

import { existsSync, readFileSync } from 'node:fs'
import { systemClock } from '../../src/core/clock.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { neighbourSession, type SessionDate } from '../../src/core/market/calendar.ts'
import { isSameContent } from '../../src/data/published/editions.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { renewViews } from '../../src/data/published/publish.ts'
import { RATES } from '../../src/data/tape/manifest.ts'
import { readBase, touchBase } from '../../src/platform/store/bases.ts'
import { openCache, type SessionCache } from '../../src/platform/store/cache.ts'
import { PublishedMeanwhile } from '../../src/platform/store/faults.ts'
import { listManifests, type ManifestName, manifestPath } from '../../src/platform/store/kinds.ts'
import { pullManifest, pushManifest, type Store } from '../../src/platform/store/mirror.ts'
import type { StoreSettings } from '../../src/platform/store/open.ts'
import { environmentConfig } from './command.ts'
import type { Progress } from './progress.ts'

export type SharedStore = Store & {
  readonly openCache: (dataFolder: string) => SessionCache | null
}

/** Runs `use` with the store of the environment; with null where there is none. */
export async function withSharedStore<T>(
  use: (store: SharedStore | null) => Promise<T>,
): Promise<T> {
  const { store: settings, databaseUrl } = environmentConfig()
  if (settings === null || databaseUrl === null) return use(null)
  const { openStore } = await import('../../src/platform/store/open.ts')
  const store = await openStore(settings, databaseUrl)
  const { cacheBytes } = settings
  const openOwn = (dataFolder: string) =>
    cacheBytes === null ? null : openCache(dataFolder, cacheBytes, systemClock.nowMs)
  try {
    return await use({ ...store, openCache: openOwn })
  } finally {
    await store.close()
  }
}

/** Runs `use` with the store of the environment. Fails with a Refusal where there is none. */
export function withRequiredStore<T>(
  use: (store: SharedStore, settings: StoreSettings) => Promise<T>,
): Promise<T> {
  const { store: settings } = environmentConfig()
  return withSharedStore(store => {
    if (store !== null && settings !== null) return use(store, settings)
    throw new Refusal(
      'there is no store; set TAPEFOLD_STORE, such as s3://bucket/prefix, and DATABASE_URL.',
    )
  })
}

/**
 * Pulls the manifests that a build reads: the tape of its day and the curves, the session before,
 * and what is published of the day, which the build replaces. Without a store it does nothing.
 */
export function pullForBuild(
  dataFolder: string,
  date: SessionDate,
  progress: Progress,
): Promise<void> {
  return withSharedStore(async store => {
    if (store === null) return
    const before: ManifestName = { kind: 'published', key: neighbourSession(date, -1).date }
    const names = [...listTape(date), { kind: 'published', key: date } as const, before]
    await progress.step('pull from the store', async () => {
      await pullUsed(store, dataFolder, names)
    })
  })
}

/** Manifests of the tape that a build of a session reads. */
export const listTape = (date: SessionDate): ManifestName[] => [
  { kind: 'tape', key: RATES },
  { kind: 'tape', key: date },
]

/**
 * Pulls those of the manifests that the store has, with their files, and marks them as used; returns
 * those that the folder did not have. They evict other sessions from a limited cache, and exceed its
 * limit where that is not enough.
 */
export async function pullUsed(
  store: SharedStore,
  dataFolder: string,
  names: readonly ManifestName[],
): Promise<ManifestName[]> {
  const pulled: ManifestName[] = []
  const cache = store.openCache(dataFolder)
  for (const name of names) {
    const pointer = await store.pointers.find(name)
    if (pointer === null) continue
    const base = readBase(dataFolder, name)
    if (base === null || base.seq < pointer.seq) {
      await cache?.admit(Math.max(0, pointer.bytes - (base?.bytes ?? 0)), true)
    }
    if (await pullManifest(store, dataFolder, pointer)) pulled.push(name)
    touchBase(dataFolder, name, systemClock.nowMs())
  }
  return pulled
}

/**
 * Pushes what a command has published or imported. Where another machine was faster, its manifest is
 * pulled, and the error is thrown. Without a store it does nothing.
 */
export function pushManifests(
  dataFolder: string,
  names: readonly ManifestName[],
  progress: Progress,
): Promise<void> {
  return withSharedStore(async store => {
    const present = names.filter(name => existsSync(manifestPath(dataFolder, name)))
    if (store === null || present.length === 0) return
    await progress.step('push to the store', async () => {
      for (const name of present) await pushOrPull(store, dataFolder, name)
    })
  })
}

/** Pushes every manifest of the tape that differs from that of the store, also after a killed push. */
export function pushTape(dataFolder: string, progress: Progress): Promise<void> {
  const names = listManifests(dataFolder, ['tape'])
  return pushManifests(
    dataFolder,
    names.filter(name => isChanged(dataFolder, name)),
    progress,
  )
}

/** True where the folder has a manifest other than the one of the store that it was made from. */
export function isChanged(dataFolder: string, name: ManifestName): boolean {
  return readBase(dataFolder, name)?.sha256 !== sha256(readFileSync(manifestPath(dataFolder, name)))
}

/**
 * Pushes a manifest; where another machine was faster, its own is pulled. Fails with
 * PublishedMeanwhile unless that one has the same content and differs by when it was published alone.
 */
export async function pushOrPull(
  store: Store,
  dataFolder: string,
  name: ManifestName,
): Promise<void> {
  try {
    await pushManifest(store, dataFolder, name)
  } catch (error) {
    if (!(error instanceof PublishedMeanwhile)) throw error
    const own = name.kind === 'published' ? readManifest(dataFolder, name.key) : null
    const pointer = await store.pointers.find(name)
    if (pointer) await pullManifest(store, dataFolder, pointer, true)
    if (name.kind === 'published') await renewViews(dataFolder)
    const theirs = own && readManifest(dataFolder, name.key)
    if (own && theirs && isSameContent(own, theirs)) return
    throw error
  }
}
