import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { wallTimeEt } from '../../../src/core/market/calendar.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { fileEnvironment } from '../../command/command.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { readCpuSeconds } from './meter.ts'
import { median, percentile } from './stats.ts'

export type HttpOptions = {
  readonly dataFolder: string
  readonly manifest: PublishedManifest
  readonly rounds: number
  readonly seconds: number
  readonly nowMs: () => number
}

/** One server under both loads: the medians of its rounds. */
export type ServerSpeed = {
  readonly requests_per_second: number
  /** CPU time the server's process took for a request, microseconds. */
  readonly cpu_us_per_request: number
  readonly p50_ms: number
  readonly p99_ms: number
}

export type HttpSpeed = {
  readonly body_bytes: number
  readonly connections: number
  readonly open_requests_per_second: number
  readonly rounds: number
  readonly round_seconds: number
  readonly accounts: number
  readonly api: ServerSpeed
  readonly bare: ServerSpeed
  /** Calls counted by the account database, and responses received by the loads. */
  readonly counted_calls: number
  readonly answered_calls: number
}

const CONNECTIONS = 32
const OPEN_REQUESTS_PER_SECOND = 200
const START_TIMEOUT_MS = 300_000
const LOAD_SCRIPT = join(import.meta.dirname, 'load.ts')
const BARE_SCRIPT = join(import.meta.dirname, 'bareServer.ts')
const COMMAND_SCRIPT = join(import.meta.dirname, '../../../src/server/cli.ts')

export type Server = { readonly url: string; readonly child: ChildProcess }
export type LoadRound = { readonly result: LoadResult; readonly cpuSeconds: number }

/**
 * Measures the ledger of a finished day from the API as `tapefold serve` runs it, and from an
 * Express handler that sends the same bytes: each server and the load in a separate process, in
 * short alternating rounds, so that other load on the machine disturbs both.
 */
export async function measureHttp(options: HttpOptions): Promise<HttpSpeed> {
  const { dataFolder, manifest, rounds, seconds } = options
  const { keys, countedCalls } = await addAccounts(options)
  const path = `/orders/api/day?day=${manifest.session_date}`
  const file = join(dataFolder, 'published', manifest.ledger.brotli!.file)
  const { responses, ...measured } = await measureComparison({
    dataFolder,
    path,
    keys,
    rounds,
    seconds,
    readBody: async () => file,
  })
  return {
    ...measured,
    connections: CONNECTIONS,
    open_requests_per_second: OPEN_REQUESTS_PER_SECOND,
    rounds,
    round_seconds: seconds,
    accounts: keys.length,
    counted_calls: await countedCalls(),
    answered_calls: responses,
  }
}

export type ComparisonOptions = Pick<HttpOptions, 'dataFolder' | 'rounds' | 'seconds'> & {
  readonly path: string
  readonly keys: readonly string[]
  /** The file whose bytes the bare handler sends, once the API runs. */
  readonly readBody: (apiUrl: string) => Promise<string>
}

export type ComparisonSpeed = {
  readonly body_bytes: number
  readonly api: ServerSpeed
  readonly bare: ServerSpeed
}

/** One path of the API and a bare handler with the same bytes, under the same loads. */
export async function measureComparison(
  options: ComparisonOptions,
): Promise<ComparisonSpeed & { responses: number }> {
  const { dataFolder, path, keys, rounds, seconds } = options
  const api = await startApi(dataFolder)
  try {
    const bare = await startBare(await options.readBody(api.url))
    try {
      const servers = { api, bare }
      const bodyBytes = await checkSameBytes(servers, path, keys[0]!)
      const job = { keys, seconds, path, bodyBytes }
      const closed = await alternate(servers, rounds, server =>
        loadOn(server, { ...job, kind: 'closed', connections: CONNECTIONS }),
      )
      const open = await alternate(servers, rounds, server =>
        loadOn(server, { ...job, kind: 'open', requestsPerSecond: OPEN_REQUESTS_PER_SECOND }),
      )
      const responses = [...closed.api, ...open.api].map(({ result }) => result.requests)
      return {
        body_bytes: bodyBytes,
        api: computeSpeed(closed.api.slice(1), open.api.slice(1)),
        bare: computeSpeed(closed.bare.slice(1), open.bare.slice(1)),
        // the call that compared the bytes is one more
        responses: responses.reduce((sum, count) => sum + count, 1),
      }
    } finally {
      await stop(bare)
    }
  } finally {
    await stop(api)
  }
}

/** Runs rounds on both servers, alternating which goes first; one more is the warm-up. */
export async function alternate(
  { api, bare }: { readonly api: Server; readonly bare: Server },
  rounds: number,
  load: (server: Server) => Promise<LoadRound>,
): Promise<{ api: LoadRound[]; bare: LoadRound[] }> {
  const seen = { api: [] as LoadRound[], bare: [] as LoadRound[] }
  for (let round = 0; round <= rounds; round++) {
    if (round % 2 === 0) seen.api.push(await load(api))
    seen.bare.push(await load(bare))
    if (round % 2 === 1) seen.api.push(await load(api))
  }
  return seen
}

export type WithoutPort<Job> = Job extends LoadJob ? Omit<Job, 'port'> : never

export async function loadOn(server: Server, job: WithoutPort<LoadJob>): Promise<LoadRound> {
  const cpuBefore = readCpuSeconds(server.child.pid!)
  const child = spawn(process.execPath, [LOAD_SCRIPT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.send({ ...job, port: Number(new URL(server.url).port) })
  const result = (await readFirstMessage(child, 'the load')) as LoadResult
  if (result.failures > 0) {
    throw new Refusal(`${result.failures} requests to ${server.url} failed under load.`)
  }
  return { result, cpuSeconds: readCpuSeconds(server.child.pid!) - cpuBefore }
}

function computeSpeed(closed: readonly LoadRound[], open: readonly LoadRound[]): ServerSpeed {
  const over = (rounds: readonly LoadRound[], measure: (round: LoadRound) => number) =>
    median(rounds.map(measure))
  return {
    requests_per_second: over(closed, ({ result }) => result.requests / result.seconds),
    cpu_us_per_request: over(
      closed,
      ({ result, cpuSeconds }) => (cpuSeconds / result.requests) * 1e6,
    ),
    p50_ms: over(open, ({ result }) => percentile(result.latenciesMs, 0.5)),
    p99_ms: over(open, ({ result }) => percentile(result.latenciesMs, 0.99)),
  }
}

/** Adds as many accounts as connections, each with a key, so that none reaches its daily limit. */
async function addAccounts({ dataFolder, nowMs }: HttpOptions) {
  const file = join(dataFolder, 'accounts.sqlite')
  const createdAtMs = nowMs()
  const accounts = await openAccountStore(file)
  const added: { accountId: string; apiKey: string }[] = []
  for (let index = 0; index < CONNECTIONS; index++) {
    const plan = 'orders_team'
    const { id } = await accounts.addAccount({ name: `bench ${index}`, plan, createdAtMs })
    const key = { accountId: id, scope: 'orders', name: 'bench', createdAtMs } as const
    const { apiKey } = (await accounts.addKey(key))!
    added.push({ accountId: id, apiKey })
  }
  const dayEt = wallTimeEt(createdAtMs).date
  await accounts.close()
  const countedCalls = async () => {
    const reader = await openAccountStore(file)
    // adding zero calls returns the current count
    const totals = await reader.countCalls(
      added.map(({ accountId }) => ({ accountId, product: 'orders', dayEt, calls: 0 })),
    )
    await reader.close()
    return totals.reduce((sum, count) => sum + count, 0)
  }
  return { keys: added.map(({ apiKey }) => apiKey), countedCalls }
}

/**
 * Starts the command as in production but for the given settings; its log goes to a file, as a
 * service's does.
 */
export async function startApi(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const logFile = join(dataFolder, 'serve.log')
  const log = openSync(logFile, 'w')
  const args = [COMMAND_SCRIPT, 'serve', '--port', '0', '--data', dataFolder]
  const env = { ...fileEnvironment(), ...settings }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', log, 'inherit'] })
  closeSync(log)
  for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += 50) {
    const url = /serves (http:\S+),/.exec(readFileSync(logFile, 'utf8'))?.[1]
    if (url) return { url, child }
    if (child.exitCode !== null) break
    await wait(50)
  }
  child.kill()
  throw new Refusal('tapefold serve did not start; its message is above.')
}

/** Sends a file of compressed JSON for every request; or a folder, as `express.static` does. */
export async function startBare(path: string, kind: 'bytes' | 'folder' = 'bytes'): Promise<Server> {
  const encoding = path.endsWith('.gz') ? 'gzip' : 'br'
  const args = [BARE_SCRIPT, kind, path, 'application/json; charset=utf-8', encoding]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return { url: (await readFirstMessage(child, 'the bare server')) as string, child }
}

/** Resolves with the first message of a process over its channel. */
export function readFirstMessage(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('error', reject)
    child.once('exit', code => reject(new Refusal(`${name} ended with ${code}.`)))
  })
}

export function stop({ child }: Server): Promise<void> {
  return new Promise(stopped => {
    if (child.exitCode !== null || child.signalCode !== null) return stopped()
    child.once('exit', () => stopped())
    child.kill('SIGTERM')
  })
}

/** Fails unless both servers send the same bytes in the same encoding; returns their number. */
async function checkSameBytes(
  { api, bare }: { readonly api: Server; readonly bare: Server },
  path: string,
  key: string,
): Promise<number> {
  const [ours, theirs] = [
    await fetchBody(api.url + path, key),
    await fetchBody(bare.url + path, key),
  ]
  if (ours.sha256 !== theirs.sha256 || ours.encoding !== theirs.encoding) {
    const seen = `${ours.bytes} bytes of ${ours.encoding}, ${theirs.bytes} of ${theirs.encoding}`
    throw new Refusal(`the two servers do not send the same bytes: ${seen}.`)
  }
  return ours.bytes
}

function fetchBody(url: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'br, gzip' }
  return new Promise<{ bytes: number; sha256: string; encoding: string | undefined }>(
    (resolve, reject) => {
      const request = get(url, { headers }, response => {
        const hash = createHash('sha256')
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.byteLength
          hash.update(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          resolve({
            bytes,
            sha256: hash.digest('hex'),
            encoding: response.headers['content-encoding'],
          })
        })
      })
      request.on('error', reject)
    },
  )
}
