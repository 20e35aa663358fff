// One file of each source: a small test server, and its fetch in this process with what it cost.

import { CBOE_DELAYED } from '../../pipelines/fetch/cboe-delayed/source.ts'
import { openClient } from '../../pipelines/fetch/client.ts'
import { DATABENTO } from '../../pipelines/fetch/databento/source.ts'
import { FRED } from '../../pipelines/fetch/fred/source.ts'
import { MASSIVE } from '../../pipelines/fetch/massive/source.ts'
import { readSettings } from '../../pipelines/fetch/settings.ts'
import { type DataSource, FetchProblem, type Part } from '../../pipelines/fetch/source.ts'
import { THETADATA } from '../../pipelines/fetch/thetadata/source.ts'
import { fetchPart, type TransferDeps } from '../../pipelines/fetch/transfer.ts'
import { TREASURY } from '../../pipelines/fetch/treasury/source.ts'
import { addDays, instantMs } from '../../src/core/market/calendar.ts'
import type { ResponseRecord } from '../../src/data/fetched/responses.ts'
import { type CboeChain, startCboeDelayed } from './sources/cboeDelayed.ts'
import { DATABENTO_KEY, startDatabento } from './sources/databento.ts'
import type { Fault } from './sources/faults.ts'
import { FRED_KEY, startFred } from './sources/fred.ts'
import {
  gzipRows,
  MASSIVE_COLUMNS,
  MASSIVE_KEYS,
  massiveTradesKey,
  startMassive,
} from './sources/massive.ts'
import type { Source as Server } from './sources/serve.ts'
import type { VendorRow } from './sources/tables.ts'
import { startThetadata } from './sources/thetadata.ts'
import { startTreasury } from './sources/treasury.ts'

export const DAY = '2026-10-15'
const EXPIRY = '2026-10-16'
/** The noon after the day, when every source has it. */
export const NOW_MS = instantMs('2026-10-16', '18:00')

/** Numbers of contracts in the rows of one file. */
const CONTRACTS = Array.from({ length: 300 }, (_, index) => index)

const thetaRow =
  (symbol: string, day: string) =>
  (index: number): VendorRow => ({
    symbol,
    expiration: EXPIRY,
    strike: `${5000 + 5 * index}.000`,
    right: 'CALL',
    timestamp: `${day}T06:30:00.000`,
    open_interest: 100 + index,
  })

const osi = (root: string, index: number, day = DAY) =>
  `${root.padEnd(6)}${addDays(day, 1).slice(2).replaceAll('-', '')}C${String((5000 + 5 * index) * 1000).padStart(8, '0')}`

const databentoRow =
  (day: string, root = 'SPXW') =>
  (index: number): VendorRow => ({
    ts_recv: `${day}T10:30:00.${String(index).padStart(9, '0')}Z`,
    ts_event: `${day}T10:30:00.000000000Z`,
    rtype: 24,
    publisher_id: 30,
    instrument_id: index + 1,
    ts_ref: `${day}T00:00:00.000000000Z`,
    price: '',
    quantity: 100 + index,
    sequence: index,
    ts_in_delta: 0,
    stat_type: 9,
    channel_id: 0,
    update_action: 1,
    stat_flags: 0,
    symbol: osi(root, index),
  })

/** Trades of a day in Massive's columns; sizes choose between versions of a file. */
export const massiveRows = (day: string, count: number, size = 1, root = 'SPXW'): VendorRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ticker: `O:${osi(root, index % 200, day).replaceAll(' ', '')}`,
    conditions: 227,
    correction: 0,
    exchange: 302,
    price: (2 + (index % 700) / 20).toFixed(2),
    sip_timestamp: `${instantMs(day, '10:00') + index * 10}000000`,
    size,
  }))

/** A chain of Cboe with few contracts. */
export const smallChain = (timestamp: string, root = 'SPXW'): CboeChain => ({
  timestamp,
  symbol: `_${root === 'SPXW' ? 'SPX' : root}`,
  data: {
    symbol: '^SPX',
    current_price: 5800.5,
    // New York's time in summer, a quarter of an hour before
    last_trade_time: new Date(Date.parse(`${timestamp}Z`) - 4.25 * 3_600_000)
      .toISOString()
      .slice(0, 19),
    options: CONTRACTS.map(index => ({
      option: osi(root, index).replaceAll(' ', ''),
      bid: 1.5,
      bid_size: 10,
      ask: 1.7,
      ask_size: 12,
      iv: 0.2,
      open_interest: 100 + index,
      volume: 5,
      delta: 0.5,
      gamma: 0.001,
      vega: 0.1,
      theta: -0.1,
      rho: 0.01,
      theo: 1.6,
      change: 0,
      open: 0,
      high: 0,
      low: 0,
      tick: 'up',
      last_trade_price: 1.6,
      last_trade_time: null,
      percent_change: 0,
      prev_day_close: 1.5,
    })),
  },
})

export type SmallSource = {
  readonly source: DataSource
  readonly server: Server
  readonly keys: Readonly<Record<string, string>>
  /** Its smallest file. */
  readonly part: Part
}

const OTHER_DAY = '2026-10-14'

/** A server of each source with one small file, rows of another day and of another symbol. */
export const SMALL: Readonly<Record<string, (faults?: readonly Fault[]) => Promise<SmallSource>>> =
  {
    thetadata: async (faults = []) => ({
      source: THETADATA,
      keys: {},
      part: findPart(THETADATA, 'thetadata-open-interest-SPX.csv'),
      server: await startThetadata({
        faults,
        openInterest: new Map(
          [DAY, OTHER_DAY].map(day => [
            day,
            ['SPX', 'SPXW'].flatMap(root => CONTRACTS.map(thetaRow(root, day))),
          ]),
        ),
      }),
    }),
    databento: async (faults = []) => ({
      source: DATABENTO,
      keys: { DATABENTO_API_KEY: DATABENTO_KEY },
      part: findPart(DATABENTO, 'databento-statistics.csv.zst'),
      server: await startDatabento({
        faults,
        roots: ['SPX', 'SPXW', 'XSP'],
        records: {
          statistics: new Map(
            [DAY, OTHER_DAY].map(day => [
              day,
              [...CONTRACTS.map(databentoRow(day)), ...CONTRACTS.map(databentoRow(day, 'XSP'))],
            ]),
          ),
        },
      }),
    }),
    massive: async (faults = []) => ({
      source: MASSIVE,
      keys: {
        MASSIVE_ACCESS_KEY_ID: MASSIVE_KEYS.accessKey,
        MASSIVE_SECRET_ACCESS_KEY: MASSIVE_KEYS.secretKey,
      },
      part: findPart(MASSIVE, `massive-trades-${DAY}.csv.gz`),
      server: await startMassive({
        faults,
        nowMs: () => NOW_MS,
        files: Object.fromEntries(
          await Promise.all(
            [DAY, OTHER_DAY].map(async day => [
              massiveTradesKey(day),
              {
                content: await gzipRows(MASSIVE_COLUMNS.trades, massiveRows(day, 3000)),
                modifiedMs: NOW_MS - 3_600_000,
              },
            ]),
          ),
        ),
      }),
    }),
    'cboe-delayed': async (faults = []) => ({
      source: CBOE_DELAYED,
      keys: {},
      part: CBOE_DELAYED.plan([], instantMs(DAY, '11:15'))[0]!,
      server: await startCboeDelayed({
        faults,
        chains: {
          _SPX: smallChain(`${DAY} 15:15:00`),
          _NDX: smallChain(`${DAY} 15:15:00`, 'NDX'),
        },
      }),
    }),
    treasury: async (faults = []) => ({
      source: TREASURY,
      keys: {},
      part: TREASURY.plan([DAY], NOW_MS)[0]!,
      server: await startTreasury({
        faults,
        yields: {
          '2026-10-14': { '1 Mo': 4.1, '30 Yr': 4.6 },
          '2026-10-15': { '1 Mo': 4.2, '30 Yr': 4.7 },
          '2025-10-15': { '1 Mo': 5.2, '30 Yr': 5.7 },
        },
      }),
    }),
    fred: async (faults = []) => ({
      source: FRED,
      keys: { FRED_API_KEY: FRED_KEY },
      part: FRED.plan([DAY], NOW_MS)[0]!,
      server: await startFred({
        faults,
        dates: [{ release_id: 10, release_name: 'Consumer Price Index', date: DAY }],
      }),
    }),
  }

function findPart(source: DataSource, file: string): Part {
  const part = source.plan([DAY], NOW_MS).find(each => each.file === file)
  if (!part) throw new Error(`${source.name} has no file ${file}`)
  return part
}

export type PartResult = {
  readonly record: ResponseRecord | null
  readonly problem: FetchProblem | null
  /** Waits before further attempts, in ms. */
  readonly waits: readonly number[]
  readonly deps: TransferDeps
}

type PartRequest = Pick<SmallSource, 'source' | 'part'> & {
  readonly dataFolder: string
  readonly url: string
  readonly keys?: Readonly<Record<string, string>>
  readonly bodyTimeoutMs?: number
  readonly nowMs?: () => number
}

/** Fetches one file as the command does, and waits for nothing. */
export async function fetchOnePart(request: PartRequest): Promise<PartResult> {
  const { source, part, dataFolder, keys = {}, nowMs = () => NOW_MS } = request
  const waits: number[] = []
  const variable = `TAPEFOLD_${source.name.toUpperCase().replaceAll('-', '_')}_URL`
  const settings = readSettings(source, dataFolder, { ...keys, [variable]: request.url })
  const client = openClient({
    source,
    settings,
    nowMs,
    bodyTimeoutMs: request.bodyTimeoutMs ?? 60_000,
  })
  const deps: TransferDeps = {
    dataFolder,
    source,
    client,
    nowMs,
    wait: async ms => {
      waits.push(ms)
    },
    random: () => 0.5,
  }
  try {
    return { record: await fetchPart(part, deps), problem: null, waits, deps }
  } catch (error) {
    if (!(error instanceof FetchProblem)) throw error
    return { record: null, problem: error, waits, deps }
  } finally {
    await client.close()
  }
}
