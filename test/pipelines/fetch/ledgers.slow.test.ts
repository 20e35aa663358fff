// Ledgers of fetched days: the same bytes as those of the same rows, imported by hand from whole
// files that no connector has requested. A second fetch requests no rows.

import { rmSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { DATABENTO } from '../../../pipelines/fetch/databento/source.ts'
import { MASSIVE } from '../../../pipelines/fetch/massive/source.ts'
import type { DataSource } from '../../../pipelines/fetch/source.ts'
import { THETADATA } from '../../../pipelines/fetch/thetadata/source.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { fetchDays } from '../../support/fetch.ts'
import { importFiles, newFile, newFolder } from '../../support/import.ts'
import { type SimulatedFolder, simulateSmall } from '../../support/simulated.ts'
import { DATABENTO_KEY, startDatabento } from '../../support/sources/databento.ts'
import {
  MASSIVE_KEYS,
  massiveIndexKey,
  massiveTradesKey,
  startMassive,
} from '../../support/sources/massive.ts'
import { receive } from '../../support/sources/request.ts'
import { readSimulatedDay, type SimulatedDay } from '../../support/sources/simulatedDay.ts'
import { startThetadata } from '../../support/sources/thetadata.ts'

const DAY = '2026-10-15'
const NOW_MS = instantMs('2026-10-17', '12:00')

let simulated: SimulatedFolder
let day: SimulatedDay
const folders: string[] = []

beforeAll(async () => {
  simulated = await simulateSmall({ date: DAY, prints: 2000, contracts: 150, hasQuotes: true })
  day = await readSimulatedDay(simulated)
})
afterAll(() => {
  simulated.remove()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const openFolder = (): string => {
  const folder = newFolder()
  folders.push(folder)
  return folder
}

type HandFile = readonly [format: string, content: string | Uint8Array]

/** Hashes of all published datasets of files that are imported by hand. */
async function buildByHand(files: readonly HandFile[]) {
  const dataFolder = openFolder()
  for (const [index, [format, content]] of files.entries()) {
    const file = newFile(`${format}-${index}.csv`, content)
    const { code, error } = await importFiles(dataFolder, '--day', DAY, format, file)
    expect([code, error]).toEqual([0, ''])
  }
  return buildHashes(dataFolder)
}

async function buildFetched(
  source: DataSource,
  url: string,
  keys: Readonly<Record<string, string>> = {},
) {
  const dataFolder = openFolder()
  const request = { dataFolder, source, url, days: [DAY], nowMs: NOW_MS, keys }
  const { days } = await fetchDays(request)
  expect(days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  const again = await fetchDays(request)
  expect([again.missing, again.days]).toEqual([[], []])
  return buildHashes(dataFolder)
}

/** Hashes of the published datasets; the report on the tape names the files it came from. */
async function buildHashes(dataFolder: string) {
  const { datasets } = await buildDay({ dataFolder, date: DAY, progress: silent })
  const hashes = Object.entries(datasets).map(([name, { sha256, rows }]) => [name, rows, sha256])
  expect(hashes.length).toBeGreaterThan(10)
  return hashes.filter(([name]) => name !== 'tape_report')
}

test('ThetaData: the published datasets are those of whole files', async () => {
  const server = await startThetadata(day.thetadata)
  const fetched = await buildFetched(THETADATA, server.url)
  const whole = `date=${DAY}&start_time=00:00:00&end_time=23:59:59.999`
  const targets = ['SPX', 'SPXW'].flatMap(root => [
    ['thetadata-trade-quote', `option/history/trade_quote?symbol=${root}&expiration=*&${whole}`],
    ['thetadata-quote', `option/history/quote?symbol=${root}&expiration=*&interval=1m&${whole}`],
    [
      'thetadata-open-interest',
      `option/history/open_interest?symbol=${root}&expiration=*&date=${DAY}`,
    ],
  ])
  targets.push(['thetadata-index-price', `index/history/price?symbol=SPX&interval=1s&${whole}`])
  const files: HandFile[] = []
  for (const [format, target] of targets)
    files.push([format!, (await receive(`${server.url}/v3/${target}`)).body])
  const limit = THETADATA.concurrent
  expect(server.maxInFlight()).toBeLessThanOrEqual(limit)
  await server.close()
  expect(fetched).toEqual(await buildByHand(files))
})

test('Databento: the published datasets are those of whole files, the index by parity', async () => {
  const server = await startDatabento({ records: day.databento })
  const fetched = await buildFetched(DATABENTO, server.url, { DATABENTO_API_KEY: DATABENTO_KEY })
  const authorization = `Basic ${Buffer.from(`${DATABENTO_KEY}:`).toString('base64')}`
  const files: HandFile[] = []
  for (const schema of ['tcbbo', 'cbbo-1m', 'statistics']) {
    const fields = new URLSearchParams({
      dataset: 'OPRA.PILLAR',
      symbols: 'SPX.OPT,SPXW.OPT',
      stype_in: 'parent',
      schema,
      start: '2026-10-15T00:15:00Z',
      end: schema === 'statistics' ? '2026-10-15T13:30:00Z' : '2026-10-15T21:00:00Z',
      encoding: 'csv',
      compression: 'zstd',
      pretty_px: 'true',
      pretty_ts: 'true',
      map_symbols: 'true',
    })
    const { status, body } = await receive(`${server.url}/v0/timeseries.get_range?${fields}`, {
      headers: { authorization },
    })
    expect(status).toBe(200)
    files.push([`databento-${schema}`, zstdDecompressSync(body)])
  }
  await server.close()
  expect(fetched).toEqual(await buildByHand(files))
})

test('Massive: the published datasets are those of the two files', async () => {
  const server = await startMassive({ files: day.massive, nowMs: () => NOW_MS })
  const fetched = await buildFetched(MASSIVE, server.url, {
    MASSIVE_ACCESS_KEY_ID: MASSIVE_KEYS.accessKey,
    MASSIVE_SECRET_ACCESS_KEY: MASSIVE_KEYS.secretKey,
  })
  await server.close()
  const content = (key: string) => day.massive[key]!.content as Uint8Array
  const files: HandFile[] = [
    ['massive-trades', content(massiveTradesKey(DAY))],
    ['massive-index-values', content(massiveIndexKey(DAY))],
  ]
  expect(fetched).toEqual(await buildByHand(files))
})
