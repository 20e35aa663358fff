// The nightly jobs on a real data folder.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { schedulerWork } from '../../../pipelines/upkeep/schedulerWork.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { LOG_RETENTION_MS } from '../../../src/outbox/store/expired.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { eventId, NOW, newReceiver, single } from '../../support/outbox.ts'
import { openVersions } from '../../support/versions.ts'

let dataFolder: string

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-work-'))
  vi.stubEnv('DATABASE_URL', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dataFolder, { recursive: true, force: true })
})

const open = () =>
  schedulerWork({
    dataFolder,
    databaseUrl: null,
    workerCount: 1,
    sources: [],
    clock: systemClock,
    say: () => {},
  })
const forget = (beforeMs: number) => open().forget(beforeMs)

test('events of more than 30 days ago are deleted, and one of 30 days ago stays', async () => {
  const file = join(dataFolder, 'accounts.sqlite')
  const store = await openAccountStore(file)
  const accountId = await newReceiver(store)
  for (const [number, atMs] of [
    NOW - LOG_RETENTION_MS - 1,
    NOW - LOG_RETENTION_MS,
    NOW,
  ].entries()) {
    await store.outbox.queueEvent(single(number, accountId, { channels: [], atMs }))
  }
  expect(LOG_RETENTION_MS).toBe(2_592_000_000)
  expect(await forget(NOW)).toBe(1)
  const query = { accountId, afterSeq: 0, limit: 9, hasPutSupport: false }
  const left = await store.outbox.listEvents(query)
  expect(left.map(one => one.id)).toEqual([eventId(1), eventId(2)])
  expect(await forget(NOW)).toBe(0)
  await store.close()
})

test('where nobody has an account nothing is deleted, and no database is made', async () => {
  expect(await forget(NOW)).toBe(0)
  expect(existsSync(join(dataFolder, 'accounts.sqlite'))).toBe(false)
})

test('months are written of the finished sessions that are published', async () => {
  expect(await open().months()).toMatchObject({ written: [], faults: [] })
  const versions = await openVersions(dataFolder, '2026-10-14', ['orders', 'levels'])
  await versions.publish(1)
  versions.close()
  expect((await open().months()).written).toEqual(['month=2026-10-simulated'])
  expect((await open().months()).written).toEqual([])
})
