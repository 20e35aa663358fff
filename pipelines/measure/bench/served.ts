/** Ledgers, levels and the archive over HTTP, compared with servers that only send the bytes. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { renderPublished } from '../../../src/archive/published.ts'
import {
  type PublishedManifest,
  publishedFolder,
  readManifest,
} from '../../../src/data/published/manifest.ts'
import { compare, compareBytes } from './http.ts'
import { fastest } from './meter.ts'
import { addKeys, authorize, startBare, stop, withApi } from './processes.ts'
import type { Bench, Rows } from './section.ts'
import { type BenchTape, buildSession, buildTape, layTape } from './tape.ts'

const SHORT_DATE = '2026-10-14'
/** A short session. */
const SHORT = { prints: 2_000, contracts: 400 }
/** Accounts of the ledgers: as many as connections, so that none reaches its daily limit. */
const LEDGER_ACCOUNTS = 32
/** Enough keys, at 120 calls a minute each, that no request of a load is refused. */
const LEVELS_KEYS = 5_000
/** Enough addresses and keys for a minute of either load: an address has 60 calls of it, a key 600. */
const ADDRESSES = 40_000
const DATASET_KEYS = 512
const RANGE_BYTES = 64 * 1024
const RENDERINGS = 3

/** Builds a session of few prints in a separate folder. */
async function buildShort({ folder, prints }: Bench, name: string): Promise<BenchTape> {
  const size = prints < SHORT.prints ? { prints, contracts: SHORT.contracts } : SHORT
  const tape = await layTape({ dataFolder: join(folder, name), date: SHORT_DATE, ...size })
  return (await buildTape(tape)).tape
}

/** The ledger of the session, and a short one, which shows the cost of a call without its bytes. */
export async function measureLedgers(bench: Bench): Promise<Rows> {
  const { tape } = await buildSession(bench)
  const ledgers = { session: tape, short: await buildShort(bench, 'short') }
  let rows: Rows = {}
  for (const [name, { dataFolder, date }] of Object.entries(ledgers)) {
    bench.say(`loading the API and the bare handler with the ledger of ${date}`)
    const accounts = { plan: 'orders_team', scope: 'orders', accounts: LEDGER_ACCOUNTS } as const
    const keys = await addKeys(dataFolder, { ...accounts, keys: 1 })
    const path = `/orders/api/day?day=${date}`
    const response = { name, path, headers: keys.map(authorize), isPaced: true }
    const compared = await withApi(dataFolder, {}, api => compareBytes(bench, api, response))
    rows = { ...rows, ...compared }
  }
  return rows
}

/** The levels of a minute and the history of a short session: they weigh the same in any. */
export async function measureLevels(bench: Bench): Promise<Rows> {
  const { dataFolder, date } = await buildShort(bench, 'levels')
  bench.say(`loading the API and the bare handler with the levels of ${date}`)
  // the session may be older than 90 days
  const account = { plan: 'live', scope: 'live', product: 'dataset', accounts: 1 } as const
  const keys = await addKeys(dataFolder, { ...account, keys: LEVELS_KEYS })
  const headers = keys.map(authorize)
  return withApi(dataFolder, {}, async api => ({
    ...(await compareBytes(bench, api, {
      name: 'levels',
      path: `/api/v1/levels?sym=SPX,XSP&g=10&day=${date}&time=11:14`,
      headers,
      isPaced: true,
    })),
    ...(await compareBytes(bench, api, {
      name: 'history',
      path: `/api/v1/history?sym=SPX&day=${date}`,
      headers,
      isPaced: true,
    })),
  }))
}

/** Finished sessions and dataset files, and the share of a build that renders them. */
export async function measureArchive(bench: Bench): Promise<Rows> {
  const { tape, cost } = await buildSession(bench)
  const { dataFolder, date } = tape
  bench.say('loading the archive and its yardsticks')
  const manifest = readManifest(dataFolder, date)!
  const rendering = await fastest(RENDERINGS, () => renderPublished(dataFolder, manifest))
  const account = { plan: 'dataset', scope: 'dataset', accounts: 1 } as const
  const keys = (await addKeys(dataFolder, { ...account, keys: DATASET_KEYS })).map(authorize)
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => ({
    'x-forwarded-for': `10.0.${Math.floor(index / 250)}.${(index % 250) + 1}`,
  }))
  const { session, ...curves } = manifest.archive!
  const published = publishedFolder(dataFolder)
  const file = largestFile(manifest)
  const responses = await withApi(dataFolder, { TAPEFOLD_TRUST_PROXY: '127.0.0.1' }, async api => {
    const compareOpen = (name: string, path: string) =>
      compareBytes(bench, api, { name, path, headers: addresses })
    const open = {
      ...(await compareOpen('a finished session', `/api/session/${date}`)),
      ...(await compareOpen('the list of days', '/api/days')),
    }
    const bare = await startBare(published)
    try {
      const size = Math.min(RANGE_BYTES, file.bytes)
      const servers = { api, bare, barePath: `/${file.file}` }
      const parts = keys.map(key => ({ ...key, range: `bytes=0-${size - 1}` }))
      const { path } = file
      return {
        ...open,
        ...(await compare(bench, {
          ...servers,
          bodyBytes: file.bytes,
          response: { name: 'a dataset file', path, headers: keys },
        })),
        ...(await compare(bench, {
          ...servers,
          bodyBytes: size,
          response: { name: 'a part of it', path, headers: parts },
        })),
      }
    } finally {
      await stop(bare)
    }
  })
  const json = brotliDecompressSync(readFileSync(join(published, session!.file)))
  return {
    ...responses,
    'a finished session, not compressed': { body_bytes: json.byteLength },
    'the largest file of its curves or strikes': {
      body_bytes: Math.max(...Object.values(curves).map(({ bytes }) => bytes)),
    },
    'rendering of the archive': { cpu_seconds: rendering.cpu_seconds },
    'yardstick: the whole build': { cpu_seconds: cost.cpu_seconds },
  }
}

/** The largest dataset file of a session, and its path at the API. */
function largestFile({ session_date: day, datasets }: PublishedManifest) {
  const names = ['orders', 'legs', 'levels', 'profiles'].filter(name => datasets[name])
  const [name] = names.sort((a, b) => datasets[b]!.bytes - datasets[a]!.bytes)
  const file = datasets[name!]!
  return { ...file, path: `/snapshots/${name}.${day}.${file.sha256.slice(0, 16)}.parquet` }
}
