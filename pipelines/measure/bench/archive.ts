/** Finished sessions and dataset files over HTTP, and the share of a build that renders them. */

import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import { renderPublished } from '../../../src/archive/published.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { publishedFolder } from '../../../src/data/published/manifest.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import type { BuildSpeed } from './builds.ts'
import {
  alternate,
  type LoadRound,
  loadOn,
  type Server,
  startApi,
  startBare,
  stop,
  type WithoutPort,
} from './http.ts'
import type { LoadJob } from './load.ts'
import { fastest, type Taken } from './meter.ts'
import { median } from './stats.ts'

export type ArchiveOptions = {
  readonly dataFolder: string
  readonly manifest: PublishedManifest
  readonly build: BuildSpeed
  readonly rounds: number
  readonly seconds: number
  readonly nowMs: () => number
}

/** One response that both servers send: medians of the rounds. */
type Compared = {
  readonly body_bytes: number
  readonly api_per_second: number
  readonly bare_per_second: number
}

export type ArchiveSpeed = {
  readonly rounds: number
  readonly round_seconds: number
  /** Compared with a handler that sends the same bytes. */
  readonly session: Compared
  readonly days: Compared
  /** Compared with `express.static` on the same file. */
  readonly whole: Compared
  readonly ranges: Compared
  /** Size of the session's JSON. */
  readonly raw_bytes: number
  /** Size of the largest file of its curves or strikes, compressed. */
  readonly curve_bytes: number
  readonly rendering: Taken
  readonly build_cpu_seconds: number
}

const CONNECTIONS = 32
const DAYS = '/api/days'
const RANGE_BYTES = 64 * 1024
const RENDERINGS = 3
/** Enough addresses and keys for a minute of either load: an address has 60 calls of it, a key 600. */
const ADDRESSES = 40_000
const KEYS = 512

export async function measureArchive(options: ArchiveOptions): Promise<ArchiveSpeed> {
  const { dataFolder, manifest, build, rounds, seconds } = options
  const published = publishedFolder(dataFolder)
  const formFile = (form: string) => join(published, manifest.archive![form]!.file)
  const rendering = await fastest(RENDERINGS, () => renderPublished(dataFolder, manifest))
  const keys = await addKeys(options)
  const api = await startApi(dataFolder, { TAPEFOLD_TRUST_PROXY: '127.0.0.1' })
  try {
    const compare = comparing(api, { rounds, seconds })
    const { session: _, ...curves } = manifest.archive!
    const path = `/api/session/${manifest.session_date}`
    const [file, own] = largestFile(manifest)
    const size = Math.min(RANGE_BYTES, file.bytes)
    const headers = Array.from(
      { length: ADDRESSES },
      (_, index) => `X-Forwarded-For: ${makeHost(index)}`,
    )
    const compareOpen = async (path: string, file: string): Promise<Compared> => {
      const bare = await startBare(file)
      const bodyBytes = statSync(file).size
      const comparison = { path, barePath: path, bodyBytes, keys: [], headers }
      return compare(bare, comparison).finally(() => stop(bare))
    }
    const sessionSpeed = await compareOpen(path, formFile('session'))
    const daysSpeed = await compareOpen(DAYS, await saveCompressed(api.url + DAYS, dataFolder))
    const folder = await startBare(published, 'folder')
    const paths = { path: own, barePath: `/${file.file}`, keys }
    try {
      const whole = await compare(folder, { ...paths, bodyBytes: file.bytes })
      const headers = [`Range: bytes=0-${size - 1}`]
      const ranges = await compare(folder, { ...paths, headers, bodyBytes: size, status: 206 })
      return {
        rounds,
        round_seconds: seconds,
        session: sessionSpeed,
        days: daysSpeed,
        whole,
        ranges,
        rendering,
        raw_bytes: brotliDecompressSync(readFileSync(formFile('session'))).byteLength,
        curve_bytes: Math.max(...Object.values(curves).map(entry => entry.bytes)),
        build_cpu_seconds: build.cpu_seconds,
      }
    } finally {
      await stop(folder)
    }
  } finally {
    await stop(api)
  }
}

type Comparison = Omit<
  WithoutPort<LoadJob & { kind: 'closed' }>,
  'kind' | 'connections' | 'seconds'
> & {
  readonly barePath: string
}

/** Loads the API and a bare server alternately. */
const comparing =
  (api: Server, { rounds, seconds }: { readonly rounds: number; readonly seconds: number }) =>
  async (bare: Server, { barePath, ...job }: Comparison): Promise<Compared> => {
    const load = { ...job, seconds, kind: 'closed', connections: CONNECTIONS } as const
    const seen = await alternate({ api, bare }, rounds, server =>
      loadOn(server, server === api ? load : { ...load, path: barePath }),
    )
    const perSecond = (loads: readonly LoadRound[]) =>
      median(loads.slice(1).map(({ result }) => result.requests / result.seconds))
    return {
      body_bytes: job.bodyBytes,
      api_per_second: perSecond(seen.api),
      bare_per_second: perSecond(seen.bare),
    }
  }

/** Saves a response body to a file as it is sent, compressed; the name ends as its encoding. */
async function saveCompressed(url: string, folder: string): Promise<string> {
  const request = get(url, { headers: { 'accept-encoding': 'br' } })
  const [response] = await once(request, 'response')
  const file = join(folder, 'bench-body.br')
  writeFileSync(file, await buffer(response))
  return file
}

/** The largest file that is shared, and its path at the API. */
function largestFile({ session_date: day, datasets }: PublishedManifest) {
  const names = ['orders', 'legs', 'levels', 'profiles'].filter(name => datasets[name])
  const [name] = names.sort((a, b) => datasets[b]!.bytes - datasets[a]!.bytes)
  const file = datasets[name!]!
  return [file, `/snapshots/${name}.${day}.${file.sha256.slice(0, 16)}.parquet`] as const
}

/** An address of a private network. */
const makeHost = (index: number) => `10.0.${Math.floor(index / 250)}.${(index % 250) + 1}`

/** Keys of one account with the plan DATASET. */
async function addKeys({ dataFolder, nowMs }: ArchiveOptions): Promise<string[]> {
  const accounts = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const createdAtMs = nowMs()
  const account = { name: 'bench archive', plan: 'dataset', createdAtMs } as const
  const { id } = await accounts.addAccount(account)
  const keys: string[] = []
  for (let index = 0; index < KEYS; index++) {
    const key = { accountId: id, scope: 'dataset', name: `bench ${index}`, createdAtMs } as const
    keys.push((await accounts.addKey(key))!.apiKey)
  }
  await accounts.close()
  return keys
}
