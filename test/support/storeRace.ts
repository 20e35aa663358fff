// Publishers of the same sessions, each with a folder of its own, killed and stopped at random: the
// state of the store after them.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { damagedFiles, sha256 } from '../../src/core/disk/files.ts'
import { publishedFiles, publishedFolder, readManifest } from '../../src/data/published/manifest.ts'
import { checkStore, rebuildPointers } from '../../src/platform/store/check.ts'
import { parseManifestObject, pullManifest, type Store } from '../../src/platform/store/mirror.ts'
import type { Pointer } from '../../src/platform/store/pointers.ts'
import { report } from './chaos.ts'
import { newFolder } from './import.ts'
import { newStore, startObjectStore } from './objectStore.ts'
import { randomNumbers } from './random.ts'
import { copyVersion, makeVersions } from './storeVersions.ts'

const PROGRAM = join(import.meta.dirname, 'publishToStore.ts')

/** Longest time to the next kill, and of a standstill. */
const KILL_WITHIN_MS = 3_000
const STANDSTILL_MS = 600

export type Race = {
  readonly publishers: number
  readonly sessions: number
  readonly versions: number
  readonly kills: number
  readonly seed: number
}

/** Runs a race and expects every version whole, in its order, and the last one everywhere. */
export async function runRace(race: Race): Promise<void> {
  const objects = await startObjectStore()
  const { store, bucket, databaseUrl } = await newStore(objects, '')
  const root = newFolder()
  await makeVersions(root, race.versions)
  const keys = Array.from({ length: race.sessions }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  )
  const random = randomNumbers(race.seed)
  const startPublisher = (folder: string) => {
    // each has an order of its own, so that they meet at some sessions and not at others
    const order = keys.toSorted((a, b) => sha256(folder + a).localeCompare(sha256(folder + b)))
    const args = [PROGRAM, folder, bucket, databaseUrl, root, String(race.versions), String(order)]
    return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  }
  let killsLeft = race.kills
  const runPublisher = async (index: number) => {
    const folder = join(root, `publisher-${index}`)
    mkdirSync(folder)
    for (;;) {
      const child = startPublisher(folder)
      const ended = waitForEnd(child)
      while (killsLeft > 0 && child.exitCode === null) {
        await Promise.race([ended, sleep(random() * KILL_WITHIN_MS)])
        if (child.exitCode !== null) break
        if (random() < 0.3) {
          child.kill('SIGSTOP')
          await sleep(STANDSTILL_MS)
          child.kill('SIGCONT')
          continue
        }
        if (killsLeft === 0) break
        killsLeft -= 1
        report('tried', 'random kills')
        child.kill('SIGKILL')
        break
      }
      const signal = await ended
      // one that ended before its kill begins again, as after one
      if (signal === null && killsLeft === 0) return
    }
  }
  await Promise.all(Array.from({ length: race.publishers }, (_, index) => runPublisher(index)))
  await expectWhole(store, root, keys, race.versions)
  // folders of killed pulls and publishes: each session whole, of whatever version
  for (let index = 0; index < race.publishers; index++) {
    for (const key of keys) await expectIntact(join(root, `publisher-${index}`), key)
  }
  expect(killsLeft).toBe(0)
  report('right', 'random kills', race.kills)
  await store.close()
  await objects.stop()
}

/** Resolves with the signal that ended a process, null where it ended well. */
const waitForEnd = (child: ChildProcess) =>
  new Promise<string | null>((resolve, reject) =>
    child.on('exit', (code, signal) =>
      code === null || code === 0 ? resolve(signal) : reject(new Error(`it ended with ${code}`)),
    ),
  )

async function expectWhole(
  store: Store,
  root: string,
  keys: readonly string[],
  versions: number,
): Promise<void> {
  const rows = await store.pointers.listSince(0)
  expect(rows.map(({ key }) => key).sort()).toEqual(keys)
  expect((await checkStore(store)).findings).toEqual([])
  const [pulled, published] = [newFolder(), newFolder()]
  for (const row of rows) {
    await pullManifest(store, pulled, row)
    copyVersion(root, versions, published, row.key)
    const path = `published/manifests/${row.key}.json`
    expect(readFileSync(join(pulled, path), 'utf8')).toBe(
      readFileSync(join(published, path), 'utf8'),
    )
    await expectIntact(pulled, row.key)
  }
  const newest = new Map<string, number>()
  // the manifests of a session in the order of their numbers: none is of an older version
  for await (const { name } of store.blobs.list('manifests/')) {
    const { key, sha256: hash } = parseManifestObject(name)!
    const version = JSON.parse(await store.blobs.getText(name, hash)).tape.kept
    expect(version, name).toBeGreaterThanOrEqual(newest.get(key) ?? 0)
    newest.set(key, version)
  }
  await rebuildPointers(store)
  expect(withoutSeq(await store.pointers.listSince(0))).toEqual(withoutSeq(rows))
}

async function expectIntact(folder: string, key: string): Promise<void> {
  const files = publishedFiles(readManifest(folder, key)!)
  expect(await damagedFiles(publishedFolder(folder), files)).toEqual([])
}

const withoutSeq = (rows: readonly Pointer[]) =>
  rows.map(({ seq: _, ...row }) => row).sort((a, b) => a.object.localeCompare(b.object))
