/**
 * The load of the API's measurement, in a separate process: takes one job over the channel, sends
 * back its results, and ends.
 */

import { performance } from 'node:perf_hooks'
import { type BenchConnection, type BenchResponse, openConnection } from './client.ts'

/**
 * Requests to send, and their load. Keys are used in rotation, each connection beginning at its
 * own.
 */
export type LoadJob = {
  readonly port: number
  readonly path: string
  readonly keys: readonly string[]
  /** Headers of the requests, `Name: value`, each used in rotation with a key. */
  readonly headers?: readonly string[]
  /** Expected size and status of a response; the status is 200 by default. */
  readonly bodyBytes: number
  readonly status?: number
  readonly seconds: number
} & (
  | { readonly kind: 'closed'; readonly connections: number }
  | { readonly kind: 'open'; readonly requestsPerSecond: number }
)

/** Results; another status, or other bytes than expected, count as a failure. */
export type LoadResult = {
  readonly requests: number
  readonly failures: number
  readonly seconds: number
  /** Open load only: milliseconds from each request's scheduled time to its last byte. */
  readonly latenciesMs: readonly number[]
}

/**
 * Milliseconds before the scheduled time in which the load spins: timers are a millisecond coarse.
 */
const SPIN_MS = 2
const START_MS = 50

function buildRequests({ path, keys, headers = [] }: LoadJob): Buffer[] {
  const lines = headers.map(line => `${line}\r\n`)
  return Array.from({ length: Math.max(keys.length, lines.length, 1) }, (_, index) => {
    const key = keys[index % keys.length]
    return Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br, gzip\r\n` +
        (key === undefined ? '' : `Authorization: Bearer ${key}\r\n`) +
        `${lines[index % lines.length] ?? ''}\r\n`,
    )
  })
}

/**
 * Runs a number of connections, each sending the next request as soon as the response is complete.
 */
async function loadClosed(job: LoadJob & { kind: 'closed' }): Promise<LoadResult> {
  const requests = buildRequests(job)
  const startMs = performance.now()
  const endMs = startMs + job.seconds * 1000
  let responses = 0
  let failures = 0
  const sendRequests = async (index: number) => {
    const connection = openConnection(job.port)
    // where there are more than connections, each has its share of them
    for (let next = index; performance.now() < endMs; next += job.connections) {
      if (isRight(await connection.send(requests[next % requests.length]!), job)) responses++
      else failures++
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: job.connections }, (_, index) => sendRequests(index)))
  const seconds = (performance.now() - startMs) / 1000
  return { requests: responses, failures, seconds, latenciesMs: [] }
}

/**
 * A fixed schedule of arrivals, independent of the responses: a stalled server still gets its
 * requests, and the wait of every request behind them counts.
 */
async function loadOpen(job: LoadJob & { kind: 'open' }): Promise<LoadResult> {
  const requests = buildRequests(job)
  const total = Math.round(job.requestsPerSecond * job.seconds)
  const idle: BenchConnection[] = []
  const latenciesMs: number[] = []
  let failures = 0
  const sendRequest = async (index: number, dueMs: number) => {
    const connection = idle.pop() ?? openConnection(job.port)
    const response = await connection.send(requests[index % requests.length]!)
    if (isRight(response, job)) latenciesMs.push(performance.now() - dueMs)
    else failures++
    idle.push(connection)
  }
  const startMs = performance.now() + START_MS
  const pending: Promise<void>[] = []
  for (let index = 0; index < total; index++) {
    const dueMs = startMs + (index * 1000) / job.requestsPerSecond
    await until(dueMs)
    pending.push(sendRequest(index, dueMs))
  }
  await Promise.all(pending)
  for (const connection of idle) connection.close()
  const seconds = (performance.now() - startMs) / 1000
  return { requests: latenciesMs.length, failures, seconds, latenciesMs }
}

const isRight = (response: BenchResponse, job: LoadJob) =>
  response.status === (job.status ?? 200) && response.bodyBytes === job.bodyBytes

function until(dueMs: number): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      const waitMs = dueMs - performance.now()
      if (waitMs <= 0) resolve()
      else if (waitMs > SPIN_MS) setTimeout(look, waitMs - SPIN_MS)
      else setImmediate(look)
    }
    look()
  })
}

if (import.meta.main) {
  process.once('message', async (job: LoadJob) => {
    const result = job.kind === 'closed' ? await loadClosed(job) : await loadOpen(job)
    process.send!(result, () => process.disconnect())
  })
}
