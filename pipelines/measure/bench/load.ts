/**
 * Load on an HTTP server, from a separate process: takes one job over the channel, sends back its
 * results, and ends.
 */

import { fork } from 'node:child_process'
import { createHistogram, performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import autocannon, { type Request, type Result } from 'autocannon'
import { Client } from 'undici'
import { receiveMessage } from './processes.ts'

export type LoadRequest = {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with POST; without one, GET. */
  readonly body?: string
}

/** Connections that send their requests in turn, again and again. */
export type Load = {
  /** Name that its results are grouped by. */
  readonly name: string
  readonly connections: readonly (readonly LoadRequest[])[]
  /**
   * Interval of a connection's requests, whose latency counts from the time at which they were due.
   * Without one, the next request follows the response.
   */
  readonly everyMs?: number
}

export type LoadJob = {
  readonly url: string
  readonly seconds: number
  readonly loads: readonly Load[]
}

/** Results of one load. Latencies are those of responses with a status of 200 to 299. */
export type LoadResult = {
  readonly requests: number
  readonly bytes: number
  readonly seconds: number
  readonly refused: number
  readonly failed: number
  readonly p50_ms: number
  readonly p99_ms: number
}

const REFUSALS: readonly number[] = [429, 503]
const TIMEOUT_SECONDS = 60
/** How often autocannon looks whether its time is up. */
const LOOK_MS = 50
/** Milliseconds before the due time in which the load spins: timers are a millisecond coarse. */
const SPIN_MS = 2

/** Runs loads at the same time, in a process of their own; results by name. */
export async function runLoad(job: LoadJob): Promise<Readonly<Record<string, LoadResult>>> {
  const child = fork(import.meta.filename)
  child.send(job)
  return receiveMessage(child, 'the load')
}

/** Divides requests between connections: each has its share of them, in turn. */
export const divide = (requests: readonly LoadRequest[], connections: number): LoadRequest[][] =>
  Array.from({ length: connections }, (_, index) =>
    index < requests.length
      ? requests.filter((_, at) => at % connections === index)
      : [requests[index % requests.length]!],
  )

/** Counts responses, and the latencies of those that are right. */
function openCounts() {
  const latencies = createHistogram()
  const counts = { requests: 0, bytes: 0, refused: 0, failed: 0 }
  return {
    counts,
    add: (status: number, bytes: number, ms: number) => {
      counts.bytes += bytes
      if (REFUSALS.includes(status)) counts.refused++
      else if (status < 200 || status > 299) counts.failed++
      else {
        counts.requests++
        latencies.record(Math.max(1, Math.round(ms * 1000)))
      }
    },
    finish: (seconds: number): LoadResult => ({
      ...counts,
      seconds,
      p50_ms: latencies.percentile(50) / 1000,
      p99_ms: latencies.percentile(99) / 1000,
    }),
  }
}

/** Each connection sends the next request as soon as the response is complete. */
async function loadClosed({ connections }: Load, { url, seconds }: LoadJob): Promise<LoadResult> {
  const { counts, add, finish } = openCounts()
  let next = 0
  const ended = Promise.withResolvers<Result>()
  const options = {
    url,
    connections: connections.length,
    duration: seconds,
    sampleInt: LOOK_MS,
    timeout: TIMEOUT_SECONDS,
    setupClient: (client: autocannon.Client) => {
      const requests = connections[next++]!.map(
        ({ body, ...request }): Request => ({
          ...request,
          ...(body !== undefined && { method: 'POST', body }),
        }),
      )
      client.setRequests(requests)
      skipBodies(client)
    },
  }
  const running = autocannon(options, (error, result) =>
    error ? ended.reject(error) : ended.resolve(result),
  )
  running.on('response', (_, status, bytes, ms) => add(status, bytes, ms))
  const { duration, errors } = await ended.promise
  counts.failed += errors
  return finish(duration)
}

/**
 * Has a client of autocannon count bodies and not decode them as text: with large ones it would
 * measure itself.
 */
function skipBodies(client: object): void {
  const { pipelinedRequests } = client as { pipelinedRequests: { addBody: () => void } }
  pipelinedRequests.addBody = () => {}
}

/**
 * A fixed schedule, independent of the responses: what a stalled server makes the next requests
 * wait counts.
 */
async function loadPaced(load: Load, phase: number, job: LoadJob): Promise<LoadResult> {
  const { connections, everyMs } = load
  const { counts, add, finish } = openCounts()
  const startMs = performance.now()
  const endMs = startMs + job.seconds * 1000
  const send = async (requests: readonly LoadRequest[], index: number) => {
    const client = new Client(job.url, { headersTimeout: 0, bodyTimeout: 0 })
    const firstMs = startMs + ((index + phase) / connections.length) * everyMs!
    for (let number = 0; ; number++) {
      const dueMs = firstMs + number * everyMs!
      if (dueMs >= endMs) break
      await waitUntil(dueMs)
      const { body, ...request } = requests[number % requests.length]!
      try {
        const response = await client.request({
          ...request,
          method: body === undefined ? 'GET' : 'POST',
          body: body ?? null,
        })
        let bytes = 0
        for await (const chunk of response.body) bytes += chunk.byteLength
        add(response.statusCode, bytes, performance.now() - dueMs)
      } catch {
        // the server may close a connection with too many requests
        counts.failed++
      }
    }
    await client.close()
  }
  await Promise.all(connections.map(send))
  return finish((performance.now() - startMs) / 1000)
}

async function waitUntil(dueMs: number): Promise<void> {
  const waitMs = dueMs - performance.now() - SPIN_MS
  if (waitMs > 0) await wait(waitMs)
  while (performance.now() < dueMs) await new Promise(setImmediate)
}

async function load(job: LoadJob): Promise<Record<string, LoadResult>> {
  const { loads } = job
  const results = await Promise.all(
    loads.map(async (load, at) => [
      load.name,
      await (load.everyMs === undefined
        ? loadClosed(load, job)
        : loadPaced(load, at / loads.length, job)),
    ]),
  )
  return Object.fromEntries(results)
}

if (import.meta.main) {
  process.once('message', async (job: LoadJob) => {
    process.send!(await load(job), () => process.disconnect())
  })
}
