// Days that a vendor replaces later: reported, fetched again only when requested, and then once.
// kills.process.test.ts kills such a fetch.

import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DATABENTO } from '../../../pipelines/fetch/databento/source.ts'
import { MASSIVE } from '../../../pipelines/fetch/massive/source.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { fetchDays } from '../../support/fetch.ts'
import { DAY, massiveRows, NOW_MS } from '../../support/fetchPart.ts'
import { newFolder, tapeRows } from '../../support/import.ts'
import {
  DATABENTO_KEY,
  type DatabentoOptions,
  startDatabento,
} from '../../support/sources/databento.ts'
import {
  gzipRows,
  MASSIVE_COLUMNS,
  MASSIVE_KEYS,
  type MassiveSource,
  massiveIndexKey,
  massiveTradesKey,
  startMassive,
} from '../../support/sources/massive.ts'
import type { Source as Server } from '../../support/sources/serve.ts'
import type { VendorRow } from '../../support/sources/tables.ts'

let dataFolder: string
let server: Server
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(async () => {
  await server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

const FILE = `${DAY}/massive-trades-${DAY}.csv.gz`

const file = async (rows: VendorRow[], version: number) => ({
  content: await gzipRows(MASSIVE_COLUMNS.trades, rows),
  modifiedMs: NOW_MS - 7_200_000 + version * 60_000,
})

/** The rows of a replaced file: some are gone, one has another size, one is new. */
const replacedRows = () => {
  const rows = massiveRows(DAY, 61).map(row => ({ ...row }))
  rows[3]!.size = 99
  return rows.filter((_, index) => index < 20 || index > 30)
}

async function startTwoFiles(): Promise<MassiveSource> {
  const index = massiveRows(DAY, 5).map(({ sip_timestamp }, at) => ({
    ticker: 'I:SPX',
    value: 5800 + at,
    timestamp: sip_timestamp!,
  }))
  const started = await startMassive({
    nowMs: () => NOW_MS,
    files: {
      [massiveTradesKey(DAY)]: await file(massiveRows(DAY, 60), 1),
      [massiveIndexKey(DAY)]: {
        content: await gzipRows(MASSIVE_COLUMNS.index, index),
        modifiedMs: NOW_MS - 7_200_000,
      },
    },
  })
  server = started
  return started
}

const fetchMassive = (isRestated = false) =>
  fetchDays({
    dataFolder,
    source: MASSIVE,
    url: server.url,
    days: [DAY],
    nowMs: NOW_MS,
    keys: {
      MASSIVE_ACCESS_KEY_ID: MASSIVE_KEYS.accessKey,
      MASSIVE_SECRET_ACCESS_KEY: MASSIVE_KEYS.secretKey,
    },
    isRestated,
  })

/** Prints of the tape as lines, in an order of their own. */
const prints = async (folder = dataFolder) =>
  (
    await tapeRows(
      folder,
      DAY,
      'select printed_at::varchar || strike || size::varchar as line from tape.prints order by all',
    )
  ).map(({ line }) => line)

const spotBatches = () =>
  readTapeManifest(dataFolder, DAY).batches.filter(({ dataset }) => dataset === 'spots')

const countFiles = () => server.requests.filter(({ path }) => path.endsWith('.csv.gz')).length

test('Massive: a replaced file is reported and not fetched; --restated replaces its rows once', async () => {
  const massive = await startTwoFiles()
  const first = await fetchMassive()
  expect(first.days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  const [before, spots, requested] = [await prints(), spotBatches(), countFiles()]
  expect(before.length).toBe(60)

  massive.publish(massiveTradesKey(DAY), await file(replacedRows(), 2))
  for (const _ of [1, 2]) {
    const plain = await fetchMassive()
    expect([plain.restated, plain.missing, plain.days]).toEqual([[FILE], [], []])
  }
  expect([await prints(), countFiles()]).toEqual([before, requested])

  const again = await fetchMassive(true)
  expect(again.days.map(({ problem, files }) => [problem, files])).toEqual([[null, 1]])
  const after = await prints()
  expect(after.length).toBe(50)
  expect(after.filter(line => !before.includes(line)).length).toBe(2)
  expect(before.filter(line => !after.includes(line)).length).toBe(12)
  expect(spotBatches()).toEqual(spots)
  expect(countFiles()).toBe(requested + 1)

  const last = await fetchMassive(true)
  expect([last.restated, last.missing, last.days]).toEqual([[], [], []])
  expect([await prints(), countFiles()]).toEqual([after, requested + 1])
})

const OSI = 'SPXW  261016C05800000'
const head = (at: string, rtype: number, index: number): VendorRow => ({
  ts_recv: at,
  ts_event: at,
  rtype,
  publisher_id: 22,
  instrument_id: index + 1,
  symbol: OSI,
})
const BOOK: VendorRow = {
  bid_px_00: '10.000000000',
  ask_px_00: '10.400000000',
  bid_sz_00: 10,
  ask_sz_00: 12,
  bid_pb_00: 22,
  ask_pb_00: 22,
}
/** UTC instants of the session, so many minutes after 09:30 ET. */
const instant = (minutes: number) =>
  `${new Date(Date.parse(`${DAY}T13:30:00Z`) + minutes * 60_000).toISOString().slice(0, 19)}.000000000Z`

const trade = (index: number): VendorRow => ({
  ...head(instant(index * 10), 194, index),
  action: 'T',
  side: 'N',
  price: '10.200000000',
  size: 1 + index,
  flags: 192,
  ts_in_delta: 0,
  ...BOOK,
})

const records = (trades: readonly VendorRow[]) => ({
  tcbbo: new Map([[DAY, trades]]),
  'cbbo-1m': new Map([
    [
      DAY,
      Array.from({ length: 30 }, (_, index) => ({
        ...head(instant(index * 15), 193, index),
        side: 'N',
        price: '',
        size: 0,
        flags: 128,
        ...BOOK,
      })),
    ],
  ]),
  statistics: new Map([
    [
      DAY,
      [
        {
          ...head(`${DAY}T10:30:00.000000000Z`, 24, 0),
          ts_ref: '',
          price: '',
          quantity: 500,
          sequence: 0,
          ts_in_delta: 0,
          stat_type: 9,
          channel_id: 0,
          update_action: 1,
          stat_flags: 0,
        },
      ],
    ],
  ]),
})

/** Starts a server with 40 trades of the day; returns it, what it serves, and a fetch of the day. */
async function startTrades(options: Omit<DatabentoOptions, 'records'> = {}) {
  const served = records(Array.from({ length: 40 }, (_, index) => trade(index)))
  const databento = await startDatabento({
    records: served,
    available: { start: '2013-04-01T00:00:00.000000000Z', end: '2026-10-17T00:00:00.000000000Z' },
    ...options,
  })
  server = databento
  const request = {
    dataFolder,
    source: DATABENTO,
    url: server.url,
    days: [DAY],
    nowMs: NOW_MS,
    keys: { DATABENTO_API_KEY: DATABENTO_KEY },
  }
  return { databento, served, request }
}

test('Databento: 206 and a degraded day are a success with remarks, and nothing is charged twice', async () => {
  const { databento, request } = await startTrades({
    // the day has no SPX: SPX.OPT is not resolved
    roots: ['SPXW'],
    conditions: { [DAY]: { condition: 'degraded', last_modified_date: DAY } },
  })
  const [day] = (await fetchDays(request)).days
  expect(day!.problem).toBeNull()
  expect(day!.notes.filter(note => note.startsWith('databento'))).toEqual([
    'databento knows only some of SPX.OPT,SPXW.OPT on that day (206).',
    expect.stringMatching(/^databento says: .*reduced quality: 2026-10-15 \(degraded\)/),
  ])
  expect((await prints()).length).toBe(40)
  const { batches } = readTapeManifest(dataFolder, DAY)
  expect(batches.map(({ degraded }) => degraded)).toEqual(batches.map(() => true))
  const [requested, spent] = [databento.requests.length, databento.spentUsd()]
  expect(spent).toBeGreaterThan(0)
  expect((await fetchDays(request)).days).toEqual([])
  const later = databento.requests.slice(requested).map(({ path }) => path)
  expect([later.filter(path => path.includes('timeseries')), databento.spentUsd()]).toEqual([
    [],
    spent,
  ])
})

test('Databento: a day that was modified since is reported, and replaced with --restated', async () => {
  const { databento, served, request } = await startTrades()
  const countRows = () => server.requests.filter(({ path }) => path.includes('timeseries')).length
  const first = await fetchDays(request)
  expect(first.days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  const [before, requested] = [await prints(), countRows()]
  expect(before.length).toBe(40)

  served.tcbbo.set(
    DAY,
    served.tcbbo
      .get(DAY)!
      .filter((_, index) => index !== 7)
      .map((row, index) => (index === 3 ? { ...row, size: 77 } : row)),
  )
  databento.setCondition(DAY, { condition: 'available', last_modified_date: '2026-10-20' })
  const plain = await fetchDays(request)
  expect(plain.restated.length).toBe(requested)
  expect([plain.missing, plain.days, countRows()]).toEqual([[], [], requested])
  expect(await prints()).toEqual(before)

  const again = await fetchDays({ ...request, isRestated: true })
  expect(again.days.map(({ problem }) => problem?.message ?? null)).toEqual([null])
  const after = await prints()
  expect(after.length).toBe(39)
  expect(after.filter(line => !before.includes(line)).length).toBe(1)
  expect(countRows()).toBe(2 * requested)
  expect((await fetchDays(request)).restated).toEqual([])
})
