// The files of a session in any order of arrival: a feed waits for the first print or quote.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { openFeed } from '../../../pipelines/live/feed.ts'
import { instantMs, MINUTE_MS } from '../../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { runScript } from '../../support/commands.ts'
import { newFolder } from '../../support/import.ts'
import { listMinuteRows } from '../../support/liveMinutes.ts'
import { runs } from '../../support/runs.ts'
import { type SimulatedFolder, simulateSmall } from '../../support/simulated.ts'

const DATE = '2026-10-15'
const FEED = join(import.meta.dirname, '../../../pipelines/live/feed.ts')
/** Names of spool files that tell the index of the session. */
const FIRST_ROWS = ['prints.parquet', 'quotes.parquet']
const OTHERS = [
  'open-interest.parquet',
  'dealer-positions.parquet',
  'spots.parquet',
  'rates.parquet',
  'prints-of-yesterday.parquet',
  'definitions.csv',
]
const parts = mkdtempSync(join(tmpdir(), 'tapefold-arrivals-'))
let [today, yesterday]: SimulatedFolder[] = []

beforeAll(async () => {
  const size = { prints: 3000, contracts: 200, hasQuotes: true }
  today = await simulateSmall({ ...size, date: DATE })
  yesterday = await simulateSmall({ ...size, date: '2026-10-14' })
  for (const name of [...FIRST_ROWS, ...OTHERS.slice(0, 4)])
    copyFileSync(join(today.folder, name.replace('-', '_')), join(parts, name))
  copyFileSync(join(yesterday.folder, 'prints.parquet'), join(parts, OTHERS[4]!))
  writeFileSync(join(parts, OTHERS[5]!), 'raw_symbol,strike_price\nSPX   261015C05900000,5900\n')
})
afterAll(() => {
  today?.remove()
  yesterday?.remove()
  rmSync(parts, { recursive: true, force: true })
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

test('1 file of open interest alone at 11:00: the feed waits, and ends with 0 when it looks once', async () => {
  const [dataFolder, spool] = [newFolder(), newFolder()]
  mkdirSync(spool, { recursive: true })
  copyFileSync(join(parts, 'open-interest.parquet'), join(spool, 'open-interest.parquet'))
  const args = [DATE, '--spool', spool, '--once', '--simulated', '--clock', `${DATE}T11:00x0`]
  const { code, out, error } = await runScript(FEED, args, dataFolder)
  expect([code, error]).toEqual([0, ''])
  expect(out).toMatch(
    /the session of 2026-10-15 has not begun: no minute of it is published yet\n$/,
  )
  for (const folder of [dataFolder, spool]) rmSync(folder, { recursive: true, force: true })
})
