// Fetches that the scheduler starts: which days are due, and one that runs in its own process.

import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MASSIVE } from '../../../pipelines/fetch/massive/source.ts'
import { planFetch } from '../../../pipelines/fetch/run.ts'
import { THETADATA } from '../../../pipelines/fetch/thetadata/source.ts'
import { TREASURY } from '../../../pipelines/fetch/treasury/source.ts'
import {
  createFetcher,
  dueFetches,
  findNightlySource,
} from '../../../pipelines/upkeep/dueFetches.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readSourceState, writeResponse } from '../../../src/data/fetched/responses.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { newFolder } from '../../support/import.ts'
import { simulateSmall } from '../../support/simulated.ts'
import { readSimulatedDay } from '../../support/sources/simulatedDay.ts'
import { startThetadata } from '../../support/sources/thetadata.ts'

let dataFolder: string
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Stores an empty response for all parts of a day. */
function storeDay(source: typeof THETADATA, day: string, fetched_at: string): void {
  for (const { file } of planFetch(dataFolder, source, [day], Date.parse(fetched_at)).missing) {
    const made = { request: '', bytes: 0, sha256: '', version: null, rows: 0 }
    const state = { imported_at: null, restated_as: null }
    const key = { format: 1, source: source.name, day: folderOf(source, day), file } as const
    writeResponse(dataFolder, { ...key, ...made, ...state, fetched_at })
  }
}

const folderOf = (source: typeof THETADATA, day: string) =>
  source.isBySession ? day : day.slice(0, 4)

test('a session is due from the time at which its source has it, for seven days', () => {
  // Thursday; Monday 12 is a session
  const closed = instantMs('2026-10-15', '16:15')
  const before = ['2026-10-08', '2026-10-09', '2026-10-12', '2026-10-13', '2026-10-14']
  expect(dueFetches(dataFolder, THETADATA, closed)).toEqual(before)
  expect(dueFetches(dataFolder, THETADATA, closed + 15 * 60_000)).toEqual([...before, '2026-10-15'])
  expect(dueFetches(dataFolder, MASSIVE, instantMs('2026-10-16', '10:59'))).not.toContain(
    '2026-10-15',
  )
  expect(dueFetches(dataFolder, MASSIVE, instantMs('2026-10-16', '11:00'))).toContain('2026-10-15')
})

test('what is stored is not due; yields are, once a weekday after they came out', () => {
  const atMs = instantMs('2026-10-15', '18:30')
  storeDay(THETADATA, '2026-10-15', '2026-10-15T21:00:00Z')
  expect(dueFetches(dataFolder, THETADATA, atMs)).not.toContain('2026-10-15')
  expect(dueFetches(dataFolder, TREASURY, atMs)).toEqual(['2026-10-15'])
  storeDay(TREASURY, '2026-10-15', '2026-10-15T22:10:00Z')
  expect(dueFetches(dataFolder, TREASURY, atMs)).toEqual([])
  expect(dueFetches(dataFolder, TREASURY, instantMs('2026-10-16', '17:59'))).toEqual([])
  expect(dueFetches(dataFolder, TREASURY, instantMs('2026-10-16', '18:00'))).toEqual(['2026-10-16'])
})

test('a source of the present alone, an unknown one and one without its key are refused', () => {
  const find = (name: string) => () => findNightlySource(name, dataFolder, {})
  expect(find('cboe-delayed')).toThrow(/^--fetch is cboe-delayed; give one of treasury, fred,/)
  expect(find('nothing')).toThrow(/^--fetch is nothing; give one of/)
  expect(find('databento')).toThrow(/^databento needs a key: set DATABENTO_API_KEY/)
  expect(findNightlySource('thetadata', dataFolder, {})).toBe(THETADATA)
})

test('due days are fetched in a process of their own; one without data does not stop the others', async () => {
  const simulated = await simulateSmall({
    date: '2026-10-15',
    prints: 200,
    contracts: 40,
    hasQuotes: true,
  })
  const server = await startThetadata((await readSimulatedDay(simulated)).thetadata)
  vi.stubEnv('TAPEFOLD_THETADATA_URL', server.url)
  for (const day of ['2026-10-09', '2026-10-12', '2026-10-13', '2026-10-14'])
    storeDay(THETADATA, day, '2026-10-15T20:00:00Z')
  const nowMs = { value: instantMs('2026-10-15', '17:00') }
  const clock = { nowMs: () => nowMs.value }
  const lines: string[] = []
  const fetchDue = createFetcher({
    dataFolder,
    source: THETADATA,
    clock,
    say: line => lines.push(line),
  })
  try {
    expect(await fetchDue()).toBe(false)
    expect(lines.join('\n')).toMatch(
      /2026-10-08 {2}nothing new came; not imported: thetadata has no/,
    )
    expect(lines.join('\n')).toMatch(/2026-10-15 {2}\d+ files, .*; imported .* prints/)
    expect(readTapeManifest(dataFolder, '2026-10-15').batches.length).toBeGreaterThan(4)
    expect(readSourceState(dataFolder, 'thetadata')?.problem).toMatch(/^thetadata has no/)
    // it rests for half an hour, then requests the day again
    const count = server.requests.length
    expect(await fetchDue()).toBe(false)
    expect(server.requests.length).toBe(count)
    storeDay(THETADATA, '2026-10-08', '2026-10-15T21:00:00Z')
    expect(await fetchDue()).toBe(true)
    expect(readSourceState(dataFolder, 'thetadata')?.due_at).toBe('2026-10-16T21:30:00.000Z')
  } finally {
    await server.close()
    simulated.remove()
  }
})
