// State of the disk when adding a dataset to a published session fails, or is killed, at any of
// its calls, and after the next. A seeded sample; all calls with CHAOS=all (npm run chaos).

import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import {
  manifestVersion,
  type PublishedManifest,
  readManifest,
} from '../../../src/data/published/manifest.ts'
import { addDatasets, computeRevision, renewViews } from '../../../src/data/published/publish.ts'
import { bury, counted, findCopy, findSample, findState, listWork } from '../../support/chaos.ts'
import { type Fault, installFaults } from '../../support/faultyDisk.ts'
import { newFolder } from '../../support/import.ts'
import { writeManifest } from '../../support/published.ts'
import { expectReadable } from '../../support/readable.ts'
import { openVersions } from '../../support/versions.ts'

const DATE = '2026-10-15'
/** A session that lacks the dataset; each fault gets a copy. */
const template = newFolder()
let expected: Record<string, string>
let callCount = 0
let db: Database

beforeAll(async () => {
  const versions = await openVersions(template)
  const { datasets, ...manifest } = await versions.publish(1)
  versions.close()
  const { strikes: _, ...others } = datasets
  const old = { ...manifest, datasets: others }
  writeManifest(template, DATE, { ...old, revision: computeRevision(old) })
  db = await openDatabase({ threads: 1 })
  await db.run(`create table ledger.strikes as select
    date '${DATE}' as session_date, '09:31' as minute_et, 'vol' as book_basis,
    unnest([5900.0::double, 5905]) as strike, 1.5::double as call_musd, -2.5::double as put_musd`)
  const folder = findCopy(template)
  const disk = installFaults(folder)
  await add(folder).finally(disk.restore)
  expected = findState(folder)
  callCount = disk.calls()
})
afterAll(() => db.close())

const additions = (folder: string, { inputs }: PublishedManifest) => ({
  replaces: manifestVersion(folder, DATE),
  names: ['strikes'],
  inputs,
  codeVersion: 'new',
  atMs: Date.parse('2026-10-16T01:00:00Z'),
})

async function add(folder: string): Promise<void> {
  const before = readManifest(folder, DATE)!
  await addDatasets(db, folder, before, additions(folder, before))
  await renewViews(folder)
}

async function addWith(folder: string, fault: Fault): Promise<unknown> {
  const disk = installFaults(folder, fault)
  try {
    await add(folder)
    return null
  } catch (error) {
    return error
  } finally {
    disk.restore()
  }
}

/** Adds it again where the session still lacks it; the views are renewed in any case. */
async function finish(folder: string): Promise<void> {
  if (readManifest(folder, DATE)!.datasets.strikes === undefined) await add(folder)
  else await renewViews(folder)
}

/** Without what the dead began to write: nobody reads it. */
const withoutRemains = (state: Record<string, string>) =>
  Object.fromEntries(Object.entries(state).filter(([path]) => !/^work\/|\.tmp(\/|$)/.test(path)))

test.each(['EIO', 'ENOSPC'] as const)(
  'an addition that meets %s reports it, leaves no half file, and can be repeated',
  async kind => {
    for (const at of findSample(callCount, kind === 'EIO' ? 5 : 6, 8)) {
      await counted('errors at a call', async () => {
        const folder = findCopy(template)
        expect(await addWith(folder, { at, kind }), `call ${at}`).toMatchObject({ code: kind })
        await expectReadable(folder, DATE)
        expect(
          [...listWork(folder), ...globSync('**/*.tmp', { cwd: folder })],
          `call ${at}`,
        ).toEqual([])
        await finish(folder)
        expect(findState(folder), `call ${at}`).toEqual(expected)
      })
    }
  },
)

test('one that stops at a call, without cleaning up, is taken up by the next', async () => {
  const seen = new Set<string>()
  for (const at of findSample(callCount, 7, 12)) {
    await counted('kills at a call', async () => {
      const folder = findCopy(template)
      await addWith(folder, { at, kind: 'stop' })
      bury(folder)
      await expectReadable(folder, DATE)
      seen.add(readManifest(folder, DATE)!.datasets.strikes === undefined ? 'without' : 'with')
      await finish(folder)
      expect(withoutRemains(findState(folder)), `call ${at}`).toEqual(expected)
    })
  }
  expect([...seen]).toEqual(['without', 'with'])
})

test('a session that was republished meanwhile is left alone', async () => {
  const folder = findCopy(template)
  const before = readManifest(folder, DATE)!
  const stale = additions(folder, before)
  await add(folder)
  const state = findState(folder)
  await expect(addDatasets(db, folder, before, stale)).rejects.toThrow(
    '2026-10-15 was published anew meanwhile; run it again.',
  )
  expect(findState(folder)).toEqual(state)
})
