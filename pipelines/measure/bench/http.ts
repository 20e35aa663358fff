/** Responses of the API, compared with a server that sends the same bytes and does nothing else. */

import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { divide, type LoadRequest, type LoadResult, runLoad } from './load.ts'
import { median, readCpuSeconds } from './meter.ts'
import { type Server, startBare, stop } from './processes.ts'
import type { Bench, Rows } from './section.ts'

const CONNECTIONS = 32
/** Requests a second of the load whose latency is measured. */
const PACED_PER_SECOND = 200

export type Response = {
  readonly name: string
  readonly path: string
  /** Headers of the requests, in turn. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** Measures the latency at a fixed rate, too. */
  readonly isPaced?: boolean
}

/**
 * Both servers under the same loads, each in a process of its own, in short rounds that take turns:
 * other load on the machine disturbs both. The yardstick sends what the API sent.
 */
export async function compareBytes(
  { folder, ...rounds }: Pick<Bench, 'folder' | 'rounds' | 'roundSeconds'>,
  api: Server,
  response: Response,
): Promise<Rows> {
  const file = join(folder, 'bench-body')
  const { path, headers } = response
  const sent = await saveBody(api.url + path, headers.at(-1)!, file)
  const bare = await startBare(file, sent)
  try {
    const bodyBytes = statSync(file).size
    return await compare(rounds, { api, bare, response, barePath: path, bodyBytes })
  } finally {
    await stop(bare)
  }
}

/** Saves a body as it is sent, compressed; returns the headers that say how. */
async function saveBody(url: string, headers: Response['headers'][number], file: string) {
  const response = await request(url, { headers: { ...ACCEPT, ...headers } })
  writeFileSync(file, await response.body.bytes())
  if (response.statusCode !== 200) throw new Refusal(`${url} is ${response.statusCode}.`)
  const { 'content-type': type, 'content-encoding': encoding } = response.headers
  return { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
}

const ACCEPT = { 'accept-encoding': 'br, gzip' }

type Comparison = {
  readonly api: Server
  readonly bare: Server
  readonly response: Response
  readonly barePath: string
  readonly bodyBytes: number
}

export async function compare(
  { rounds, roundSeconds: seconds }: Pick<Bench, 'rounds' | 'roundSeconds'>,
  { api, bare, response, barePath, bodyBytes }: Comparison,
): Promise<Rows> {
  const { name, path, headers, isPaced } = response
  const load = async (server: Server, everyMs?: number) => {
    const requests = headers.map(
      (one): LoadRequest => ({
        path: server === api ? path : barePath,
        headers: { ...ACCEPT, ...one },
      }),
    )
    const cpuBefore = readCpuSeconds(server.child.pid!)
    const connections = divide(requests, CONNECTIONS)
    const loads = [{ name, connections, ...(everyMs !== undefined && { everyMs }) }]
    const result = (await runLoad({ url: server.url, seconds, loads }))[name]!
    const { requests: count, bytes, refused, failed } = result
    if (refused + failed > 0 || bytes < count * bodyBytes) {
      throw new Refusal(`${refused + failed} of ${count} requests to ${server.url} failed.`)
    }
    return { ...result, cpuSeconds: readCpuSeconds(server.child.pid!) - cpuBefore }
  }
  const closed = await takeTurns(rounds, { api, bare }, server => load(server))
  const paced = isPaced
    ? await takeTurns(rounds, { api, bare }, server =>
        load(server, (1000 * CONNECTIONS) / PACED_PER_SECOND),
      )
    : null
  const row = (server: 'api' | 'bare') => ({
    body_bytes: bodyBytes,
    requests_per_second: median(closed[server].map(({ requests, seconds }) => requests / seconds)),
    cpu_us_per_request: median(
      closed[server].map(({ cpuSeconds, requests }) => (cpuSeconds / requests) * 1e6),
    ),
    ...(paced && {
      p50_ms: median(paced[server].map(({ p50_ms }) => p50_ms)),
      p99_ms: median(paced[server].map(({ p99_ms }) => p99_ms)),
    }),
  })
  return { [`${name}: the API`]: row('api'), [`${name}: bare Express`]: row('bare') }
}

type Loaded = LoadResult & { readonly cpuSeconds: number }

/** Runs rounds on both servers, alternating which goes first; one more is the warm-up. */
async function takeTurns(
  rounds: number,
  { api, bare }: { readonly api: Server; readonly bare: Server },
  load: (server: Server) => Promise<Loaded>,
): Promise<{ readonly api: Loaded[]; readonly bare: Loaded[] }> {
  const seen = { api: [] as Loaded[], bare: [] as Loaded[] }
  for (let round = 0; round <= rounds; round++) {
    if (round % 2 === 0) seen.api.push(await load(api))
    seen.bare.push(await load(bare))
    if (round % 2 === 1) seen.api.push(await load(api))
  }
  return { api: seen.api.slice(1), bare: seen.bare.slice(1) }
}
