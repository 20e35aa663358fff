import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LabMarket } from '../../../src/lab/market/session.ts'
import { cacheMarket } from '../../../src/lab/runs/engineChild.ts'
import { lastSessionAt } from '../../../src/lab/runs/lastSession.ts'
import { endWorker, isDead, newWorker } from '../../../src/lab/runs/runner.ts'
import { newFolder } from '../../support/import.ts'

test('a market is read again when more is published, or for later expiries', async () => {
  const dataFolder = newFolder()
  const folder = join(dataFolder, 'published', 'manifests')
  mkdirSync(folder, { recursive: true })
  const reads: unknown[] = []
  const market = cacheMarket(async (_, options) => {
    reads.push(options)
    return {} as LabMarket
  })
  const day = { dataFolder, through: '2026-10-14' }
  const first = await market({ ...day, dteMax: 1 })
  expect(await market({ ...day, dteMax: 0 })).toBe(first)
  expect(await market({ ...day, dteMax: 1 })).toBe(first)
  expect(reads).toEqual([{ dteMax: 1, through: '2026-10-14' }])
  const later = await market({ ...day, dteMax: 2 })
  expect(later).not.toBe(first)
  expect(await market({ ...day, dteMax: 1 })).toBe(later)
  expect(await market({ ...day, through: '2026-10-15', dteMax: 1 })).not.toBe(later)
  // a rename publishes a manifest
  const temporary = join(dataFolder, 'aside')
  writeFileSync(temporary, '{}')
  renameSync(temporary, join(folder, '2026-10-15.json'))
  await market({ ...day, through: '2026-10-15', dteMax: 1 })
  expect(reads).toHaveLength(4)
})

test.each([
  ['2026-10-15T10:00:00-04:00', '2026-10-14'],
  ['2026-10-15T16:14:59-04:00', '2026-10-14'],
  ['2026-10-15T16:15:00-04:00', '2026-10-15'],
  ['2026-10-17T12:00:00-04:00', '2026-10-16'],
  ['2026-11-27T13:15:00-05:00', '2026-11-27'],
])('at %s the last session that is over is that of %s', (at, day) => {
  expect(lastSessionAt(Date.parse(at))).toBe(day)
})

test('a worker is dead when its server is ended, or its process is gone', () => {
  const worker = newWorker()
  expect(isDead(worker)).toBe(false)
  const [machine] = worker.split('-')
  expect(isDead(`${machine}-4194304-aaaaaa`)).toBe(true)
  expect(isDead(`${machine}-1-aaaaaa`)).toBe(false)
  // of another machine nothing is known
  expect(isDead('00000000-4194304-aaaaaa')).toBe(false)
  endWorker(worker)
  expect(isDead(worker)).toBe(true)
})
