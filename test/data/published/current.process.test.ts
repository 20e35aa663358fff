// Patterns over the links to current files: each session once, at every instant.

import {
  globSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { collect } from '../../../src/data/published/collect.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { renewViews } from '../../../src/data/published/publish.ts'
import { openVersions, type Versions } from '../../support/versions.ts'

/** Rows of each dataset in a version. */
const ROWS = 3
const folders: string[] = []

async function makeFolder() {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-current-'))
  folders.push(dataFolder)
  return dataFolder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const NAMES = ['orders', 'legs']
const pattern = (dataFolder: string, name: string) =>
  join(dataFolder, `published/current/*/${name}.*.parquet`)
/** The files of that pattern; Node's own `globSync` follows no links. */
const listFiles = (dataFolder: string, name: string) => {
  const folder = join(dataFolder, 'published/current')
  return readdirSync(folder)
    .flatMap(key => readdirSync(join(folder, key)).map(file => join(folder, key, file)))
    .filter(path => basename(path).startsWith(`${name}.`))
}
const findLink = (dataFolder: string, date: string) =>
  join(dataFolder, `published/current/session=${date}`)

/** Publishes versions of sessions one after another, until stopped. */
async function republish(publishers: readonly Versions[], isOver: () => boolean): Promise<number> {
  let version = 10
  while (!isOver()) {
    version++
    for (const publisher of publishers) await publisher.publish(version)
  }
  return version - 10
}

test('a count by a pattern has each order once while sessions are published again', async () => {
  const dataFolder = await makeFolder()
  const dates = ['2026-10-14', '2026-10-15']
  const publishers = []
  for (const date of dates) publishers.push(await openVersions(dataFolder, date, NAMES))
  for (const publisher of publishers) await publisher.publish(1)
  let isOver = false
  const publishing = republish(publishers, () => isOver)
  const db = await openDatabase({ threads: 1 })
  const counts: number[] = []
  const mixed: unknown[] = []
  const failures: string[] = []
  try {
    for (let round = 0; round < 150; round++) {
      try {
        const [row] = await db.rows(
          `select count(*)::integer as n, count(distinct session)::integer as sessions,
             list(distinct size || ' ' || contracts) as versions
           from read_parquet('${pattern(dataFolder, 'orders')}', hive_partitioning = true)`,
        )
        counts.push(row!.n as number)
        if (row!.sessions !== dates.length) mixed.push(row)
        // every number of a version is the same
        for (const text of row!.versions as string[]) {
          const [size, contracts] = text.split(' ')
          if (size !== contracts) mixed.push(text)
        }
      } catch (error) {
        // listed before the change and opened after it: an error, never a wrong count
        failures.push(String(error).split('\n')[0]!)
      }
    }
  } finally {
    isOver = true
    db.close()
  }
  const changes = await publishing
  for (const publisher of publishers) publisher.close()
  expect([...new Set(counts)]).toEqual([ROWS * dates.length])
  expect(mixed).toEqual([])
  expect(
    [...new Set(failures)].filter(text => !/No such file|Cannot open file/.test(text)),
  ).toEqual([])
  expect(changes).toBeGreaterThan(5)
  expect(counts.length).toBeGreaterThan(changes)
  // the old layout, which is no pattern to count by, has all versions
  const stored = globSync('published/orders/*/*.parquet', { cwd: dataFolder })
  expect(stored.length).toBeGreaterThan(dates.length)
})

test('a reader that has a replaced file open reads it to its end', async () => {
  const dataFolder = await makeFolder()
  const { publish, close } = await openVersions(dataFolder, '2026-10-15', NAMES)
  await publish(1)
  const [path] = listFiles(dataFolder, 'orders')
  const before = readFileSync(path!)
  const handle = openSync(path!, 'r')
  await publish(2)
  close()
  expect(listFiles(dataFolder, 'orders')).not.toContain(path)
  expect(readFileSync(handle).equals(before)).toBe(true)
  // whoever resolved the folder before goes on to read the edition of then
  const edition = globSync('published/editions/*/*/orders.*.parquet', { cwd: dataFolder })
  expect(edition).toHaveLength(2)
  expect(edition.some(file => readFileSync(join(dataFolder, file)).equals(before))).toBe(true)
})

test('what a crash left unlinked is linked by the next publisher, and removed editions go', async () => {
  const dataFolder = await makeFolder()
  const date = '2026-10-15'
  const { publish, close } = await openVersions(dataFolder, date, NAMES)
  await publish(1)
  const old = readlinkSync(findLink(dataFolder, date))
  await publish(2)
  const current = readlinkSync(findLink(dataFolder, date))
  expect(current).not.toBe(old)
  // killed between the manifest and the link
  const temporary = join(dataFolder, 'temporary')
  symlinkSync(old, temporary)
  renameSync(temporary, findLink(dataFolder, date))
  await renewViews(dataFolder)
  expect(readlinkSync(findLink(dataFolder, date))).toBe(current)
  // a folder of older code has none
  rmSync(join(dataFolder, 'published/current'), { recursive: true })
  rmSync(join(dataFolder, 'published/editions'), { recursive: true })
  await renewViews(dataFolder)
  const named = Object.values(readManifest(dataFolder, date)!.datasets).map(({ sha256 }) => sha256)
  for (const name of NAMES) {
    const found = listFiles(dataFolder, name)
    expect(found).toHaveLength(1)
    expect(named.some(hash => found[0]!.includes(hash.slice(0, 16)))).toBe(true)
  }
  await publish(3)
  close()
  await renewViews(dataFolder)
  const nowMs = Date.now() + 48 * 3_600_000
  await collect({ dataFolder, nowMs, graceMs: 24 * 3_600_000 })
  expect(globSync('published/editions/*/*', { cwd: dataFolder })).toHaveLength(1)
  for (const name of NAMES) expect(listFiles(dataFolder, name)).toHaveLength(1)
  // a session that is gone is in no pattern
  rmSync(join(dataFolder, `published/manifests/${date}.json`))
  await renewViews(dataFolder)
  expect(listFiles(dataFolder, 'orders')).toEqual([])
})
