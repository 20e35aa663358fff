// Days of the sources of few files, each against its test server. Those of many files, and the
// ledgers of all, are in ledgers.slow.test.ts.

import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CBOE_DELAYED } from '../../../pipelines/fetch/cboe-delayed/source.ts'
import { FRED } from '../../../pipelines/fetch/fred/source.ts'
import { MASSIVE } from '../../../pipelines/fetch/massive/source.ts'
import { TREASURY } from '../../../pipelines/fetch/treasury/source.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { fetchDays } from '../../support/fetch.ts'
import { newFolder } from '../../support/import.ts'
import { type SimulatedFolder, simulateSmall } from '../../support/simulated.ts'
import { startCboeDelayed } from '../../support/sources/cboeDelayed.ts'
import { FRED_KEY, startFred } from '../../support/sources/fred.ts'
import { MASSIVE_KEYS, startMassive } from '../../support/sources/massive.ts'
import type { Source as Server } from '../../support/sources/serve.ts'
import { readSimulatedDay, type SimulatedDay } from '../../support/sources/simulatedDay.ts'
import { startTreasury } from '../../support/sources/treasury.ts'

const DAY = '2026-10-15'
/** The morning after, when every source has the day. */
const NOW_MS = instantMs('2026-10-16', '12:00')

let simulated: SimulatedFolder
let day: SimulatedDay
let dataFolder: string
let server: Server | undefined

beforeAll(async () => {
  simulated = await simulateSmall({ date: DAY, prints: 2000, contracts: 400, hasQuotes: true })
  day = await readSimulatedDay(simulated)
})
afterAll(() => simulated.remove())
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(dataFolder, { recursive: true, force: true })
})

const counts = (date = DAY) =>
  Object.fromEntries(
    Object.entries(
      Object.groupBy(readTapeManifest(dataFolder, date).batches, ({ dataset }) => dataset),
    ).map(([name, batches]) => [name, batches!.reduce((sum, { rows }) => sum + rows, 0)]),
  )

const simulatedCount = async (name: string) =>
  Number((await simulated.rows(`select count(*) as count from {${name}}`))[0]!.count)

test('Massive: the file of the trades and that of the index', async () => {
  dataFolder = newFolder()
  server = await startMassive({ files: day.massive, nowMs: () => NOW_MS })
  const keys = {
    MASSIVE_ACCESS_KEY_ID: MASSIVE_KEYS.accessKey,
    MASSIVE_SECRET_ACCESS_KEY: MASSIVE_KEYS.secretKey,
  }
  const request = { dataFolder, source: MASSIVE, url: server.url, days: [DAY], nowMs: NOW_MS, keys }
  const { days } = await fetchDays(request)
  expect(days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  expect(counts().spots).toBe(await simulatedCount('spots'))
  expect(counts().prints).toBeGreaterThan(1900)
})

test("Cboe's delayed chain: quotes, open interest and the index", async () => {
  dataFolder = newFolder()
  server = await startCboeDelayed({ chains: { _SPX: day.cboeChain('11:00') } })
  const request = {
    dataFolder,
    source: CBOE_DELAYED,
    url: server.url,
    days: [DAY],
    nowMs: instantMs(DAY, '11:15') + 20_000,
  }
  const { days } = await fetchDays(request)
  expect(days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  expect(counts()).toMatchObject({ spots: 1, open_interest: await simulatedCount('open_interest') })
  expect(counts().quotes).toBeGreaterThan(300)
})

test('Treasury and FRED: the year, and the week', async () => {
  dataFolder = newFolder()
  const treasury = await startTreasury({ yields: { '2026-10-14': { '1 Mo': 4.1, '30 Yr': 4.6 } } })
  try {
    const { days } = await fetchDays({
      dataFolder,
      source: TREASURY,
      url: treasury.url,
      days: [DAY],
      nowMs: NOW_MS,
    })
    expect(days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
    expect(readTapeManifest(dataFolder, 'rates').batches.length).toBe(1)
  } finally {
    await treasury.close()
  }
  server = await startFred({
    dates: [{ release_id: 10, release_name: 'Consumer Price Index', date: DAY }],
  })
  const { days } = await fetchDays({
    dataFolder,
    source: FRED,
    url: server.url,
    days: [DAY],
    nowMs: NOW_MS,
    keys: { FRED_API_KEY: FRED_KEY },
  })
  expect(days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
})
