// Whole days of every source against its test server: what arrives on the tape is what the same
// rows give when they are imported by hand, and a second fetch asks for nothing.

import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CBOE_DELAYED } from '../../../pipelines/fetch/cboe-delayed/source.ts'
import { DATABENTO } from '../../../pipelines/fetch/databento/source.ts'
import { FRED } from '../../../pipelines/fetch/fred/source.ts'
import { MASSIVE } from '../../../pipelines/fetch/massive/source.ts'
import { THETADATA } from '../../../pipelines/fetch/thetadata/source.ts'
import { TREASURY } from '../../../pipelines/fetch/treasury/source.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { fetchDays } from '../../support/fetch.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { type SimulatedFolder, simulateSmall } from '../../support/simulated.ts'
import { startCboeDelayed } from '../../support/sources/cboeDelayed.ts'
import { DATABENTO_KEY, startDatabento } from '../../support/sources/databento.ts'
import { FRED_KEY, startFred } from '../../support/sources/fred.ts'
import { MASSIVE_KEYS, startMassive } from '../../support/sources/massive.ts'
import { receive } from '../../support/sources/request.ts'
import type { Source as Server } from '../../support/sources/serve.ts'
import { readSimulatedDay, type SimulatedDay } from '../../support/sources/simulatedDay.ts'
import { startThetadata } from '../../support/sources/thetadata.ts'
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

/** Rows of a dataset on the tape, as text that does not depend on their files. */
const tapeText = async (folder: string, dataset: string) =>
  JSON.stringify(
    await tapeRows(folder, DAY, `select * from tape.${dataset} order by all`),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  )

/** Asks a server for whole files, and imports them by hand; returns the data folder. */
async function importByHand(requests: readonly (readonly [format: string, target: string])[]) {
  const byHand = newFolder()
  for (const [index, [format, target]] of requests.entries()) {
    const { status, body } = await receive(`${server!.url}${target}`)
    expect([status, target]).toEqual([200, target])
    const file = newFile(`${format}-${index}.csv`, body)
    const { code, error } = await importFiles(byHand, '--day', DAY, format, file)
    expect([code, error]).toEqual([0, ''])
  }
  return byHand
}

const simulatedCount = async (name: string) =>
  Number((await simulated.rows(`select count(*) as count from {${name}}`))[0]!.count)

test('ThetaData: a day in windows, each row once; the second fetch asks for nothing', async () => {
  dataFolder = newFolder()
  server = await startThetadata(day.thetadata)
  const request = { dataFolder, source: THETADATA, url: server.url, days: [DAY], nowMs: NOW_MS }
  const { days } = await fetchDays(request)
  expect(days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  const whole = `date=${DAY}&start_time=00:00:00&end_time=23:59:59.999`
  const byHand = await importByHand([
    ...['SPX', 'SPXW'].flatMap(
      root =>
        [
          [
            'thetadata-trade-quote',
            `/v3/option/history/trade_quote?symbol=${root}&expiration=*&${whole}`,
          ],
          [
            'thetadata-quote',
            `/v3/option/history/quote?symbol=${root}&expiration=*&interval=1m&${whole}`,
          ],
          [
            'thetadata-open-interest',
            `/v3/option/history/open_interest?symbol=${root}&expiration=*&date=${DAY}`,
          ],
        ] as const,
    ),
    ['thetadata-index-price', `/v3/index/history/price?symbol=SPX&interval=1s&${whole}`],
  ])
  for (const dataset of ['prints', 'quotes', 'open_interest', 'spots']) {
    expect(await tapeText(dataFolder, dataset)).toBe(await tapeText(byHand, dataset))
  }
  expect(counts()).toMatchObject({
    open_interest: await simulatedCount('open_interest'),
    spots: await simulatedCount('spots'),
    quotes: await simulatedCount('quotes'),
  })
  rmSync(byHand, { recursive: true })
  expect(server.maxInFlight()).toBeLessThanOrEqual(THETADATA.concurrent)
  const asked = server.requests.length
  expect((await fetchDays(request)).days).toEqual([])
  expect(server.requests.length).toBe(asked)
})

test('Databento: a day in windows, open interest as it came out', async () => {
  dataFolder = newFolder()
  server = await startDatabento({ records: day.databento })
  const keys = { DATABENTO_API_KEY: DATABENTO_KEY }
  const request = {
    dataFolder,
    source: DATABENTO,
    url: server.url,
    days: [DAY],
    nowMs: NOW_MS,
    keys,
  }
  const { days } = await fetchDays(request)
  expect(days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  const { open_interest, prints, quotes } = counts()
  expect(open_interest).toBe(await simulatedCount('open_interest'))
  expect(prints).toBeGreaterThan(1900)
  expect(quotes).toBeGreaterThan(10_000)
  const [row] = await tapeRows(
    dataFolder,
    DAY,
    'select count(*)::integer as count from tape.open_interest where known_at >= session_date + interval 14 hours',
  )
  expect(row).toEqual({ count: 0 })
  const rows = server.requests.filter(({ path }) => path.includes('timeseries')).length
  await fetchDays(request)
  expect(server.requests.filter(({ path }) => path.includes('timeseries')).length).toBe(rows)
})

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
