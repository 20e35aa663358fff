// State of the disk when publishing a state of a running session fails, or is killed, at any of
// its calls, and after the next. A seeded sample; all calls with CHAOS=all (npm run chaos).

import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveSession, openLiveSession } from '../../../pipelines/live/step.ts'
import { damagedFiles } from '../../../src/core/disk/files.ts'
import type { Database } from '../../../src/core/engine/database.ts'
import { findTradingSession, instantMs, wallTimeEt } from '../../../src/core/market/calendar.ts'
import {
  liveFolder,
  publishState,
  readLiveManifest,
} from '../../../src/data/published/liveManifest.ts'
import { bury, counted, findCopy, findSample, findState, listWork } from '../../support/chaos.ts'
import { type Fault, installFaults } from '../../support/faultyDisk.ts'
import { newFolder } from '../../support/import.ts'
import { DATE, importedTape, simulateLive } from '../../support/liveTape.ts'

const MINUTE_MS = 60_000
const FIRST_MS = instantMs(DATE, '09:40')
const template = newFolder()
let live: LiveSession
let expected: Record<string, string>
let callCount = 0

beforeAll(async () => {
  const dataFolder = await importedTape(await simulateLive({ prints: 20_000 }))
  const session = findTradingSession(DATE)!
  live = await openLiveSession({ dataFolder, session, symbol: 'SPX', minPremiumUsd: 50_000 })
  await live.advance(FIRST_MS)
  await publish(template, FIRST_MS)
  await live.advance(FIRST_MS + MINUTE_MS)
  const folder = findCopy(template)
  const disk = installFaults(folder)
  await publish(folder).finally(disk.restore)
  callCount = disk.calls()
  expected = findState(folder)
})
afterAll(() => live.close())

/** Publishes the state at which the session stands. */
async function publish(folder: string, untilMs = FIRST_MS + MINUTE_MS, db: Database = live.db) {
  const { minute } = wallTimeEt(untilMs)
  return publishState(db, folder, {
    session_date: DATE,
    symbol: 'SPX',
    simulated: true,
    asof: `${minute}:00`,
    code_version: 'test',
    min_premium_usd: 50_000,
    minute,
    knownBeforeMs: untilMs,
    replaces: readLiveManifest(folder, DATE)?.revision ?? null,
    minutes: { expected: 11, present: 11, missing: [] },
  })
}

async function publishWith(folder: string, fault: Fault): Promise<unknown> {
  const disk = installFaults(folder, fault)
  try {
    await publish(folder)
    return null
  } catch (error) {
    return error
  } finally {
    disk.restore()
  }
}

/** Whatever happened: one whole state is served. */
async function expectWhole(folder: string): Promise<string> {
  const manifest = readLiveManifest(folder, DATE)!
  const files = Object.values(manifest.live.files).flat()
  expect(await damagedFiles(liveFolder(folder), files)).toEqual([])
  return manifest.live.minute
}

test.each(['EIO', 'ENOSPC'] as const)(
  'a state whose publishing meets %s is reported, leaves nothing, and can be repeated',
  async kind => {
    for (const at of findSample(callCount, kind === 'EIO' ? 1 : 2, 10)) {
      await counted('errors at a call', async () => {
        const folder = findCopy(template)
        expect(await publishWith(folder, { at, kind }), `call ${at}`).toMatchObject({ code: kind })
        await expectWhole(folder)
        expect(
          [...listWork(folder), ...globSync('**/*.tmp', { cwd: folder })],
          `call ${at}`,
        ).toEqual([])
        await publish(folder)
        expect(findState(folder), `call ${at}`).toEqual(expected)
      })
    }
  },
)

test('one that stops at a call, without cleaning up, is taken up by the next', async () => {
  const served = new Set<string>()
  for (const at of findSample(callCount, 3, 24)) {
    await counted('kills at a call', async () => {
      const folder = findCopy(template)
      await publishWith(folder, { at, kind: 'stop' })
      bury(folder)
      served.add(await expectWhole(folder))
      await publish(folder)
      expect(findState(folder), `call ${at}`).toEqual(expected)
    })
  }
  expect([...served]).toEqual(['09:40', '09:41'])
})

test('files that a killed step wrote, and superseded late data, are gone', async () => {
  const folder = findCopy(template)
  await publishWith(folder, { at: callCount - 6, kind: 'stop' })
  bury(folder)
  expect(await expectWhole(folder)).toBe('09:40')
  const strays = globSync('live/*/*/0941-*', { cwd: folder })
  expect(strays.length).toBeGreaterThan(6)
  // what came in between makes other bytes of the same state
  await live.db.run('create table live.saved_levels as from live.state_levels')
  await live.db.run('update live.state_levels set spot = spot + 1')
  await publish(folder)
  await live.db.run('create or replace table live.state_levels as from live.saved_levels')
  const named = Object.values(readLiveManifest(folder, DATE)!.live.files).flat()
  const readable = globSync('**/*.parquet', { cwd: liveFolder(folder) })
  expect(readable.sort()).toEqual(named.map(({ file }) => file).sort())
})
