// Folders of many sessions: how much is read before the event loop is free again.

import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Catalog, openCatalog } from '../../../src/data/published/catalog.ts'
import { LOOK_MAX } from '../../../src/data/published/look.ts'
import { manifestPath } from '../../../src/data/published/manifest.ts'
import { lastSessions, publishMany, publishNamed } from '../../support/manySessions.ts'

/** Sessions of a folder that is swept in several steps. */
const MANY = 2 * LOOK_MAX + 44
/** Calls of a look besides those for entries: to the folders, and to one day's file. */
const OTHERS = 8

const DATES = lastSessions(MANY + 1, '2026-10-15')
const OLD = DATES[40]!
const NEXT = DATES.at(-1)!

let folder: string
let catalog: Catalog
let nowMs = 0
let edition = 0
let calls = { stat: 0, read: 0 }
const originals = { statSync: fs.statSync, readFileSync: fs.readFileSync }

const publish = (date: string) =>
  publishNamed(folder, date, { codeVersion: 'test', edition: ++edition }).revision
const findRevision = (date: string) => catalog.find(date)?.manifest.revision

/** Largest numbers of calls in one turn of the event loop, in so many turns. */
async function countTurns(turns: number): Promise<typeof calls> {
  const most = { ...calls }
  for (let index = 0; index < turns; index++) {
    calls = { stat: 0, read: 0 }
    await turn()
    most.stat = Math.max(most.stat, calls.stat)
    most.read = Math.max(most.read, calls.read)
  }
  return most
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-look-'))
  publishMany(folder, DATES.slice(0, -1), 'test')
})
beforeEach(async () => {
  nowMs = 0
  catalog = openCatalog({ dataFolder: folder, nowMs: () => nowMs, log: { error: () => {} } })
  catalog.sessions()
  const count = (name: 'statSync' | 'readFileSync', what: keyof typeof calls) => {
    const original = originals[name] as (...args: unknown[]) => unknown
    const counted = (...args: unknown[]) => {
      if (String(args[0]).startsWith(join(folder, 'published'))) calls[what]++
      return original(...args)
    }
    Object.assign(fs, { [name]: counted })
  }
  count('statSync', 'stat')
  count('readFileSync', 'read')
  syncBuiltinESMExports()
  calls = { stat: 0, read: 0 }
})
afterEach(() => {
  Object.assign(fs, originals)
  syncBuiltinESMExports()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('no look, and no turn after it, checks more than some entries', async () => {
  const before = catalog.finished()
  for (let looks = 0; looks < 4; looks++) {
    nowMs += 10_000
    calls = { stat: 0, read: 0 }
    catalog.sessions()
    expect(calls.stat).toBeLessThanOrEqual(LOOK_MAX + OTHERS)
    expect((await countTurns(10)).stat).toBeLessThanOrEqual(LOOK_MAX + OTHERS)
  }
  expect(catalog.finished()).toBe(before)
})

test('a look at an unchanged folder soon after checks no entry', async () => {
  nowMs += 500
  catalog.sessions()
  await countTurns(10)
  nowMs += 500
  calls = { stat: 0, read: 0 }
  catalog.sessions()
  expect((await countTurns(10)).stat).toBeLessThanOrEqual(OTHERS)
})

test('a requested day is as it is now; lists follow in some turns', async () => {
  const before = catalog.finished()
  for (const date of [OLD, DATES[200]!, DATES.at(-2)!]) {
    const revision = publish(date)
    calls = { stat: 0, read: 0 }
    expect(findRevision(date)).toBe(revision)
    expect(calls.stat).toBeLessThanOrEqual(LOOK_MAX + OTHERS)
    expect(calls.read).toBeLessThanOrEqual(2)
    await countTurns(10)
  }
  const revision = publish(OLD)
  catalog.sessions()
  await countTurns(10)
  expect(catalog.finished()).not.toBe(before)
  expect(catalog.finished()[40]!.revision).toBe(revision)
})

test('a new session is listed in its place, and one that is removed is gone', async () => {
  publish(NEXT)
  rmSync(manifestPath(folder, OLD))
  catalog.sessions()
  await countTurns(10)
  expect(catalog.sessions()).toEqual(DATES.filter(date => date !== OLD))
  expect(catalog.newest()?.manifest.session_date).toBe(NEXT)
  expect(catalog.find(OLD)).toBeNull()
  rmSync(manifestPath(folder, NEXT))
  publish(OLD)
  expect(catalog.find(NEXT)).toBeNull()
  expect(catalog.find(OLD)).not.toBeNull()
})

test('many new revisions at once are read a few a turn', async () => {
  const revisions = DATES.slice(0, 60).map(publish)
  calls = { stat: 0, read: 0 }
  catalog.sessions()
  expect((await countTurns(40)).read).toBeLessThanOrEqual(LOOK_MAX / 16)
  expect(
    catalog
      .finished()
      .slice(0, 60)
      .map(({ revision }) => revision),
  ).toEqual(revisions)
})

test('a file that is damaged in place is found, and hides nothing', async () => {
  const revision = findRevision(OLD)
  nowMs += 500
  catalog.sessions()
  await countTurns(10)
  writeFileSync(manifestPath(folder, OLD), '{"format": 1')
  expect(catalog.problems()).toEqual([])
  nowMs += 500 * Math.ceil(MANY / LOOK_MAX)
  catalog.sessions()
  await countTurns(10)
  expect(catalog.problems()).toEqual([expect.stringContaining(`manifests/${OLD}.json: `)])
  expect(findRevision(OLD)).toBe(revision)
  publish(OLD)
})
