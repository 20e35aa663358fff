// Publishes versions of sessions in a folder of its own and pushes them, as a process that can be
// killed: folder, bucket, database, folder of the versions, their number, dates with commas between.

import { readManifest } from '../../src/data/published/manifest.ts'
import { PublishedMeanwhile } from '../../src/platform/store/faults.ts'
import { pullManifest, pushManifest } from '../../src/platform/store/mirror.ts'
import { openStore } from '../../src/platform/store/open.ts'
import { copyVersion } from './storeVersions.ts'

const [folder = '', bucket = '', databaseUrl = '', root = '', count, dates = ''] =
  process.argv.slice(2)
const settings = { address: { bucket, prefix: '' }, isPathStyle: true, cacheBytes: null }
const store = await openStore(settings, databaseUrl)

/** Publishes a version, unless another publisher has it, or a later one, by now. */
async function publish(key: string, version: number): Promise<void> {
  const name = { kind: 'published', key } as const
  for (;;) {
    const pointer = await store.pointers.find(name)
    if (pointer) await pullManifest(store, folder, pointer)
    const found = readManifest(folder, key)?.tape.kept ?? 0
    if (found < version) copyVersion(root, version, folder, key)
    try {
      await pushManifest(store, folder, name)
      return
    } catch (error) {
      if (!(error instanceof PublishedMeanwhile)) throw error
    }
  }
}

for (let version = 1; version <= Number(count); version++) {
  for (const key of dates.split(',')) await publish(key, version)
}
await store.close()
