// The files of a session in any order of arrival: a feed waits for the first print or quote.

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { openFeed } from '../../../pipelines/live/feed.ts'
import { instantMs, MINUTE_MS } from '../../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { newFolder } from '../../support/import.ts'
import { listMinuteRows } from '../../support/liveMinutes.ts'
import { runs } from '../../support/runs.ts'
import { simulateSmall } from '../../support/simulated.ts'

const DATE = '2026-10-15'
/** Spool files that tell the index of the session, and all others. */
const FIRST_ROWS = ['prints.parquet', 'quotes.parquet']
const OTHERS = ['open-interest.parquet', 'dealer-positions.parquet', 'spots.parquet']
OTHERS.push('rates.parquet', 'prints-of-yesterday.parquet', 'definitions.csv')
const parts = mkdtempSync(join(tmpdir(), 'tapefold-arrivals-'))
afterAll(() => rmSync(parts, { recursive: true, force: true }))

beforeAll(async () => {
  const size = { prints: 3000, contracts: 200, hasQuotes: true }
  const today = await simulateSmall({ ...size, date: DATE })
  const yesterday = await simulateSmall({ ...size, date: '2026-10-14' })
  for (const name of [...FIRST_ROWS, ...OTHERS.slice(0, 4)])
    copyFileSync(join(today.folder, name.replace('-', '_')), join(parts, name))
  copyFileSync(join(yesterday.folder, 'prints.parquet'), join(parts, 'prints-of-yesterday.parquet'))
  writeFileSync(join(parts, 'definitions.csv'), 'raw_symbol\nSPX   261015C05900000\n')
  for (const { remove } of [today, yesterday]) remove()
})

/** Looks at a spool once a minute, each time with the next files; returns the states to 09:38. */
async function feedFiles(arrivals: readonly (readonly string[])[], lastMinute: string) {
  const [dataFolder, spool] = [newFolder(), newFolder()]
  let nowMs = instantMs(DATE, lastMinute) - (arrivals.length - 1) * MINUTE_MS + 3000
  const options = { dataFolder, date: DATE, spool, rows: null, simulated: true, graceMs: 3000 }
  const feed = await openFeed({ ...options, clock: { nowMs: () => nowMs }, progress: silent })
  try {
    for (const names of arrivals) {
      for (const name of names) copyFileSync(join(parts, name), join(spool, name))
      expect(await feed.look()).toBe(false)
      nowMs += MINUTE_MS
    }
    nowMs = instantMs(DATE, '09:38') + 3000
    await feed.look()
    const manifest = readLiveManifest(dataFolder, DATE)!
    const read = (name: string) => listMinuteRows(dataFolder, manifest, name, '09:38')
    return { minute: manifest.live.minute, levels: await read('levels'), flow: await read('flow') }
  } finally {
    await feed.close()
    for (const folder of [dataFolder, spool]) rmSync(folder, { recursive: true, force: true })
  }
}

test('files of a session in any order give the same 8 minutes, and none ends the feed', async () => {
  const expected = await feedFiles([[...OTHERS, ...FIRST_ROWS]], '09:29')
  expect(expected.minute).toBe('09:38')
  expect(expected.levels.length).toBeGreaterThan(7)
  const all = [...FIRST_ROWS, ...OTHERS]
  const beforeTheOpen = fc
    .shuffledSubarray(all, { minLength: all.length })
    .map(names => ({ arrivals: names.map(name => [name]), lastMinute: '09:29' }))
  const afterTheOpen = fc
    .shuffledSubarray(OTHERS, { minLength: OTHERS.length })
    .map(names => ({ arrivals: [...names.map(name => [name]), FIRST_ROWS], lastMinute: '09:36' }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(beforeTheOpen, afterTheOpen), async ({ arrivals, lastMinute }) => {
      expect(await feedFiles(arrivals, lastMinute)).toEqual(expected)
    }),
    { numRuns: runs(20, 3) },
  )
})
